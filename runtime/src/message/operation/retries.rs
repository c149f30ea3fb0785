//! What documents state about retries.

use std::time::Duration;

/// What the document states about the retries of an operation; generated code creates it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RetryRules {
    /// Whether the operation must not be retried.
    pub disabled: bool,
    /// Whether the document declares the operation as idempotent, whatever its method.
    pub idempotent: bool,
    /// The ranges of the statuses after which the operation is retried, each with its last status.
    pub statuses: Option<&'static [(u16, u16)]>,
    /// Whether the operation is retried if no response was received.
    pub connection_errors: bool,
    /// The delay before the second attempt.
    pub initial_delay: Option<Duration>,
    /// The longest delay.
    pub max_delay: Option<Duration>,
    /// The factor by which each delay is longer than the previous one.
    pub factor: Option<f64>,
    /// The time after the start of the first attempt within which attempts begin.
    pub max_elapsed: Option<Duration>,
}

impl RetryRules {
    /// Creates rules that state nothing.
    pub const fn new() -> Self {
        Self {
            disabled: false,
            idempotent: false,
            statuses: None,
            connection_errors: true,
            initial_delay: None,
            max_delay: None,
            factor: None,
            max_elapsed: None,
        }
    }

    /// Disables retries.
    #[must_use]
    pub const fn disabled(mut self) -> Self {
        self.disabled = true;
        self
    }

    /// Declares the operation as idempotent.
    #[must_use]
    pub const fn idempotent(mut self) -> Self {
        self.idempotent = true;
        self
    }

    /// Sets the ranges of statuses.
    #[must_use]
    pub const fn statuses(mut self, statuses: &'static [(u16, u16)]) -> Self {
        self.statuses = Some(statuses);
        self
    }

    /// Excludes attempts without a response from retries.
    #[must_use]
    pub const fn only_responses(mut self) -> Self {
        self.connection_errors = false;
        self
    }

    /// Sets the delay before the second attempt, in milliseconds.
    #[must_use]
    pub const fn initial_delay(mut self, millis: u64) -> Self {
        self.initial_delay = Some(Duration::from_millis(millis));
        self
    }

    /// Sets the longest delay, in milliseconds.
    #[must_use]
    pub const fn max_delay(mut self, millis: u64) -> Self {
        self.max_delay = Some(Duration::from_millis(millis));
        self
    }

    /// Sets the factor by which delays grow.
    #[must_use]
    pub const fn factor(mut self, factor: f64) -> Self {
        self.factor = Some(factor);
        self
    }

    /// Sets the time within which attempts begin, in milliseconds.
    #[must_use]
    pub const fn max_elapsed(mut self, millis: u64) -> Self {
        self.max_elapsed = Some(Duration::from_millis(millis));
        self
    }

    /// Returns whether the document permits a retry after this status; after no response if there is
    /// none.
    #[cfg(feature = "retries")]
    pub(crate) fn allows(&self, status: Option<u16>) -> bool {
        let Some(status) = status else {
            return self.connection_errors;
        };
        let holds = |(first, last): &(u16, u16)| (*first..=*last).contains(&status);
        self.statuses.is_none_or(|all| all.iter().any(holds))
    }
}

impl Default for RetryRules {
    fn default() -> Self {
        Self::new()
    }
}
