//! Where the service is, and the credentials.

use serde_json::Value;
use std::fmt;

/// The settings of a client.
#[derive(Clone)]
pub struct Settings {
    /// The URL of the API.
    pub api: String,
    /// The client id.
    pub client_id: String,
    /// The client secret.
    pub client_secret: String,
    /// The customer.
    pub customer_id: Option<String>,
}

/// Omits the secret.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("api", &self.api)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

impl Settings {
    /// Reads `FINANCIAL_DATA_API`, `FINANCIAL_DATA_CLIENT_ID`, `FINANCIAL_DATA_CLIENT_SECRET` and,
    /// if it is set, `FINANCIAL_DATA_CUSTOMER_ID`.
    ///
    /// # Errors
    /// Returns an error if a variable is missing.
    pub fn from_env() -> Result<Self, InvalidSettings> {
        Self::read(|name| {
            std::env::var(format!("FINANCIAL_DATA_{}", name.to_ascii_uppercase())).ok()
        })
    }

    /// Reads the line that a sandbox prints with `--ready-json`.
    ///
    /// # Errors
    /// Returns an error if the line is not such a line.
    pub fn from_ready_json(line: &str) -> Result<Self, InvalidSettings> {
        let line: Value = serde_json::from_str(line)
            .map_err(|_| InvalidSettings("the line is not JSON".to_owned()))?;
        Self::read(|name| line.get(name)?.as_str().map(str::to_owned))
    }

    fn read(value: impl Fn(&str) -> Option<String>) -> Result<Self, InvalidSettings> {
        let required =
            |name: &str| value(name).ok_or_else(|| InvalidSettings(format!("`{name}` is missing")));
        Ok(Self {
            api: required("api")?,
            client_id: required("client_id")?,
            client_secret: required("client_secret")?,
            customer_id: value("customer_id"),
        })
    }
}

/// An error for settings that are missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidSettings(String);

impl fmt::Display for InvalidSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidSettings {}
