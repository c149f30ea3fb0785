//! Tasks: work that a server starts with one response and ends later.

#[cfg(any(feature = "server", feature = "tasks"))]
mod follow;
mod found;
#[cfg(feature = "tasks")]
mod handle;
mod meta;
#[cfg(feature = "tasks")]
mod notifier;

#[cfg(feature = "tasks")]
pub use handle::{Completion, PollOptions, Task, WaitError};
pub use meta::TaskMeta;
#[cfg(feature = "tasks")]
pub use notifier::TaskNotifier;
