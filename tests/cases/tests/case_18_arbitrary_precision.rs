//! Numbers in every kind of value: read, kept and written. `projects/json_features.rs` of `bothends-tests`
//! runs this file with all features of serde_json too, which any dependency of a program may enable.

use api::operations::{RelayValueError, RelayValueRequest, RelayValueResponse};
use bothends_runtime::client::{Body, Transport, TransportError};
use bothends_runtime::http::{Request, Response};
use bothends_runtime::server::{Context, Error, Router};
use bothends_runtime::{Bytes, Json, Response as Typed, serde_json};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};
use twin::operations::{
    AddPointError, AddPointRequest, AddPointResponse, FindPointsError, FindPointsRequest,
    FindPointsResponse, RelayMeasureError, RelayMeasureRequest, RelayMeasureResponse,
};
use twin::types::{Measure, Point};

bothends_case_tests::document!(api, "18-arbitrary-precision");
bothends_case_tests::document!(twin, "18-arbitrary-precision-twin");

const LIMIT: usize = 1 << 20;

/// Runs a future that waits for nothing outside of this process.
fn ready<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = std::task::Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

struct Echo;

impl api::server::DefaultApi for Echo {
    async fn relay_value(
        &self,
        _: Context,
        request: RelayValueRequest,
    ) -> Result<RelayValueResponse, Error<RelayValueError>> {
        Ok(Typed::new(request.body))
    }
}

impl twin::server::DefaultApi for Echo {
    async fn relay_measure(
        &self,
        _: Context,
        request: RelayMeasureRequest,
    ) -> Result<RelayMeasureResponse, Error<RelayMeasureError>> {
        Ok(Typed::new(request.body))
    }

    async fn find_points(
        &self,
        _: Context,
        request: FindPointsRequest,
    ) -> Result<FindPointsResponse, Error<FindPointsError>> {
        assert_eq!(request.at, Some(3600.0));
        assert_eq!(request.near, Some(vec![1.0, 0.5]));
        assert_eq!(request.filter, Some(serde_json::json!({"n": 1.5})));
        assert_eq!(request.x_scale, Some(0.1));
        Ok(().into())
    }

    async fn add_point(
        &self,
        _: Context,
        request: AddPointRequest,
    ) -> Result<AddPointResponse, Error<AddPointError>> {
        assert_eq!(request.body.x, 0.5);
        Ok(().into())
    }
}

/// Sends a request to a router, and returns the status and the body of the response.
fn served<A: Send + Sync + 'static>(router: Router<A>, request: Request<Body>) -> (u16, String) {
    let transport = bothends_runtime::client::InProcess::new(router);
    let response = ready(transport.send(request)).expect("a response");
    let status = response.status().as_u16();
    let body = ready(response.into_body().collect(LIMIT)).expect("a body");
    (status, String::from_utf8(body.to_vec()).expect("UTF-8"))
}

fn posted<A: Send + Sync + 'static>(router: Router<A>, path: &str, body: &str) -> (u16, String) {
    let request = Request::post(path).header("content-type", "application/json");
    let request = request.body(Body::from(body.to_owned()));
    served(router, request.expect("a request"))
}

/// Responds with recorded bytes, and keeps what was sent.
#[derive(Clone, Default)]
struct Recorded {
    body: String,
    sent: Arc<Mutex<Vec<(String, Bytes)>>>,
}

impl Recorded {
    fn new(body: &str) -> Self {
        Self {
            body: body.to_owned(),
            sent: Arc::default(),
        }
    }

    fn last(&self) -> (String, String) {
        let sent = self.sent.lock().expect("no panic");
        let (head, body) = sent.last().expect("a request");
        (head.clone(), String::from_utf8_lossy(body).into_owned())
    }
}

impl Transport for Recorded {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let (parts, body) = request.into_parts();
        let scale = parts.headers.get("x-scale").map(|value| value.to_str());
        let scale = scale.and_then(Result::ok).unwrap_or_default();
        let head = format!("{} {scale}", parts.uri);
        let body = body.collect(LIMIT).await.map_err(TransportError::new)?;
        self.sent.lock().expect("no panic").push((head, body));
        let mut response = Response::new(Body::from(self.body.clone()));
        if self.body.is_empty() {
            *response.status_mut() = bothends_runtime::StatusCode::NO_CONTENT;
        }
        let json = bothends_runtime::http::HeaderValue::from_static("application/json");
        response.headers_mut().insert("content-type", json);
        Ok(response)
    }
}

/// Reads a response as a client, and sends it back.
fn relayed(text: &str) -> Result<String, String> {
    let recorded = Recorded::new(text);
    let client = api::client::Client::with_transport("http://localhost", recorded.clone());
    let client = client.expect("a client");
    let any = api::types::Setting::new(api::types::Value::Any(api::types::ValueAny::Boolean(true)));
    let read = ready(client.relay_value(any)).map_err(|error| format!("{error:#}"))?;
    ready(client.relay_value(read.into_inner())).map_err(|error| format!("{error:#}"))?;
    Ok(recorded.last().1)
}

/// The same for the second document.
fn relayed_twin(text: &str) -> Result<String, String> {
    let recorded = Recorded::new(text);
    let client = twin::client::Client::with_transport("http://localhost", recorded.clone());
    let client = client.expect("a client");
    let read = ready(client.relay_measure(Measure::new(1.0)));
    let read = read.map_err(|error| format!("{error:#}"))?;
    ready(client.relay_measure(read.into_inner())).map_err(|error| format!("{error:#}"))?;
    Ok(recorded.last().1)
}

/// What is sent, and what comes back where that differs.
const VALUES: [(&str, &str); 17] = [
    (r#"{"value":1.5}"#, ""),
    (r#"{"value":1}"#, ""),
    (r#"{"value":"1"}"#, ""),
    (r#"{"value":"1.5"}"#, ""),
    (r#"{"value":[1,0.25,"a",true,[-0.5]]}"#, ""),
    (r#"{"value":{"field":"b","value":1.5}}"#, ""),
    (r#"{"value":true,"step":0.25}"#, ""),
    (r#"{"value":true,"step":1}"#, ""),
    (r#"{"value":0,"shape":{"r":2.5,"kind":"Circle"}}"#, ""),
    (r#"{"value":0,"shape":{"a":7,"kind":"Square"}}"#, ""),
    (r#"{"value":1e-7}"#, ""),
    (r#"{"value":1e+21}"#, ""),
    (r#"{"value":3600.0}"#, r#"{"value":3600}"#),
    (r#"{"value":-0.0}"#, r#"{"value":0}"#),
    (r#"{"value":1e16}"#, r#"{"value":10000000000000000}"#),
    (r#"{"value":1,"step":0.50}"#, r#"{"value":1,"step":0.5}"#),
    (r#"{"value":1.0,"step":1.0}"#, r#"{"value":1,"step":1}"#),
];

#[test]
fn numbers_of_unions_enums_and_tags_come_back() {
    for (sent, back) in VALUES {
        let expected = if back.is_empty() { sent } else { back };
        assert_eq!(relayed(sent).as_deref(), Ok(expected));
        let router = api::server::router(Echo);
        let expected = (200, expected.to_owned());
        assert_eq!(posted(router, "/values", sent), expected, "{sent}");
    }
}

#[test]
fn unlisted_values_of_a_response_come_back() {
    for text in [
        r#"{"value":0.5,"step":0.75,"shape":{"kind":"Hexagon","n":[6.5,{"m":-0.25}]}}"#,
        r#"{"value":0.5,"step":7}"#,
    ] {
        assert_eq!(relayed(text).as_deref(), Ok(text));
    }
}

const MEASURES: [(&str, &str); 9] = [
    (r#"{"size":0.5,"free":{"a":[1.5,{"b":0.25}]},"x":2.5}"#, ""),
    (r#"{"size":0.5,"free":1.5}"#, ""),
    (r#"{"size":1,"single":0.1,"level":1.5}"#, ""),
    (r#"{"size":1,"level":3}"#, ""),
    (r#"{"size":1,"either":{"width":0.5}}"#, ""),
    (r#"{"size":1,"either":{"height":0.1,"width":0.5}}"#, ""),
    (
        r#"{"size":1,"events":[{"by":0.5,"type":"Rise"},{"by":1.5,"more":[0.25],"type":"Fall"}]}"#,
        "",
    ),
    (
        r#"{"size":1.0,"free":[3600.0,1e16],"y":{"z":2.0}}"#,
        r#"{"size":1,"free":[3600,10000000000000000],"y":{"z":2}}"#,
    ),
    (
        r#"{"size":1,"free":{"$serde_json::private::Other":1.5}}"#,
        "",
    ),
];

#[test]
fn numbers_in_other_places_come_back() {
    for (sent, back) in MEASURES {
        let expected = if back.is_empty() { sent } else { back };
        let back = relayed_twin(sent);
        let router = twin::server::router(Echo);
        let served = posted(router, "/measures", sent);
        let json = |text: &str| serde_json::from_str::<Json>(text).expect("JSON");
        // The members of an `anyOf` may be in another order.
        match sent.contains("either") {
            true => {
                assert_eq!(back.as_deref().map(json), Ok(json(expected)));
                assert_eq!((served.0, json(&served.1)), (200, json(expected)));
            }
            false => {
                assert_eq!(back.as_deref(), Ok(expected));
                assert_eq!(served, (200, expected.to_owned()));
            }
        }
    }
}

#[test]
fn a_number_that_is_out_of_range_is_an_error() {
    for body in [
        r#"{"size":1,"single":1e39}"#,
        r#"{"size":1,"single":-3.5e38}"#,
        r#"{"size":1,"either":{"height":1e39}}"#,
        r#"{"size":1e400}"#,
    ] {
        let error = relayed_twin(body).expect_err(body);
        assert!(error.contains("out of range"), "{error}");
        let (status, text) = posted(twin::server::router(Echo), "/measures", body);
        assert_eq!(status, 400, "{body}");
        assert!(text.contains("out of range"), "{text}");
    }
    let largest = r#"{"size":1,"single":3.4028235e+38}"#;
    assert_eq!(relayed_twin(largest).as_deref(), Ok(largest));
    let (status, _) = posted(api::server::router(Echo), "/values", r#"{"value":1e400}"#);
    assert_eq!(status, 400);
}

#[test]
fn parameters_and_forms_have_numbers_in_their_shortest_form() {
    let recorded = Recorded::new("");
    let client = twin::client::Client::with_transport("http://localhost", recorded.clone());
    let client = client.expect("a client");
    let request = FindPointsRequest::new()
        .at(3600.0)
        .near([1.0, 0.5, 1e16])
        .filter(serde_json::json!({"n": 1.0, "m": [0.5]}))
        .x_scale(0.1_f32);
    ready(client.find_points_with(request)).expect("a response");
    let (head, _) = recorded.last();
    let query = "at=3600&near=1,0.5,10000000000000000&filter=";
    assert!(head.contains(query), "{head}");
    assert!(head.ends_with(" 0.1"), "{head}");
    let filter = head
        .replace("%22", "\"")
        .replace("%3A", ":")
        .replace("%2C", ",");
    let filter = filter.replace("%7B", "{").replace("%7D", "}");
    let filter = filter.replace("%5B", "[").replace("%5D", "]");
    let unsorted = filter.contains(r#"filter={"n":1,"m":[0.5]}"#);
    let sorted = filter.contains(r#"filter={"m":[0.5],"n":1}"#);
    assert!(unsorted || sorted, "{filter}");

    let mut point = Point::new(0.5).single(1e21_f32);
    let note = [
        ("n".to_owned(), Json::from(1.5)),
        ("of".to_owned(), Json::from(2.0)),
    ];
    point.note = Some(note.into_iter().collect());
    ready(client.add_point(point)).expect("a response");
    let (_, form) = recorded.last();
    let form = form
        .replace("%22", "\"")
        .replace("%3A", ":")
        .replace("%2C", ",");
    let form = form.replace("%7B", "{").replace("%7D", "}");
    assert!(form.starts_with("x=0.5&single=1e21&"), "{form}");
    assert!(
        form.contains("1.5") && !form.contains("private") && !form.contains("2.0"),
        "{form}"
    );
}

#[test]
fn parameters_and_forms_are_read_and_limited_to_their_type() {
    let find = |target: &str, scale: &str| {
        let request = Request::get(target).header("x-scale", scale);
        let request = request.body(Body::empty()).expect("a request");
        served(twin::server::router(Echo), request)
    };
    let target = "/points?at=3600.0&near=1,0.5&filter=%7B%22n%22%3A1.5%7D";
    assert_eq!(find(target, "0.1"), (204, String::new()));
    assert_eq!(find(target, "1e39").0, 400);
    assert_eq!(find("/points?at=1e400", "0.1").0, 400);
    let add = |form: &str| {
        let request = Request::post("/points");
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let request = request
            .body(Body::from(form.to_owned()))
            .expect("a request");
        served(twin::server::router(Echo), request).0
    };
    assert_eq!(add("x=0.5&single=0.1"), 204);
    assert_eq!(add("x=0.5&single=1e39"), 400);
}

#[test]
fn values_that_are_nested_too_deep_are_errors() {
    for depth in [200, 100_000] {
        let nested = format!("{}1.5{}", "[".repeat(depth), "]".repeat(depth));
        let body = format!(r#"{{"value":{nested}}}"#);
        assert_eq!(posted(api::server::router(Echo), "/values", &body).0, 400);
        let body = format!(r#"{{"size":1,"free":{nested}}}"#);
        assert_eq!(
            posted(twin::server::router(Echo), "/measures", &body).0,
            400
        );
        let error = relayed_twin(&body).expect_err("too deep");
        assert!(error.contains("nested"), "{error}");
    }
}
