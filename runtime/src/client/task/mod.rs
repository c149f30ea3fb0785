//! Tasks: work that a server begins with one answer and ends later.

#[cfg(feature = "tasks")]
mod board;
#[cfg(any(feature = "server", feature = "tasks"))]
mod follow;
mod found;
#[cfg(feature = "tasks")]
mod handle;
mod meta;

#[cfg(feature = "tasks")]
pub use board::TaskBoard;
#[cfg(feature = "tasks")]
pub use handle::{Ended, Task, Wait, WaitError};
pub use meta::TaskMeta;
