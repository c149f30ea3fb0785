//! Retries of operations, as the document states them.

/// What the document states about the retries of an operation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Retries {
    /// Whether the operation must not be retried.
    pub disabled: bool,
    /// Whether the operation is idempotent, whatever its method.
    pub idempotent: bool,
    /// The ranges of statuses after which the operation is retried, each with its last status.
    pub statuses: Option<Vec<(u16, u16)>>,
    /// Whether a failure without a response is final.
    pub only_responses: bool,
    /// The delay before the second attempt, in milliseconds.
    pub initial_delay: Option<u64>,
    /// The longest delay, in milliseconds.
    pub max_delay: Option<u64>,
    /// The factor by which delays grow.
    pub factor: Option<f64>,
    /// The time within which attempts begin, in milliseconds.
    pub max_elapsed: Option<u64>,
}

impl super::Api {
    /// Returns whether the document states how an operation is retried.
    #[must_use]
    pub fn documents_retries(&self) -> bool {
        let mut operations = self.operations.iter();
        operations.any(|operation| operation.retries.is_some())
    }
}
