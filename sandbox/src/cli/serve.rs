//! Starting the sandbox.

use super::block_on;
use crate::config::{Config, LogFormat};
use crate::sandbox::{Sandbox, StartError};
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
    let line = serde_json::json!({
        "api": sandbox.api_url(),
        "console": sandbox.console_url(),
        "client_id": first.map(|first| &first.client_id),
        "client_secret": first.map(|first| &first.client_secret),
        "customer_id": first.map(|first| &first.customer_id),
        "customer_secret": first.map(|first| &first.customer_secret),
        "project": first.map(|first| &first.project.id),
        "console_token": sandbox.console_token(),
        "console_password": sandbox.console_password(),
    });
    format!("{line}\n")
}

/// The text for people.
fn welcome(sandbox: &Sandbox) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(text, "{name:<17} {value}");
    };
    line("API", sandbox.api_url());
    line("Console", sandbox.console_url());
    if let Some(password) = sandbox.console_password() {
        line("Console password", password);
    }
    line("Console token", sandbox.console_token());
    if let Some(first) = sandbox.first() {
        line("Project", &first.project.id);
        line("Client id", &first.client_id);
        line("Client secret", &first.client_secret);
        line("Customer id", &first.customer_id);
        line("Customer secret", &first.customer_secret);
        let _ = write!(
            text,
            "\nObtain an access token:\n\n  curl -s -u {}:{} -d grant_type=client_credentials {}/v1/oauth/token\n\n",
            first.client_id,
            first.client_secret,
            sandbox.api_url(),
        );
    } else {
        text.push_str(
            "\nThe database has projects already. Secrets are stored as hashes: the console can replace them.\n",
        );
    }
    text
}
