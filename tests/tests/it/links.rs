//! Links of responses: requests whose values are in a response and its request. The server is not ours:
//! `tests/python/links.py`, which prints what it is asked.

use std::fmt::Debug;

use bothends::{Builder, Parts};
use bothends_runtime::NoError;
use bothends_runtime::client::Error;
use bothends_runtime::http::{Method, Request, StatusCode};
use bothends_runtime::server::{self, Body, Context};
use bothends_tests::in_process::{block_on, call};
use bothends_tests::python::Running;
use bothends_tests::{has_python, root};
use generated::client::*;
use generated::operations::*;
use generated::server::{DefaultApi, router};
use generated::types::{Book, BookInit};

mod generated {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/links.rs"));
}

/// Returns the server and a client of it; `None` without Python.
fn client(test: &str) -> Option<(Running, Client)> {
    has_python(test).then(|| {
        let mut server = Running::start("links.py", &[]).expect("python3 runs");
        let port = server.line().expect("a line");
        let client = Client::new(&format!("http://127.0.0.1:{port}")).expect("a client");
        (server, client)
    })
}

fn add(title: &str) -> AddBookRequest {
    AddBookRequest::new(4, AddBookBody::new(title.to_owned()))
}

#[test]
fn links_are_followed_by_the_values_of_both_messages() {
    let Some((mut server, client)) = client("links_are_followed") else {
        return;
    };
    let mut asked = || server.line().expect("a line");
    block_on(async {
        let sent = add("Momo");
        let added = client.add_book(sent.clone()).await.expect("it is added");
        assert_eq!(asked(), "POST /shelves/4/books");

        let from = (&sent, &added);
        let book = client
            .follow(ADD_BOOK_SELF_LINK, from)
            .await
            .expect("the book");
        assert_eq!(book.title, "Momo");
        assert_eq!(asked(), "GET /shelves/4/books/7%201?expand=reviews");

        client
            .follow(ADD_BOOK_CREATED_LINK, from)
            .await
            .expect("the book");
        assert_eq!(asked(), "GET /shelves/4/books/7%201");

        let author = client
            .follow(ADD_BOOK_AUTHOR_LINK, &added)
            .await
            .expect("the author");
        assert_eq!(author.name, "Michael Ende");
        assert_eq!(asked(), "GET /authors/3");

        // A request of a link is one of the operation, with further values.
        let request = ADD_BOOK_CREATED_LINK.request(from).expect("a request");
        client
            .get_book(request.expand("shelf".to_owned()))
            .await
            .expect("the book");
        assert_eq!(asked(), "GET /shelves/4/books/7%201?expand=shelf");
    });
}

#[test]
fn a_link_without_values_is_an_error_before_anything_is_sent() {
    let Some((mut server, client)) = client("a_link_without_values") else {
        return;
    };
    let mut asked = || server.line().expect("a line");
    block_on(async {
        let mut errors = Vec::new();
        let sent = add("anonymous");
        let added = client.add_book(sent.clone()).await.expect("it was there");
        errors.push(reported(client.follow(ADD_BOOK_AUTHOR_LINK, &added).await));
        // The header belongs to another status.
        errors.push(reported(
            client.follow(ADD_BOOK_CREATED_LINK, (&sent, &added)).await,
        ));

        errors.push(reported(
            client.follow(ADD_BOOK_NAMESAKE_LINK, &added).await,
        ));

        // A URL of another path is no id.
        let sent = add("elsewhere");
        let added = client.add_book(sent.clone()).await.expect("it is new");
        errors.push(reported(
            client.follow(ADD_BOOK_CREATED_LINK, (&sent, &added)).await,
        ));
        assert_eq!(
            errors,
            [
                "id: the messages of `addBook` have no value for it",
                "id: the messages of `addBook` have no value for it",
                "getAuthor: it does not accept the values in the messages of `addBook`",
                "id: the messages of `addBook` have no value for it",
            ]
        );
        for _ in 0..2 {
            assert_eq!(asked(), "POST /shelves/4/books");
        }
    });
}

/// Returns the parameter and the message of a request that cannot be made.
fn reported<R: Debug, E: Debug>(result: Result<R, Error<E>>) -> String {
    match result {
        Err(Error::Encode(error)) => format!("{}: {}", error.field(), error.message()),
        other => format!("{other:?}"),
    }
}

fn book(id: String, title: String) -> Book {
    BookInit { id, title }.into()
}

/// Adds books whose `Location` is that of `getBook`.
struct Service;

impl DefaultApi for Service {
    async fn add_book(
        &self,
        _: Context,
        request: AddBookRequest,
    ) -> Result<AddBookResponse, server::Error<NoError>> {
        let added = book("7 1".to_owned(), request.body.title);
        let linked = GetBookRequest::new(request.shelf, added.id.clone());
        let url = server::url_of("https://books.example/v1", &linked);
        let headers = AddBookResponseHeaders::new().location(url.expect("a URL"));
        let body = AddBookResponseBody::Created(added);
        Ok(AddBookResponse::with_headers(body, headers))
    }

    async fn get_book(
        &self,
        _: Context,
        request: GetBookRequest,
    ) -> Result<GetBookResponse, server::Error<NoError>> {
        Ok(book(request.id, String::new()).into())
    }

    async fn rename_book(
        &self,
        _: Context,
        _: RenameBookRequest,
    ) -> Result<RenameBookResponse, server::Error<NoError>> {
        Ok(().into())
    }

    async fn get_author(
        &self,
        _: Context,
        _: GetAuthorRequest,
    ) -> Result<GetAuthorResponse, server::Error<NoError>> {
        Ok(GetAuthorOkBody::new(String::new()).into())
    }
}

#[test]
fn a_handler_writes_the_url_of_a_request() {
    block_on(async {
        let body = Body::from(r#"{"title":"Momo"}"#);
        let request = Request::builder()
            .method(Method::POST)
            .uri("/shelves/4/books");
        let request = request
            .header("content-type", "application/json")
            .body(body);
        let (head, _) = call(&router(Service), request.expect("a request")).await;
        assert_eq!(head.status, StatusCode::CREATED);
        let location = &head.headers["location"];
        assert_eq!(location, "https://books.example/v1/shelves/4/books/7%201");
    });
}

/// Returns the module of `features/links.yaml` with these parts.
fn module(client: bool, server: bool) -> String {
    let path = root().join("spec/features/links.yaml");
    let parts = Parts {
        client,
        server,
        webhooks: false,
    };
    let plan = Builder::new(path).module(true).parts(parts).plan();
    plan.expect("a plan").files.swap_remove(0).text
}

#[test]
fn values_of_links_that_both_ends_have_are_written_once() {
    // The values of each stated link, of which the client follows all but two.
    let [both, client, server] =
        [(true, true), (true, false), (false, true)].map(|(client, server)| {
            let text = module(client, server);
            let count_of = |what| text.matches(what).count();
            [
                count_of("Expression::"),
                count_of("_VALUES = ["),
                count_of("_VALUES,") + count_of("_VALUES)"),
            ]
        });
    assert_eq!(both, [10, 5, 10]);
    assert_eq!(client, [8, 0, 0]);
    assert_eq!(server, [10, 0, 0]);
}
