//! Values of parameters that are empty, null, flags or unions, and the places of invalid ones.

use std::sync::{Arc, Mutex};

use api::operations::{
    AddError, AddRequest, AddResponse, SearchAny, SearchError, SearchRequest, SearchResponse,
};
use api::server::{DefaultApi, router};
use bothends_runtime::server::{Body, Context, Error, Rejection, Router};
use bothends_tests::in_process::{block_on, call};

bothends_case_tests::document!(api, "32-query-values");

#[derive(Default, Clone)]
struct Seen(Arc<Mutex<Option<SearchRequest>>>);

impl DefaultApi for Seen {
    async fn search(
        &self,
        _: Context,
        request: SearchRequest,
    ) -> Result<SearchResponse, Error<SearchError>> {
        *self.0.lock().expect("a lock") = Some(request);
        Ok(().into())
    }

    async fn add(&self, _: Context, _: AddRequest) -> Result<AddResponse, Error<AddError>> {
        Ok(().into())
    }
}

/// The request that a handler receives, or the place, the field and the message of each error.
type Read = Result<SearchRequest, Vec<(String, String, String)>>;

fn asked(request: http::Request<Body>, with: fn(Router<Seen>) -> Router<Seen>) -> Read {
    let (seen, errors) = (Seen::default(), Arc::new(Mutex::new(Vec::new())));
    let kept = Arc::clone(&errors);
    let router = with(router(seen.clone())).on_rejection(move |rejection: &Rejection| {
        let fields = rejection.fields().iter();
        let fields = fields.map(|error| {
            let place = error.place.to_owned();
            (place, error.field.clone(), error.message.clone())
        });
        *kept.lock().expect("a lock") = fields.collect();
        None
    });
    let (parts, _) = block_on(call(&router, request));
    let errors = errors.lock().expect("a lock").clone();
    match seen.0.lock().expect("a lock").take() {
        Some(request) => Ok(request),
        None => {
            assert_eq!(parts.status.as_u16(), 400);
            Err(errors)
        }
    }
}

fn search_with(query: &str, with: fn(Router<Seen>) -> Router<Seen>) -> Read {
    let request = http::Request::get(format!("/search?id=1&{query}"));
    asked(request.body(Body::default()).expect("a request"), with)
}

fn search(query: &str) -> Read {
    search_with(query, |router| router)
}

/// The errors, as `place field: message`.
fn errors(read: Read) -> Vec<String> {
    let errors = read.expect_err("errors").into_iter();
    errors
        .map(|(place, field, message)| format!("{place} {field}: {message}"))
        .collect()
}

#[test]
fn all_errors_are_reported_with_their_places() {
    let request = http::Request::get(
        "/search?id=0&flag=maybe&n=x&tags=&tags=a&tags=b&at=today&sort=up&size=51",
    )
    .header("x-id", "0")
    .body(Body::default())
    .expect("a request");
    let errors = errors(asked(request, |router| router));
    let fields: Vec<&str> = errors
        .iter()
        .filter_map(|error| error.split(':').next())
        .collect();
    assert_eq!(
        fields,
        [
            "query id",
            "query flag",
            "query n",
            "query tags",
            "query tags[0]",
            "query at",
            "query sort",
            "query page.size",
            "header X-Id"
        ],
        "{errors:?}"
    );
}

#[test]
fn the_ids_of_a_query_and_of_a_body_are_told_apart() {
    let request = http::Request::post("/search?id=0")
        .header("content-type", "application/json")
        .body(Body::from(r#"{"id":0}"#))
        .expect("a request");
    let errors = errors(asked(request, |router| router));
    let fields: Vec<&str> = errors
        .iter()
        .filter_map(|error| error.split(':').next())
        .collect();
    assert_eq!(fields, ["query id", "body id"], "{errors:?}");
}

#[test]
fn empty_values_are_those_of_their_types() {
    assert_eq!(search("q=").expect("a request").q.as_deref(), Some(""));
    assert_eq!(search("q").expect("a request").q.as_deref(), Some(""));
    assert_eq!(search("").expect("a request").q, None);
    match search("n=") {
        Ok(request) => assert_eq!(request.n, None),
        Err(errors) => assert_eq!(errors[0].1, "n"),
    }
    assert_eq!(
        errors(search("flag")),
        ["query flag: must be true or false"]
    );
    assert_eq!(
        errors(search("flag=")),
        ["query flag: must be true or false"]
    );
    let tags = errors(search("tags="));
    assert!(
        tags.len() == 1 && tags[0].starts_with("query tags[0]: "),
        "{tags:?}"
    );
}

#[test]
fn a_union_of_a_number_and_a_word_reads_both() {
    for (query, expected) in [("any=all", "All(All)"), ("any=7", "Integer(7)")] {
        let any = search(query).expect("a request").any.expect("a value");
        assert_eq!(format!("{any:?}"), expected);
    }
    assert!(matches!(
        search_with("any=1", Router::lenient)
            .expect("a request")
            .any,
        Some(SearchAny::Integer(1))
    ));
    assert_eq!(errors(search("any=some")).len(), 1);
}

#[test]
fn an_exploded_object_collects_the_names_of_no_parameter() {
    let request = search("size=3&utm=x&q=y&tags=a").expect("a request");
    assert_eq!(request.page.expect("a page").size, Some(3));
    let extra = request.extra.expect("further names");
    assert_eq!(extra.get("utm").map(String::as_str), Some("x"));
    for name in ["q", "tags", "id", "flag"] {
        assert!(!extra.contains_key(name), "{extra:?}");
    }
    assert_eq!(search("q=y").expect("a request").extra, None);
}

#[test]
fn booleans_of_other_languages_are_accepted_by_a_lenient_router() {
    for (text, value) in [
        ("1", true),
        ("t", true),
        ("T", true),
        ("TRUE", true),
        ("True", true),
        ("true", true),
        ("0", false),
        ("f", false),
        ("F", false),
        ("FALSE", false),
        ("False", false),
        ("false", false),
    ] {
        let query = format!("flag={text}");
        let read = search_with(&query, Router::lenient).expect("a request");
        assert_eq!(read.flag, Some(value), "{text}");
        if text.len() < 4 || text.chars().any(char::is_uppercase) {
            assert_eq!(
                errors(search(&query)),
                ["query flag: must be true or false"]
            );
        }
    }
    for text in ["yes", "on", "tRUE", "2", "", "%20true"] {
        let query = format!("flag={text}");
        assert!(search_with(&query, Router::lenient).is_err(), "{text}");
    }
}
