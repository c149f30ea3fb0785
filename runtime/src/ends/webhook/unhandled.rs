//! Webhooks without a handler.

use crate::ends::server::{Context, Error, Response};
use crate::message::Operation;
use crate::values::Bytes;
use crate::values::FieldError;
use http::{HeaderMap, Method, StatusCode, Uri};
use std::fmt;
use std::future::{Ready, ready};

/// The reason why a webhook was not handled.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnhandledReason {
    /// Neither the path nor the selected property or header names a known kind.
    UnknownKind,
    /// The kind is known, but its handler method is not implemented.
    NoHandler,
    /// The payload cannot be decoded; the field errors state why.
    Invalid(Vec<FieldError>),
    /// The kind is not documented with the media type of the payload.
    UnsupportedMediaType,
}

impl UnhandledReason {
    /// Returns the status of the response if no hook is set. Senders do not retry on any of them.
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::UnknownKind | Self::NoHandler => StatusCode::NOT_FOUND,
            Self::Invalid(_) => StatusCode::BAD_REQUEST,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        }
    }
}

/// A webhook that was not handled, with its bytes as received.
///
/// It is passed to the hook that [`WebhookRouter::unhandled`](super::WebhookRouter::unhandled)
/// sets. `Debug` shows the kind, the names of headers and the length of the body, because the rest
/// may be a secret.
#[derive(Clone)]
#[non_exhaustive]
pub struct UnhandledWebhook<K> {
    /// The reason why it was not handled.
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

/// A marker of the response of a handler that passes a webhook to the hook.
#[derive(Debug, Clone, Copy)]
pub(super) struct LeftToHook;

impl<E> Error<E> {
    /// Returns the error by which a handler passes a webhook to the hook that
    /// [`WebhookRouter::unhandled`](crate::ends::webhook::WebhookRouter::unhandled) sets. Without a hook,
    /// and in a handler of an operation, the response is a 404.
    pub fn unhandled() -> Self {
        let mut response = Response::default();
        *response.status_mut() = StatusCode::NOT_FOUND;
        response.extensions_mut().insert(LeftToHook);
        Self::Raw(Box::new(response))
    }

    /// Returns whether this is [`Error::unhandled`].
    pub(super) fn is_unhandled(&self) -> bool {
        match self {
            Self::Raw(response) => response.extensions().get::<LeftToHook>().is_some(),
            _ => false,
        }
    }
}

/// Passes a webhook to the hook ([`Error::unhandled`]): the default handler of a kind of webhook.
pub fn unhandled<O: Operation>(_: Context, _: O) -> Ready<Result<O::Response, Error<O::Error>>> {
    ready(Err(Error::unhandled()))
}
