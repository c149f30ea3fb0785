//! HTTP bodies, buffered or streamed.

#[cfg(any(feature = "server", all(feature = "client", feature = "gzip")))]
pub(crate) mod coding;
#[cfg(all(feature = "gzip", any(feature = "client", feature = "server")))]
mod gzip;
#[cfg(feature = "server")]
mod limited;
#[cfg(feature = "server")]
mod timed;

#[cfg(feature = "server")]
pub(crate) use limited::Exceeded;
#[cfg(feature = "server")]
pub(crate) use timed::is_timeout;

use bytes::{Buf, Bytes};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::any::Any;
use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// The error of sending or receiving a body.
pub type BodyError = Box<dyn Error + Send + Sync>;

type Stream = Pin<Box<dyn AnyBody + Send>>;

/// An HTTP body: buffered bytes, or a stream.
#[derive(Default)]
pub struct Body(Inner);

#[derive(Default)]
enum Inner {
    #[default]
    Empty,
    Full(Bytes),
    /// Several buffered pieces, none of them empty.
    Pieces(VecDeque<Bytes>),
    Stream(Stream),
}

impl Body {
    /// Creates a body without bytes.
    pub const fn empty() -> Self {
        Self(Inner::Empty)
    }

    /// Creates a body of buffered pieces, which are not copied.
    pub(crate) fn of_pieces(pieces: impl IntoIterator<Item = Bytes>) -> Self {
        let pieces = pieces.into_iter().filter(|piece| !piece.is_empty());
        Self(Inner::Pieces(pieces.collect()))
    }

    /// Creates a body from any HTTP body.
    pub fn new<B>(body: B) -> Self
    where
        B: HttpBody + Send + 'static,
        B::Error: Into<BodyError>,
    {
        // A body of this type is unwrapped instead of boxed.
        let mut body = Some(body);
        if let Some(own) = (&mut body as &mut dyn Any).downcast_mut::<Option<Self>>() {
            return own.take().unwrap_or_default();
        }
        match body {
            Some(body) if !body.is_end_stream() => Self(Inner::Stream(Box::pin(body))),
            _ => Self::empty(),
        }
    }

    /// Buffers the body, up to `limit` bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the body has more than `limit` bytes, or if receiving it fails.
    pub fn collect(self, limit: usize) -> impl Future<Output = Result<Bytes, CollectError>> + Send {
        let is_larger = self.is_larger(limit);
        let mut collected = Collected::new(self, limit);
        std::future::poll_fn(move |cx| {
            if is_larger {
                return Poll::Ready(Err(CollectError::TooLarge { limit }));
            }
            collected.poll(cx).map(|collected| match collected {
                Ok((bytes, true)) => Ok(bytes),
                Ok((_, false)) => Err(CollectError::TooLarge { limit }),
                Err(error) => Err(CollectError::Broken(error)),
            })
        })
    }

    /// Returns whether the declared length is more than this.
    pub(crate) fn is_larger(&self, limit: usize) -> bool {
        HttpBody::size_hint(self).lower() > u64::try_from(limit).unwrap_or(u64::MAX)
    }

    /// Buffers the first `limit` bytes, and returns whether the body has no more.
    #[cfg_attr(not(feature = "client"), allow(dead_code))]
    pub(crate) async fn collect_up_to(self, limit: usize) -> Result<(Bytes, bool), BodyError> {
        let mut collected = Collected::new(self, limit);
        std::future::poll_fn(move |cx| collected.poll(cx)).await
    }

    /// Returns whether the body is buffered, so that it can be sent again.
    #[cfg_attr(not(feature = "client"), allow(dead_code))]
    pub(crate) const fn is_replayable(&self) -> bool {
        !matches!(self.0, Inner::Stream(_))
    }

    /// Clones a buffered body; `None` if the body is streamed.
    #[cfg_attr(not(feature = "client"), allow(dead_code))]
    pub(crate) fn try_clone(&self) -> Option<Self> {
        match &self.0 {
            Inner::Empty => Some(Self::empty()),
            Inner::Full(bytes) => Some(Self(Inner::Full(bytes.clone()))),
            Inner::Pieces(pieces) => Some(Self(Inner::Pieces(pieces.clone()))),
            Inner::Stream(_) => None,
        }
    }

    /// Returns the bytes of a buffered body.
    ///
    /// # Errors
    ///
    /// Returns the body unchanged if it is streamed.
    pub(crate) fn into_bytes(self) -> Result<Bytes, Self> {
        match self.0 {
            Inner::Empty => Ok(Bytes::new()),
            Inner::Full(bytes) => Ok(bytes),
            Inner::Pieces(pieces) => Ok(Vec::from(pieces).concat().into()),
            Inner::Stream(_) => Err(self),
        }
    }
}

/// The received part of a body that is buffered.
///
/// It is not an `async fn`, which would hold several copies of the body in each future around it.
struct Collected {
    body: Inner,
    limit: usize,
    /// The only piece so far. Most bodies are received in one piece, which is not copied.
    first: Option<Bytes>,
    all: Vec<u8>,
}

impl Collected {
    fn new(body: Body, limit: usize) -> Self {
        Self {
            body: body.0,
            limit,
            first: None,
            all: Vec::new(),
        }
    }

    /// Receives the body, and returns its bytes and whether it has no more than `limit`.
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<(Bytes, bool), BodyError>> {
        let mut bytes = match &mut self.body {
            Inner::Empty => Bytes::new(),
            Inner::Full(bytes) => std::mem::take(bytes),
            Inner::Pieces(pieces) => Vec::from(std::mem::take(pieces)).concat().into(),
            Inner::Stream(_) => return self.poll_stream(cx),
        };
        let whole = bytes.len() <= self.limit;
        bytes.truncate(self.limit);
        Poll::Ready(Ok((bytes, whole)))
    }

    fn poll_stream(&mut self, cx: &mut Context<'_>) -> Poll<Result<(Bytes, bool), BodyError>> {
        let Inner::Stream(stream) = &mut self.body else {
            return Poll::Ready(Ok((Bytes::new(), true)));
        };
        let whole = loop {
            let Some(frame) = ready!(stream.as_mut().poll_any(cx)?) else {
                break true;
            };
            let Ok(mut data) = frame.into_data() else {
                continue;
            };
            let taken = self.all.len() + self.first.as_ref().map_or(0, Bytes::len);
            let left = self.limit.saturating_sub(taken);
            let fits = data.len() <= left;
            data.truncate(left);
            match (self.first.take(), self.all.is_empty()) {
                (None, true) => self.first = Some(data),
                (before, _) => {
                    self.all.extend_from_slice(&before.unwrap_or_default());
                    self.all.extend_from_slice(&data);
                }
            }
            if !fits {
                break false;
            }
        };
        let all = std::mem::take(&mut self.all);
        Poll::Ready(Ok((self.first.take().unwrap_or_else(|| all.into()), whole)))
    }
}

/// The error of a body that exceeds its limit.
#[derive(Debug)]
pub(crate) struct TooLarge {
    /// The limit, in bytes.
    pub(crate) limit: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the body has more than {} bytes", self.limit)
    }
}

impl Error for TooLarge {}

/// The error of buffering a body.
#[derive(Debug)]
#[non_exhaustive]
pub enum CollectError {
    /// The body exceeds the limit.
    TooLarge {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The body failed before its end.
    Broken(BodyError),
}

impl fmt::Display for CollectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { limit } => write!(f, "the body has more than {limit} bytes"),
            Self::Broken(_) => f.write_str("the body ended early"),
        }
    }
}

impl Error for CollectError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::TooLarge { .. } => None,
            Self::Broken(error) => Some(&**error),
        }
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Inner::Empty => f.write_str("Body(empty)"),
            Inner::Full(bytes) => write!(f, "Body({} bytes)", bytes.len()),
            Inner::Pieces(pieces) => write!(f, "Body({} bytes)", length(pieces)),
            Inner::Stream(_) => f.write_str("Body(stream)"),
        }
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        if bytes.is_empty() {
            Self::empty()
        } else {
            Self(Inner::Full(bytes))
        }
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from(Bytes::from(bytes))
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Self::from(Bytes::from(text))
    }
}

impl From<&'static str> for Body {
    fn from(text: &'static str) -> Self {
        Self::from(Bytes::from_static(text.as_bytes()))
    }
}

impl HttpBody for Body {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        if let Inner::Stream(stream) = &mut self.0 {
            return stream.as_mut().poll_any(cx);
        }
        let bytes = match &mut self.0 {
            Inner::Full(bytes) => Some(std::mem::take(bytes)),
            Inner::Pieces(pieces) => pieces.pop_front(),
            Inner::Empty | Inner::Stream(_) => None,
        };
        if !matches!(&self.0, Inner::Pieces(_)) {
            self.0 = Inner::Empty;
        }
        Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Inner::Empty => true,
            Inner::Full(_) => false,
            Inner::Pieces(pieces) => pieces.is_empty(),
            Inner::Stream(stream) => stream.any_is_end(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        let length = match &self.0 {
            Inner::Empty => 0,
            Inner::Full(bytes) => bytes.len(),
            Inner::Pieces(pieces) => length(pieces),
            Inner::Stream(stream) => return stream.any_size(),
        };
        SizeHint::with_exact(u64::try_from(length).unwrap_or(0))
    }
}

fn length(pieces: &VecDeque<Bytes>) -> usize {
    pieces.iter().map(Bytes::len).sum()
}

/// Any body, with its data and error types converted.
trait AnyBody {
    fn poll_any(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<FrameResult>>;
    fn any_is_end(&self) -> bool;
    fn any_size(&self) -> SizeHint;
}

type FrameResult = Result<Frame<Bytes>, BodyError>;

impl<B> AnyBody for B
where
    B: HttpBody,
    B::Error: Into<BodyError>,
{
    fn poll_any(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<FrameResult>> {
        self.poll_frame(cx).map(|frame| {
            frame.map(|frame| match frame {
                Ok(frame) => Ok(frame.map_data(|mut data| data.copy_to_bytes(data.remaining()))),
                Err(error) => Err(error.into()),
            })
        })
    }

    fn any_is_end(&self) -> bool {
        self.is_end_stream()
    }

    fn any_size(&self) -> SizeHint {
        self.size_hint()
    }
}
