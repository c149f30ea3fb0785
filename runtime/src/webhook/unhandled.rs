//! Webhooks that no handler handles.

use crate::operation::FieldError;
use crate::server::{Context, Error, Response};
use crate::{Bytes, Operation};
use http::{HeaderMap, Method, StatusCode, Uri};
use std::fmt;
use std::future::{Ready, ready};

/// Why no handler has handled a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnhandledReason {
    /// Neither the path nor the selected property or header names a known kind.
    UnknownKind,
    /// The kind is known, and the handler leaves it to the hook.
    NoHandler,
    /// The payload cannot be decoded: the fields that are invalid, and why.
    Invalid(Vec<FieldError>),
    /// The kind is not documented with the media type of the payload.
    UnsupportedMediaType,
}

impl UnhandledReason {
    /// The status of the response when no hook is set. Senders do not retry on any of them.
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::UnknownKind | Self::NoHandler => StatusCode::NOT_FOUND,
            Self::Invalid(_) => StatusCode::BAD_REQUEST,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        }
    }
}

/// A webhook that no handler has handled, with its bytes as received.
///
/// Passed to the hook that [`WebhookRouter::unhandled`](super::WebhookRouter::unhandled) sets. Its `Debug`
/// shows the kind, the names of headers and the length of the body: the rest may be a secret.
#[derive(Clone)]
#[non_exhaustive]
pub struct UnhandledWebhook<K> {
    /// Why no handler has handled it.
    pub reason: UnhandledReason,
    /// The kind, if it is known.
    pub kind: Option<K>,
    /// The HTTP method of the request.
    pub method: Method,
    /// The URI of the request.
    pub uri: Uri,
    /// The headers of the request.
    pub headers: HeaderMap,
    /// The body, without its content coding.
    pub body: Bytes,
}

impl<K: fmt::Debug> fmt::Debug for UnhandledWebhook<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.keys().map(http::HeaderName::as_str).collect();
        f.debug_struct("UnhandledWebhook")
            .field("reason", &self.reason)
            .field("kind", &self.kind)
            .field("method", &self.method)
            .field("headers", &names)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}

/// Marks the response of a handler that leaves a webhook to the hook.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeftToHook;

impl<E> Error<E> {
    /// Leaves a webhook to the hook that
    /// [`WebhookRouter::unhandled`](crate::webhook::WebhookRouter::unhandled) sets; without one, the
    /// response is a 404. A handler of an operation gets the same 404.
    pub fn unhandled() -> Self {
        let mut response = Response::default();
        *response.status_mut() = StatusCode::NOT_FOUND;
        response.extensions_mut().insert(LeftToHook);
        Self::Raw(Box::new(response))
    }

    /// Whether this is [`Error::unhandled`].
    pub(super) fn is_unhandled(&self) -> bool {
        match self {
            Self::Raw(response) => response.extensions().get::<LeftToHook>().is_some(),
            _ => false,
        }
    }
}

/// What a handler does with a kind of webhook that the user does not handle: it leaves the webhook to
/// the hook ([`Error::unhandled`]).
pub fn unhandled<O: Operation>(_: Context, _: O) -> Ready<Result<O::Response, Error<O::Error>>> {
    ready(Err(Error::unhandled()))
}
