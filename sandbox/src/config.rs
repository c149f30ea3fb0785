//! The configuration of the program: command line, environment and file.

use bothends_delivery::Destinations;
use clap::{Args, ValueEnum};
use serde::Deserialize;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

/// The configuration. A value of the command line takes precedence over the environment, and the
/// environment over the file.
#[derive(Debug, Clone, Default, Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The address of the API. With port 0 the system chooses a port. [default: 127.0.0.1:8080]
    #[arg(long, env = "SANDBOX_LISTEN")]
    pub listen: Option<SocketAddr>,
    /// The address of the console. [default: 127.0.0.1:8081]
    #[arg(long, env = "SANDBOX_CONSOLE_LISTEN")]
    pub console_listen: Option<SocketAddr>,
    /// The URL under which clients reach the API, if it is not that of the listener.
    #[arg(long, env = "SANDBOX_PUBLIC_URL")]
    pub public_url: Option<String>,
    /// The URL under which the console is reached, if it is not that of the listener. The built-in
    /// receiver of webhooks is under this URL too.
    #[arg(long, env = "SANDBOX_PUBLIC_CONSOLE_URL")]
    pub public_console_url: Option<String>,
    /// The database: `sqlite::memory:`, `sqlite:FILE` or `postgres://…`. [default: sqlite::memory:]
    #[arg(long, env = "SANDBOX_DATABASE", hide_env_values = true)]
    pub database: Option<String>,
    /// Derives the ids and secrets of the first project from a number, so that they are known in
    /// advance. Without it they are random.
    #[arg(long, env = "SANDBOX_SEED")]
    pub seed: Option<u64>,
    /// The password of the console. Without it, a random one is printed at the first start.
    #[arg(long, env = "SANDBOX_CONSOLE_PASSWORD", hide_env_values = true)]
    pub console_password: Option<String>,
    /// The bearer token of the console API. Without it, a random one is printed.
    #[arg(long, env = "SANDBOX_CONSOLE_TOKEN", hide_env_values = true)]
    pub console_token: Option<String>,
    /// The addresses to which webhooks are sent. [default: loopback]
    #[arg(long, env = "SANDBOX_WEBHOOK_DESTINATIONS")]
    pub webhook_destinations: Option<WebhookDestinations>,
    /// The format of the log. [default: text]
    #[arg(long, env = "SANDBOX_LOG_FORMAT")]
    pub log_format: Option<LogFormat>,
    /// Prints one line of JSON once the program listens, instead of text.
    #[arg(long, env = "SANDBOX_READY_JSON")]
    pub ready_json: bool,
}

/// The addresses to which webhooks are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WebhookDestinations {
    /// Public addresses only, as the service does.
    Public,
    /// Public addresses, and those of this machine.
    #[default]
    Loopback,
    /// Public addresses, those of this machine, and private networks.
    Private,
}

/// A format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// Lines for people.
    #[default]
    Text,
    /// A JSON object per line.
    Json,
}

impl Config {
    /// Fills values that are missing from a file in TOML, whose keys are the names of the command
    /// line options.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or has an unknown key.
    pub fn or_file(self, file: &Path) -> Result<Self, ConfigError> {
        let config_error = |message: String| ConfigError {
            file: file.to_owned(),
            message,
        };
        let text =
            std::fs::read_to_string(file).map_err(|error| config_error(error.to_string()))?;
        let from: Self = toml::from_str(&text).map_err(|error| config_error(error.to_string()))?;
        Ok(Self {
            listen: self.listen.or(from.listen),
            console_listen: self.console_listen.or(from.console_listen),
            public_url: self.public_url.or(from.public_url),
            public_console_url: self.public_console_url.or(from.public_console_url),
            database: self.database.or(from.database),
            seed: self.seed.or(from.seed),
            console_password: self.console_password.or(from.console_password),
            console_token: self.console_token.or(from.console_token),
            webhook_destinations: self.webhook_destinations.or(from.webhook_destinations),
            log_format: self.log_format.or(from.log_format),
            ready_json: self.ready_json || from.ready_json,
        })
    }

    /// Returns the URL of the database.
    pub fn database(&self) -> &str {
        self.database.as_deref().unwrap_or("sqlite::memory:")
    }

    /// Returns whether the secrets of the first project can be computed by strangers who reach the
    /// sandbox: they belong to the seed.
    pub fn has_exposed_seed(&self) -> bool {
        let is_public = self.public_url.is_some()
            || self.public_console_url.is_some()
            || !self.listen().ip().is_loopback()
            || !self.console_listen().ip().is_loopback();
        self.seed.is_some() && is_public
    }

    /// Returns the address of the API.
    pub fn listen(&self) -> SocketAddr {
        self.listen
            .unwrap_or(SocketAddr::from(([127, 0, 0, 1], 8080)))
    }

    /// Returns the address of the console.
    pub fn console_listen(&self) -> SocketAddr {
        self.console_listen
            .unwrap_or(SocketAddr::from(([127, 0, 0, 1], 8081)))
    }
}

/// Returns the addresses to which webhooks may be sent.
pub(crate) fn destinations(allowed: WebhookDestinations) -> Destinations {
    let public = Destinations::public();
    match allowed {
        WebhookDestinations::Public => public,
        WebhookDestinations::Loopback => public.allow_loopback(),
        WebhookDestinations::Private => {
            let networks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"];
            let networks = networks.iter().filter_map(|network| network.parse().ok());
            networks.fold(public.allow_loopback(), Destinations::allow)
        }
    }
}

/// An error of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    file: PathBuf,
    message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.message)
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_fills_what_is_missing() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("sandbox.toml");
        std::fs::write(
            &file,
            "listen = \"127.0.0.1:1\"\nseed = 7\nlog-format = \"json\"\n",
        )
        .expect("a file");
        let config = Config {
            seed: Some(8),
            ..Config::default()
        };
        let config = config.or_file(&file).expect("a configuration");
        assert_eq!((config.seed, config.listen().port()), (Some(8), 1));
        assert_eq!(config.log_format, Some(LogFormat::Json));
        std::fs::write(&file, "lisen = \"127.0.0.1:1\"\n").expect("a file");
        let error = Config::default()
            .or_file(&file)
            .expect_err("an unknown key");
        assert!(error.to_string().contains("lisen"), "{error}");
    }
}
