//! Pages of lists: positions and items that the documents of the other tests do not have.
#![cfg(feature = "client")]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use bothends_runtime::client::{
    Body, ClientCore, ListOperation as _, NextPage, PageError, Transport, TransportError,
};
use bothends_runtime::http::{Request, Response};
use bothends_runtime::{Expression, NoError, Nullable};
use std::sync::{Arc, Mutex};

#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub data: Nullable<Inner>,
}
bothends_runtime::object! {
    Page() {
        "data" => data?,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Inner {
    pub rows: Option<Vec<i64>>,
}
bothends_runtime::object! {
    Inner() {
        "rows" => rows?,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct List {
    pub filter: Option<String>,
}
bothends_runtime::operation! {
    "list": "GET" "/list"
    List() {
        query "filter" => filter?,
    }
    -> Listed { 200 => json Page }, ListError = NoError
}
bothends_runtime::pages! {
    List {
        items: i64 => [data?.rows?],
        next: NextPage::values(&[
            ("query", "after", Expression::ResponseBody("/data/rows/-1")),
            ("header", "x-page", Expression::ResponseHeader("x-next")),
        ]),
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    pub key: Option<String>,
}
bothends_runtime::operation! {
    "search": "POST" "/search"
    Search() {
        header "X-Page" => key?,
    }
    -> Found { 200 => json Page }, SearchError = NoError
    idempotency_key "X-Page"
}
bothends_runtime::pages! {
    Search {
        next: NextPage::values(&[("query", "after", Expression::ResponseBody("/data/rows/-1"))]),
    }
}

/// Answers with one body after another.
#[derive(Clone)]
struct Server {
    bodies: Arc<Mutex<Vec<&'static str>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Transport for Server {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let page = request.headers().get("x-page");
        let page = page.map_or("-", |value| value.to_str().unwrap());
        let asked = format!("{} {page}", request.uri().path_and_query().unwrap());
        self.asked.lock().unwrap().push(asked);
        let body = self.bodies.lock().unwrap().remove(0);
        let mut response = Response::new(Body::from(body));
        let headers = response.headers_mut();
        headers.insert("content-type", "application/json".parse().unwrap());
        headers.insert("x-next", "p2".parse().unwrap());
        Ok(response)
    }
}

fn server(bodies: &[&'static str]) -> (ClientCore<Server>, Server) {
    let server = Server {
        bodies: Arc::new(Mutex::new(bodies.to_vec())),
        asked: Arc::default(),
    };
    (
        ClientCore::new("http://localhost/v1", server.clone()).unwrap(),
        server,
    )
}

#[test]
fn items_are_moved_out_of_fields_that_may_be_absent() {
    for (body, rows) in [
        (r#"{"data":{"rows":[1,2]}}"#, vec![1, 2]),
        (r#"{"data":{"rows":null}}"#, vec![]),
        (r#"{"data":null}"#, vec![]),
        ("{}", vec![]),
    ] {
        let page: Page = serde_json::from_str(body).unwrap();
        assert_eq!(List::items(page.into()), rows, "{body}");
    }
}

#[tokio::test]
async fn all_values_of_a_position_are_sent_and_kept() {
    let pages = [
        r#"{"data":{"rows":[1,2]}}"#,
        r#"{"data":{"rows":[3]}}"#,
        "{}",
    ];
    let (core, server) = server(&pages);
    let request = List {
        filter: Some("a b".to_owned()),
    };
    let mut list = core.paged(request.clone()).pages();
    list.try_next().await.unwrap().unwrap();
    let cursor = list.cursor().unwrap().to_owned();
    assert_eq!(cursor, r#"[2,"p2"]"#);
    let mut rest = core.paged(request).after(cursor).items();
    assert_eq!(rest.try_next().await.unwrap(), Some(3));
    assert_eq!(rest.try_next().await.unwrap(), None);
    assert_eq!(
        *server.asked.lock().unwrap(),
        [
            "/v1/list?filter=a%20b -",
            "/v1/list?filter=a%20b&after=2 p2",
            "/v1/list?filter=a%20b&after=3 p2",
        ]
    );
}

#[tokio::test]
async fn each_page_has_an_idempotency_key_of_its_own() {
    let (core, server) = server(&[r#"{"data":{"rows":[1]}}"#, "{}"]);
    let key = Some("mine".to_owned());
    let mut pages = core.paged(Search { key }).pages();
    while pages.try_next().await.unwrap().is_some() {}
    let asked = server.asked.lock().unwrap();
    assert_eq!(asked[0], "/v1/search mine");
    let second = asked[1].strip_prefix("/v1/search?after=1 ").unwrap();
    assert_eq!(
        second.len(),
        "00000000-0000-0000-0000-000000000000".len(),
        "{second}"
    );
}

#[tokio::test]
async fn a_cycle_of_any_length_ends() {
    for length in 1..20_usize {
        let bodies: Vec<&'static str> = (0..length)
            .map(|page| &*format!(r#"{{"data":{{"rows":[{page}]}}}}"#).leak())
            .cycle()
            .take(200)
            .collect();
        let (core, server) = server(&bodies);
        let mut pages = core.paged(List { filter: None }).pages();
        let error = loop {
            match pages.try_next().await {
                Ok(Some(_)) => {}
                Ok(None) => panic!("an end of {length} pages"),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, PageError::Repeated { .. }), "{error:?}");
        // The cycle is found within three rounds.
        assert!(
            server.asked.lock().unwrap().len() <= 3 * length + 2,
            "{length}"
        );
        assert!(pages.try_next().await.unwrap().is_none());
    }
}
