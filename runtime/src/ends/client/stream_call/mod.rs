//! Calls whose response is a stream of events, and how such a stream is resumed.

#[cfg(feature = "retries")]
mod resumed;

use super::{ClientCore, Error, ResponseFuture, Transport};
use crate::message::Operation;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A call whose response is a stream of events. It is the future of the response, and nothing is sent
/// before it is polled.
///
/// With [`resumable`](Self::resumable), a stream that breaks continues after its last event.
#[must_use = "nothing is sent before the call is awaited"]
pub struct StreamCall<'a, T, O: Operation> {
    core: &'a ClientCore<T>,
    request: Arc<O>,
    running: Option<ResponseFuture<'a, O::Response, O::Error>>,
}

impl<T: Transport> ClientCore<T> {
    /// Calls an operation whose response is a stream of events. The methods of generated clients
    /// call this.
    pub fn stream<O: Operation>(&self, request: O) -> StreamCall<'_, T, O> {
        StreamCall {
            core: self,
            request: Arc::new(request),
            running: None,
        }
    }
}

impl<T, O> Future for StreamCall<'_, T, O>
where
    T: Transport,
    O: Operation + Send + Sync + 'static,
{
    type Output = Result<O::Response, Error<O::Error>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let (core, request) = (self.core, Arc::clone(&self.request));
        let running = self
            .running
            .get_or_insert_with(|| Box::pin(async move { core.call(&*request).await }));
        running.as_mut().poll(cx)
    }
}

impl<T, O: Operation> fmt::Debug for StreamCall<'_, T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamCall")
            .field("operation", &O::META.id)
            .finish_non_exhaustive()
    }
}
