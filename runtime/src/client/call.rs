//! Calls: from a request to what it comes to.

use super::failure::Failure;
use super::options::IDEMPOTENCY_KEY;
use super::{Attempt, Body, Core, Error, RawResponse, Transport, TransportError};
use crate::operation::negotiate;
use crate::operation::{Row, SuccessSet};
#[cfg(feature = "tracing")]
use crate::trace;
use crate::wire::header;
use crate::wire::media::Reading;
use crate::{DecodeError, Operation, OperationMeta, ResponseDecoder, ResponseSet};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Request, StatusCode};
use std::pin::Pin;
#[cfg(feature = "tracing")]
use tracing::Instrument;

/// A call on its way: what the methods of generated clients return.
///
/// It is boxed: an opaque type for each method costs a sixth of the time that it takes to check a
/// generated client.
pub type ResponseFuture<'a, R, E> = Pin<Box<dyn Future<Output = Result<R, Error<E>>> + Send + 'a>>;

impl<T: Transport> Core<T> {
    /// Calls an operation with a request that it takes: what the methods of generated clients do.
    ///
    /// # Errors
    ///
    /// See [`Error`].
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
    /// See [`Error`].
    pub async fn call<O: Operation>(&self, request: &O) -> Result<O::Response, Error<O::Error>> {
        #[cfg(feature = "validate")]
        if self.checked {
            request.validate().map_err(Error::Validation)?;
        }
        let mut response = match self.answered(request).await {
            // What nobody documents need not be read whole.
            Err(Failure::TooLarge { answer, .. }) if !is_documented::<O>(&answer) => {
                return Err(Error::Undocumented(answer));
            }
            came => came?,
        };
        let mut came = read::<O>(&response);
        if came.is_err()
            && let Some(rest) = response.take_live()
        {
            // It was to come item by item, and is something else.
            let (status, headers, _) = response.into_parts();
            response = self.whole(O::META, status, headers, rest).await?;
            came = read::<O>(&response);
        }
        came.map_err(|wrong| {
            let answer = RawResponse::of(response, O::META.id);
            match wrong {
                Wrong::Api(error) => Error::Api { error, answer },
                Wrong::Unreadable(source) => Error::Decode { answer, source },
                Wrong::Undocumented => Error::Undocumented(answer),
            }
        })
    }

    /// Sends a request, in a span of its own.
    #[cfg(feature = "tracing")]
    async fn answered<O: Operation>(&self, request: &O) -> Result<ResponseDecoder, Failure> {
        let span = trace::call(O::META, self.servers.of(O::META).ok().as_deref());
        let answer = self.authorized(request).instrument(span.clone()).await;
        match &answer {
            Ok(response) => trace::answered(&span, response.status_code(), true),
            Err(failure) => trace::failed(&span, failure.kind()),
        }
        answer
    }

    #[cfg(not(feature = "tracing"))]
    async fn answered<O: Operation>(&self, request: &O) -> Result<ResponseDecoder, Failure> {
        self.authorized(request).await
    }

    /// Sends a request, as often as it takes.
    pub(super) async fn exchange(
        &self,
        call: CallOf,
        mut request: Request<Body>,
    ) -> Result<ResponseDecoder, Failure> {
        let Some(retry) = self.options.retry.as_deref() else {
            return self.exchange_once(call, request).await;
        };
        let mut number = 1;
        loop {
            let again = copy(&request);
            let idempotency_key = request.headers().contains_key(IDEMPOTENCY_KEY);
            let came = self.exchange_once(call, request).await;
            let attempt = Attempt {
                operation: call.meta,
                number,
                idempotency_key,
                response: match &came {
                    Ok(response) => Some((response.status_code(), response.headers())),
                    Err(_) => None,
                },
                error: match &came {
                    Err(Failure::Transport(error)) => Some(error),
                    _ => None,
                },
            };
            let (Some(next), Some(wait)) = (again, retry.next_delay(&attempt)) else {
                return came;
            };
            wait.await;
            request = next;
            #[cfg(feature = "tracing")]
            trace::resent(number);
            number += 1;
        }
    }

    /// Sends a request and takes the whole response.
    async fn exchange_once(
        &self,
        call: CallOf,
        request: Request<Body>,
    ) -> Result<ResponseDecoder, Failure> {
        #[cfg(feature = "gzip")]
        let unwraps = request
            .extensions()
            .get::<super::write::Unwraps>()
            .is_some();
        let response = self.transport.send(request).await?;
        #[cfg(feature = "gzip")]
        let response = if unwraps {
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

    /// A response with all of its body.
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
        // Of what says that it is too large, the beginning is enough.
        let take = if body.is_larger(limit) {
            limit.min(RawResponse::BODY_LIMIT)
        } else {
            limit
        };
        match body.collect_up_to(take).await {
            Ok((body, true)) => Ok(ResponseDecoder::new(status, headers, body)),
            Ok((body, false)) => Err(Failure::TooLarge {
                answer: RawResponse::new(meta.id, status, headers, body),
                limit,
            }),
            Err(error) => Err(Failure::Transport(TransportError::new(error))),
        }
    }
}

/// The most bytes that are read of the body of an error.
const ERROR_LIMIT: usize = 1 << 20;

/// Why a response is not the one that an operation is called for.
enum Wrong<E> {
    Api(E),
    Unreadable(DecodeError),
    Undocumented,
}

/// Reads a response as what the document has for its status.
fn read<O: Operation>(response: &ResponseDecoder) -> Result<O::Response, Wrong<O::Error>> {
    if let Some(read) = O::Success::decode(O::META, response) {
        return read.map_err(Wrong::Unreadable);
    }
    Err(match O::Error::decode(response) {
        Some(Ok(error)) => Wrong::Api(error),
        Some(Err(source)) => Wrong::Unreadable(source),
        None => Wrong::Undocumented,
    })
}

/// Whether the document has the status of a response.
fn is_documented<O: Operation>(answer: &RawResponse) -> bool {
    let has = |rows: &'static [Row]| Row::find(rows, answer.status.as_u16()).is_some();
    has(O::Success::rows(O::META)) || has(O::Error::ROWS)
}

/// The response without what its body is wrapped in; as it is where that is unknown.
#[cfg(feature = "gzip")]
fn unwrapped(response: http::Response<Body>, call: CallOf) -> http::Response<Body> {
    use crate::payload::coding;
    if coding::is_wrapped(response.headers()) != Ok(true) {
        return response;
    }
    let is_live = call.is_live(response.status(), response.headers());
    let mut response = response.map(|body| coding::unwrapped(body, is_live));
    // Both tell of what it was wrapped in.
    response
        .headers_mut()
        .remove(http::header::CONTENT_ENCODING);
    response.headers_mut().remove(http::header::CONTENT_LENGTH);
    response
}

/// What is to be known of a call on its way.
#[derive(Clone, Copy)]
pub(super) struct CallOf {
    meta: &'static OperationMeta,
    /// The rows of its successes and of its errors.
    rows: [&'static [Row]; 2],
}

impl CallOf {
    pub(super) fn of<O: Operation>() -> Self {
        Self {
            meta: O::META,
            rows: [O::Success::rows(O::META), O::Error::ROWS],
        }
    }

    /// Whether the body is handed on as it comes.
    pub(super) fn is_live(self, status: StatusCode, headers: &HeaderMap) -> bool {
        let came = header::text(headers, CONTENT_TYPE.as_str());
        let of = |rows: &'static [Row]| {
            let streams = Row::find(rows, status.as_u16()).map_or(&[][..], |row| row.streams);
            negotiate::is_live(streams, came, Reading::Lenient)
        };
        self.rows.into_iter().any(of)
    }
}

/// The same request once more; `None` when its body can be sent once only.
fn copy(request: &Request<Body>) -> Option<Request<Body>> {
    let body = request.body().try_clone()?;
    let mut copy = Request::new(body);
    request.method().clone_into(copy.method_mut());
    request.uri().clone_into(copy.uri_mut());
    request.headers().clone_into(copy.headers_mut());
    request.extensions().clone_into(copy.extensions_mut());
    Some(copy)
}
