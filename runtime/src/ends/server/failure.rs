//! Failures of a server: the hook and the event.

use super::{Body, BodyError};
use crate::message::OperationMeta;
use crate::message::chain::Chain;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame, SizeHint};
use std::any::Any;
use std::error::Error;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// A failure of the server, as [`Router::on_failure`](super::Router::on_failure) reports it.
///
/// `Display` writes one line: the operation, and the cause with all of its sources.
#[derive(Debug, Clone, Copy)]
pub struct Failure<'a> {
    operation: &'static OperationMeta,
    cause: &'a (dyn Error + 'static),
}

impl Failure<'_> {
    /// Returns the operation: its `id`, its `method`, and the template of its `path`.
    pub const fn operation(&self) -> &'static OperationMeta {
        self.operation
    }

    /// Returns the cause: the source given to [`Error::internal`](super::Error::internal), the
    /// [`EncodeError`](crate::EncodeError) of a response, the error of a streamed body, a
    /// [`HandlerPanic`], or the fact that the operation [has no handler](super::unimplemented).
    pub const fn cause(&self) -> &(dyn Error + 'static) {
        self.cause
    }
}

impl fmt::Display for Failure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OperationMeta {
            id, method, path, ..
        } = self.operation;
        match *path {
            // The path of a webhook is not known here: the server chooses it.
            "" => write!(f, "{id} failed: {}", Chain(self.cause)),
            path => write!(f, "{id} ({method} {path}) failed: {}", Chain(self.cause)),
        }
    }
}

/// The error of a handler or an authenticator that panicked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandlerPanic {
    message: String,
}

impl HandlerPanic {
    pub(super) fn new(payload: &(dyn Any + Send)) -> Self {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let message = text
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "the panic has no message".to_owned());
        Self { message }
    }

    /// Returns the message of the panic.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for HandlerPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the handler panicked: {}", self.message)
    }
}

impl Error for HandlerPanic {}

/// The cause of a 500 whose error has none.
#[derive(Debug)]
struct NoCause;

impl fmt::Display for NoCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the error states no cause: create it with `Error::internal`")
    }
}

impl Error for NoCause {}

type Hook = dyn Fn(&Failure<'_>) + Send + Sync;

/// The hook for failures.
#[derive(Clone, Default)]
pub(crate) struct OnFailure(Option<Arc<Hook>>);

impl OnFailure {
    pub(crate) fn new(hook: impl Fn(&Failure<'_>) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(hook)))
    }

    /// Reports a failure, with or without a cause.
    pub(super) fn report(
        &self,
        operation: &'static OperationMeta,
        cause: Option<&(dyn Error + 'static)>,
    ) {
        let cause = cause.unwrap_or(&NoCause);
        #[cfg(feature = "tracing")]
        crate::ends::trace::server_failed(operation, cause);
        if let Some(hook) = &self.0 {
            // The response is sent even if the hook panics.
            let _ = catch_unwind(AssertUnwindSafe(|| hook(&Failure { operation, cause })));
        }
    }

    /// Wraps the body of a response so that its errors are reported.
    pub(super) fn watch(&self, operation: &'static OperationMeta, body: Body) -> Body {
        Body::new(Watched {
            body,
            operation,
            on_failure: self.clone(),
        })
    }
}

/// A streamed body of a response.
struct Watched {
    body: Body,
    operation: &'static OperationMeta,
    on_failure: OnFailure,
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Err(error))) = &polled {
            self.on_failure.report(self.operation, Some(&**error));
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
