//! Successful responses: from a handler to a client, and through a handler that passes on what its
//! client has received.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use bothends_runtime::client::{ClientCore, Error as ClientError, InProcess, RawResponse};
use bothends_runtime::http::{HeaderMap, HeaderValue, header};
use bothends_runtime::server::{Context, Error, RejectionBodies, Router};
use bothends_runtime::{
    NoError, Operation, Response, ResponseEncoder, ResponseSet, StatusCode, private::SuccessSet,
};
use std::sync::{Arc, Mutex};

/// One success with any status of a range.
#[derive(Debug, Clone, PartialEq)]
pub struct RangeRequest {
    pub status: u16,
}
bothends_runtime::operation! {
    "range": "GET" "/range/{status}"
    RangeRequest(status: u16) from [u16] {
        path "status" => status,
    }
    -> RangeResponse[RangeResponseHeaders] { 2XX => json String }, RangeError = NoError
}

#[derive(Debug, Clone, PartialEq)]
pub struct RangeResponseHeaders {
    pub total: i64,
    pub link: Option<String>,
}
bothends_runtime::response_headers! {
    RangeResponseHeaders(total: i64) {
        header "X-Total" => total,
        header "Link": String => link?,
    }
}

/// Several successes, one of them with any status of a range.
#[derive(Debug, Clone, PartialEq)]
pub struct SeveralRequest {
    pub status: u16,
}
bothends_runtime::operation! {
    "several": "GET" "/several/{status}"
    SeveralRequest(status: u16) from [u16] {
        path "status" => status,
    }
    -> SeveralResponse = SeveralResponseBody, SeveralError = NoError
}

#[derive(Debug, Clone, PartialEq)]
pub enum SeveralResponseBody {
    Ok(String),
    NoContent,
    Success(String),
}
bothends_runtime::responses! {
    SeveralResponseBody {
        200 => Ok(json String),
        204 => NoContent,
        2XX => Success(text String),
    }
}

/// The only documented status.
#[derive(Debug, Clone, PartialEq)]
pub struct EmptyRequest {}
bothends_runtime::operation! {
    "empty": "POST" "/empty"
    EmptyRequest() {}
    -> EmptyResponse { 204 }, EmptyError = NoError
}

/// A webhook may have a response for all statuses alone.
#[derive(Debug, Clone, PartialEq)]
pub struct AnyRequest {}
bothends_runtime::operation! {
    "any": "POST" "/any"
    AnyRequest() {}
    -> AnyResponse { default }, AnyError = NoError
}

/// Responds with the status that it is asked for, or passes the request on.
#[derive(Clone, Default)]
struct Handler {
    next: Option<ClientCore<InProcess<Router<Handler>>>>,
}

impl Handler {
    async fn range(
        &self,
        _: Context,
        request: RangeRequest,
    ) -> Result<RangeResponse, Error<RangeError>> {
        if let Some(next) = &self.next {
            return next.call(&request).await.map_err(Error::internal);
        }
        let headers = RangeResponseHeaders::new(7);
        let mut response = Response::with_headers("text".to_owned(), headers);
        let more = response.headers_mut();
        more.insert("x-more", HeaderValue::from_static("more"));
        more.append(header::SET_COOKIE, HeaderValue::from_static("a=1"));
        more.append(header::SET_COOKIE, HeaderValue::from_static("b=2"));
        Ok(match StatusCode::from_u16(request.status) {
            Ok(status) => response.with_status(status),
            Err(_) => response,
        })
    }

    async fn several(
        &self,
        _: Context,
        request: SeveralRequest,
    ) -> Result<SeveralResponse, Error<SeveralError>> {
        if let Some(next) = &self.next {
            return next.call(&request).await.map_err(Error::internal);
        }
        Ok(match request.status {
            200 => SeveralResponseBody::Ok("ok".to_owned()).into(),
            204 => SeveralResponseBody::NoContent.into(),
            0 => SeveralResponseBody::Success("any".to_owned()).into(),
            status => Response::new(SeveralResponseBody::Success("any".to_owned()))
                .with_status(StatusCode::from_u16(status).unwrap()),
        })
    }

    async fn empty(&self, _: Context, _: EmptyRequest) -> Result<EmptyResponse, Error<EmptyError>> {
        Ok(().into())
    }

    async fn any(&self, _: Context, _: AnyRequest) -> Result<AnyResponse, Error<AnyError>> {
        Ok(Response::new(()))
    }
}

bothends_runtime::routes! {
    find: Handler {
        ["range", _] => { "GET" => range },
        ["several", _] => { "GET" => several },
        ["empty"] => { "POST" => empty },
        ["any"] => { "POST" => any },
    }
}

type Client = ClientCore<InProcess<Router<Handler>>>;

fn client(next: Option<Client>) -> (Client, Arc<Mutex<Vec<String>>>) {
    let reported = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&reported);
    let router = Router::new(Handler { next }, find, &RejectionBodies::DEFAULT)
        .on_failure(move |failure| kept.lock().unwrap().push(failure.cause().to_string()));
    let core = ClientCore::new("http://localhost", InProcess::new(router)).unwrap();
    (core, reported)
}

/// The values of a header.
fn all<'a>(headers: &'a HeaderMap, name: &str) -> Vec<&'a str> {
    let values = headers.get_all(name).iter();
    values.map(|value| value.to_str().unwrap()).collect()
}

#[tokio::test]
async fn a_response_has_the_status_of_its_range_that_the_handler_chooses() {
    let (client, reported) = client(None);
    for (asked, sent) in [(200, 200), (201, 201), (299, 299), (0, 200)] {
        let response = client.call(&RangeRequest::new(asked)).await.unwrap();
        assert_eq!(response.status(), sent, "{asked}");
        assert_eq!(*response, "text");
    }
    for outside in [100, 304, 404, 500] {
        let error = client.call(&RangeRequest::new(outside)).await.unwrap_err();
        let status = error.status().unwrap();
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR, "{outside}");
        let why = reported.lock().unwrap().pop().unwrap();
        let text = StatusCode::from_u16(outside).unwrap().to_string();
        assert!(why.contains(&text), "{why}");
        assert!(why.contains("not a documented status"), "{why}");
    }
    assert!(reported.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_body_of_several_has_the_status_of_its_row() {
    let (client, reported) = client(None);
    let call = |status: u16| client.send(SeveralRequest::new(status));
    for (asked, sent) in [(200, 200), (204, 204), (206, 206)] {
        let response = call(asked).await.unwrap();
        assert_eq!(response.status(), sent, "{asked}");
    }
    assert_eq!(*call(204).await.unwrap(), SeveralResponseBody::NoContent);
    let partial = SeveralResponseBody::Success("any".to_owned());
    assert_eq!(*call(206).await.unwrap(), partial);
    // A status of another row is not in the range, nor is the 200 of a handler that chooses none.
    for outside in [302, 418, 0] {
        let error = call(outside).await.unwrap_err();
        let status = error.status().unwrap();
        assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR, "{outside}");
        assert_eq!(reported.lock().unwrap().drain(..).count(), 1);
    }
}

#[tokio::test]
async fn a_response_without_a_body_or_a_documented_status_of_its_own() {
    let (client, reported) = client(None);
    let empty = client.call(&EmptyRequest::new()).await.unwrap();
    assert_eq!(empty.status(), StatusCode::NO_CONTENT);
    let any = client.call(&AnyRequest::new()).await.unwrap();
    assert_eq!(any.status(), StatusCode::OK);
    assert!(reported.lock().unwrap().is_empty());
}

#[tokio::test]
async fn headers_that_a_handler_adds_are_sent_beside_the_documented_ones() {
    let (client, _) = client(None);
    let response = client.call(&RangeRequest::new(200)).await.unwrap();
    assert_eq!(response.documented_headers().total, 7);
    assert_eq!(response.documented_headers().link, None);
    let headers = response.headers();
    assert_eq!(all(headers, "x-total"), ["7"]);
    assert_eq!(all(headers, "x-more"), ["more"]);
    assert_eq!(all(headers, "set-cookie"), ["a=1", "b=2"]);
    // Values may be secrets.
    let shown = format!("{response:?}");
    assert!(shown.contains("x-more"), "{shown}");
    assert!(!shown.contains("a=1"), "{shown}");
}

#[tokio::test]
async fn a_handler_passes_on_a_received_response_without_its_headers() {
    let (upstream, _) = client(None);
    let (client, reported) = client(Some(upstream));
    for status in [200, 206] {
        let response = client.call(&RangeRequest::new(status)).await.unwrap();
        assert_eq!(response.status(), status);
        assert_eq!(*response, "text");
        // The documented one is part of the response; the others describe the message of another server.
        assert_eq!(all(response.headers(), "x-total"), ["7"]);
        for name in ["x-more", "set-cookie"] {
            assert!(all(response.headers(), name).is_empty(), "{name}");
        }
        assert_eq!(all(response.headers(), "content-type").len(), 1);
    }
    for status in [200, 204, 206] {
        let response = client.call(&SeveralRequest::new(status)).await.unwrap();
        assert_eq!(response.status(), status);
    }
    assert!(reported.lock().unwrap().is_empty());
}

#[test]
fn a_response_is_made_in_several_ways() {
    let plain: Response<Vec<i32>> = vec![1, 2].into();
    assert_eq!(plain.status(), StatusCode::OK);
    assert!(plain.headers().is_empty());
    assert_eq!(plain.len(), 2);
    assert_eq!(plain.as_ref(), &[1, 2]);
    let count = plain
        .with_status(StatusCode::CREATED)
        .map(|body| body.len());
    assert_eq!((count.status(), *count.body()), (StatusCode::CREATED, 2));
    let mut text = RangeResponse::with_headers("a".to_owned(), RangeResponseHeaders::new(1));
    text.push('b');
    assert_eq!(text.documented_headers().total, 1);
    let (headers, body) = text.into_parts();
    assert_eq!((headers.total, &*body), (1, "ab"));
}

/// What an operation writes for a response.
fn status_of<O: Operation>(response: &O::Response) -> Result<u16, String> {
    let mut encoder = ResponseEncoder::new();
    O::Success::encode(O::META, response, &mut encoder);
    let sent = encoder.finish().map_err(|error| error.to_string())?;
    Ok(sent.status.as_u16())
}

#[test]
fn the_status_is_that_of_the_row() {
    assert_eq!(status_of::<EmptyRequest>(&().into()), Ok(204));
    assert_eq!(status_of::<AnyRequest>(&().into()), Ok(200));
    let teapot = Response::new(()).with_status(StatusCode::IM_A_TEAPOT);
    assert_eq!(status_of::<AnyRequest>(&teapot), Ok(418));
    let why = status_of::<EmptyRequest>(&teapot).unwrap_err();
    assert!(why.contains("418 I'm a teapot"), "{why}");
    let body = SeveralResponseBody::NoContent;
    assert_eq!(ResponseSet::status(&body), 204);
    let wrong = Response::new(body).with_status(StatusCode::OK);
    assert!(status_of::<SeveralRequest>(&wrong).is_err());
    // A client would read these as the body of another response.
    let range = || Response::new(SeveralResponseBody::Success("any".to_owned()));
    for wrong in [range(), range().with_status(StatusCode::NO_CONTENT)] {
        let why = status_of::<SeveralRequest>(&wrong).unwrap_err();
        assert!(why.contains("the status of another response"), "{why}");
    }
}

#[tokio::test]
async fn a_status_that_no_row_has_is_undocumented() {
    let (client, _) = client(None);
    let error = client.call(&RangeRequest::new(500)).await.unwrap_err();
    assert!(matches!(&error, ClientError::Undocumented(_)), "{error}");
    let body = |answer: &RawResponse| answer.body.clone();
    assert!(!body(error.raw_response().unwrap()).is_empty());
}
