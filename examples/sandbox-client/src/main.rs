//! Refreshes the data of a customer: `cargo run -p example-sandbox-client`.
//!
//! The URL and the credentials are in the environment (`FINANCIAL_DATA_API` and so on), or in the
//! line that a sandbox prints with `--ready-json`, on the standard input:
//!
//! ```console
//! $ financial-data-sandbox --ready-json | example-sandbox-client -
//! ```
//!
//! With `FINANCIAL_DATA_LISTEN`, the program receives webhooks at that address, at `/hooks/KIND`.
//! They are signed with `FINANCIAL_DATA_SIGNING_TOKEN`, or with the keys at `FINANCIAL_DATA_JWKS`.

use bothends_runtime::server::serve;
use example_sandbox_client::{Service, Settings, Signatures};
use std::error::Error;
use std::process::ExitCode;
use tokio::net::TcpListener;

type BoxError = Box<dyn Error + Send + Sync>;

#[tokio::main]
async fn main() -> ExitCode {
    match run().await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<ExitCode, BoxError> {
    let settings = match std::env::args().nth(1).as_deref() {
        Some("-") => {
            let mut line = String::new();
            std::io::stdin().read_line(&mut line)?;
            Settings::from_ready_json(&line)?
        }
        _ => Settings::from_env()?,
    };
    let service = Service::new(&settings)?;
    if let Ok(address) = std::env::var("FINANCIAL_DATA_LISTEN") {
        let webhooks = service.webhooks("/hooks", signatures()?)?;
        let listener = TcpListener::bind(address).await?;
        eprintln!(
            "receiving webhooks at http://{}/hooks",
            listener.local_addr()?
        );
        tokio::spawn(serve(listener, webhooks).into_future());
    }
    let refreshed = service.refresh().await?;
    let by = if refreshed.by_webhook {
        "webhook"
    } else {
        "polling"
    };
    match &refreshed.failure {
        None => println!("task {} succeeded, known by {by}", refreshed.task_id),
        Some(code) => println!(
            "task {} failed with {code}, known by {by}",
            refreshed.task_id
        ),
    }
    Ok(ExitCode::from(u8::from(refreshed.failure.is_some())))
}

fn signatures() -> Result<Signatures, BoxError> {
    if let Ok(token) = std::env::var("FINANCIAL_DATA_SIGNING_TOKEN") {
        return Ok(Signatures::Token(token));
    }
    let url = std::env::var("FINANCIAL_DATA_JWKS");
    let url = url.map_err(|_| "set FINANCIAL_DATA_SIGNING_TOKEN or FINANCIAL_DATA_JWKS")?;
    Ok(Signatures::Keys(url))
}
