//! Tasks: work that a server starts with one response and ends later.

#[cfg(feature = "tasks")]
mod error;
#[cfg(feature = "tasks")]
mod handle;
mod meta;
#[cfg(feature = "tasks")]
mod options;
#[cfg(feature = "tasks")]
mod work;

#[cfg(feature = "tasks")]
pub use error::{CancelError, TaskError};
#[cfg(feature = "tasks")]
pub use handle::Task;
pub use meta::TaskMeta;
#[cfg(feature = "tasks")]
pub use options::PollOptions;
