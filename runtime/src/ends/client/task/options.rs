//! When the status of a task is polled.

use std::time::Duration;

/// The intervals and the deadline of polling the status of a task.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PollOptions {
    /// The interval before the second poll. The default is 1 s.
    pub initial_interval: Duration,
    /// The longest interval; intervals double until then. The default is 30 s.
    pub max_interval: Duration,
    /// How long to wait for the task; `None`, the default, waits indefinitely.
    pub deadline: Option<Duration>,
    /// How long after the start the status may be 404, because a service does not know a new task
    /// everywhere at once. The default is 10 s.
    pub grace: Duration,
}

impl Default for PollOptions {
    fn default() -> Self {
        Self {
            initial_interval: Duration::from_secs(1),
            max_interval: Duration::from_secs(30),
            deadline: None,
            grace: Duration::from_secs(10),
        }
    }
}
