//! HTTP bodies, buffered or streamed.

#[cfg(any(feature = "server", all(feature = "client", feature = "gzip")))]
pub(crate) mod coding;
#[cfg(all(feature = "gzip", any(feature = "client", feature = "server")))]
mod gzip;
#[cfg(feature = "server")]
mod limited;

#[cfg(feature = "server")]
pub(crate) use limited::Exceeded;

use bytes::{Buf, Bytes};
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::any::Any;
use std::error::Error;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

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
    Stream(Stream),
}

impl Body {
    /// Creates a body without bytes.
    pub const fn empty() -> Self {
        Self(Inner::Empty)
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
    pub async fn collect(self, limit: usize) -> Result<Bytes, CollectError> {
        if self.is_larger(limit) {
            return Err(CollectError::TooLarge { limit });
        }
        match self.collect_up_to(limit).await {
            Ok((bytes, true)) => Ok(bytes),
            Ok((_, false)) => Err(CollectError::TooLarge { limit }),
            Err(error) => Err(CollectError::Broken(error)),
        }
    }

    /// Returns whether the declared length is more than this.
    pub(crate) fn is_larger(&self, limit: usize) -> bool {
        HttpBody::size_hint(self).lower() > u64::try_from(limit).unwrap_or(u64::MAX)
    }

    /// Buffers the first `limit` bytes, and returns whether the body has no more.
    pub(crate) async fn collect_up_to(self, limit: usize) -> Result<(Bytes, bool), BodyError> {
        match self.0 {
            Inner::Empty => Ok((Bytes::new(), true)),
            Inner::Full(mut bytes) => {
                let all = bytes.len() <= limit;
                bytes.truncate(limit);
                Ok((bytes, all))
            }
            Inner::Stream(stream) => collect(stream, limit).await,
        }
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
            Inner::Stream(_) => Err(self),
        }
    }
}

async fn collect(mut stream: Stream, limit: usize) -> Result<(Bytes, bool), BodyError> {
    let mut first: Option<Bytes> = None;
    let mut all = Vec::new();
    let mut whole = true;
    while whole && let Some(frame) = next(&mut stream).await {
        let Ok(mut data) = frame?.into_data() else {
            continue;
        };
        let taken = all.len() + first.as_ref().map_or(0, Bytes::len);
        whole = data.len() <= limit.saturating_sub(taken);
        data.truncate(limit.saturating_sub(taken));
        // Most bodies are received in one piece, which is not copied.
        match (first.take(), all.is_empty()) {
            (None, true) => first = Some(data),
            (Some(before), _) => {
                all.extend_from_slice(&before);
                all.extend_from_slice(&data);
            }
            (None, false) => all.extend_from_slice(&data),
        }
    }
    Ok((first.unwrap_or_else(|| all.into()), whole))
}

async fn next(stream: &mut Stream) -> Option<Result<Frame<Bytes>, BodyError>> {
    std::future::poll_fn(|cx| stream.as_mut().poll_any(cx)).await
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
            Self::Broken(_) => f.write_str("the body broke off"),
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
        match std::mem::take(&mut self.0) {
            Inner::Full(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            Inner::Empty | Inner::Stream(_) => Poll::Ready(None),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Inner::Empty => true,
            Inner::Full(_) => false,
            Inner::Stream(stream) => stream.any_is_end(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Inner::Empty => SizeHint::with_exact(0),
            Inner::Full(bytes) => SizeHint::with_exact(u64::try_from(bytes.len()).unwrap_or(0)),
            Inner::Stream(stream) => stream.any_size(),
        }
    }
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
