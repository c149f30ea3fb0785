//! Bodies of bytes, whole or in pieces.

use super::StreamError;
use crate::payload::{Body, BodyError, CollectError};
use crate::wire::EncodeError;
use bytes::Bytes;
use futures_core::Stream;
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

/// A body of bytes: bytes that are there, or a stream of them.
///
/// Bytes that are there can be sent as often as it takes, and two bodies of them are equal when
/// the bytes are. What comes as a stream comes once: a clone is the same stream, whoever takes a
/// piece first has it, and such a body cannot be sent again.
///
/// ```
/// use bothends_runtime::ByteStream;
///
/// let photo = ByteStream::from(vec![0xff, 0xd8]).of_type("image/jpeg");
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

/// A stream, and whether it has been on its way to a peer.
struct Live {
    body: Body,
    sent: bool,
}

impl ByteStream {
    /// Of a stream of pieces. A piece that is an error breaks the body off, and the connection with
    /// it, so that the peer does not take what has come for all there is.
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

    /// Of a stream of pieces that have `length` bytes together, which is told to the peer. When they
    /// come to another length, the body breaks off.
    pub fn sized<S, B, E>(pieces: S, length: u64) -> Self
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

    /// Of any body.
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

    /// With a media type, where the document has several or a range of them such as `image/*`.
    #[must_use]
    pub fn of_type(self, content_type: impl Into<String>) -> Self {
        Self {
            content_type: Some(content_type.into()),
            ..self
        }
    }

    /// The media type: as it came, or as it was given.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// How many bytes are still to come, where that is known.
    pub fn length(&self) -> Option<u64> {
        HttpBody::size_hint(self).exact()
    }

    /// The bytes, where they are there.
    pub const fn bytes(&self) -> Option<&Bytes> {
        match &self.held {
            Held::Bytes(bytes) => Some(bytes),
            Held::Live(_) => None,
        }
    }

    /// The next piece; `None` at the end. Where it is cut says nothing.
    ///
    /// # Errors
    /// When the body breaks off; after that, nothing more comes.
    pub async fn next(&mut self) -> Option<Result<Bytes, StreamError>> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await
    }

    /// All bytes that are left; no more than `limit` are taken.
    ///
    /// # Errors
    /// When there are more, or the body breaks off.
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

    /// What a request or response is sent with; the bytes, where they are there.
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

    /// Of what came.
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
            (Held::Bytes(one), Held::Bytes(other)) => one == other,
            (Held::Live(one), Held::Live(other)) => Arc::ptr_eq(one, other),
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

/// The limit of a body is the only thing that is asked of its bytes.
impl crate::Validate for ByteStream {}

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
                // What broke off is not asked again.
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

/// A stream on its way to a peer.
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

/// Pieces as a body.
struct Pieces<S> {
    pieces: Pin<Box<S>>,
    /// What is still to come, where that was said.
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
