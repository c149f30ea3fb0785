//! A limit for the retries of all calls of a client.

use super::{Attempt, Delay, RetryPolicy};
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};

/// A token bucket that limits retries, so that a failing server does not receive several times the
/// usual number of requests.
///
/// Each retry takes tokens from the bucket, and each successful attempt returns some. While there
/// are too few tokens, failed calls are not retried. The clones of a client share one bucket.
///
/// ```
/// use bothends_runtime::client::{Attempt, ClientCore, Delay, RetryBudget, RetryPolicy};
///
/// # fn with<T, P: RetryPolicy + 'static>(core: ClientCore<T>, policy: P) -> ClientCore<T> {
/// core.retry(RetryBudget::default().capacity(100).limit(policy))
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryBudget {
    /// The largest number of tokens, with which the bucket starts. The default is 500.
    pub capacity: u32,
    /// The tokens for a retry. The default is 5.
    pub retry_cost: u32,
    /// The tokens for a retry after a time limit was exceeded. The default is 10.
    pub timeout_cost: u32,
    /// The tokens that a successful attempt returns. The default is 1.
    pub success_gain: u32,
}

impl Default for RetryBudget {
    fn default() -> Self {
        Self {
            capacity: 500,
            retry_cost: 5,
            timeout_cost: 10,
            success_gain: 1,
        }
    }
}

impl RetryBudget {
    /// Sets the largest number of tokens, with which the bucket starts.
    #[must_use]
    pub const fn capacity(self, capacity: u32) -> Self {
        Self { capacity, ..self }
    }

    /// Sets the tokens for a retry, and for a retry after a time limit was exceeded.
    #[must_use]
    pub const fn costs(self, retry: u32, timeout: u32) -> Self {
        Self {
            retry_cost: retry,
            timeout_cost: timeout,
            ..self
        }
    }

    /// Sets the tokens that a successful attempt returns.
    #[must_use]
    pub const fn success_gain(self, success_gain: u32) -> Self {
        Self {
            success_gain,
            ..self
        }
    }

    /// Returns a policy that retries as the given one does, as long as the bucket has tokens.
    pub const fn limit<P: RetryPolicy>(self, policy: P) -> BudgetedRetries<P> {
        BudgetedRetries {
            policy,
            left: AtomicU32::new(self.capacity),
            budget: self,
        }
    }
}

/// A retry policy with a [`RetryBudget`].
pub struct BudgetedRetries<P> {
    policy: P,
    budget: RetryBudget,
    left: AtomicU32,
}

impl<P> BudgetedRetries<P> {
    /// Returns the number of tokens in the bucket.
    pub fn left(&self) -> u32 {
        self.left.load(Ordering::Relaxed)
    }

    /// Replaces the number of tokens, unless `change` returns `None`.
    fn change(&self, change: impl Fn(u32) -> Option<u32>) -> bool {
        let order = Ordering::Relaxed;
        self.left.fetch_update(order, order, change).is_ok()
    }
}

impl<P> fmt::Debug for BudgetedRetries<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BudgetedRetries")
            .field("budget", &self.budget)
            .field("left", &self.left())
            .finish_non_exhaustive()
    }
}

impl<P: RetryPolicy> RetryPolicy for BudgetedRetries<P> {
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay> {
        let RetryBudget {
            capacity,
            retry_cost,
            timeout_cost,
            success_gain,
        } = self.budget;
        let Some(delay) = self.policy.next_delay(attempt) else {
            if attempt.is_success() {
                self.change(|left| Some(left.saturating_add(success_gain).min(capacity)));
            }
            return None;
        };
        let is_timeout = attempt
            .error
            .is_some_and(|error| error.timed_out().is_some());
        let cost = if is_timeout { timeout_cost } else { retry_cost };
        self.change(|left| left.checked_sub(cost)).then_some(delay)
    }
}
