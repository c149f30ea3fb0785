//! Customers and their consents.

use super::Millis;
use crate::store::Document;
use serde::{Deserialize, Serialize};

/// A customer of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Customer {
    /// The project.
    pub project: String,
    /// The id, in the style of a UUID.
    pub id: String,
    /// The SHA-256 hash of the customer's secret, in hexadecimal.
    pub secret_hash: String,
    /// The name for people.
    pub name: String,
    /// The client's own identifier of the customer.
    #[serde(default)]
    pub user_id: Option<String>,
    /// The creation time, by the clock of the project.
    pub created_at: Millis,
}

impl Document for Customer {
    const KIND: &'static str = "customer";

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.id
    }
}

/// A customer's consent to the access to accounts at a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consent {
    /// The project.
    pub project: String,
    /// The id, in the style of a UUID.
    pub id: String,
    /// The customer.
    pub customer_id: String,
    /// The provider.
    pub provider: String,
    /// The status, apart from expiry.
    pub status: ConsentStatus,
    /// Whether the consent covers the data of a refresh.
    #[serde(default = "yes")]
    pub permits_refresh: bool,
    /// The end of its validity, by the clock of the project.
    pub expires_at: Millis,
    /// The creation time, by the clock of the project.
    pub created_at: Millis,
}

const fn yes() -> bool {
    true
}

/// The status of a consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConsentStatus {
    /// The customer has not yet given the consent.
    Pending,
    /// The consent was given.
    Active,
    /// The customer has revoked the consent.
    Revoked,
}

impl Document for Consent {
    const KIND: &'static str = "consent";

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn parent(&self) -> Option<&str> {
        Some(&self.customer_id)
    }
}
