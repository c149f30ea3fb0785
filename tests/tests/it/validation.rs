//! What a document asks of values is asked by the server: every fault is answered, by its path.

use bothends_runtime::server::{Body, Context, Error, Router};
use bothends_runtime::{Json, Validate};
use bothends_tests::in_process::{block_on, call};
use constraints::server::{ShelvesApi, router};
use constraints::{operations, types};
use http::Request;

mod constraints {
    #![allow(unused, unreachable_pub, missing_docs)]
    include!(concat!(env!("OUT_DIR"), "/constraints.rs"));
}

/// Answers everything.
struct Shelves;

impl ShelvesApi for Shelves {
    async fn list_books(
        &self,
        _: Context,
        _: operations::ListBooksRequest,
    ) -> Result<operations::ListBooksResponse, Error<operations::ListBooksError>> {
        Ok(operations::ListBooksResponse::new(Vec::new()))
    }

    async fn add_book(
        &self,
        _: Context,
        request: operations::AddBookRequest,
    ) -> Result<operations::AddBookResponse, Error<operations::AddBookError>> {
        let operations::AddBookContent::Json(book) = request.body else {
            return Ok(operations::AddBookResponse::new(types::Book::new(
                1.0,
                "form".to_owned(),
            )));
        };
        Ok(operations::AddBookResponse::new(book))
    }

    async fn add_notes(
        &self,
        _: Context,
        _: operations::AddNotesRequest,
    ) -> Result<operations::AddNotesResponse, Error<operations::AddNotesError>> {
        Ok(operations::AddNotesResponse::new(()))
    }
}

/// The status, and the faults by field where there are any.
fn ask(router: &Router<Shelves>, request: Request<Body>) -> (u16, Json) {
    let (parts, body) = block_on(call(router, request));
    let body: Json = serde_json::from_slice(&body).unwrap_or_default();
    (parts.status.as_u16(), body["errors"].clone())
}

fn get(target: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::get(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::empty()).expect("a request")
}

fn post(target: &str, media: &str, body: &str) -> Request<Body> {
    Request::post(target)
        .header("content-type", media)
        .body(Body::from(body.to_owned()))
        .expect("a request")
}

#[test]
fn parameters_are_checked_wherever_they_are() {
    let router = router(Shelves);
    let good = [("x-trace", "0123abcd"), ("cookie", "visitor=me")];
    let (status, _) = ask(
        &router,
        get("/shelves/A1/books?limit=100&tags=a&tags=b", &good),
    );
    assert_eq!(status, 200);
    let bad = [("x-trace", "0123ABCD"), ("cookie", "visitor=nobody")];
    let target = "/shelves/a1/books?limit=0&tags=a&tags=&tags=c&tags=d";
    let (status, faults) = ask(&router, get(target, &bad));
    assert_eq!(status, 400);
    assert_eq!(
        faults,
        serde_json::json!({
            "shelf": "does not match `^[A-Z]\\d+$`",
            "limit": "is less than 1",
            "tags": "has more than 3 items",
            "tags[1]": "has fewer than 1 character",
            "X-Trace": "does not match `^[0-9a-f]{8}$`",
            "visitor": "has more than 4 characters",
        })
    );
}

#[test]
fn bodies_are_checked_all_the_way_down() {
    let router = router(Shelves);
    let book = r#"{
        "title": "", "price": 0.005, "isbn": "anything",
        "authors": [{"name": "Ann", "email": null}, {"name": "far too long a name", "email": "ann", "password": "short"}],
        "cover": {"front": "leather", "spine": "cloth", "sewing": "x"},
        "sku": "A1", "labels": {"a": "1", "No": "2", "toolong": "3"},
        "ratings": {"a": 6, "b": 1, "c": 2},
        "sequel": {"title": "öäüöäüöäüöäüöäüöäüöäü", "price": 0, "cover": "no url"}
    }"#;
    let (status, faults) = ask(&router, post("/shelves/A1/books", "application/json", book));
    assert_eq!(status, 400);
    assert_eq!(
        faults,
        serde_json::json!({
            "title": "has fewer than 1 character",
            "price": "is not a multiple of 0.01",
            "authors[1].name": "has more than 10 characters",
            "authors[1].email": "is not of the format email",
            "authors[1].password": "has fewer than 8 characters",
            "sku": "does not match `Z$`",
            "labels.No": "its name does not match `^[a-z]+$`",
            "labels.toolong": "its name has more than 6 characters",
            "cover.sewing": "its name is not one of the listed values",
            "cover.front": "has more than 5 characters",
            "cover.spine": "has more than 3 characters",
            "ratings": "has more than 2 properties",
            "ratings.a": "is more than 5",
            "sequel.title": "has more than 20 characters",
            "sequel.price": "is not more than 0",
            "sequel.cover": "is not of the format uri",
        })
    );
    let form = "title=&price=1.5";
    let media = "application/x-www-form-urlencoded";
    let (status, faults) = ask(&router, post("/shelves/A1/books", media, form));
    assert_eq!(
        (status, faults["title"].as_str()),
        (400, Some("has fewer than 1 character"))
    );
}

#[test]
fn a_body_is_called_body_where_it_has_no_name() {
    let router = router(Shelves);
    for (body, faults) in [
        ("[]", serde_json::json!({"body": "has fewer than 1 item"})),
        (
            r#"[{"text": "a"}, {"text": "a"}]"#,
            serde_json::json!({"body": "has the same item more than once"}),
        ),
        (
            "[{}]",
            serde_json::json!({"[0]": "has fewer than 1 property"}),
        ),
    ] {
        let (status, reported) = ask(&router, post("/notes", "application/json", body));
        assert_eq!((status, reported), (400, faults), "{body}");
    }
}

#[test]
fn what_only_the_service_writes_is_not_required_and_not_refused() {
    let router = router(Shelves);
    for body in [
        r#"{"title": "A", "price": 1}"#,
        r#"{"id": 7, "title": "A", "price": 1}"#,
    ] {
        let (status, _) = ask(&router, post("/shelves/A1/books", "application/json", body));
        assert_eq!(status, 201, "{body}");
    }
}

#[test]
fn a_request_holds_values_that_are_listed() {
    let router = router(Shelves);
    for (genre, status) in [("crime", 201), ("novel", 400)] {
        let body = format!(r#"{{"title": "A", "price": 1, "genre": "{genre}"}}"#);
        let (reported, faults) = ask(
            &router,
            post("/shelves/A1/books", "application/json", &body),
        );
        assert_eq!(reported, status, "{faults}");
        if status == 400 {
            assert_eq!(faults["genre"], "is not one of the listed values");
        }
    }
    // What comes out of the service is kept, whatever it is.
    let book: types::Book =
        serde_json::from_str(r#"{"title": "A", "price": 1, "genre": "novel"}"#).expect("a book");
    assert_eq!(
        book.genre.map(|genre| genre.to_string()).as_deref(),
        Some("novel")
    );
}

#[test]
fn a_client_checks_what_it_sends_when_it_is_asked_to() {
    use bothends_runtime::client::{ClientCore, Error, InProcess};
    let core =
        ClientCore::new("http://localhost", InProcess::new(router(Shelves))).expect("an address");
    let request = operations::ListBooksRequest {
        limit: Some(0),
        ..operations::ListBooksRequest::new("A1".to_owned().into())
    };
    let answered = block_on(core.call(&request)).expect_err("a refusal");
    assert_eq!(answered.status().map(|status| status.as_u16()), Some(400));
    let unsent = block_on(core.validate_requests().call(&request)).expect_err("a fault");
    assert!(matches!(unsent, Error::Validation(_)), "{unsent}");
    assert_eq!(
        format!("{unsent:#}"),
        "the request is not valid: limit: is less than 1"
    );
}

#[test]
fn anybody_can_check_a_value() {
    let book = types::Book::new(1.0, "A title that is too long".to_owned());
    let reported = book.validate().expect_err("a fault").to_string();
    assert_eq!(reported, "title: has more than 20 characters");
    let request = operations::ListBooksRequest {
        limit: Some(101),
        ..operations::ListBooksRequest::new("A1".to_owned().into())
    };
    let reported = request.validate().expect_err("a fault").to_string();
    assert_eq!(reported, "limit: is more than 100");
}

#[test]
fn everything_that_is_wrong_with_a_json_body_is_told() {
    let router = router(Shelves);
    let book = r#"{
        "title": 7, "isbn": [],
        "authors": [{"name": "Ann"}, {"email": 1}, {"name": true}],
        "cover": {"back": 1},
        "ratings": {"a": "x"},
        "sequel": {"title": "B", "price": "cheap", "sequel": {"id": 1.5}}
    }"#;
    let (status, faults) = ask(&router, post("/shelves/b1/books", "application/json", book));
    let mut fields: Vec<&str> = faults
        .as_object()
        .map(|faults| faults.keys().map(String::as_str).collect())
        .unwrap_or_default();
    fields.sort_unstable();
    assert_eq!(status, 400);
    assert_eq!(
        fields,
        [
            "authors[1].email",
            "authors[1].name",
            "authors[2].name",
            "cover.back",
            "cover.front",
            "isbn",
            "price",
            "ratings.a",
            "sequel.price",
            "sequel.sequel.id",
            "sequel.sequel.price",
            "sequel.sequel.title",
            "shelf",
            "title",
        ],
        "{faults}"
    );
    assert_eq!(faults["authors[1].name"], "is required");
    assert_eq!(faults["title"], "must be a string");
}

/// JSON Schema Validation 2020-12, sections 6.5.4 and 6.3: of an `allOf`, each part holds.
#[test]
fn rules_of_several_parts_hold_together() {
    let router = router(Shelves);
    for (more, faults) in [
        (r#""sku": "AZ""#, serde_json::json!(null)),
        (
            r#""sku": "B""#,
            serde_json::json!({"sku": "does not match `^A`; does not match `Z$`"}),
        ),
        (
            r#""sku": "A2345Z""#,
            serde_json::json!({"sku": "has more than 5 characters"}),
        ),
        (
            r#""authors": [{"name": "Ann", "password": "12345678"}]"#,
            serde_json::json!({"authors[0].email": "is required beside `password`"}),
        ),
        (
            r#""authors": [{"name": "Ann", "password": "12345678", "email": "a@b"}]"#,
            serde_json::json!(null),
        ),
    ] {
        let body = format!(r#"{{"title": "A", "price": 1, {more}}}"#);
        let request = post("/shelves/A1/books", "application/json", &body);
        let (status, reported) = ask(&router, request);
        assert_eq!(
            (status == 201, &reported),
            (faults.is_null(), &faults),
            "{body}"
        );
    }
}

/// Null is no value of a type that does not say so, be the property required or not.
#[test]
fn null_is_not_taken_for_nothing() {
    let router = router(Shelves);
    let book = r#"{
        "title": "A", "price": 1, "isbn": null, "ratings": null,
        "authors": [{"name": "Ann", "email": null, "password": null}],
        "sequel": {"title": null, "price": 1, "cover": {"front": "x", "back": null}}
    }"#;
    let (status, faults) = ask(&router, post("/shelves/A1/books", "application/json", book));
    assert_eq!(status, 400);
    assert_eq!(
        faults,
        serde_json::json!({
            "isbn": "must not be null",
            "ratings": "must not be null",
            "authors[0].password": "must not be null",
            "sequel.title": "must be a string",
            "sequel.cover.back": "must not be null",
        })
    );
    // Whoever reads an answer takes it for nothing.
    let text = r#"{"title": "A", "price": 1, "isbn": null}"#;
    let book: types::Book = serde_json::from_str(text).expect("a book");
    assert_eq!(book.isbn, None);
}

#[test]
fn media_types_that_do_not_fit_are_told() {
    let router = router(Shelves).enforce_accept();
    let request = post("/shelves/A1/books", "application/xml", "<book/>");
    let (parts, _) = block_on(call(&router, request));
    assert_eq!(parts.status.as_u16(), 415);
    let taken = "application/json, application/x-www-form-urlencoded";
    assert_eq!(parts.headers["accept"], taken);
    for (accept, status) in [
        ("application/json", 200),
        ("text/html, */*;q=0.1", 200),
        ("application/*", 200),
        ("", 200),
        ("text/html", 406),
        ("*/*, application/json;q=0", 406),
    ] {
        let (reported, _) = ask(&router, get("/shelves/A1/books", &[("accept", accept)]));
        assert_eq!(reported, status, "{accept}");
    }
    // What has been done is answered all the same.
    let mut request = post("/notes", "application/json", r#"[{"text": "a"}]"#);
    request
        .headers_mut()
        .insert("accept", http::HeaderValue::from_static("text/html"));
    assert_eq!(ask(&router, request).0, 204);
}
