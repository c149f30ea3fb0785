//! URLs of callbacks, which the caller of an operation provides.

use crate::ends::server::Context;
use crate::message::expression::{Expression, in_body, in_header};
use crate::message::operation::SuccessSet;
use crate::message::wire::percent::{Keep, decode, encode};
use crate::message::wire::query;
use crate::message::{Operation, RequestEncoder, ResponseEncoder};
use crate::values::escaped::beginning;
use crate::values::short;
use http::Uri;
use std::fmt;
use std::marker::PhantomData;

/// A part of a [`CallbackUrl`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UrlPart {
    /// A text of the document.
    Text(&'static str),
    /// A value of the request or the response.
    Value(Expression),
}

/// The URL of a callback, which the document takes from calls of the operation `O`
/// (`{$request.body#/url}`, OpenAPI 3.1.1, section 4.8.18.1): a constant of generated code.
///
/// The caller chooses the URL and may point it to any host, including your own network:
/// `bothends-delivery` checks each address when it connects.
///
/// ```text
/// async fn subscribe(&self, ctx: Context, request: SubscribeRequest) -> … {
///     let url = webhooks::SUBSCRIBE_ON_EVENT_URL.of(&ctx, &request)?;
///     let event = OutgoingWebhook::new(&SubscribeOnEventRequest::new(payload))?.to(url);
/// ```
#[derive(Debug)]
pub struct CallbackUrl<O> {
    parts: &'static [UrlPart],
    operation: PhantomData<fn() -> O>,
}

impl<O> Clone for CallbackUrl<O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for CallbackUrl<O> {}

impl<O: Operation> CallbackUrl<O> {
    /// Creates a URL of these parts; generated code calls this.
    pub const fn new(parts: &'static [UrlPart]) -> Self {
        Self {
            parts,
            operation: PhantomData,
        }
    }

    /// Returns the URL that the request of a call provides.
    ///
    /// A value at the beginning, or after `://`, is used as it is. Any other value is
    /// percent-encoded, so that it stays within its part of the URL.
    ///
    /// # Errors
    ///
    /// Returns an error if the request lacks a value, if a value is in the response (see
    /// [`after`](Self::after)), or if the result is not an absolute `http` or `https` URL.
    pub fn of(&self, context: &Context, request: &O) -> Result<String, CallbackUrlError> {
        self.build(|expression| sent(context, request, expression))
    }

    /// Returns the URL that the request and the response of a call provide.
    ///
    /// # Errors
    ///
    /// Returns an error under the conditions of [`of`](Self::of), except that values of the
    /// response are available.
    pub fn after(
        &self,
        context: &Context,
        request: &O,
        response: &O::Response,
    ) -> Result<String, CallbackUrlError> {
        let mut encoder = ResponseEncoder::new();
        O::Success::encode(O::META, response, &mut encoder);
        let encoded = encoder.finish().ok();
        self.build(|expression| match expression {
            Expression::StatusCode => Some(encoded.as_ref()?.status.as_str().to_owned()),
            Expression::ResponseHeader(name) => in_header(&encoded.as_ref()?.headers, name),
            Expression::ResponseBody(pointer) => {
                in_body(&encoded.as_ref()?.body.as_ref()?.1, pointer)
            }
            _ => sent(context, request, expression),
        })
    }

    fn build(
        &self,
        value: impl Fn(Expression) -> Option<String>,
    ) -> Result<String, CallbackUrlError> {
        let mut url = String::new();
        for part in self.parts {
            match part {
                UrlPart::Text(text) => url.push_str(text),
                UrlPart::Value(expression) => {
                    let value = value(*expression).ok_or(CallbackUrlError::Missing(*expression))?;
                    if url.is_empty() || url.ends_with("://") {
                        url.push_str(&value);
                    } else {
                        url.push_str(&encode(&value, Keep::UNRESERVED));
                    }
                }
            }
        }
        let parsed = url.parse::<Uri>().ok();
        let is_http = |uri: &Uri| matches!(uri.scheme_str(), Some("http" | "https"));
        if parsed.is_some_and(|uri| is_http(&uri) && uri.authority().is_some()) {
            Ok(url)
        } else {
            Err(CallbackUrlError::NotAbsolute(url))
        }
    }
}

/// Returns a value of the request.
fn sent<O: Operation>(context: &Context, request: &O, expression: Expression) -> Option<String> {
    let encoded = || {
        let mut encoder = RequestEncoder::new(O::META);
        request.encode(&mut encoder);
        encoder
    };
    match expression {
        Expression::Constant(text) => Some(text.to_owned()),
        Expression::Method => Some(context.method().as_str().to_owned()),
        Expression::Url => {
            let uri = context.uri();
            uri.authority().is_some().then(|| uri.to_string())
        }
        Expression::RequestPath(name) => {
            let encoder = encoded();
            let mut variables = encoder.variables();
            let (_, raw) = variables.find(|(known, _)| *known == name)?;
            Some(decode(raw, false).ok()?.into_owned())
        }
        Expression::RequestQuery(name) => {
            let pairs = query::pairs(context.uri().query().unwrap_or_default());
            let (_, raw) = pairs.iter().find(|(known, _)| known == name)?;
            Some(decode(raw, true).ok()?.into_owned())
        }
        Expression::RequestHeader(name) => in_header(context.headers(), name),
        Expression::RequestBody(pointer) => {
            in_body(&encoded().finish().ok()?.body.as_ref()?.1, pointer)
        }
        Expression::StatusCode | Expression::ResponseHeader(_) | Expression::ResponseBody(_) => {
            None
        }
    }
}

/// The error of a call without a valid URL for its callback.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallbackUrlError {
    /// The place of the value contains no text, number or boolean.
    Missing(Expression),
    /// The result is not an absolute `http` or `https` URL.
    NotAbsolute(String),
}

impl fmt::Display for CallbackUrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(expression) => {
                write!(f, "the callback's URL has no value for {expression:?}")
            }
            Self::NotAbsolute(url) => write!(
                f,
                "`{}` is not an absolute http or https URL",
                beginning(url, short::PATH)
            ),
        }
    }
}

impl std::error::Error for CallbackUrlError {}
