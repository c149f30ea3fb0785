//! Tasks and payments.

use super::Millis;
use crate::store::Document;
use serde::{Deserialize, Serialize};

/// A task: work that a call or the console has started, and that ends later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The project.
    pub project: String,
    /// The id, in the style of a UUID.
    pub id: String,
    /// The kind of work.
    pub kind: TaskKind,
    /// The progress.
    pub state: TaskState,
    /// The customer, unless the task is an ingestion.
    #[serde(default)]
    pub customer_id: Option<String>,
    /// The consent.
    #[serde(default)]
    pub consent_id: Option<String>,
    /// The financial provider.
    #[serde(default)]
    pub provider: Option<String>,
    /// The code with which the task will fail or has failed; `None` for a success.
    #[serde(default)]
    pub failure: Option<String>,
    /// Whether a refresh finds new transactions.
    #[serde(default)]
    pub has_new_transactions: bool,
    /// Whether the customer has to connect again afterwards.
    #[serde(default)]
    pub reconnect_required: bool,
    /// When the scheduler takes the next step, by the clock of the project. `None` for a finished
    /// task, and for a task that ends only when told to.
    #[serde(default)]
    pub due: Option<Millis>,
    /// The start, by the clock of the project.
    pub created_at: Millis,
    /// The end, by the clock of the project.
    #[serde(default)]
    pub finished_at: Option<Millis>,
}

/// A kind of task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskKind {
    /// Connects a customer to a provider.
    Connect,
    /// Fetches the latest data of a customer.
    Refresh,
    /// Deletes a customer with all data.
    Deletion,
    /// Ingests transactions.
    Ingestion,
}

/// The progress of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaskState {
    /// Accepted.
    Pending,
    /// At work.
    Running,
    /// Ended with success.
    Completed,
    /// Ended with a failure.
    Failed,
}

impl TaskState {
    /// Returns `true` if the task has ended.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Completed | Self::Failed)
    }
}

impl Document for Task {
    const KIND: &'static str = "task";

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn parent(&self) -> Option<&str> {
        self.customer_id.as_deref()
    }

    fn due(&self) -> Option<i64> {
        self.due
    }
}

/// A payment that was started in the console.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// The project.
    pub project: String,
    /// The id, in the style of a UUID.
    pub id: String,
    /// The kind.
    pub kind: PaymentKind,
    /// The payment service, such as `domestic-single-payment`.
    pub service: String,
    /// The client's own identifier of the user.
    pub user_id: String,
    /// The amount in the smallest unit of the currency. Reserved amounts decide the outcome.
    pub amount: i64,
    /// The progress.
    pub state: TaskState,
    /// The code with which the payment will fail or has failed; `None` for a success.
    #[serde(default)]
    pub failure: Option<String>,
    /// When the scheduler ends the payment, by the clock of the project.
    #[serde(default)]
    pub due: Option<Millis>,
    /// The start, by the clock of the project.
    pub created_at: Millis,
    /// The end, by the clock of the project.
    #[serde(default)]
    pub finished_at: Option<Millis>,
}

/// A kind of payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PaymentKind {
    /// A single payment.
    Single,
    /// A payment of a standing order.
    StandingOrder,
    /// A scheduled payment.
    Scheduled,
}

impl Document for Payment {
    const KIND: &'static str = "payment";

    fn project(&self) -> &str {
        &self.project
    }

    fn id(&self) -> &str {
        &self.id
    }

    fn due(&self) -> Option<i64> {
        self.due
    }
}
