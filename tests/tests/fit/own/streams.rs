#![allow(dead_code)]
mod api;
mod own;

use api::client::Client;
use api::operations::*;
use api::server::{DefaultApi, router};
use api::types::Line;
use bothends_runtime::client::{Transport, TransportError};
use bothends_runtime::server::{Body, Context, Error};
use bothends_runtime::{Event, StreamError, Streamed};
use own::{Code, Point};
use tower_service::Service as _;

struct Shop;

/// Returns the items of a request as texts, and the message of each that cannot be read.
async fn report<T: std::fmt::Debug>(mut items: Streamed<T>) -> Vec<String> {
    let mut found = Vec::new();
    while let Some(item) = items.next().await {
        found.push(match item {
            Ok(item) => format!("{item:?}"),
            Err(StreamError::Item { message, .. }) => message,
            Err(error) => error.to_string(),
        });
    }
    found
}

fn data<T: Send + Unpin + 'static>(all: Vec<T>) -> Streamed<Event<T>> {
    Streamed::from_items(all.into_iter().map(Event::new).collect::<Vec<_>>())
}

macro_rules! reports {
    ($($method:ident $Request:ident $Response:ident $Error:ident;)*) => {$(
        async fn $method(&self, _: Context, request: $Request) -> Result<$Response, Error<$Error>> {
            Ok($Response::new(report(request.body).await))
        }
    )*};
}

fn code(text: &str) -> Code {
    Code(text.to_owned())
}

impl DefaultApi for Shop {
    reports! {
        send_lines SendLinesRequest SendLinesResponse SendLinesError;
        send_records SendRecordsRequest SendRecordsResponse SendRecordsError;
        send_listed SendListedRequest SendListedResponse SendListedError;
        send_events SendEventsRequest SendEventsResponse SendEventsError;
        send_texts SendTextsRequest SendTextsResponse SendTextsError;
        send_named SendNamedRequest SendNamedResponse SendNamedError;
    }

    async fn send_either(
        &self,
        _: Context,
        request: SendEitherRequest,
    ) -> Result<SendEitherResponse, Error<SendEitherError>> {
        let found = match request.body {
            SendEitherContent::Json(point) => vec![format!("one {point:?}")],
            SendEitherContent::Jsonl(points) => report(points).await,
        };
        Ok(SendEitherResponse::new(found))
    }

    async fn read_lines(
        &self,
        _: Context,
        _: ReadLinesRequest,
    ) -> Result<ReadLinesResponse, Error<ReadLinesError>> {
        Ok(ReadLinesResponse::new(Streamed::from_items([
            Point { x: 1 },
            Point { x: 2 },
        ])))
    }

    async fn read_records(
        &self,
        _: Context,
        _: ReadRecordsRequest,
    ) -> Result<ReadRecordsResponse, Error<ReadRecordsError>> {
        Ok(ReadRecordsResponse::new(Streamed::from_items([
            code("A"),
            code("B"),
        ])))
    }

    async fn read_events(
        &self,
        _: Context,
        _: ReadEventsRequest,
    ) -> Result<ReadEventsResponse, Error<ReadEventsError>> {
        Ok(ReadEventsResponse::new(data(vec![Point { x: 1 }])))
    }

    async fn read_texts(
        &self,
        _: Context,
        _: ReadTextsRequest,
    ) -> Result<ReadTextsResponse, Error<ReadTextsError>> {
        Ok(ReadTextsResponse::new(data(vec![
            code("12"),
            code("\"A\""),
        ])))
    }

    async fn read_named(
        &self,
        _: Context,
        _: ReadNamedRequest,
    ) -> Result<ReadNamedResponse, Error<ReadNamedError>> {
        Ok(ReadNamedResponse::new(data(vec![
            ReadNamedOkBody::Point(Point { x: 1 }),
            ReadNamedOkBody::Code(code("12")),
            ReadNamedOkBody::Line(Line::new(3)),
        ])))
    }

    async fn put_row(
        &self,
        _: Context,
        request: PutRowRequest,
    ) -> Result<PutRowResponse, Error<PutRowError>> {
        let _: (i64, Code) = request.body.required.clone();
        let _: (Option<Point>,) = request.body.optional.clone();
        let _: Vec<Code> = request.body.rest.clone();
        Ok(PutRowResponse::new(request.body))
    }

    async fn put_sheet(
        &self,
        _: Context,
        request: PutSheetRequest,
    ) -> Result<PutSheetResponse, Error<PutSheetError>> {
        let _: &Vec<(Code, i64)> = &request.body.pairs;
        Ok(PutSheetResponse::new(request.body))
    }
}

/// Sends bytes to the server, and returns the status and the body.
async fn send(call: &str, media: &str, body: &str) -> (u16, String) {
    let (method, path) = call.split_once(' ').unwrap();
    let request = http::Request::builder()
        .method(method)
        .uri(path)
        .header("content-type", media);
    let request = request.body(Body::from(body.to_owned())).unwrap();
    let response = router(Shop)
        .allow_unauthenticated()
        .call(request)
        .await
        .unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect(1 << 20).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

async fn reported(path: &str, media: &str, body: &str, expected: &[&str]) {
    let (status, text) = send(&format!("POST {path}"), media, body).await;
    let found: Vec<String> = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
    assert_eq!(
        (status, found.as_slice()),
        (
            200,
            expected
                .iter()
                .map(|text| (*text).to_owned())
                .collect::<Vec<_>>()
                .as_slice()
        ),
        "{path} {body:?}"
    );
}

async fn same(path: &str, body: &str) {
    assert_eq!(
        send(&format!("PUT {path}"), "application/json", body).await,
        (200, body.to_owned())
    );
}

async fn rejected(path: &str, body: &str, fields: &[(&str, &str)]) {
    let (status, text) = send(&format!("PUT {path}"), "application/json", body).await;
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let expected: serde_json::Map<_, _> = fields
        .iter()
        .map(|(field, text)| ((*field).to_owned(), (*text).into()))
        .collect();
    assert_eq!(
        (status, &json["errors"]),
        (400, &serde_json::Value::Object(expected)),
        "{text}"
    );
}

/// A server of raw bytes.
#[derive(Clone, Debug)]
struct Raw(&'static str, &'static str);

impl Transport for Raw {
    async fn send(&self, _: http::Request<Body>) -> Result<http::Response<Body>, TransportError> {
        let response = http::Response::builder().header("content-type", self.0);
        Ok(response.body(Body::from(self.1.to_owned())).unwrap())
    }
}

fn client(media: &'static str, body: &'static str) -> Client<Raw> {
    Client::with_transport("http://localhost", Raw(media, body)).unwrap()
}

async fn requests() {
    let events = "text/event-stream";
    // Valid items are of the types, and every other one is reported before its type is made.
    let large = "x: is more than 9";
    reported(
        "/lines",
        "application/jsonl",
        "{\"x\":1}\n{\"x\":10}\n{\"x\":\"1\"}\n{\"x\":2}\n",
        &[
            "Point { x: 1 }",
            large,
            "x: must be an integer",
            "Point { x: 2 }",
        ],
    )
    .await;
    let long = "body: has more than 4 characters";
    reported(
        "/records",
        "application/json-seq",
        "\u{1e}\"A\"\n\u{1e}\"ABCDE\"\n\u{1e}\"NO\"\n",
        &["Code(\"A\")", long, "body: `NO` is no code of ours"],
    )
    .await;
    reported(
        "/listed",
        "application/x-ndjson",
        "\"A\"\n\"ABCDE\"\n",
        &["Code(\"A\")", long],
    )
    .await;
    reported(
        "/events",
        events,
        "data: {\"x\":1}\n\ndata: {\"x\":10}\n\n",
        &[
            "Event { data: Point { x: 1 }, event: None, id: None, retry: None }",
            large,
        ],
    )
    .await;
    // A text is read as it is, whatever it looks like.
    reported(
        "/texts",
        events,
        "data: A\n\ndata: 12\n\ndata: \"A\"\n\ndata: ABCDE\n\n",
        &[
            "Event { data: Code(\"A\"), event: None, id: None, retry: None }",
            "Event { data: Code(\"12\"), event: None, id: None, retry: None }",
            "Event { data: Code(\"\\\"A\\\"\"), event: None, id: None, retry: None }",
            long,
        ],
    )
    .await;
    reported(
        "/named",
        events,
        "event: point\ndata: {\"x\":1}\n\nevent: point\ndata: {\"x\":10}\n\nevent: code\ndata: 12\n\n\
         event: code\ndata: ABCDE\n\nevent: line\ndata: {\"length\":3}\n\n",
        &[
            "Event { data: Point(Point { x: 1 }), event: Some(\"point\"), id: None, retry: None }",
            large,
            "Event { data: Code(Code(\"12\")), event: Some(\"code\"), id: None, retry: None }",
            long,
            "Event { data: Line(Line { length: 3 }), event: Some(\"line\"), id: None, retry: None }",
        ],
    ).await;
    reported(
        "/either",
        "application/json",
        "{\"x\":1}",
        &["one Point { x: 1 }"],
    )
    .await;
    reported(
        "/either",
        "application/jsonl",
        "{\"x\":1}\n{\"x\":10}\n",
        &["Point { x: 1 }", large],
    )
    .await;

    same("/rows", r#"[1,"A"]"#).await;
    same("/rows", r#"[1,"A",{"x":2},"B","C"]"#).await;
    same(
        "/sheets",
        r#"{"pairs":[["A",1],["B",2]],"row":[1,"A",{"x":2}]}"#,
    )
    .await;
    let long = "has more than 4 characters";
    for (row, field, text) in [
        (r#"[0,"A"]"#, "[0]", "is less than 1"),
        (r#"[1,"ABCDE"]"#, "[1]", long),
        (r#"[1,"A",{"x":10}]"#, "[2].x", "is more than 9"),
        (r#"[1,"A",{"x":1},"B","ABCDE"]"#, "[4]", long),
        (
            r#"[1,"A",{"x":1},"B","C","D"]"#,
            "body",
            "has more than 5 items",
        ),
        (r#"[1]"#, "body", "has fewer than 2 items"),
        (r#"[1,"NO"]"#, "[1]", "`NO` is no code of ours"),
    ] {
        rejected("/rows", row, &[(field, text)]).await;
    }
    rejected(
        "/sheets",
        r#"{"pairs":[["ABCDE",1],["B",2]],"row":[1,"A",{"x":10}]}"#,
        &[("pairs[0][0]", long), ("row[2].x", "is more than 9")],
    )
    .await;
}

async fn responses() {
    for (path, expected) in [
        ("/lines", "{\"x\":1}\n{\"x\":2}\n"),
        ("/records", "\u{1e}\"A\"\n\u{1e}\"B\"\n"),
        ("/events", "data: {\"x\":1}\n\n"),
        ("/texts", "data: 12\n\ndata: \"A\"\n\n"),
        (
            "/named",
            "event: point\ndata: {\"x\":1}\n\nevent: code\ndata: 12\n\nevent: line\ndata: {\"length\":3}\n\n",
        ),
    ] {
        let found = send(&format!("GET {path}"), "text/plain", "").await;
        assert_eq!(found, (200, expected.to_owned()), "{path}");
    }
    let points = client("application/jsonl", "{\"x\":1}\n{\"x\":10}\n")
        .read_lines()
        .await
        .unwrap();
    assert_eq!(
        points.into_inner().try_collect().await.unwrap(),
        [Point { x: 1 }, Point { x: 10 }]
    );
    let codes = client("application/json-seq", "\u{1e}\"A\"\n")
        .read_records()
        .await
        .unwrap();
    assert_eq!(codes.into_inner().try_collect().await.unwrap(), [code("A")]);
    let events = "text/event-stream";
    let points = client(events, "data: {\"x\":1}\n\ndata: [DONE]\n\n")
        .read_events()
        .await
        .unwrap();
    assert_eq!(
        points.into_inner().try_collect().await.unwrap(),
        [Event::new(Point { x: 1 })]
    );
    let texts = client(events, "data: 12\n\ndata: \"A\"\n\n")
        .read_texts()
        .await
        .unwrap();
    let expected = [Event::new(code("12")), Event::new(code("\"A\""))];
    assert_eq!(texts.into_inner().try_collect().await.unwrap(), expected);
    let named = client(
        events,
        "event: code\ndata: 12\n\nevent: line\ndata: {\"length\":3}\n\n",
    );
    let expected = [
        Event::new(ReadNamedOkBody::Code(code("12"))).event("code"),
        Event::new(ReadNamedOkBody::Line(Line::new(3))).event("line"),
    ];
    assert_eq!(
        named
            .read_named()
            .await
            .unwrap()
            .into_inner()
            .try_collect()
            .await
            .unwrap(),
        expected
    );
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        requests().await;
        responses().await;
    });
}
