//! One webhook on its way to its handler, and the response on its way back.

use super::{UnhandledReason, UnhandledWebhook};
use crate::ends::server::{
    BoxFuture, Context, Error, Finish, ReachedLater, Responder, Response, Settings,
};
use crate::message::media;
use crate::message::operation::body::BodyDecoder;
use crate::message::wire::header;
use crate::message::{Operation, RequestDecoder};
use bytes::Bytes;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use std::sync::Arc;

/// The hook that receives webhooks without a handler, and returns the status of the response.
pub(super) type Hook<K> =
    Arc<dyn Fn(UnhandledWebhook<K>) -> BoxFuture<'static, StatusCode> + Send + Sync>;

/// A webhook of a known kind that is routed to its handler.
pub struct WebhookCall<H, K> {
    pub(super) handler: Arc<H>,
    pub(super) settings: Arc<Settings>,
    pub(super) operation: ReachedLater,
    pub(super) hook: Option<Hook<K>>,
    pub(super) kind: K,
    /// Whether an inbox for tasks has the webhook.
    pub(super) is_taken: bool,
    pub(super) parts: Box<Parts>,
    pub(super) body: Bytes,
}

/// A webhook that has been decoded.
pub struct BegunWebhook<H, K, O> {
    /// The implementation of the handler trait.
    pub handler: Arc<H>,
    /// The request without its parameters.
    pub context: Context,
    /// The parameters and the payload.
    pub request: O,
    /// Creates the response.
    pub finish: FinishWebhook<K, O>,
}

/// The conversion of a handler's result to the response to a webhook.
pub struct FinishWebhook<K, O> {
    finish: Responder<O>,
    received: Received<K>,
}

/// A webhook that cannot be decoded.
pub struct UndecodedWebhook<K> {
    received: Received<K>,
    settings: Arc<Settings>,
    reason: UnhandledReason,
}

/// A webhook that a hook may receive.
pub(super) struct Received<K> {
    /// The hook, and the head of the request for it.
    pub(super) hook: Option<(Hook<K>, Box<Parts>)>,
    pub(super) kind: Option<K>,
    pub(super) is_taken: bool,
    pub(super) body: Bytes,
}

impl<K: Send + 'static> Received<K> {
    /// Passes the webhook to the hook, and returns the response.
    pub(super) async fn unhandled(self, settings: &Settings, reason: UnhandledReason) -> Response {
        if self.is_taken && self.hook.is_none() && reason == UnhandledReason::NoHandler {
            return Response::default();
        }
        #[cfg(feature = "tracing")]
        tracing::warn!(reason = ?reason, bytes = self.body.len(), "webhook without a handler");
        let Some((hook, parts)) = self.hook else {
            return settings.unhandled(reason);
        };
        let parts = *parts;
        let webhook = UnhandledWebhook {
            reason,
            kind: self.kind,
            method: parts.method,
            uri: parts.uri,
            headers: parts.headers,
            body: self.body,
        };
        let mut response = Response::default();
        *response.status_mut() = hook(webhook).await;
        response
    }
}

impl<H, K: Copy> WebhookCall<H, K> {
    /// Decodes the webhook.
    ///
    /// # Errors
    ///
    /// Returns a webhook that cannot be decoded.
    pub fn begin<O: Operation>(self) -> Result<BegunWebhook<H, K, O>, UndecodedWebhook<K>> {
        #[cfg(feature = "tracing")]
        crate::ends::trace::operation(O::META);
        // A call begins once, so the cell is empty.
        let _ = self.operation.set(O::META);
        let received = Received {
            hook: self.hook.map(|hook| (hook, self.parts.clone())),
            kind: Some(self.kind),
            is_taken: self.is_taken,
            body: self.body.clone(),
        };
        let content_type = header::text(&self.parts.headers, CONTENT_TYPE);
        let body = BodyDecoder::new(content_type.map(media::owned), self.body);
        let (query, headers) = (self.parts.uri.query(), &self.parts.headers);
        let mut decoder = RequestDecoder::with_variables(O::META, Vec::new(), query, headers, body);
        // Decoded leniently, because the sender would send the same webhook again.
        let request = O::decode(&mut decoder);
        let unsupported = decoder.wrong_media();
        let field_errors = decoder.take_field_errors();
        let request = match request {
            Some(request) if field_errors.is_empty() => request,
            _ => {
                return Err(UndecodedWebhook {
                    received,
                    settings: self.settings,
                    reason: match unsupported {
                        true => UnhandledReason::UnsupportedMediaType,
                        false => UnhandledReason::Invalid(field_errors),
                    },
                });
            }
        };
        Ok(BegunWebhook {
            handler: self.handler,
            context: Context::new(self.parts, O::META),
            request,
            finish: FinishWebhook {
                finish: Responder::new(Finish::new(self.settings, O::META)),
                received,
            },
        })
    }
}

impl<K: Send + 'static> UndecodedWebhook<K> {
    /// Passes the webhook to the hook, and returns its response.
    pub async fn response(self) -> Response {
        self.received.unhandled(&self.settings, self.reason).await
    }
}

impl<K: Send + 'static, O: Operation> FinishWebhook<K, O> {
    /// Converts the result of a handler to a response.
    pub async fn response(self, result: Result<O::Response, Error<O::Error>>) -> Response {
        match result {
            Err(error) if error.is_unhandled() => {
                let settings = Arc::clone(self.finish.settings());
                self.received
                    .unhandled(&settings, UnhandledReason::NoHandler)
                    .await
            }
            result => self.finish.response(result),
        }
    }
}
