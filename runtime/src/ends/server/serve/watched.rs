//! The socket and the responses of a connection, which report to its activity.

use super::activity::{Activity, Exchange};
use crate::message::payload::{Body, BodyError};
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::error::Error;
use std::fmt;
use std::io::{IoSlice, Result};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::OwnedSemaphorePermit;

/// A socket. It counts as a connection until it is dropped, also after an upgrade.
pub(super) struct Watched<Io> {
    pub(super) io: Io,
    pub(super) activity: Arc<Activity>,
    pub(super) _permit: OwnedSemaphorePermit,
}

impl<Io> Watched<Io> {
    fn sent<T>(&self, sent: Poll<T>) -> Poll<T> {
        self.activity.sent(sent.is_pending());
        sent
    }
}

impl<Io: AsyncRead + Unpin> AsyncRead for Watched<Io> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.io).poll_read(cx, buffer);
        if buffer.filled().len() > before {
            self.activity.received();
        }
        read
    }
}

impl<Io: AsyncWrite + Unpin> AsyncWrite for Watched<Io> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(cx, bytes);
        self.sent(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(cx, parts);
        self.sent(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        let flushed = Pin::new(&mut self.io).poll_flush(cx);
        self.sent(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

/// The error of a service or of the body of its response, as a type of its own: the compiler cannot
/// show that a future with a boxed error is `Send`.
#[derive(Debug)]
pub(super) struct Failed(pub(super) BodyError);

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for Failed {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// The size of a piece of a response over HTTP/2. The connection takes a whole frame as soon as the
/// peer has room for a byte, so larger ones are split: what the peer takes is known by the piece.
const PIECE: usize = 16 << 10;

/// The body of a response. Its request ends with it.
pub(super) struct Responding {
    body: Body,
    /// The rest of a frame that is sent in pieces.
    rest: Bytes,
    exchange: Exchange,
}

impl Responding {
    /// Until it is polled first, a response waits for the connection: the peer may have no room.
    pub(super) fn new(body: Body, mut exchange: Exchange) -> Self {
        exchange.set_sending(true);
        Self {
            body,
            rest: Bytes::new(),
            exchange,
        }
    }

    /// Returns the first piece of a frame.
    fn cut(&mut self, frame: Frame<Bytes>) -> Frame<Bytes> {
        match frame.into_data() {
            Ok(mut data) => {
                if self.exchange.is_http2 && data.len() > PIECE {
                    self.rest = data.split_off(PIECE);
                }
                Frame::data(data)
            }
            Err(frame) => frame,
        }
    }
}

impl HttpBody for Responding {
    type Data = Bytes;
    type Error = Failed;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<std::result::Result<Frame<Bytes>, Failed>>> {
        let frame = match std::mem::take(&mut self.rest) {
            rest if rest.is_empty() => Pin::new(&mut self.body).poll_frame(cx),
            rest => Poll::Ready(Some(Ok(Frame::data(rest)))),
        };
        self.exchange.set_sending(frame.is_ready());
        frame.map(|frame| frame.map(|frame| frame.map(|frame| self.cut(frame)).map_err(Failed)))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = self.body.size_hint();
        let rest = u64::try_from(self.rest.len()).unwrap_or(u64::MAX);
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper.saturating_add(rest));
        }
        hint.set_lower(hint.lower().saturating_add(rest));
        hint
    }
}
