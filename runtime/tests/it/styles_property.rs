//! Whatever a value is: in every style it comes back as it was, or is refused.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_runtime::http::{HeaderMap, HeaderValue};
use bothends_runtime::private::Value;
use bothends_runtime::serde::Serialize;
use bothends_runtime::{
    Bytes, Map, OperationMeta, Param, ParameterStyle, RequestDecoder, RequestEncoder,
    ResponseDecoder, ResponseEncoder, StatusCode,
};
use proptest::prelude::*;
use std::fmt::Debug;

static PLAIN: OperationMeta = OperationMeta {
    id: "op",
    method: "GET",
    path: "/x/{p}/y",
    server: None,
    parameters: &[("query", "p")],
    security: &[],
    streams: &[],
    success: &[],
    retries: None,
    idempotency_key: None,
};

static CROWDED: OperationMeta = OperationMeta {
    path: "/x-{p}.{q}:z",
    server: None,
    ..PLAIN
};

#[derive(Debug, Clone, PartialEq)]
struct Object {
    text: Option<String>,
    number: Option<f64>,
    whole: Option<i128>,
    flag: Option<bool>,
}
bothends_runtime::object! {
    Object() { "text" => text?, "num=,&.;b er" => number?, "whole" => whole?, "flag" => flag? }
}

fn styles() -> Vec<Param> {
    let path = ParameterStyle::path();
    let query = ParameterStyle::query();
    let header = ParameterStyle::header();
    let cookie = ParameterStyle::cookie();
    vec![
        path,
        path.explode(),
        path.label(),
        path.label().explode(),
        path.matrix(),
        path.matrix().explode(),
        path.json(),
        query,
        query.flat(),
        query.space(),
        query.pipe(),
        query.tab(),
        query.pipe().explode(),
        query.deep(),
        query.json(),
        path.pipe(),
        path.space(),
        path.tab(),
        header,
        header.explode(),
        header.pipe(),
        header.space(),
        header.tab(),
        header.json(),
        cookie,
        cookie.flat(),
        cookie.cookie(),
        cookie.cookie().flat(),
        cookie.json(),
    ]
}

/// Sends a value, and says how it came out; `None` when it is refused.
fn round<T: Serialize + Value>(
    meta: &'static OperationMeta,
    param: Param,
    value: &T,
) -> Option<Option<T>> {
    let in_path = format!("{param:?}").contains("Path");
    let mut request = RequestEncoder::new(meta);
    param.encode("p", value, &mut request);
    if !in_path {
        ParameterStyle::path().encode("p", &"1", &mut request);
    }
    ParameterStyle::path().encode("q", &"1", &mut request);
    let sent = request.finish().ok()?;
    let uri: bothends_runtime::http::Uri = format!("{}?{}", sent.path, sent.query).parse().unwrap();
    let mut headers = sent.headers;
    if !sent.cookies.is_empty() {
        headers.insert("cookie", HeaderValue::from_str(&sent.cookies).ok()?);
    }
    let request =
        RequestDecoder::new(meta, uri.path(), uri.query(), &headers, Bytes::new()).unwrap();
    let mut request = request.keep_encoded_commas();
    Some(param.decode("p", &mut request))
}

fn check<T>(value: &T) -> Result<(), TestCaseError>
where
    T: Serialize + Value + PartialEq + Debug + Clone,
{
    for param in styles() {
        for meta in [&PLAIN, &CROWDED] {
            if let Some(back) = round(meta, param, value) {
                prop_assert_eq!(back.as_ref(), Some(value), "{:?} in {}", param, meta.path);
            }
        }
    }
    Ok(())
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![".*", "[ -~]*", "[,;=&|.%+ \\[\\]a{}\"\\\\]{0,6}"]
}

fn object() -> impl Strategy<Value = Object> {
    let number = any::<f64>().prop_filter("JSON has no others", |number| number.is_finite());
    let parts = (
        proptest::option::of(text()),
        proptest::option::of(number),
        proptest::option::of(any::<i128>()),
        proptest::option::of(any::<bool>()),
    );
    parts.prop_map(|(text, number, whole, flag)| Object {
        text,
        number,
        whole,
        flag,
    })
}

proptest! {
    #[test]
    fn texts(value in text()) {
        check(&value)?;
    }

    #[test]
    fn lists_of_texts(value in proptest::collection::vec(text(), 0..4)) {
        check(&value)?;
    }

    #[test]
    fn lists_of_numbers(value in proptest::collection::vec(any::<i64>(), 0..4)) {
        check(&value)?;
    }

    #[test]
    fn objects(value in object()) {
        check(&value)?;
    }

    #[test]
    fn maps(value in proptest::collection::vec((text(), text()), 0..4)) {
        let map: Map<String> = value.into_iter().collect();
        check(&map)?;
    }

    #[test]
    fn forms_and_parts(
        value in proptest::collection::vec((text(), proptest::collection::vec(text(), 1..3)), 0..4)
    ) {
        let map: Map<Vec<String>> = value.into_iter().collect();
        type Write = fn(&mut ResponseEncoder, &Map<Vec<String>>);
        type Read = fn(&ResponseDecoder) -> Option<Map<Vec<String>>>;
        let ways: [(Write, Read); 2] = [
            (|to, map| to.body().form("application/x-www-form-urlencoded", map), |from| from.body().form().ok()),
            (|to, map| to.body().multipart("multipart/form-data", map), |from| from.body().multipart().ok()),
        ];
        for (write, read) in ways {
            let mut response = ResponseEncoder::new();
            write(response.status(200), &map);
            let (content_type, body) = response.finish().unwrap().body.unwrap();
            let mut headers = HeaderMap::new();
            headers.insert("content-type", content_type);
            let back = read(&ResponseDecoder::new(StatusCode::OK, headers, body));
            prop_assert_eq!(back.as_ref(), Some(&map));
        }
    }

    #[test]
    fn nothing_on_the_wire_makes_it_fail(path in ".*", query in ".*", header in ".*") {
        let mut headers = HeaderMap::new();
        if let Ok(value) = HeaderValue::from_str(&header) {
            headers.insert("p", value.clone());
            headers.insert("cookie", value);
        }
        let path = format!("/x/{path}/y");
        for param in styles() {
            if let Some(mut request) =
                RequestDecoder::new(&PLAIN, &path, Some(&query), &headers, Bytes::new())
            {
                let _ = param.decode::<String>("p", &mut request);
                let _ = param.decode::<Vec<i64>>("p", &mut request);
                let _ = param.decode::<Object>("p", &mut request);
                let _ = param.decode::<Map<Vec<String>>>("p", &mut request);
            }
        }
    }
}
