//! Responses that are checked by the document. The client receives them from a server that is not ours, with one deviation
//! each (`tests/python/checked.py`); a handler returns them to a socket, where raw bytes are read.

use std::sync::{Arc, Mutex};

use bothends_runtime::client::{CallOptions, Error as CallError};
use bothends_runtime::server::{self, Body, Context, Error, Rejection};
use bothends_runtime::{Check, Nullable, ResponseMismatch, StatusCode};
use bothends_tests::has_python;
use bothends_tests::in_process::block_on;
use bothends_tests::python::Running;
use generated::client::Client;
use generated::operations::*;
use generated::server::{DefaultApi, router};
use generated::types::{Book, BookInit, BookKind, Problem};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/checked-responses.rs"));
}

/// The deviations of the server for one book, and the mismatches that are reported.
const BOOKS: &[(&str, &[&str])] = &[
    ("valid", &[]),
    ("absent", &[]),
    ("status", &["the status is not documented"]),
    ("media", &["header `Content-Type` must be application/json"]),
    ("no-media", &["header `Content-Type` is required"]),
    (
        "no-json",
        &["the body is not JSON: the text ends early at line 1 column 28"],
    ),
    ("empty", &["the body is empty"]),
    ("no-title", &["the body at /title is required"]),
    ("no-id", &["the body at /id is required"]),
    ("type", &["the body at /pages must be an integer"]),
    ("null", &["the body at /pages must not be null"]),
    ("null-title", &["the body at /title must be a string"]),
    ("unknown", &["the body at /colour is not known here"]),
    (
        "enum",
        &["the body at /kind is not one of the listed values"],
    ),
    ("short", &["the body at /title has fewer than 1 character"]),
    ("long", &["the body at /title has more than 40 characters"]),
    ("minimum", &["the body at /pages is less than 1"]),
    ("maximum", &["the body at /rating is more than 5"]),
    (
        "pattern",
        &["the body at /isbn does not match `^[0-9]{13}$`"],
    ),
    (
        "unique",
        &["the body at /tags has the same item more than once"],
    ),
    ("item", &["the body at /tags/1 has fewer than 2 characters"]),
    (
        "several",
        &[
            "the body at /isbn must be a string",
            "the body at /colour is not known here",
            "the body at /pages is less than 1",
        ],
    ),
    (
        "error-body",
        &["the body at /code does not match `^[a-z-]+$`"],
    ),
    ("error-missing", &["the body at /code is required"]),
    (
        "error-media",
        &["header `Content-Type` must be application/json"],
    ),
    ("500", &["the status is not documented"]),
];

/// The same for the list of books.
const LISTS: &[(&str, &[&str])] = &[
    ("list", &[]),
    ("list-header", &["header `X-Total` is required"]),
    ("list-header-type", &["header `X-Total` must be an integer"]),
    ("list-header-rule", &["header `X-Total` is less than 0"]),
    (
        "list-optional-header",
        &["header `X-Shelf` does not match `^[A-Z]$`"],
    ),
    ("list-items", &["the body has more than 3 items"]),
    (
        "list-within",
        &[
            "the body at /1/a~1b~0c is not known here",
            "the body at /1/pages is less than 1",
        ],
    ),
    (
        "list-both",
        &[
            "the body at /0/pages is less than 1",
            "header `X-Total` is required",
        ],
    ),
    (
        "list-default",
        &["the body at /code does not match `^[a-z-]+$`"],
    ),
];

/// The same for a body of bytes.
const COVERS: &[(&str, &[&str])] = &[
    ("cover", &[]),
    ("cover-media", &["header `Content-Type` must be image/png"]),
    ("cover-header", &["header `X-Width` must be an integer"]),
];

/// Returns the texts of the mismatches of a call.
fn found<T, E>(result: Result<T, CallError<E>>) -> Vec<String> {
    match result {
        Err(CallError::Mismatch { source, .. }) => source
            .mismatches()
            .iter()
            .map(ToString::to_string)
            .collect(),
        _ => Vec::new(),
    }
}

#[test]
fn a_client_finds_each_deviation_of_another_server() {
    if !has_python("a_client_finds_each_deviation_of_another_server") {
        return;
    }
    let mut server = Running::start("checked.py", &[]).expect("python3 runs");
    let port = server.line().expect("a line");
    let client = Client::new(&format!("http://127.0.0.1:{port}")).expect("a client");
    let checked = Client::from_core(client.core().clone().check_responses(Check::Fail));
    let options_of = |name: &str| CallOptions::new().header("x-deviation", name);
    block_on(async {
        let mut all = Vec::new();
        for (name, expected) in BOOKS {
            all.push((name, found(checked.get_book(*name).await), expected));
        }
        for (name, expected) in LISTS {
            let result = checked.with(options_of(name)).list_books().await;
            all.push((name, found(result), expected));
        }
        for (name, expected) in COVERS {
            all.push((name, found(checked.get_cover(*name).await), expected));
        }
        all.retain(|(_, found, expected)| found != *expected);
        assert!(all.is_empty(), "{all:#?}");
        // An option of a call takes precedence over that of the client.
        let unchecked = checked.with(CallOptions::new().check_responses(Check::Off));
        assert_eq!(
            unchecked
                .get_book("pattern")
                .await
                .expect("a book")
                .isbn
                .as_deref(),
            Some("978")
        );
        let logged = client.with(CallOptions::new().check_responses(Check::Log));
        assert_eq!(
            logged
                .get_book("pattern")
                .await
                .expect("a book")
                .isbn
                .as_deref(),
            Some("978")
        );
        assert_eq!(
            logged
                .get_book("error-body")
                .await
                .expect_err("404")
                .status(),
            Some(StatusCode::NOT_FOUND)
        );

        let error = checked.get_book("pattern").await.expect_err("a mismatch");
        assert_eq!(
            error.to_string(),
            "the server responded 200 OK, which does not match the document"
        );
        let text = format!("{error:#}");
        assert!(
            text.contains(
                "the response 200 of getBook does not match the document: the body at /isbn"
            ),
            "{text}"
        );
        // A report has no values.
        for name in [
            "pattern",
            "enum",
            "list-header-type",
            "type",
            "error-body",
            "500",
        ] {
            let text = match name.starts_with("list") {
                true => format!(
                    "{:#}",
                    checked
                        .with(options_of(name))
                        .list_books()
                        .await
                        .expect_err("a mismatch")
                ),
                false => format!(
                    "{:#}",
                    checked.get_book(name).await.expect_err("a mismatch")
                ),
            };
            for value in ["978\"", "poem", "many", "474", "Not Found\"", "secret"] {
                assert!(!text.contains(value), "{text}");
            }
        }
    });
}

/// Responds by the id of the book.
struct Shelf;

fn book() -> Book {
    let (title, kind) = ("Emma".to_owned(), BookKind::Novel);
    let mut book = Book::from(BookInit { title, kind });
    book.id = Some("b1".to_owned());
    book
}

impl DefaultApi for Shelf {
    async fn list_books(
        &self,
        _: Context,
        request: ListBooksRequest,
    ) -> Result<ListBooksResponse, Error<ListBooksError>> {
        let headers = ListBooksResponseHeaders::new(if request.limit == Some(2) { -1 } else { 1 });
        let books = vec![book(); usize::try_from(request.limit.unwrap_or(1)).expect("small")];
        Ok(ListBooksResponse::with_headers(books, headers))
    }

    async fn create_book(
        &self,
        _: Context,
        _: CreateBookRequest,
    ) -> Result<CreateBookResponse, Error<CreateBookError>> {
        let headers = CreateBookResponseHeaders::new("/books/b1".to_owned());
        Ok(CreateBookResponse::with_headers(book(), headers))
    }

    async fn get_book(
        &self,
        _: Context,
        request: GetBookRequest,
    ) -> Result<GetBookResponse, Error<GetBookError>> {
        let mut book = book();
        match request.id.as_str() {
            "no-id" => book.id = None,
            "minimum" => book.pages = Some(0),
            "rating" => book.rating = Nullable::Value(9.0),
            "enum" => book.kind = serde_json::from_value("poem".into()).expect("an open enum"),
            "error" => return Err(GetBookError::NotFound(Problem::new("NO".to_owned())).into()),
            "no-content" => {
                let mut response = server::Response::new(Body::empty());
                *response.status_mut() = StatusCode::NO_CONTENT;
                return Err(Error::Raw(Box::new(response)));
            }
            "raw" => {
                return Err(Error::Raw(Box::new(server::Response::new(Body::from(
                    "{}",
                )))));
            }
            "rejected" => return Err(Rejection::not_found().into()),
            _ => {}
        }
        Ok(book.into())
    }

    async fn delete_book(
        &self,
        _: Context,
        _: DeleteBookRequest,
    ) -> Result<DeleteBookResponse, Error<DeleteBookError>> {
        Ok(().into())
    }

    async fn get_cover(
        &self,
        _: Context,
        _: GetCoverRequest,
    ) -> Result<GetCoverResponse, Error<bothends_runtime::NoError>> {
        Err(Error::internal("no covers"))
    }
}

/// Sends raw bytes, and returns the received ones.
async fn exchange(address: std::net::SocketAddr, target: &str) -> String {
    let mut socket = tokio::net::TcpStream::connect(address)
        .await
        .expect("a socket");
    let request = format!("GET {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.expect("sent");
    let mut received = String::new();
    socket.read_to_string(&mut received).await.expect("text");
    received
}

#[test]
fn a_server_finds_what_its_handler_returns() {
    let cases: &[(&str, &str)] = &[
        ("/books/ok", ""),
        ("/books/no-id", "the body at /id is required"),
        ("/books/minimum", "the body at /pages is less than 1"),
        ("/books/rating", "the body at /rating is more than 5"),
        (
            "/books/enum",
            "the body at /kind is not one of the listed values",
        ),
        (
            "/books/error",
            "the body at /code does not match `^[a-z-]+$`",
        ),
        ("/books/no-content", "the status is not documented"),
        ("/books/raw", "header `Content-Type` is required"),
        // What the router itself sends is not checked.
        ("/books/rejected", ""),
        ("/books", ""),
        ("/books?limit=2", "header `X-Total` is less than 0"),
        ("/books?limit=4", "the body has more than 3 items"),
        ("/books?limit=0", ""),
    ];
    block_on(async {
        for check in [Check::Off, Check::Log, Check::Fail] {
            let reports = Arc::new(Mutex::new(Vec::new()));
            let kept = Arc::clone(&reports);
            let router = router(Shelf)
                .check_responses(check)
                .on_failure(move |failure| {
                    let mismatch = failure
                        .cause()
                        .downcast_ref::<ResponseMismatch>()
                        .expect("a mismatch");
                    kept.lock()
                        .expect("no panic")
                        .push(mismatch.mismatches()[0].to_string());
                });
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
                .await
                .expect("a port");
            let address = listener.local_addr().expect("an address");
            let server = tokio::spawn(async move { server::serve(listener, router).await });
            for (target, expected) in cases {
                let received = exchange(address, target).await;
                let reported = std::mem::take(&mut *reports.lock().expect("no panic"));
                let is_checked = check != Check::Off && !expected.is_empty();
                let expected_reports: &[&str] = if is_checked { &[expected] } else { &[] };
                assert_eq!(reported, expected_reports, "{target}");
                let is_replaced = check == Check::Fail && is_checked;
                assert_eq!(
                    received.starts_with("HTTP/1.1 500 "),
                    is_replaced,
                    "{received}"
                );
                if is_replaced {
                    assert!(
                        received.contains("content-type: text/plain; charset=utf-8\r\n"),
                        "{received}"
                    );
                    assert!(
                        received.contains(&format!("\n- {expected}\n")),
                        "{received}"
                    );
                }
            }
            server.abort();
        }
    });
}
