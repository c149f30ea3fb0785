//! Streamed bodies: events, lines of JSON, and chunks of bytes.

mod bytes;
mod event;
mod file;
mod framing;
mod keep_alive;
mod read;
mod resume;
mod scan;

pub use bytes::ByteStream;
pub use event::Event;
pub(crate) use framing::{DONE, Framing};
pub(crate) use resume::Reopen;
#[cfg(feature = "retries")]
pub(crate) use resume::{Position, Reopened, Reopening};

use crate::message::payload::{Body, BodyError, TooLarge};
use ::bytes::Bytes;
use futures_core::Stream;
use http_body::Frame;
use keep_alive::KeepAlive;
use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
#[cfg(feature = "server")]
use std::time::Duration;

type Items<T> = Pin<Box<dyn Stream<Item = Result<T, StreamError>> + Send>>;

/// A body that is streamed item by item.
///
/// It is a [`Stream`] of its items, and buffers at most one of them. Clones share the stream: each
/// item is returned to the clone that polls first. Two streams are equal if they are clones of each
/// other.
pub struct Streamed<T>(Arc<Mutex<State<T>>>);

struct State<T> {
    /// `None` after the end.
    items: Option<Items<T>>,
    keep_alive: Option<KeepAlive>,
}

impl<T> Streamed<T> {
    /// Creates a body from a stream of items that may fail with any error. An error breaks the
    /// connection, so that the other end does not take a part for the whole.
    ///
    /// [`Streamed::from_stream`] takes items that never fail.
    pub fn new<S, E>(stream: S) -> Self
    where
        S: Stream<Item = Result<T, E>> + Send + 'static,
        E: Into<BodyError>,
    {
        Self::from_boxed(Box::pin(Fallible(Box::pin(stream))))
    }

    /// Creates a body from a stream of items that never fail, such as a timer.
    pub fn from_stream<S>(stream: S) -> Self
    where
        S: Stream<Item = T> + Send + 'static,
    {
        Self::from_boxed(Box::pin(Infallible(Box::pin(stream))))
    }

    fn from_boxed(items: Items<T>) -> Self {
        Self(Arc::new(Mutex::new(State {
            items: Some(items),
            keep_alive: None,
        })))
    }

    /// Sends a comment at each tick while no item is ready, so that a proxy or a client does not
    /// close a connection that is silent for long (HTML Living Standard, 9.2.7). Readers ignore
    /// comments.
    ///
    /// Only `text/event-stream` has comments: for all other media types, ticks have no effect. Ticks
    /// come from a timer of the server's runtime, such as `tokio::time::interval`.
    ///
    /// [`Streamed::keep_alive`] has a timer of its own.
    #[must_use]
    pub fn with_keep_alive(self, ticks: impl Stream<Item = ()> + Send + 'static) -> Self {
        self.state().keep_alive = Some(KeepAlive::Ticks(Box::pin(ticks)));
        self
    }

    /// Sends a comment after each `interval` in which nothing was sent, one millisecond at least: see
    /// [`Streamed::with_keep_alive`]. The server needs the timer of tokio.
    #[cfg(feature = "server")]
    #[must_use]
    pub fn keep_alive(self, interval: Duration) -> Self {
        let interval = interval.max(Duration::from_millis(1));
        self.state().keep_alive = Some(KeepAlive::Silence(interval, None));
        self
    }

    /// Creates a body from items that are available at once.
    pub fn from_items<I>(items: I) -> Self
    where
        I: IntoIterator<Item = T>,
        I::IntoIter: Send + Unpin + 'static,
    {
        Self::from_boxed(Box::pin(Ready(items.into_iter())))
    }

    /// Returns the next item; `None` at the end.
    pub async fn next(&mut self) -> Option<Result<T, StreamError>> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Returns all remaining items.
    ///
    /// # Errors
    ///
    /// Returns an error at the first invalid item, and if the body is incomplete.
    pub async fn try_collect(mut self) -> Result<Vec<T>, StreamError> {
        let mut items = Vec::new();
        while let Some(item) = self.next().await {
            items.push(item?);
        }
        Ok(items)
    }

    fn poll(&self, cx: &mut Context<'_>) -> Poll<Option<Result<T, StreamError>>> {
        let mut state = self.state();
        let Some(stream) = state.items.as_mut() else {
            return Poll::Ready(None);
        };
        let polled = stream.as_mut().poll_next(cx);
        match polled {
            Poll::Ready(None) => state.items = None,
            Poll::Ready(Some(_)) => state.keep_alive.iter_mut().for_each(KeepAlive::sent),
            Poll::Pending => {}
        }
        polled
    }

    /// Waits for the time of a comment.
    fn poll_tick(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state();
        let Some(keep_alive) = state.keep_alive.as_mut() else {
            return Poll::Pending;
        };
        let tick = std::task::ready!(keep_alive.poll(cx));
        if tick.is_none() {
            state.keep_alive = None;
            return Poll::Pending;
        }
        Poll::Ready(())
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: 'static> Streamed<T> {
    /// Encodes the items as a body.
    pub(crate) fn body(&self, framing: Framing<T>) -> Body {
        Body::new(Written {
            items: self.clone(),
            framing,
            ended: false,
        })
    }
}

impl<T: 'static> Streamed<T> {
    /// Decodes the items of a body, which is opened again where it breaks.
    pub(crate) fn read(body: Body, framing: Framing<T>, reopen: Option<Box<dyn Reopen>>) -> Self {
        Self::from_boxed(Box::pin(read::Reader::new(body, framing, reopen)))
    }
}

impl<T> Clone for Streamed<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> PartialEq for Streamed<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> fmt::Debug for Streamed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Streamed(…)")
    }
}

impl<T> Stream for Streamed<T> {
    type Item = Result<T, StreamError>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(cx)
    }
}

/// Items are not checked here: the stream would have to be consumed.
impl<T> crate::values::Validate for Streamed<T> {}

/// A stream of items that are available at once.
struct Ready<I>(I);

impl<I: Iterator + Unpin> Stream for Ready<I> {
    type Item = Result<I::Item, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.next().map(Ok))
    }
}

/// A stream with errors of any type.
struct Fallible<S>(Pin<Box<S>>);

impl<T, E: Into<BodyError>, S: Stream<Item = Result<T, E>>> Stream for Fallible<S> {
    type Item = Result<T, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let polled = self.0.as_mut().poll_next(cx);
        polled
            .map(|next| next.map(|item| item.map_err(|error| StreamError::from_body(error.into()))))
    }
}

/// A stream without errors.
struct Infallible<S>(Pin<Box<S>>);

impl<S: Stream> Stream for Infallible<S> {
    type Item = Result<S::Item, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx).map(|next| next.map(Ok))
    }
}

/// The encoded items of a stream that is being sent.
struct Written<T> {
    items: Streamed<T>,
    framing: Framing<T>,
    /// Whether the end marker has been written.
    ended: bool,
}

impl<T> http_body::Body for Written<T> {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let Poll::Ready(item) = self.items.poll(cx) else {
            let Some(comment) = self.framing.comment() else {
                return Poll::Pending;
            };
            let sent = self.items.poll_tick(cx);
            return sent.map(|()| Some(Ok(Frame::data(comment))));
        };
        let Some(item) = item else {
            self.ended = true;
            return Poll::Ready(self.framing.last().map(|last| Ok(Frame::data(last))));
        };
        let bytes = item.and_then(|item| (self.framing.write)(&item));
        Poll::Ready(Some(bytes.map(Frame::data).map_err(Into::into)))
    }
}

/// The error of a stream: the body failed, or an item is invalid.
///
/// `Debug` shows the length of an item, and not its content.
#[non_exhaustive]
pub enum StreamError {
    /// The body failed before its end.
    Broken(BodyError),
    /// An item, or the body, exceeds its limit.
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// An item is invalid; the following items may be valid.
    Item {
        /// The beginning of the item as it was received, 64 KiB at most.
        raw: Bytes,
        /// The error message.
        message: String,
    },
}

impl StreamError {
    /// Converts the error of a body.
    pub(crate) fn from_body(error: BodyError) -> Self {
        // A `StreamError` that was passed through another body is unwrapped.
        match error.downcast::<Self>() {
            Ok(error) => *error,
            Err(error) => match error.downcast_ref::<TooLarge>() {
                Some(TooLarge { limit }) => Self::TooLarge { limit: *limit },
                None => Self::Broken(error),
            },
        }
    }
}

impl fmt::Debug for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(error) => f.debug_tuple("Broken").field(error).finish(),
            Self::TooLarge { limit } => (f.debug_struct("TooLarge").field("limit", limit)).finish(),
            Self::Item { raw, message } => f
                .debug_struct("Item")
                .field("raw", &format_args!("{} bytes", raw.len()))
                .field("message", message)
                .finish(),
        }
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(_) => f.write_str("the stream ended early"),
            Self::TooLarge { limit } => write!(f, "there are more than {limit} bytes"),
            Self::Item { message, .. } => write!(f, "an item cannot be read: {message}"),
        }
    }
}

impl Error for StreamError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Broken(error) => Some(&**error),
            Self::TooLarge { .. } | Self::Item { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests;
