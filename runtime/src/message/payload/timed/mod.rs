//! A body with a limit for the time to receive it.

#[cfg(test)]
mod tests;

use super::{Body, BodyError, Inner};
use crate::message::chain::chain;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::error::Error;
use std::fmt;
use std::panic::catch_unwind;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::{Instant, Sleep, sleep};

/// The received bytes that extend the time for a whole body by one second.
const BYTES_PER_SECOND: u64 = 10 << 10;

/// The error of a body that is not received in time.
#[derive(Debug)]
struct BodyTimedOut;

impl fmt::Display for BodyTimedOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the body was not received in time")
    }
}

impl Error for BodyTimedOut {}

/// Returns whether a body failed because it was not received in time.
pub(crate) fn is_timeout(error: &BodyError) -> bool {
    chain(&**error).any(|error| error.is::<BodyTimedOut>())
}

/// The time that a limit measures.
#[derive(Clone, Copy)]
enum Span {
    /// From the first wait for the peer to the end of the body, and a second more for each
    /// [`BYTES_PER_SECOND`].
    Whole,
    /// One wait for the peer.
    Pause,
}

/// A body that fails with [`BodyTimedOut`].
///
/// The clock starts when a reader first waits for the peer. It runs on to the end of the body for
/// [`Span::Whole`], and only while a reader waits for [`Span::Pause`]. Without a tokio runtime with
/// timers there is no limit.
struct Timed {
    body: Body,
    limit: Duration,
    span: Span,
    /// The bytes since the last extension.
    received: u64,
    sleep: Option<Pin<Box<Sleep>>>,
    is_waiting: bool,
    /// Whether the tokio runtime has no timers.
    is_unlimited: bool,
}

impl Body {
    /// Limits the time to receive the whole body: `limit`, and a second more for each 10 KiB that
    /// are received.
    pub(crate) fn received_within(self, limit: Option<Duration>) -> Self {
        self.timed(limit, Span::Whole)
    }

    /// Limits the time between two pieces of the body.
    pub(crate) fn paused_at_most(self, limit: Option<Duration>) -> Self {
        self.timed(limit, Span::Pause)
    }

    fn timed(self, limit: Option<Duration>, span: Span) -> Self {
        match (limit, &self.0) {
            (Some(limit), Inner::Stream(_)) => Self::new(Timed {
                body: self,
                limit,
                span,
                received: 0,
                sleep: None,
                is_waiting: false,
                is_unlimited: false,
            }),
            _ => self,
        }
    }
}

/// Creates a timer; `None` if the runtime has none, which only a panic of tokio tells.
fn timer(limit: Duration) -> Option<Pin<Box<Sleep>>> {
    catch_unwind(move || Box::pin(sleep(limit))).ok()
}

impl Timed {
    /// Starts or continues to wait for the peer.
    fn poll_timeout(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let is_continued = std::mem::replace(&mut self.is_waiting, true);
        let timer = match &mut self.sleep {
            Some(timer) => {
                if !is_continued && let Some(at) = Instant::now().checked_add(self.limit) {
                    timer.as_mut().reset(at);
                }
                timer
            }
            None if self.is_unlimited || Handle::try_current().is_err() => return Poll::Pending,
            None => match timer(self.limit) {
                Some(timer) => self.sleep.insert(timer),
                None => {
                    self.is_unlimited = true;
                    return Poll::Pending;
                }
            },
        };
        timer.as_mut().poll(cx)
    }

    /// Extends the time after a piece was received.
    fn extend(&mut self, length: usize) {
        match self.span {
            Span::Pause => self.is_waiting = false,
            Span::Whole => {
                self.received += u64::try_from(length).unwrap_or(u64::MAX);
                let more = Duration::from_secs(self.received / BYTES_PER_SECOND);
                self.received %= BYTES_PER_SECOND;
                if let Some(timer) = &mut self.sleep
                    && !more.is_zero()
                    && let Some(at) = timer.deadline().checked_add(more)
                {
                    timer.as_mut().reset(at);
                }
            }
        }
    }
}

impl HttpBody for Timed {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        match Pin::new(&mut self.body).poll_frame(cx) {
            Poll::Ready(frame) => {
                if let Some(Ok(frame)) = &frame {
                    self.extend(frame.data_ref().map_or(0, Bytes::len));
                }
                Poll::Ready(frame)
            }
            Poll::Pending if self.poll_timeout(cx).is_ready() => {
                self.body = Body::empty();
                Poll::Ready(Some(Err(Box::new(BodyTimedOut))))
            }
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
