//! Calls: from a request to what it comes to.

use super::failure::Failure;
use super::options::IDEMPOTENCY_KEY;
use super::{Answer, Attempt, Body, CollectError, Core, Error, Transport, TransportError};
use crate::operation::negotiate;
#[cfg(feature = "tracing")]
use crate::trace;
use crate::wire::header;
use crate::{Operation, OperationMeta, Outcome, ResponseDecoder};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Request, StatusCode};
#[cfg(feature = "tracing")]
use tracing::Instrument;

impl<T: Transport> Core<T> {
    /// Calls an operation.
    pub async fn call<O: Operation>(&self, request: &O) -> Result<O::Response, Error<O::Error>> {
        if self.checked {
            request.validate().map_err(Error::Invalid)?;
        }
        let response = match self.answered(request).await {
            Ok(response) => response,
            Err(failure) => return Err(failure.into()),
        };
        let failed = match O::Response::decode(&response) {
            Some(Ok(value)) => return Ok(value),
            Some(Err(source)) => Some(source),
            None => match O::Error::decode(&response) {
                Some(Ok(error)) => return Err(Error::Api(error)),
                Some(Err(source)) => Some(source),
                None => None,
            },
        };
        let (status, headers, body) = response.into_parts();
        let answer = Box::new(Answer {
            status,
            headers,
            body,
        });
        Err(match failed {
            Some(source) => Error::Decode { answer, source },
            None => Error::Undocumented(answer),
        })
    }

    /// Sends a request, in a span of its own.
    #[cfg(feature = "tracing")]
    async fn answered<O: Operation>(&self, request: &O) -> Result<ResponseDecoder, Failure> {
        let span = trace::call(O::META, &self.base);
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
                answer: match &came {
                    Ok(response) => Some((response.status_code(), response.headers())),
                    Err(_) => None,
                },
                error: match &came {
                    Err(Failure::Transport(error)) => Some(error),
                    _ => None,
                },
            };
            let (Some(next), Some(wait)) = (again, retry.after(&attempt)) else {
                return came;
            };
            wait.await;
            request = next;
            number += 1;
        }
    }

    /// Sends a request and takes the whole response.
    async fn exchange_once(
        &self,
        call: CallOf,
        request: Request<Body>,
    ) -> Result<ResponseDecoder, Failure> {
        let response = self
            .transport
            .send(request)
            .await
            .map_err(Failure::Transport)?;
        let (parts, body) = response.into_parts();
        let status = parts.status;
        if call.is_live(status, &parts.headers) {
            return Ok(ResponseDecoder::live(status, parts.headers, body));
        }
        let body = body
            .collect(self.body_limit)
            .await
            .map_err(|error| match error {
                CollectError::TooLarge { limit } => Failure::TooLarge { status, limit },
                CollectError::Broken(error) => Failure::Transport(TransportError::new(error)),
            })?;
        Ok(ResponseDecoder::new(status, parts.headers, body))
    }
}

/// Media types, and whether a body of one is handed on as it comes.
type Streams = &'static [(&'static str, bool)];

/// What is to be known of a call on its way.
#[derive(Clone, Copy)]
pub(super) struct CallOf {
    meta: &'static OperationMeta,
    /// What is said of the bodies of a status.
    streams: [fn(u16) -> Streams; 2],
}

impl CallOf {
    pub(super) const fn of<O: Operation>() -> Self {
        Self {
            meta: O::META,
            streams: [O::Response::streams, O::Error::streams],
        }
    }

    /// Whether the body is handed on as it comes.
    fn is_live(self, status: StatusCode, headers: &HeaderMap) -> bool {
        let came = header::text(headers, CONTENT_TYPE.as_str());
        let of = |streams: fn(u16) -> Streams| negotiate::is_live(streams(status.as_u16()), came);
        self.streams.into_iter().any(of)
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
