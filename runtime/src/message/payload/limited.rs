//! A body with a limit, which is enforced while it is received.

use super::{Body, BodyError, TooLarge};
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

/// Whether a body has exceeded its limit; `None` if the body is not streamed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exceeded(Option<Arc<AtomicBool>>);

impl Exceeded {
    /// Returns whether the limit has been exceeded so far.
    pub(crate) fn is_set(&self) -> bool {
        self.0
            .as_ref()
            .is_some_and(|exceeded| exceeded.load(Ordering::Acquire))
    }
}

/// A body that fails with [`TooLarge`] at the first byte beyond its limit.
struct Limited {
    body: Body,
    left: usize,
    limit: usize,
    exceeded: Arc<AtomicBool>,
}

impl Body {
    /// Limits the body, and returns a flag that is set if the body exceeds the limit.
    pub(crate) fn limited(self, limit: usize) -> (Self, Exceeded) {
        let exceeded = Arc::default();
        let body = Self::new(Limited {
            body: self,
            left: limit,
            limit,
            exceeded: Arc::clone(&exceeded),
        });
        (body, Exceeded(Some(exceeded)))
    }
}

impl HttpBody for Limited {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if let Some(Ok(frame)) = &frame
            && let Some(data) = frame.data_ref()
        {
            let Some(left) = self.left.checked_sub(data.len()) else {
                self.exceeded.store(true, Ordering::Release);
                self.body = Body::empty();
                let limit = self.limit;
                return Poll::Ready(Some(Err(Box::new(TooLarge { limit }))));
            };
            self.left = left;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
