//! When a comment keeps a silent stream alive.

use futures_core::Stream;
use std::pin::Pin;
use std::task::{Context, Poll};
#[cfg(feature = "server")]
use std::time::Duration;
#[cfg(feature = "server")]
use tokio::time::{Sleep, sleep};

/// When comments are sent.
pub(super) enum KeepAlive {
    /// At each tick of a timer, until it ends.
    Ticks(Pin<Box<dyn Stream<Item = ()> + Send>>),
    /// After this time without an item and without a comment.
    #[cfg(feature = "server")]
    Silence(Duration, Option<Pin<Box<Sleep>>>),
}

impl KeepAlive {
    /// Waits for the time of a comment; `None` if there is no further one.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<()>> {
        match self {
            Self::Ticks(ticks) => ticks.as_mut().poll_next(cx),
            #[cfg(feature = "server")]
            Self::Silence(interval, since) => {
                let waited = since.get_or_insert_with(|| Box::pin(sleep(*interval)));
                std::task::ready!(waited.as_mut().poll(cx));
                *since = None;
                Poll::Ready(Some(()))
            }
        }
    }

    /// Notes that an item is sent.
    pub(super) fn sent(&mut self) {
        match self {
            Self::Ticks(_) => {}
            #[cfg(feature = "server")]
            Self::Silence(_, since) => *since = None,
        }
    }
}
