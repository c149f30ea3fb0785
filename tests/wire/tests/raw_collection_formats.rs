//! What stands between the items of a list, by Swagger 2.0, in requests that are written by hand.

use std::sync::{Arc, Mutex};

use bothends_runtime::server::{Context, Error};
use bothends_runtime::{NoError, Response};
use bothends_wire_tests::of_collection_formats::operations::*;
use bothends_wire_tests::of_collection_formats::server::{DefaultApi, router};
use bothends_wire_tests::raw::{get, send, serve};

type Answer<T> = Result<T, Error<NoError>>;

/// Notes what each handler was called with.
#[derive(Clone, Default)]
struct Api(Arc<Mutex<Vec<String>>>);

impl Api {
    fn note(&self, what: impl std::fmt::Debug) {
        self.0.lock().expect("no panic").push(format!("{what:?}"));
    }

    fn last(&self) -> Option<String> {
        self.0.lock().expect("no panic").pop()
    }
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

impl DefaultApi for Api {
    async fn get_csv(&self, _: Context, request: GetCsvRequest) -> Answer<GetCsvResponse> {
        self.note((request.list, request.query, &request.x_list));
        let mut headers = GetCsvResponseHeaders::new();
        headers.x_list = request.x_list;
        Ok(Response::with_headers((), headers))
    }

    async fn get_pipes(&self, _: Context, request: GetPipesRequest) -> Answer<GetPipesResponse> {
        self.note((request.list, request.query, &request.x_list));
        let mut headers = GetPipesResponseHeaders::new();
        headers.x_list = request.x_list;
        Ok(Response::with_headers((), headers))
    }

    async fn get_ssv(&self, _: Context, request: GetSsvRequest) -> Answer<GetSsvResponse> {
        self.note((request.list, request.query, request.x_list));
        let headers = GetSsvResponseHeaders::new().x_list(vec![1, 2]);
        Ok(Response::with_headers((), headers))
    }

    async fn get_tsv(&self, _: Context, request: GetTsvRequest) -> Answer<GetTsvResponse> {
        self.note((request.list, request.query, &request.x_list));
        let mut headers = GetTsvResponseHeaders::new();
        headers.x_list = request.x_list;
        Ok(Response::with_headers((), headers))
    }

    async fn get_multi(&self, _: Context, request: GetMultiRequest) -> Answer<GetMultiResponse> {
        self.note((request.query, request.flag));
        Ok(().into())
    }
}

/// Swagger 2.0, Parameter Object: `csv`, `ssv`, `tsv`, `pipes`, and `multi` in queries.
#[test]
fn collection_formats_hold_wherever_a_list_is() {
    let api = Api::default();
    let to = serve(router(api.clone()).allow_unauthenticated());
    let list = r#"["a", "b"]"#;
    for (target, header, answer) in [
        ("/csv/a,b?query=a,b", "a, b", "a,b"),
        ("/csv/a%2Cb?query=a%2Cb", "a,b", "a,b"),
        ("/pipes/a%7Cb?query=a%7Cb", "a|b", "a|b"),
        ("/ssv/a%20b?query=a+b", "a b", "1 2"),
        ("/tsv/a%09b?query=a%09b", "a\tb", "a\tb"),
    ] {
        let came = get(to, target, &format!("X-List: {header}\r\n"));
        assert_eq!(status(&came), "204", "{came}");
        let expected = format!("({list}, Some({list}), Some({list}))");
        assert_eq!(api.last(), Some(expected), "{target}");
        assert!(came.contains(&format!("x-list: {answer}\r\n")), "{came}");
    }
    // A plus is a plus in a path.
    let _ = get(to, "/ssv/a+b", "");
    assert_eq!(api.last().as_deref(), Some(r#"(["a+b"], None, None)"#));
    let _ = send(to, "GET /multi?query=a&query=b&flag HTTP/1.1\r\n\r\n");
    assert_eq!(
        api.last().as_deref(),
        Some(r#"(Some(["a", "b"]), Some(true))"#)
    );
}
