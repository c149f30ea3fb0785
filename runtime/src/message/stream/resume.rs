//! Streams of events that are opened again where they broke.
#![cfg_attr(not(feature = "retries"), allow(dead_code))]

use crate::message::payload::{Body, BodyError};
use std::pin::Pin;
use std::time::Duration;

/// What opens a stream of events again.
pub(crate) trait Reopen: Send {
    /// Returns the id that the stream was opened with; empty if there was none.
    fn opened_with(&self) -> String;

    /// Begins to open the stream again; `None` if no attempt is left.
    fn reopen(self: Box<Self>, at: Position) -> Option<Reopening>;
}

pub(crate) type Reopening = Pin<Box<dyn Future<Output = Reopened> + Send>>;

/// Where a stream is to be resumed.
#[derive(Debug)]
pub(crate) struct Position {
    /// The id of the last event.
    pub(crate) id: String,
    /// How long the server asks the client to wait.
    pub(crate) retry: Option<Duration>,
    /// Whether events have been received since the stream was last opened.
    pub(crate) has_moved: bool,
}

/// The result of opening a stream again.
pub(crate) enum Reopened {
    /// The new body, and what opens the stream next time.
    Open(Body, Box<dyn Reopen>),
    /// The server has no further events.
    End,
    /// The error of the last attempt.
    Failed(BodyError),
}
