//! Bodies of bytes, buffered or streamed.

use super::StreamError;
use crate::message::payload::{Body, BodyError, CollectError};
use crate::values::EncodeError;
use bytes::Bytes;
use futures_core::Stream;
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

/// A body of bytes, buffered or streamed.
///
/// A buffered body can be sent any number of times, and two of them are equal if their bytes are. A
/// streamed body can be sent only once: clones share the stream, each piece is returned to the
/// clone that polls first, and the request cannot be retried.
///
/// ```
/// use bothends_runtime::ByteStream;
///
/// let photo = ByteStream::from(vec![0xff, 0xd8]).with_content_type("image/jpeg");
/// assert_eq!(photo.length(), Some(2));
/// ```
#[derive(Clone)]
pub struct ByteStream {
    content_type: Option<String>,
    held: Held,
}

#[derive(Clone)]
enum Held {
    Bytes(Bytes),
    Live(Arc<Mutex<Live>>),
}

/// A stream, and whether sending it to a peer has begun.
struct Live {
    body: Body,
    sent: bool,
}

impl ByteStream {
    /// Creates a body from a stream of pieces. An error among the pieces aborts the body and the
    /// connection, so that the peer does not mistake the received part for the whole.
    pub fn new<S, B, E>(pieces: S) -> Self
    where
        S: Stream<Item = Result<B, E>> + Send + 'static,
        B: Into<Bytes>,
        E: Into<BodyError>,
    {
        Self::from_body(Pieces {
            pieces: Box::pin(pieces),
            length: None,
        })
    }

    /// Creates a body from a stream of pieces with a total of `length` bytes, which is sent as the
    /// content length. If the pieces have another length, the body fails.
    pub fn with_length<S, B, E>(pieces: S, length: u64) -> Self
    where
        S: Stream<Item = Result<B, E>> + Send + 'static,
        B: Into<Bytes>,
        E: Into<BodyError>,
    {
        Self::from_body(Pieces {
            pieces: Box::pin(pieces),
            length: Some(length),
        })
    }

    /// Creates a body from any HTTP body.
    pub fn from_body<B>(body: B) -> Self
    where
        B: HttpBody + Send + 'static,
        B::Error: Into<BodyError>,
    {
        let held = match Body::new(body).into_bytes() {
            Ok(bytes) => Held::Bytes(bytes),
            Err(body) => Held::Live(Arc::new(Mutex::new(Live { body, sent: false }))),
        };
        Self {
            content_type: None,
            held,
        }
    }

    /// Sets the media type, if the document states several, or a range such as `image/*`.
    #[must_use]
    pub fn with_content_type(self, content_type: impl Into<String>) -> Self {
        Self {
            content_type: Some(content_type.into()),
            ..self
        }
    }

    /// Returns the media type, as it was received or set.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// Returns the number of remaining bytes, if it is known.
    pub fn length(&self) -> Option<u64> {
        HttpBody::size_hint(self).exact()
    }

    /// Returns the bytes, if the body is buffered.
    pub const fn bytes(&self) -> Option<&Bytes> {
        match &self.held {
            Held::Bytes(bytes) => Some(bytes),
            Held::Live(_) => None,
        }
    }

    /// Returns the next piece; `None` at the end. The boundaries of pieces have no meaning.
    ///
    /// # Errors
    ///
    /// Returns an error if the body fails; it then has no more pieces.
    pub async fn next(&mut self) -> Option<Result<Bytes, StreamError>> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// Returns all remaining bytes, up to `limit`.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more than `limit` bytes, or if the body fails.
    pub async fn collect(self, limit: usize) -> Result<Bytes, StreamError> {
        let body = match self.held {
            Held::Bytes(bytes) => Body::from(bytes),
            Held::Live(live) => std::mem::take(&mut lock(&live).body),
        };
        body.collect(limit).await.map_err(|error| match error {
            CollectError::TooLarge { limit } => StreamError::TooLarge { limit },
            CollectError::Broken(error) => StreamError::from_body(error),
        })
    }

    /// Returns the content of a request or response to send: the bytes, if the body is buffered.
    pub(crate) fn outgoing(&self) -> Result<Result<Bytes, Body>, EncodeError> {
        match &self.held {
            Held::Bytes(bytes) => Ok(Ok(bytes.clone())),
            Held::Live(live) if lock(live).sent => {
                let why = "this stream has been sent already, and comes only once";
                Err(EncodeError::new("body", why))
            }
            Held::Live(live) => Ok(Err(Body::new(Sent(Arc::clone(live))))),
        }
    }

    /// Creates a body from a received one.
    pub(crate) fn incoming(body: Body, content_type: Option<&str>) -> Self {
        Self {
            content_type: content_type.map(str::to_owned),
            ..Self::from_body(body)
        }
    }
}

fn lock(live: &Mutex<Live>) -> MutexGuard<'_, Live> {
    live.lock().unwrap_or_else(PoisonError::into_inner)
}

impl From<Bytes> for ByteStream {
    fn from(bytes: Bytes) -> Self {
        Self {
            content_type: None,
            held: Held::Bytes(bytes),
        }
    }
}

impl From<Vec<u8>> for ByteStream {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from(Bytes::from(bytes))
    }
}

impl From<String> for ByteStream {
    fn from(text: String) -> Self {
        Self::from(Bytes::from(text))
    }
}

impl From<&'static [u8]> for ByteStream {
    fn from(bytes: &'static [u8]) -> Self {
        Self::from(Bytes::from_static(bytes))
    }
}

impl From<&'static str> for ByteStream {
    fn from(text: &'static str) -> Self {
        Self::from(text.as_bytes())
    }
}

impl Default for ByteStream {
    fn default() -> Self {
        Self::from(Bytes::new())
    }
}

impl PartialEq for ByteStream {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.held, &other.held) {
            (Held::Bytes(bytes), Held::Bytes(other)) => bytes == other,
            (Held::Live(live), Held::Live(other)) => Arc::ptr_eq(live, other),
            _ => false,
        };
        same && self.content_type == other.content_type
    }
}

impl fmt::Debug for ByteStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ByteStream");
        if let Some(content_type) = &self.content_type {
            shown.field("content_type", content_type);
        }
        match &self.held {
            Held::Bytes(bytes) => shown.field("bytes", bytes).finish(),
            Held::Live(_) => shown.finish_non_exhaustive(),
        }
    }
}

/// Bytes have no rules: the limit of the body is their only constraint.
impl crate::values::Validate for ByteStream {}

impl Stream for ByteStream {
    type Item = Result<Bytes, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            return match std::task::ready!(self.as_mut().poll_frame(cx)) {
                None => Poll::Ready(None),
                Some(Err(error)) => Poll::Ready(Some(Err(error))),
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => Poll::Ready(Some(Ok(data))),
                    Err(_) => continue,
                },
            };
        }
    }
}

impl HttpBody for ByteStream {
    type Data = Bytes;
    type Error = StreamError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, StreamError>>> {
        match &mut self.held {
            Held::Bytes(bytes) if bytes.is_empty() => Poll::Ready(None),
            Held::Bytes(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Held::Live(live) => {
                let mut live = lock(live);
                let polled = Pin::new(&mut live.body).poll_frame(cx);
                // A failed body is not polled again.
                if matches!(polled, Poll::Ready(Some(Err(_)))) {
                    live.body = Body::empty();
                }
                polled.map_err(StreamError::from_body)
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.held {
            Held::Bytes(bytes) => bytes.is_empty(),
            Held::Live(live) => lock(live).body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.held {
            Held::Bytes(bytes) => SizeHint::with_exact(u64::try_from(bytes.len()).unwrap_or(0)),
            Held::Live(live) => lock(live).body.size_hint(),
        }
    }
}

/// A stream that is being sent.
struct Sent(Arc<Mutex<Live>>);

impl HttpBody for Sent {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let mut live = lock(&self.0);
        live.sent = true;
        Pin::new(&mut live.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        lock(&self.0).body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        lock(&self.0).body.size_hint()
    }
}

/// A body made of pieces.
struct Pieces<S> {
    pieces: Pin<Box<S>>,
    /// The number of remaining bytes, if it was declared.
    length: Option<u64>,
}

impl<S, B, E> HttpBody for Pieces<S>
where
    S: Stream<Item = Result<B, E>>,
    B: Into<Bytes>,
    E: Into<BodyError>,
{
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let piece = std::task::ready!(self.pieces.as_mut().poll_next(cx));
        let Some(piece) = piece else {
            return Poll::Ready(match self.length {
                Some(1..) => Some(Err("the stream is shorter than was said".into())),
                _ => None,
            });
        };
        let data = match piece {
            Ok(data) => data.into(),
            Err(error) => return Poll::Ready(Some(Err(error.into()))),
        };
        if let Some(length) = &mut self.length {
            let came = u64::try_from(data.len()).unwrap_or(u64::MAX);
            let Some(left) = length.checked_sub(came) else {
                return Poll::Ready(Some(Err("the stream is longer than was said".into())));
            };
            *length = left;
        }
        Poll::Ready(Some(Ok(Frame::data(data))))
    }

    fn size_hint(&self) -> SizeHint {
        self.length
            .map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}
