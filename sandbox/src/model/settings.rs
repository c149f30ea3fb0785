//! The settings of a project: variants of the service, and values that its interface leaves open.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Settings of a project. Every value that the interface document leaves open has its switch here;
/// `/choices` lists them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How webhooks are signed.
    pub signing: SigningVariant,
    /// Whether a finished task also sends the webhook `syncCompleted`.
    pub sync_webhook: bool,
    /// The optional fields of webhook bodies.
    pub optional_fields: OptionalFields,
    /// When tasks end.
    pub completion: Completion,
    /// The customer headers that operations require, by operation id.
    pub customer_headers: BTreeMap<String, CustomerHeaders>,
    /// The words for the states of a task.
    pub statuses: Statuses,
    /// The field of the submission that contains the task id.
    pub task_id_field: String,
    /// The status of a successful submission: 200, 201 or 202.
    pub submit_status: u16,
    /// The validity of an access token, in seconds.
    pub token_lifetime: u32,
    /// The HTTP status with which a code is sent, where it differs from that of `/choices`.
    pub code_statuses: BTreeMap<String, u16>,
    /// The pause before the first retry of a webhook, in seconds. It is doubled for each further
    /// retry.
    pub backoff_base: u32,
    /// The longest pause, in seconds.
    pub backoff_cap: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            signing: SigningVariant::Token,
            sync_webhook: false,
            optional_fields: OptionalFields::default(),
            completion: Completion::default(),
            customer_headers: BTreeMap::from([
                ("startOpenBankingRefresh".to_owned(), CustomerHeaders::Id),
                (
                    "getOpenBankingRefreshStatus".to_owned(),
                    CustomerHeaders::None,
                ),
            ]),
            statuses: Statuses::default(),
            task_id_field: "task_id".to_owned(),
            submit_status: 200,
            token_lifetime: 3600,
            code_statuses: BTreeMap::new(),
            backoff_base: 5,
            backoff_cap: 3600,
        }
    }
}

/// A variant of signing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SigningVariant {
    /// `X-Token-Signature`, if the subscription has a signing token.
    Token,
    /// `X-Signature` and `X-Signing-ID`.
    Key,
}

/// The optional fields that webhook bodies contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OptionalFields {
    /// `consent_id`, for connect tasks.
    pub consent_id: bool,
    /// `provider`.
    pub provider: bool,
    /// `has_new_transactions`, for refresh tasks.
    pub has_new_transactions: bool,
    /// `reconnect_required`, for refresh tasks.
    pub reconnect_required: bool,
}

impl Default for OptionalFields {
    fn default() -> Self {
        Self {
            consent_id: true,
            provider: true,
            has_new_transactions: true,
            reconnect_required: true,
        }
    }
}

/// When tasks end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "mode", rename_all = "kebab-case")]
pub enum Completion {
    /// By themselves.
    Automatic {
        /// The duration of each of the two steps, from pending to running and from running to the
        /// end, in milliseconds.
        step_milliseconds: u32,
    },
    /// When the console API says so.
    Manual,
}

impl Default for Completion {
    fn default() -> Self {
        Self::Automatic {
            step_milliseconds: 500,
        }
    }
}

/// The customer headers that an operation requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CustomerHeaders {
    /// Neither header.
    None,
    /// `X-Customer-Id`.
    Id,
    /// `X-Customer-Id` and `X-Customer-Secret`.
    IdAndSecret,
}

/// The words for the states of a task. Those of the final states are documented.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Statuses {
    /// An accepted task.
    pub pending: String,
    /// A task at work.
    pub running: String,
}

impl Default for Statuses {
    fn default() -> Self {
        Self {
            pending: "Pending".to_owned(),
            running: "Running".to_owned(),
        }
    }
}
