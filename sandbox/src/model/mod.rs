//! The documents of the sandbox. Their names in JSON are also those of the console API
//! (`spec/console.yaml`) and of snapshots.

mod activity;
mod clock;
mod customer;
mod fault;
mod project;
mod settings;
mod task;
mod token;

pub use activity::{Activity, AuditEntry, Call, Check, Event, Received, SentWebhook};
pub use clock::ProjectClock;
pub use customer::{Consent, ConsentStatus, Customer};
pub use fault::{ApiFault, Fault, FaultTarget, WebhookFault};
pub use project::{Credential, Product, Project};
pub use settings::{
    Completion, CustomerHeaders, OptionalFields, Settings, SigningVariant, Statuses,
};
pub use task::{Payment, PaymentKind, Task, TaskKind, TaskState};
pub use token::{AccessToken, AccessTokens, TokenFamily};

/// A time in milliseconds since 1970-01-01 (UTC).
pub type Millis = i64;
