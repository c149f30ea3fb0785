//! Layers that know the operation, and limits of single operations.

use api::client::Client;
use api::operations::{
    AddNoteBody, AddNoteError, AddNoteRequest, AddNoteResponse, GetFileError, GetFileRequest,
    GetFileResponse, PutFileError, PutFileRequest, PutFileResponse,
};
use api::server::{DefaultApi, FilesApi, router};
use bothends_runtime::client::{InProcess, Transport, TransportError};
use bothends_runtime::http::{Method, Request, Response as HttpResponse};
use bothends_runtime::server::{Body, Context, Error, Rejection, Response, Router};
use bothends_runtime::{ByteStream, OperationMeta};
use bothends_test_peers::{post, send, serve};
use bothends_tests::in_process::{block_on, call};
use std::sync::{Arc, Mutex};

bothends_case_tests::document!(api, "51-operation-in-middleware");

struct Files;

impl DefaultApi for Files {
    async fn add_note(
        &self,
        _: Context,
        _: AddNoteRequest,
    ) -> Result<AddNoteResponse, Error<AddNoteError>> {
        Ok(().into())
    }
}

impl FilesApi for Files {
    async fn put_file(
        &self,
        _: Context,
        request: PutFileRequest,
    ) -> Result<PutFileResponse, Error<PutFileError>> {
        let read = request.body.collect(1 << 20).await;
        read.map_err(Error::internal)?;
        Ok(().into())
    }

    async fn get_file(
        &self,
        _: Context,
        request: GetFileRequest,
    ) -> Result<GetFileResponse, Error<GetFileError>> {
        match request.id.as_str() {
            "missing" => Err(Rejection::forbidden().into()),
            "broken" => unreachable!("a handler that fails"),
            _ => Ok(ByteStream::from(Vec::new()).into()),
        }
    }
}

/// What a layer around the router reads from a response.
fn reached(response: &Response) -> Option<(&'static str, &'static str)> {
    let operation = response.extensions().get::<&'static OperationMeta>();
    operation.map(|operation| (operation.id, operation.path))
}

fn request(method: &str, path: &str) -> Request<Body> {
    let request = Request::builder().method(method).uri(path);
    let request = request.header("content-type", "application/octet-stream");
    request.body(Body::empty()).expect("a request")
}

#[test]
fn a_response_tells_a_layer_its_operation() {
    use tower_service::Service as _;
    for (method, path, status, expected) in [
        ("PUT", "/files/1", 204, Some(("putFile", "/files/{id}"))),
        ("GET", "/files/1", 200, Some(("getFile", "/files/{id}"))),
        ("HEAD", "/files/1", 200, Some(("getFile", "/files/{id}"))),
        (
            "GET",
            "/files/missing",
            403,
            Some(("getFile", "/files/{id}")),
        ),
        (
            "GET",
            "/files/broken",
            500,
            Some(("getFile", "/files/{id}")),
        ),
        ("POST", "/notes", 400, Some(("addNote", "/notes"))),
        ("DELETE", "/files/1", 405, None),
        ("OPTIONS", "/files/1", 204, None),
        ("GET", "/other", 404, None),
    ] {
        let response = block_on(router(Files).call(request(method, path)));
        let Ok(response) = response;
        assert_eq!(reached(&response), expected, "{method} {path}");
        assert_eq!(response.status().as_u16(), status, "{method} {path}");
    }
}

#[test]
fn a_router_tells_a_layer_the_operation_of_a_request() {
    let router = router(Files).base_path("/v1");
    let id = |method: Method, path: &str| router.operation(&method, path).map(|found| found.id);
    assert_eq!(id(Method::PUT, "/v1/files/a%20b"), Some("putFile"));
    assert_eq!(id(Method::HEAD, "/v1/files/1"), Some("getFile"));
    assert_eq!(id(Method::POST, "/v1/notes"), Some("addNote"));
    assert_eq!(id(Method::POST, "/notes"), None);
    assert_eq!(id(Method::DELETE, "/v1/files/1"), None);
    assert_eq!(id(Method::GET, "/v1/files/%zz"), None);
}

fn limited() -> Router<Files> {
    router(Files)
        .body_limit(20)
        .body_limit_for::<PutFileRequest>(60)
}

#[test]
fn an_operation_has_a_limit_of_its_own() {
    let to = serve(limited());
    let put = |length: usize| {
        let headers = "Content-Type: application/octet-stream";
        let body = "x".repeat(length);
        let head = format!("PUT /files/1 HTTP/1.1\r\n{headers}\r\nContent-Length: {length}");
        send(to, &format!("{head}\r\n\r\n{body}"))
    };
    assert!(put(60).starts_with("HTTP/1.1 204 "), "{}", put(60));
    assert!(put(61).starts_with("HTTP/1.1 413 "), "{}", put(61));
    let note = |text: &str| {
        let body = format!(r#"{{"text":"{text}"}}"#);
        let length = body.len();
        let headers = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
        post(to, "/notes", &headers, &body)
    };
    assert!(note("a").starts_with("HTTP/1.1 204 "), "{}", note("a"));
    let long = note("a text of more than twenty bytes");
    assert!(long.starts_with("HTTP/1.1 413 "), "{long}");
}

#[test]
fn the_last_limit_of_an_operation_counts() {
    let router = limited().body_limit_for::<AddNoteRequest>(1000);
    let body = Body::from(format!(r#"{{"text":"{}"}}"#, "x".repeat(500)));
    let note = Request::post("/notes").header("content-type", "application/json");
    let (parts, _) = block_on(call(&router, note.body(body).expect("a request")));
    assert_eq!(parts.status.as_u16(), 204);
    let router = router.body_limit_for::<AddNoteRequest>(5);
    let note = Request::post("/notes").header("content-type", "application/json");
    let note = note.body(Body::from(r#"{"text":"a"}"#)).expect("a request");
    let (parts, _) = block_on(call(&router, note));
    assert_eq!(parts.status.as_u16(), 413);
}

/// Keeps the operation of each request.
#[derive(Clone)]
struct Watching<T>(T, Arc<Mutex<Vec<(&'static str, &'static str)>>>);

impl<T: Transport> Transport for Watching<T> {
    async fn send(&self, request: Request<Body>) -> Result<HttpResponse<Body>, TransportError> {
        let operation = request.extensions().get::<&'static OperationMeta>();
        let operation = operation.expect("an operation");
        self.1
            .lock()
            .expect("no panic")
            .push((operation.id, operation.path));
        self.0.send(request).await
    }
}

#[test]
fn a_transport_knows_the_operation_of_a_request() {
    let seen = Arc::default();
    let transport = Watching(InProcess::new(router(Files)), Arc::clone(&seen));
    let client = Client::with_transport("http://localhost", transport).expect("a client");
    block_on(async {
        let put = PutFileRequest::new("1".to_owned(), ByteStream::from("x"));
        client.put_file(put).await.expect("written");
        client.get_file("1").await.expect("a file");
        client.add_note(AddNoteBody::new()).await.expect("added");
    });
    let seen = seen.lock().expect("no panic");
    assert_eq!(
        seen[..],
        [
            ("putFile", "/files/{id}"),
            ("getFile", "/files/{id}"),
            ("addNote", "/notes")
        ]
    );
}

#[test]
fn a_received_response_of_an_error_has_the_methods_of_a_response() {
    let transport = InProcess::new(router(Files));
    let client = Client::with_transport("http://localhost", transport).expect("a client");
    let error = block_on(client.get_file("missing")).expect_err("a rejection");
    let response = error.raw_response().expect("a response").clone();
    assert_eq!(response.status().as_u16(), 403);
    assert_eq!(
        response.headers()["content-type"],
        "application/problem+json"
    );
    assert!(response.text().contains("403"), "{}", response.text());
    assert_eq!(response.text().as_bytes(), &response.body()[..]);
    assert_eq!(response.operation(), "getFile");
    let (headers, body) = response.clone().into_parts();
    assert_eq!((&headers, &body), (response.headers(), response.body()));
    assert_eq!(response.into_inner(), body);
}
