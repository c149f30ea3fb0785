//! Examples of a document, which a client and a server of it exchange in process. Generated tests use this module.

mod cases;

use super::client::{self, CallOptions, ClientCore, InProcess};
use super::server::{self, Router};
use crate::message::operation::{EncodedRequest, ResponseHeaders as _, SuccessSet as _};
use crate::message::{
    Operation, OperationError, RequestEncoder, ResponseDecoder, ResponseSet as _,
};
use crate::values::round_trip::{RoundTripReport, is_same};
use crate::values::{BODY, Json};
use bytes::Bytes;
use cases::{Case, of_part, request_case, response_cases};
use http::{HeaderMap, StatusCode};
use std::fmt;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// An example of a part of a request: the location (`path`, `query`, `header`, `cookie` or `body`), the name of a
/// parameter or the media type of a body, the place in the document, and the value as JSON.
pub type RequestExample = (&'static str, &'static str, &'static str, &'static str);

/// An example of a part of a response: the status, the name of a header or the media type of a body, the place in the
/// document, and the value as JSON.
pub type ResponseExample = (u16, &'static str, &'static str, &'static str);

/// The examples of operations, sent by a client to a router whose handlers respond by [`Desk::respond`].
///
/// A request has the examples of its parts, and drawn values of required parts without one. Both ends compare what they
/// receive with the values of the document.
pub struct Exchange<'r, A: 'static> {
    core: Option<ClientCore<InProcess<Router<A>>>>,
    desk: Desk,
    report: &'r mut RoundTripReport,
}

/// What the handlers of a router know of an exchange.
#[derive(Clone, Default)]
pub struct Desk(Arc<Mutex<Turn>>);

/// The request and the response of an exchange.
#[derive(Default)]
struct Turn {
    request: Option<EncodedRequest>,
    response: Option<Received>,
    /// The location of a part that differs in the handler, and its form there.
    arrived: Option<(&'static str, String)>,
}

/// A response as a client receives it.
type Received = (StatusCode, HeaderMap, Bytes);

impl Desk {
    fn turn(&self) -> MutexGuard<'_, Turn> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compares a request with that of the document, and responds with an example.
    ///
    /// # Errors
    ///
    /// Returns the example of an error response, or a 500 if there is no example.
    pub fn respond<O: Operation>(
        &self,
        request: O,
    ) -> Result<O::Response, server::Error<O::Error>> {
        let mut turn = self.turn();
        turn.arrived = match (&turn.request, encoded(&request)) {
            (Some(sent), Ok(arrived)) => difference(sent, &arrived, O::META.idempotency_key),
            (_, Err(error)) => Some((BODY, error)),
            (None, _) => None,
        };
        let response = turn.response.as_ref().map(typed::<O>);
        match response {
            Some(Ok(response)) => response,
            _ => Err(server::Error::internal("the document has no example")),
        }
    }
}

impl<'r, A: Send + Sync + 'static> Exchange<'r, A> {
    /// Creates an exchange with a router over a type that has the desk.
    pub fn new(report: &'r mut RoundTripReport, router: impl FnOnce(Desk) -> Router<A>) -> Self {
        let desk = Desk::default();
        let router = router(desk.clone()).allow_unauthenticated();
        let core = ClientCore::new("http://localhost", InProcess::new(router)).ok();
        let options = CallOptions::new().without_credentials();
        Self {
            core: core.map(|core| core.override_all_servers().with(options)),
            desk,
            report,
        }
    }

    /// Exchanges the examples of an operation.
    pub fn operation<O>(&mut self, requests: &[RequestExample], responses: &[ResponseExample])
    where
        O: Operation + Sync,
    {
        let responses = response_cases::<O>(responses, self.report);
        let most = O::PARTS.iter().map(|part| of_part(part, requests).count());
        let count = most.max().unwrap_or_default().max(responses.len());
        for index in 0..count {
            let response = responses.get(index % responses.len().max(1));
            self.call::<O>(requests, index, response);
        }
    }

    /// Sends the request with the examples of an index, whose response is given.
    fn call<O>(&mut self, requests: &[RequestExample], index: usize, response: Option<&Case>)
    where
        O: Operation + Sync,
    {
        let Some((document, typed)) = request_case::<O>(requests, index, self.report) else {
            return;
        };
        let Some(core) = &self.core else { return };
        *self.desk.turn() = Turn {
            request: Some(document),
            response: response.map(|case| case.received.clone()),
            arrived: None,
        };
        let received = ready(core.call(&typed));
        let arrived = self.desk.turn().arrived.take();
        if let Some((location, arrived)) = arrived {
            let first = requests
                .iter()
                .find(|(place, ..)| *place == location)
                .or(requests.first());
            let place = first.map_or_else(
                || response.map_or("", |case| case.place),
                |example| example.2,
            );
            let what = format!("is received by the handler as {arrived}");
            self.report.add_example(place, subject::<O>(), what);
        }
        let Some(case) = response else { return };
        let what = match received {
            Some(Ok(response)) => case.compare(|encoder| {
                O::Success::encode(O::META, &response, encoder);
            }),
            Some(Err(client::Error::Api { error, .. })) => {
                case.compare(|encoder| error.encode(encoder))
            }
            Some(Err(error)) => Some(format!("is not received by the client: {error}")),
            None => Some("is not received by the client: the call does not end".to_owned()),
        };
        if let Some(what) = what {
            self.report.add_example(case.place, subject::<O>(), what);
        }
    }
}

impl<A> fmt::Debug for Exchange<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange").finish_non_exhaustive()
    }
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").finish_non_exhaustive()
    }
}

fn subject<O: Operation>() -> String {
    format!("of `{}`", O::META.id)
}

fn encoded<O: Operation>(request: &O) -> Result<EncodedRequest, String> {
    let mut encoder = RequestEncoder::new(O::META);
    request.encode(&mut encoder);
    let encoded = encoder.finish();
    encoded.map_err(|error| format!("cannot be written: {error}"))
}

/// Returns the location of the first part of a request that another one has in another form, and that form.
fn difference(
    request: &EncodedRequest,
    other: &EncodedRequest,
    filled: Option<&'static str>,
) -> Option<(&'static str, String)> {
    let texts = [
        ("path", &request.path, &other.path),
        ("query", &request.query, &other.query),
        ("cookie", &request.cookies, &other.cookies),
    ];
    if let Some((place, _, other)) = texts.into_iter().find(|(_, text, other)| text != other) {
        return Some((place, format!("`{other}` in the {place}")));
    }
    // The client fills the header of an idempotency key.
    let own = |headers: &HeaderMap| {
        let mut headers = headers.clone();
        filled.map(|name| headers.remove(name));
        headers
    };
    if own(&request.headers) != own(&other.headers) {
        return Some(("header", format!("the headers {:?}", own(&other.headers))));
    }
    let bytes = |request: &EncodedRequest| request.body.clone().map(|(_, bytes)| bytes);
    let (body, other) = (bytes(request), bytes(other));
    let same = match (&body, &other) {
        (Some(body), Some(other)) => is_same_body(body, other),
        (body, other) => body == other,
    };
    let text = || String::from_utf8_lossy(&other.unwrap_or_default()).into_owned();
    (!same).then(|| (BODY, text()))
}

fn is_same_body(body: &Bytes, other: &Bytes) -> bool {
    let json = |bytes: &Bytes| serde_json::from_slice::<Json>(bytes);
    match (json(body), json(other)) {
        (Ok(body), Ok(other)) => is_same(&body, &other),
        _ => body == other,
    }
}

/// Returns a response as a handler returns it.
fn typed<O: Operation>(
    (status, headers, body): &Received,
) -> Result<Result<O::Response, server::Error<O::Error>>, ()> {
    let mut decoder = ResponseDecoder::new(*status, headers.clone(), body.clone());
    match O::Success::decode(O::META, &mut decoder) {
        Some(response) => response.map(Ok).map_err(drop),
        None => {
            let error = O::Error::read(&decoder).map_err(drop)?.ok_or(())?;
            let headers = <O::Error as OperationError>::Headers::decode(&decoder);
            let headers = headers.map_err(drop)?;
            Ok(Err(server::Error::with_headers(error, headers)))
        }
    }
}

/// Runs a future that waits for nothing outside of the process; `None` if it waits all the same.
fn ready<F: Future>(future: F) -> Option<F::Output> {
    const POLLS: u32 = 10_000;
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    let poll = |_| match future.as_mut().poll(&mut context) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    };
    (0..POLLS).find_map(poll)
}
