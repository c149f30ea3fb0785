//! Starting the sandbox.

use super::{block_on, fact};
use crate::config::{Config, LogFormat};
use crate::sandbox::Sandbox;
use crate::seed::Seeded;
use crate::start_error::StartError;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;
use tracing_subscriber::EnvFilter;

/// Runs the sandbox until SIGTERM or ctrl-c.
pub(super) fn run(config: Config, file: Option<&Path>) -> ExitCode {
    block_on(async {
        let config = match file {
            Some(file) => config.or_file(file)?,
            None => config,
        };
        log(config.log_format.unwrap_or_default());
        raise_file_limit();
        let ready_json = config.ready_json;
        // Before anybody can know that the sandbox runs, and stop it.
        let shutdown = bothends_delivery::shutdown_signal();
        let sandbox = Sandbox::start_with(config).await?;
        let ready = if ready_json {
            ready_line(&sandbox)
        } else {
            welcome(&sandbox)
        };
        // A closed standard output is no reason to stop.
        let mut out = io::stdout().lock();
        let _ = out.write_all(ready.as_bytes()).and_then(|()| out.flush());
        drop(out);
        shutdown.await;
        tracing::info!("stopping");
        sandbox.stop().await;
        Ok::<_, StartError>(ExitCode::SUCCESS)
    })
}

/// Writes the log to standard error. `RUST_LOG` selects what is written.
fn log(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    // An error means that the process has a log already.
    let _ = match format {
        LogFormat::Text => log.try_init(),
        LogFormat::Json => log.json().try_init(),
    };
}

/// Raises the number of files that the process may open to what the system permits: each connection is
/// one.
fn raise_file_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            tracing::warn!(%error, "the limit of open files was not raised");
        }
    }
}

/// The line of `--ready-json`. Secrets that only their hashes are known of are null.
fn ready_line(sandbox: &Sandbox) -> String {
    let first = sandbox.first();
    let known = sandbox.project();
    let line = serde_json::json!({
        "api": sandbox.api_url(),
        "console": sandbox.console_url(),
        "client_id": known.and_then(|known| known.client_id.as_ref()),
        "client_secret": first.map(|first| &first.client_secret),
        "customer_id": known.and_then(|known| known.customer_id.as_ref()),
        "customer_secret": first.map(|first| &first.customer_secret),
        "project": known.map(|known| &known.id),
        "console_token": sandbox.console_token(),
        "console_password": sandbox.console_password(),
    });
    format!("{line}\n")
}

/// The text for people.
fn welcome(sandbox: &Sandbox) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            text += &fact(name, value);
        }
    };
    line("API", Some(sandbox.api_url()));
    line("Console", Some(sandbox.console_url()));
    line("Console password", sandbox.console_password());
    line("Console token", Some(sandbox.console_token()));
    let secret = |field: fn(&Seeded) -> &str| sandbox.first().map(field);
    if let Some(known) = sandbox.project() {
        line("Project", Some(known.id.as_str()));
        line("Client id", known.client_id.as_deref());
        line("Client secret", secret(|seeded| &seeded.client_secret));
        line("Customer id", known.customer_id.as_deref());
        line("Customer secret", secret(|seeded| &seeded.customer_secret));
    }
    if let Some(first) = sandbox.first() {
        let _ = write!(
            text,
            "\nObtain an access token:\n\n  curl -s -u {}:{} -d grant_type=client_credentials {}/v1/oauth/token\n\n",
            first.client_id,
            first.client_secret,
            sandbox.api_url(),
        );
    } else {
        text.push_str(
            "\nSecrets are stored as hashes, and were shown at the first start: the console can replace them.\n",
        );
    }
    text
}
