//! Projects and their credentials.

use super::{Fault, Millis, ProjectClock, Settings};
use crate::store::Document;
use serde::{Deserialize, Serialize};

/// A project: one client of the service, with its own customers, tasks, webhooks, clock and faults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Project {
    /// The id, in the style of a UUID.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// The seed of everything random in the project.
    pub seed: u64,
    /// The products that the client uses. They decide which webhooks are available to it.
    pub products: Vec<Product>,
    /// The settings.
    #[serde(default)]
    pub settings: Settings,
    /// The clock.
    #[serde(default)]
    pub clock: ProjectClock,
    /// The faults that are injected.
    #[serde(default)]
    pub faults: Vec<Fault>,
    /// The creation time, by the system clock.
    pub created_at: Millis,
    /// The id of the last delivery before the last reset or restore. Deliveries up to it belong to a
    /// state of the project that no longer exists, and are not shown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub forgotten_deliveries: i64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
const fn is_zero(number: &i64) -> bool {
    *number == 0
}

impl Document for Project {
    const KIND: &'static str = "project";

    /// All projects are in one list, that of the whole sandbox.
    fn project(&self) -> &'static str {
        ""
    }

    fn id(&self) -> &str {
        &self.id
    }
}

/// A product of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Product {
    /// Open banking aggregation.
    Connection,
    /// Payments.
    Payments,
}

impl Product {
    /// All products.
    pub const ALL: [Self; 2] = [Self::Connection, Self::Payments];

    /// Returns the word that the OpenAPI document has for the product.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Payments => "payments",
        }
    }
}

/// API credentials of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credential {
    /// The project.
    pub project: String,
    /// The client id, which is also the id of the document.
    pub client_id: String,
    /// The SHA-256 hash of the client secret, in hexadecimal.
    pub secret_hash: String,
    /// The name for people.
    pub name: String,
    /// The scopes of the tokens that these credentials obtain.
    pub scopes: Vec<String>,
    /// The creation time, by the system clock.
    pub created_at: Millis,
    /// When the secret was last replaced.
    #[serde(default)]
    pub rotated_at: Option<Millis>,
    /// When the credentials were revoked.
    #[serde(default)]
    pub revoked_at: Option<Millis>,
}

impl Document for Credential {
    const KIND: &'static str = "credential";

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.client_id
    }

    fn tag(&self) -> Option<String> {
        Some(self.client_id.clone())
    }
}
