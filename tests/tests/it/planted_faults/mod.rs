//! Contract tests of a service with one planted fault each: what is found, and that nothing is found in the same service
//! without a fault. The slow suite `strangers` compares that with what schemathesis finds.

mod compared;
mod links;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as Waiting, Poll};

use bothends_runtime::client::{ClientCore, InProcess};
use bothends_runtime::http::header::{CONTENT_TYPE, HeaderValue, LOCATION};
use bothends_runtime::http::{HeaderMap, Method, Request, StatusCode};
use bothends_runtime::server::{Body, Context, Error, Response, Router};
use bothends_runtime::test::{Fault, Report, contract};
use bothends_tests::in_process::block_on;
use bytes::Bytes;
use generated::operations::*;
use generated::server::{DefaultApi, router};
use generated::types::{Book, Problem};
use serde_json::{Value, json};
use tower_service::Service;

pub(crate) mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/checked-responses.rs"));
}

/// The planted faults.
const FAULTS: &[&str] = &[
    // Statuses.
    "get responds 202",
    "list responds 206",
    "create responds 200",
    "delete responds 200",
    "a missing book is 410",
    // Media types.
    "a book is text/html",
    "the list has no media type",
    "an error is text/plain",
    "the cover is image/gif",
    // Headers.
    "no X-Total",
    "X-Total is text",
    "X-Total is negative",
    "no Location",
    "X-Shelf violates its pattern",
    "no X-Width",
    "X-Width is text",
    // Bodies.
    "no id",
    "no title",
    "pages are null",
    "pages are text",
    "an extra property",
    "kind is not listed",
    "title is empty",
    "title is too long",
    "pages are zero",
    "rating is too high",
    "isbn violates its pattern",
    "tags are not unique",
    "a tag is too short",
    "too many books",
    "the list is an object",
    "a book of the list is null",
    "JSON is cut off",
    "an error has no code",
    "the code violates its pattern",
    // Edge values.
    "500 for 5000 pages",
    "500 for a limit of 50",
    "500 for a title of 40 characters",
    "500 for an empty list of tags",
    "500 for an id of 20 characters",
    // What is accepted.
    "accepts a long title",
    "accepts a book without kind",
    "accepts a limit of 0",
    "accepts an extra property",
    "accepts pages as text",
    "accepts null for tags",
    "500 for a body that is no object",
    // Sequences.
    "a created book is not found",
    "a deleted book is still found",
];

/// The books, by their ids, and the number of books that were created.
#[derive(Clone, Default)]
struct Shelf(Arc<Mutex<BTreeMap<String, Book>>>, Arc<AtomicUsize>);

fn no_book() -> Problem {
    Problem::new("not-found".to_owned())
}

impl DefaultApi for Shelf {
    async fn list_books(
        &self,
        _: Context,
        request: ListBooksRequest,
    ) -> Result<ListBooksResponse, Error<ListBooksError>> {
        let books = self.0.lock().expect("no panic");
        let most = usize::try_from(request.limit.unwrap_or(3)).unwrap_or_default();
        let listed: Vec<Book> = books.values().take(most.min(3)).cloned().collect();
        let total = i64::try_from(books.len()).map_err(Error::internal)?;
        let headers = ListBooksResponseHeaders::new(total).x_shelf("A");
        Ok(ListBooksResponse::with_headers(listed, headers))
    }

    async fn create_book(
        &self,
        _: Context,
        request: CreateBookRequest,
    ) -> Result<CreateBookResponse, Error<CreateBookError>> {
        let mut books = self.0.lock().expect("no panic");
        let number = self.1.fetch_add(1, Ordering::Relaxed) + 1;
        let (mut book, id) = (request.body, format!("b{number}"));
        book.id = Some(id.clone());
        book.secret = None;
        books.insert(id.clone(), book.clone());
        let headers = CreateBookResponseHeaders::new(format!("/books/{id}"));
        Ok(CreateBookResponse::with_headers(book, headers))
    }

    async fn get_book(
        &self,
        _: Context,
        request: GetBookRequest,
    ) -> Result<GetBookResponse, Error<GetBookError>> {
        let books = self.0.lock().expect("no panic");
        let book = books.get(&request.id).cloned();
        Ok(book
            .ok_or_else(|| GetBookError::NotFound(no_book()))?
            .into())
    }

    async fn delete_book(
        &self,
        _: Context,
        request: DeleteBookRequest,
    ) -> Result<DeleteBookResponse, Error<DeleteBookError>> {
        let mut books = self.0.lock().expect("no panic");
        let book = books.remove(&request.id);
        book.ok_or_else(|| DeleteBookError::NotFound(no_book()))?;
        Ok(().into())
    }

    async fn get_cover(
        &self,
        _: Context,
        _: GetCoverRequest,
    ) -> Result<GetCoverResponse, Error<bothends_runtime::NoError>> {
        let headers = GetCoverResponseHeaders::new(10);
        Ok(GetCoverResponse::with_headers(
            Bytes::from_static(b"\x89PNG").into(),
            headers,
        ))
    }
}

/// The router of the shelf.
fn served(shelf: Shelf) -> Router<Shelf> {
    documented(router(shelf))
}

/// Gives rejections the documented body.
fn documented<A>(router: Router<A>) -> Router<A> {
    router.on_rejection(|rejection| {
        let mut response = Response::new(Body::from(r#"{"code":"rejected"}"#));
        *response.status_mut() = rejection.kind().status();
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(CONTENT_TYPE, json);
        Some(response)
    })
}

/// The service with a fault.
#[derive(Clone)]
struct Faulty {
    router: Router<Shelf>,
    shelf: Shelf,
    fault: &'static str,
}

impl Faulty {
    fn new(fault: &'static str) -> Self {
        let shelf = Shelf::default();
        let router = served(shelf.clone());
        Self {
            router,
            shelf,
            fault,
        }
    }

    async fn respond(mut self, request: Request<Body>) -> Response {
        let (parts, body) = request.into_parts();
        let body = body.collect(1 << 20).await.unwrap_or_default();
        let operation = match (&parts.method, parts.uri.path()) {
            (&Method::GET, "/books") => "list",
            (&Method::POST, "/books") => "create",
            (&Method::GET, path) if path.starts_with("/covers/") => "cover",
            (&Method::GET, _) => "get",
            (&Method::DELETE, _) => "delete",
            _ => "",
        };
        if let Some(response) = self.instead(operation, &parts.uri.to_string(), &body) {
            return response;
        }
        let request = Request::from_parts(parts, Body::from(body));
        let Ok(response) = self.router.call(request).await;
        let (mut parts, body) = response.into_parts();
        let mut body = body.collect(1 << 20).await.expect("a body");
        let json = serde_json::from_slice(&body).unwrap_or_default();
        if let Some(other) = self.change(operation, &mut parts.status, &mut parts.headers, json) {
            body = other;
        }
        Response::from_parts(parts, Body::from(body))
    }

    /// The response in place of that of the router.
    fn instead(&self, operation: &str, uri: &str, body: &[u8]) -> Option<Response> {
        let sent: Value = serde_json::from_slice(body).unwrap_or_default();
        let title = sent["title"]
            .as_str()
            .map_or(0, |title| title.chars().count());
        let fails = match (operation, self.fault) {
            ("create", "500 for 5000 pages") => sent["pages"] == 5000,
            ("create", "500 for a title of 40 characters") => title == 40,
            ("create", "500 for an empty list of tags") => sent["tags"] == json!([]),
            ("create", "500 for a body that is no object") => !sent.is_object(),
            ("list", "500 for a limit of 50") => uri.ends_with("limit=50"),
            ("get", "500 for an id of 20 characters") => {
                uri.rsplit('/').next().map_or(0, str::len) == 20
            }
            _ => false,
        };
        if fails {
            let mut response = Response::new(Body::from("error at line 1"));
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            return Some(response);
        }
        let id = uri.rsplit('/').next().unwrap_or_default();
        let is_known = self.shelf.0.lock().expect("no panic").contains_key(id);
        if is_known && (operation, self.fault) == ("delete", "a deleted book is still found") {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NO_CONTENT;
            return Some(response);
        }
        let accepts = match (operation, self.fault) {
            ("create", "accepts a long title") => title > 40,
            ("create", "accepts a book without kind") => {
                sent.is_object() && sent.get("kind").is_none()
            }
            ("create", "accepts an extra property") => {
                let documented = [
                    "id", "title", "kind", "pages", "isbn", "rating", "tags", "secret",
                ];
                let mut keys = sent.as_object().into_iter().flat_map(serde_json::Map::keys);
                keys.any(|key| !documented.contains(&key.as_str()))
            }
            ("create", "accepts pages as text") => sent["pages"].is_string(),
            ("create", "accepts null for tags") => sent.get("tags").is_some_and(Value::is_null),
            ("list", "accepts a limit of 0") => uri.ends_with("limit=0"),
            _ => false,
        };
        accepts.then(|| {
            let book = json!({"id": "b1", "title": "Emma", "kind": "novel"});
            let (status, body) = match operation {
                "list" => (StatusCode::OK, json!([book])),
                _ => (StatusCode::CREATED, book),
            };
            let mut response = Response::new(Body::from(body.to_string()));
            *response.status_mut() = status;
            let headers = response.headers_mut();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            headers.insert(LOCATION, HeaderValue::from_static("/books/b1"));
            headers.insert("x-total", HeaderValue::from_static("1"));
            response
        })
    }

    /// Changes the response of the router; returns another body.
    fn change(
        &self,
        operation: &str,
        status: &mut StatusCode,
        headers: &mut HeaderMap,
        mut json: Value,
    ) -> Option<Bytes> {
        let is_ok = status.is_success();
        let header = |headers: &mut HeaderMap, name: &'static str, value: &'static str| {
            headers.insert(name, HeaderValue::from_static(value));
        };
        let status_of = |code: u16| StatusCode::from_u16(code).expect("a status");
        match (operation, self.fault) {
            ("get", "get responds 202") if is_ok => *status = status_of(202),
            ("list", "list responds 206") if is_ok => *status = status_of(206),
            ("create", "create responds 200") if is_ok => *status = status_of(200),
            ("delete", "delete responds 200") if is_ok => *status = status_of(200),
            ("get", "a missing book is 410") if *status == 404 => *status = status_of(410),
            ("get", "a book is text/html") if is_ok => header(headers, "content-type", "text/html"),
            ("list", "the list has no media type") if is_ok => drop(headers.remove(CONTENT_TYPE)),
            ("get", "an error is text/plain") if *status == 404 => {
                header(headers, "content-type", "text/plain");
            }
            ("cover", "the cover is image/gif") => header(headers, "content-type", "image/gif"),
            ("list", "no X-Total") => drop(headers.remove("x-total")),
            ("list", "X-Total is text") => header(headers, "x-total", "many"),
            ("list", "X-Total is negative") => header(headers, "x-total", "-1"),
            ("create", "no Location") => drop(headers.remove(LOCATION)),
            ("list", "X-Shelf violates its pattern") => header(headers, "x-shelf", "shelf"),
            ("cover", "no X-Width") => drop(headers.remove("x-width")),
            ("cover", "X-Width is text") => header(headers, "x-width", "wide"),
            ("create", "a created book is not found") if is_ok => {
                self.shelf.0.lock().expect("no panic").clear();
            }
            _ => {}
        }
        let set = |json: &mut Value, key: &str, value: Value| json[key] = value;
        let remove = |json: &mut Value, key: &str| {
            json.as_object_mut().expect("an object").remove(key);
        };
        match (operation, self.fault) {
            ("get", fault) if is_ok => match fault {
                "no id" => remove(&mut json, "id"),
                "no title" => remove(&mut json, "title"),
                "pages are null" => set(&mut json, "pages", json!(null)),
                "pages are text" => set(&mut json, "pages", json!("474")),
                "an extra property" => set(&mut json, "colour", json!("red")),
                "kind is not listed" => set(&mut json, "kind", json!("poem")),
                "title is empty" => set(&mut json, "title", json!("")),
                "title is too long" => set(&mut json, "title", json!("x".repeat(41))),
                "pages are zero" => set(&mut json, "pages", json!(0)),
                "rating is too high" => set(&mut json, "rating", json!(5.5)),
                "isbn violates its pattern" => set(&mut json, "isbn", json!("978")),
                "tags are not unique" => set(&mut json, "tags", json!(["ab", "ab"])),
                "a tag is too short" => set(&mut json, "tags", json!(["a"])),
                "JSON is cut off" => {
                    let text = json.to_string();
                    return Some(Bytes::from(text[..text.len() - 1].to_owned()));
                }
                _ => return None,
            },
            ("get", "an error has no code") => remove(&mut json, "code"),
            ("get", "the code violates its pattern") => set(&mut json, "code", json!("NO")),
            ("list", "too many books") if is_ok => {
                json = json!([{"id": "b", "title": "t", "kind": "essay"}]);
                let book = json[0].clone();
                json.as_array_mut().expect("a list").resize(4, book);
            }
            ("list", "the list is an object") if is_ok => json = json!({ "books": json }),
            ("list", "a book of the list is null") if is_ok => json = json!([null]),
            _ => return None,
        }
        Some(Bytes::from(json.to_string()))
    }
}

impl Service<Request<Body>> for Faulty {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Waiting<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let service = self.clone();
        Box::pin(async move { Ok(service.respond(request).await) })
    }
}

fn run(fault: &'static str) -> Report {
    let core = ClientCore::new("http://localhost", InProcess::new(Faulty::new(fault)))
        .expect("a base URL");
    let test = contract(served(Shelf::default())).over(core);
    block_on(test.cases(128).run())
}

#[test]
fn a_service_without_a_fault_keeps_its_contract() {
    let report = block_on(contract(served(Shelf::default())).cases(128).run());
    assert!(report.requests() > 5 * 120, "{report}");
    report.assert();
    run("none").assert();
}

#[test]
fn each_planted_fault_is_found() {
    let mut missed = Vec::new();
    for fault in FAULTS {
        let report = run(fault);
        match report.findings() {
            [] => missed.push(*fault),
            found => println!("{fault}: {}", found[0]),
        }
    }
    assert!(
        missed.is_empty(),
        "of {} faults, these are not found: {missed:#?}",
        FAULTS.len()
    );
}

#[test]
fn a_finding_is_shown_by_its_smallest_request() {
    let report = run("500 for 5000 pages");
    let [finding] = report.findings() else {
        panic!("{report}");
    };
    assert_eq!(finding.operation(), "createBook");
    assert_eq!(
        *finding.fault(),
        Fault::ServerError(StatusCode::INTERNAL_SERVER_ERROR)
    );
    let sent = &finding.as_curl()[0];
    let body = sent
        .split("--data-raw '")
        .nth(1)
        .expect("a body")
        .trim_end_matches('\'');
    let body: Value = serde_json::from_str(body).expect("JSON");
    assert_eq!(body["pages"], 5000);
    let mut keys: Vec<&String> = body.as_object().expect("an object").keys().collect();
    keys.sort();
    assert_eq!(keys, ["kind", "pages", "title"], "{sent}");
    assert_eq!(
        body["title"].as_str().map(|title| title.chars().count()),
        Some(1)
    );
    // The same seed draws the same requests.
    assert_eq!(run("500 for 5000 pages").to_string(), report.to_string());
}
