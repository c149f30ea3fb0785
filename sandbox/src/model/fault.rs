//! Faults that are injected on request.

use serde::{Deserialize, Serialize};

/// A fault that is injected into calls or webhooks of a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// The id.
    pub id: String,
    /// Where the fault is injected.
    pub target: FaultTarget,
    /// The probability of each call or webhook to be hit, from 0 to 1.
    #[serde(default = "always")]
    pub probability: f64,
    /// The seed of the random decisions.
    #[serde(default)]
    pub seed: u64,
    /// How many more hits there will be; `None` for any number.
    #[serde(default)]
    pub remaining: Option<u32>,
    /// How many calls or webhooks were considered so far. The decision about each depends only on
    /// the seed and this number.
    #[serde(default)]
    pub considered: u64,
    /// How many were hit.
    #[serde(default)]
    pub hits: u64,
}

const fn always() -> f64 {
    1.0
}

/// The place of a fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "on", rename_all = "kebab-case")]
pub enum FaultTarget {
    /// Calls of an operation.
    Api {
        /// The operation id of the OpenAPI document; `None` for every operation.
        #[serde(default)]
        operation: Option<String>,
        /// The fault.
        fault: ApiFault,
    },
    /// Webhooks of a kind.
    Webhook {
        /// The webhook of the OpenAPI document, such as `refreshCompleted`; `None` for every kind.
        #[serde(default)]
        kind: Option<String>,
        /// The fault.
        fault: WebhookFault,
    },
}

/// A fault of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ApiFault {
    /// The response is late.
    Latency {
        /// The delay in milliseconds.
        milliseconds: u64,
    },
    /// A 401 with `token_expired`, although the token is valid.
    TokenExpired,
    /// A 500.
    InternalError,
    /// A 503.
    Unavailable,
    /// The connection ends in the middle of the body.
    TruncatedBody,
}

/// A fault of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum WebhookFault {
    /// The webhook is not sent, and counts as delivered.
    Lost,
    /// The webhook is sent twice.
    Duplicated,
    /// The webhook is sent late.
    Delayed {
        /// The delay in milliseconds, by the clock of the project.
        milliseconds: u64,
    },
    /// The webhook is signed with another key.
    WrongKey,
    /// The body is changed after it was signed.
    AlteredBody,
    /// The signature is a JWT with the algorithm `none`; with token signing, it is missing.
    AlgorithmNone,
}
