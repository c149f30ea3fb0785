//! Calls: from the request of an operation to its response.

use super::credentials::WithToken;
use super::failure::Failure;
use super::idempotency_key;
use super::{Attempt, Body, ClientCore, Error, RawResponse, Transport, TransportError, redact};
#[cfg(feature = "tracing")]
use crate::ends::trace;
use crate::message::media::Reading;
#[cfg(feature = "check-responses")]
use crate::message::operation::checked::Check;
use crate::message::operation::negotiate;
use crate::message::operation::{Row, SuccessSet};
use crate::message::wire::header;
use crate::message::{Operation, OperationMeta, ResponseDecoder, ResponseSet};
use crate::values::DecodeError;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Request, StatusCode};
use std::pin::Pin;
#[cfg(not(feature = "retries"))]
use std::time::Instant;
// The clock of the delays between attempts.
#[cfg(feature = "retries")]
use tokio::time::Instant;
#[cfg(feature = "tracing")]
use tracing::Instrument;

/// The future of a call: the return type of the methods of generated clients.
///
/// The future is boxed, because an opaque type per method adds a sixth to the time of checking a
/// generated client.
pub type ResponseFuture<'a, R, E> = Pin<Box<dyn Future<Output = Result<R, Error<E>>> + Send + 'a>>;

impl<T: Transport> ClientCore<T> {
    /// Calls an operation with an owned request. The methods of generated clients call this.
    ///
    /// # Errors
    ///
    /// Returns an error if the request cannot be sent, or if the response is not a documented
    /// success: see [`Error`].
    pub fn send<O>(&self, request: O) -> ResponseFuture<'_, O::Response, O::Error>
    where
        O: Operation + Send + Sync + 'static,
    {
        Box::pin(async move { self.call(&request).await })
    }

    /// Calls an operation.
    ///
    /// # Errors
    ///
    /// Returns an error if the request cannot be sent, or if the response is not a documented
    /// success: see [`Error`].
    pub async fn call<O: Operation>(&self, request: &O) -> Result<O::Response, Error<O::Error>> {
        self.call_and(request, |_| ()).await
    }

    /// Calls an operation, and shows its response to `seen` before it is decoded.
    pub(super) async fn call_and<O: Operation>(
        &self,
        request: &O,
        seen: impl FnOnce(&ResponseDecoder) + Send,
    ) -> Result<O::Response, Error<O::Error>> {
        #[cfg(feature = "validate")]
        if self.checked {
            idempotency_key::validate(request).map_err(Error::Validation)?;
        }
        let mut with = None;
        let response = match self.traced(request, &mut with).await {
            // An undocumented response is returned with a truncated body, so its size is no error.
            Err(Failure::TooLarge { response, .. }) if !is_documented::<O>(&response) => {
                return Err(Error::Undocumented(self.shown(request, with, response)));
            }
            response => response?,
        };
        seen(&response);
        self.decoded(request, with, response).await
    }

    /// Decodes the response of a call.
    pub(super) async fn decoded<O: Operation>(
        &self,
        request: &O,
        with: Option<WithToken<'_>>,
        mut response: ResponseDecoder,
    ) -> Result<O::Response, Error<O::Error>> {
        #[cfg(feature = "check-responses")]
        if let Some(check @ (Check::Log | Check::Fail)) = self.options.check {
            response = Self::checked::<O>(check, response)?;
        }
        let mut decoded = read::<O>(&mut response);
        if decoded.is_err()
            && let Some(rest) = response.take_live()
        {
            // The document describes a stream, but the response has another media type: buffer it.
            let (status, headers, _) = response.into_parts();
            response = self.whole(O::META, status, headers, rest).await?;
            decoded = read::<O>(&mut response);
        }
        decoded.map_err(|wrong| {
            let response = RawResponse::boxed(response, O::META.id);
            match wrong {
                ResponseError::Api(error) => Error::Api { error, response },
                ResponseError::Unreadable(source) => Error::Decode { response, source },
                ResponseError::Undocumented => {
                    Error::Undocumented(self.shown(request, with, response))
                }
            }
        })
    }

    /// Lets the message of an error show an undocumented response. The request is encoded again,
    /// because its values are needed in this case only.
    fn shown<O: Operation>(
        &self,
        request: &O,
        with: Option<WithToken<'_>>,
        response: Box<RawResponse>,
    ) -> Box<RawResponse> {
        let encoded = match &with {
            None => self.request(request, &*self.credentials),
            Some(with) => self.request(request, with),
        };
        // A body that was sent cannot be encoded again.
        let sent = encoded.ok();
        match sent.and_then(|sent| redact::values_of(sent, O::META.path)) {
            Some(values) => response.show(&values),
            None => response,
        }
    }

    /// Sends a request in a tracing span.
    #[cfg(feature = "tracing")]
    pub(super) async fn traced<'a, O: Operation>(
        &'a self,
        request: &O,
        with: &mut Option<WithToken<'a>>,
    ) -> Result<ResponseDecoder, Failure> {
        let span = trace::call(O::META, self.servers.server_of(O::META).ok().as_deref());
        let response = self
            .authorized(request, with)
            .instrument(span.clone())
            .await;
        match &response {
            Ok(response) => trace::answered(&span, response.status_code(), true),
            Err(failure) => trace::failed(&span, failure.kind()),
        }
        response
    }

    #[cfg(not(feature = "tracing"))]
    pub(super) async fn traced<'a, O: Operation>(
        &'a self,
        request: &O,
        with: &mut Option<WithToken<'a>>,
    ) -> Result<ResponseDecoder, Failure> {
        self.authorized(request, with).await
    }

    /// Sends a request, and retries it as the policy decides.
    pub(super) async fn exchange(
        &self,
        call: CallOf,
        mut request: Request<Body>,
    ) -> Result<ResponseDecoder, Failure> {
        #[cfg(feature = "trace-context")]
        crate::ends::trace_context::inject(request.headers_mut());
        let Some(retry) = self.options.retry.as_deref() else {
            return self.exchange_once(call, request).await;
        };
        let began = Instant::now();
        let idempotency_key = idempotency_key::is_in(request.headers(), call.meta);
        let mut number = 1;
        loop {
            let again = copy(&request);
            let result = self.exchange_once(call, request).await;
            let attempt = Attempt {
                operation: call.meta,
                number,
                elapsed: began.elapsed(),
                idempotency_key,
                response: match &result {
                    Ok(response) => Some((response.status_code(), response.headers())),
                    Err(_) => None,
                },
                error: match &result {
                    Err(Failure::Transport(error)) => Some(error),
                    _ => None,
                },
            };
            let (Some(next), Some(wait)) = (again, retry.next_delay(&attempt)) else {
                return result;
            };
            wait.await;
            request = next;
            #[cfg(feature = "tracing")]
            trace::resent(number);
            number += 1;
        }
    }

    /// Sends a request once, and measures how long its response takes.
    #[cfg(feature = "metrics")]
    async fn exchange_once(
        &self,
        call: CallOf,
        request: Request<Body>,
    ) -> Result<ResponseDecoder, Failure> {
        let begun = crate::ends::durations::Begun::now();
        let response = self.exchange_unmeasured(call, request).await;
        let status = response.as_ref().map(ResponseDecoder::status_code);
        begun.called(call.meta, status.map_err(Failure::kind));
        response
    }

    #[cfg(not(feature = "metrics"))]
    fn exchange_once(
        &self,
        call: CallOf,
        request: Request<Body>,
    ) -> impl Future<Output = Result<ResponseDecoder, Failure>> {
        self.exchange_unmeasured(call, request)
    }

    /// Sends a request once, and buffers the response unless it is a stream.
    async fn exchange_unmeasured(
        &self,
        call: CallOf,
        request: Request<Body>,
    ) -> Result<ResponseDecoder, Failure> {
        #[cfg(feature = "gzip")]
        let decodes = request.extensions().get().is_some_and(CallOf::decodes);
        let accepted = only_accepted(request.headers());
        let mut response = self.transport.send(request).await?;
        state_parameters(accepted, response.headers_mut());
        #[cfg(feature = "gzip")]
        let response = if decodes {
            unwrapped(response, call)
        } else {
            response
        };
        let (parts, body) = response.into_parts();
        let status = parts.status;
        if call.is_live(status, &parts.headers) {
            return Ok(ResponseDecoder::live(status, parts.headers, body));
        }
        self.whole(call.meta, status, parts.headers, body).await
    }

    /// Buffers the body of a response.
    async fn whole(
        &self,
        meta: &'static OperationMeta,
        status: StatusCode,
        headers: HeaderMap,
        body: Body,
    ) -> Result<ResponseDecoder, Failure> {
        let limit = if status.is_client_error() || status.is_server_error() {
            self.body_limit.min(ERROR_LIMIT)
        } else {
            self.body_limit
        };
        // A body that declares a length above the limit is rejected: its beginning is enough for
        // the error.
        let take = if body.is_larger(limit) {
            limit.min(RawResponse::BODY_LIMIT)
        } else {
            limit
        };
        match body.collect_up_to(take).await {
            Ok((body, true)) => Ok(ResponseDecoder::new(status, headers, body)),
            Ok((body, false)) => Err(Failure::TooLarge {
                response: RawResponse::new(meta.id, status, headers, body),
                limit,
            }),
            Err(error) => Err(Failure::Transport(TransportError::new(error))),
        }
    }
}

/// Limit for the body of an error response, in bytes.
const ERROR_LIMIT: usize = 1 << 20;

/// Why a response is not a documented success.
enum ResponseError<E> {
    Api(E),
    Unreadable(DecodeError),
    Undocumented,
}

/// Decodes a response by what the document describes for its status.
fn read<O: Operation>(
    response: &mut ResponseDecoder,
) -> Result<O::Response, ResponseError<O::Error>> {
    if let Some(read) = O::Success::decode(O::META, response) {
        return read.map_err(ResponseError::Unreadable);
    }
    Err(match O::Error::read(response) {
        Ok(Some(error)) => ResponseError::Api(error),
        Ok(None) => ResponseError::Undocumented,
        Err(source) => ResponseError::Unreadable(source),
    })
}

/// Returns whether the document describes the status of a response.
fn is_documented<O: Operation>(response: &RawResponse) -> bool {
    let has = |rows: &'static [Row]| Row::find(rows, response.status.as_u16()).is_some();
    has(O::Success::rows(O::META)) || has(O::Error::ROWS)
}

/// Decodes the content coding of a response. A response in an unknown coding is returned unchanged.
#[cfg(feature = "gzip")]
fn unwrapped(response: http::Response<Body>, call: CallOf) -> http::Response<Body> {
    use crate::message::payload::coding;
    if coding::is_wrapped(response.headers()) != Ok(true) {
        return response;
    }
    let is_live = call.is_live(response.status(), response.headers());
    let mut response = response.map(|body| coding::unwrapped(body, is_live, Reading::Lenient));
    // Both headers describe the encoded body.
    response
        .headers_mut()
        .remove(http::header::CONTENT_ENCODING);
    response.headers_mut().remove(http::header::CONTENT_LENGTH);
    response
}

/// Returns the header `Accept` if it is one media type with parameters.
fn only_accepted(headers: &HeaderMap) -> Option<HeaderValue> {
    let accepted = headers.get(ACCEPT)?;
    let bytes = accepted.as_bytes();
    let is_only = !bytes.iter().any(|byte| matches!(byte, b',' | b'*')) && bytes.contains(&b';');
    is_only.then(|| accepted.clone())
}

/// Adds the parameters of the [only accepted](only_accepted) media type to that of the response, which has none:
/// `stream=watch`, which servers of Kubernetes accept and do not state.
fn state_parameters(accepted: Option<HeaderValue>, headers: &mut HeaderMap) {
    let (Some(accepted), Some(received)) = (accepted, headers.get(CONTENT_TYPE)) else {
        return;
    };
    let (Ok(only), Ok(media)) = (accepted.to_str(), received.to_str()) else {
        return;
    };
    let bare = only.split_once(';').map(|(bare, _)| bare.trim());
    if bare.is_some_and(|bare| bare.eq_ignore_ascii_case(media)) {
        headers.insert(CONTENT_TYPE, accepted);
    }
}

/// The operation of a call in progress.
#[derive(Clone, Copy)]
pub(in crate::ends) struct CallOf {
    pub(super) meta: &'static OperationMeta,
    /// The rows of its success responses and of its error responses.
    pub(super) rows: [&'static [Row]; 2],
    /// Whether the client decodes the content coding of the response. A caller that sets
    /// `Accept-Encoding` does so itself.
    #[cfg(feature = "gzip")]
    pub(super) decodes: bool,
}

impl CallOf {
    pub(in crate::ends) fn new<O: Operation>() -> Self {
        Self {
            meta: O::META,
            rows: [O::Success::rows(O::META), O::Error::ROWS],
            #[cfg(feature = "gzip")]
            decodes: false,
        }
    }

    #[cfg(feature = "test")]
    pub(in crate::ends) const fn meta(&self) -> &'static OperationMeta {
        self.meta
    }

    #[cfg(feature = "gzip")]
    const fn decodes(&self) -> bool {
        self.decodes
    }

    /// Returns whether the body is passed on while it is received.
    pub(super) fn is_live(self, status: StatusCode, headers: &HeaderMap) -> bool {
        let is_streamed = |rows: &'static [Row]| {
            let streams = Row::find(rows, status.as_u16()).map_or(&[][..], |row| row.streams);
            !streams.is_empty()
                && negotiate::is_live(
                    streams,
                    header::text(headers, CONTENT_TYPE.as_str()),
                    Reading::Lenient,
                )
        };
        self.rows.into_iter().any(is_streamed)
    }
}

/// Copies a request; `None` if its body can be sent only once.
fn copy(request: &Request<Body>) -> Option<Request<Body>> {
    let body = request.body().try_clone()?;
    let mut copy = Request::new(body);
    request.method().clone_into(copy.method_mut());
    request.uri().clone_into(copy.uri_mut());
    request.headers().clone_into(copy.headers_mut());
    request.extensions().clone_into(copy.extensions_mut());
    Some(copy)
}
