//! Parameters in every style: the bytes, written by hand from RFC 6570 and OpenAPI, and back.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use bothends_runtime::http::{HeaderMap, HeaderValue};
use bothends_runtime::private::Value;
use bothends_runtime::serde::Serialize;
use bothends_runtime::{
    Bytes, EncodedRequest, Json, Map, OperationMeta, Param, RequestDecoder, RequestEncoder, Style,
};
use std::fmt::Debug;

mod errors;

#[derive(Debug, Clone, PartialEq)]
struct Rgb {
    r: Option<i64>,
    g: Option<String>,
    b: Option<i64>,
}
bothends_runtime::object! { Rgb() { "R" => r?, "G" => g?, "B" => b? } }

#[derive(Debug, Clone, PartialEq)]
struct Deep {
    name: Option<String>,
    sizes: Option<Vec<i64>>,
    inner: Option<Box<Deep>>,
    items: Option<Vec<Deep>>,
}
bothends_runtime::object! {
    Deep() { "name" => name?, "sizes" => sizes?, "inner" => inner?, "items" => items? }
}

#[derive(Debug, Clone, PartialEq)]
enum Either {
    Number(i64),
    Flag(bool),
    Many(Vec<i64>),
    Text(String),
}
bothends_runtime::union! { Either { Number, Flag, Many, Text } }

static META: OperationMeta = OperationMeta {
    id: "op",
    method: "GET",
    path: "/x/{p}/y",
    server: None,
    parameters: &[("query", "other"), ("query", "p")],
    security: &[],
    streams: &[],
    success: &[],
    retries: None,
    idempotency_key: None,
};

static CROWDED: OperationMeta = OperationMeta {
    path: "/{p}.{q}",
    server: None,
    ..META
};

fn rgb() -> Rgb {
    Rgb {
        r: Some(100),
        g: Some("2 0".to_owned()),
        b: None,
    }
}

fn strings(items: &[&str]) -> Vec<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

fn encode<T: Serialize>(param: Param, value: &T) -> Result<EncodedRequest, String> {
    let mut request = RequestEncoder::new(&META);
    param.encode("p", value, &mut request);
    if !format!("{param:?}").contains("Path") {
        Style::path().encode("p", &"-", &mut request);
    }
    request.finish().map_err(|error| error.to_string())
}

fn headers(sent: &EncodedRequest) -> HeaderMap {
    let mut headers = sent.headers.clone();
    if !sent.cookies.is_empty() {
        headers.insert("cookie", HeaderValue::from_str(&sent.cookies).unwrap());
    }
    headers
}

fn decode<T: Value>(param: Param, sent: &EncodedRequest) -> Result<T, String> {
    let headers = headers(sent);
    let mut request =
        RequestDecoder::new(&META, &sent.path, Some(&sent.query), &headers, Bytes::new()).unwrap();
    param.decode("p", &mut request).ok_or_else(|| {
        let errors = request
            .field_errors()
            .iter()
            .map(|error| format!("{}: {}", error.field, error.message));
        errors.collect::<Vec<_>>().join("; ")
    })
}

/// What is written into its place, checked to come back as it was.
#[track_caller]
fn there_and_back<T>(param: Param, value: T, place: fn(&EncodedRequest) -> String) -> String
where
    T: Serialize + Value + PartialEq + Debug,
{
    let sent = encode(param, &value).unwrap();
    assert_eq!(decode::<T>(param, &sent).as_ref(), Ok(&value), "{sent:?}");
    place(&sent)
}

fn in_path(sent: &EncodedRequest) -> String {
    sent.path
        .strip_prefix("/x/")
        .and_then(|path| path.strip_suffix("/y"))
        .unwrap()
        .to_owned()
}

fn in_query(sent: &EncodedRequest) -> String {
    sent.query.clone()
}

fn in_cookies(sent: &EncodedRequest) -> String {
    sent.cookies.clone()
}

fn in_header(sent: &EncodedRequest) -> String {
    sent.headers
        .get("p")
        .map(|value| String::from_utf8(value.as_bytes().to_vec()).unwrap())
        .unwrap()
}

macro_rules! cases {
    ($name:ident $place:ident: $($param:expr, $value:expr => $text:expr;)*) => {
        #[test]
        fn $name() {
            $(assert_eq!(there_and_back($param, $value, $place), $text);)*
        }
    };
}

cases! { simple_in_a_path in_path:
    Style::path(), "a b/é,;=.%".to_owned() => "a%20b%2F%C3%A9%2C%3B%3D.%25";
    Style::path(), 5_i64 => "5";
    Style::path(), strings(&["red", "gr,een", "b/lue"]) => "red,gr%2Ceen,b%2Flue";
    Style::path().explode(), strings(&["red", "green"]) => "red,green";
    Style::path(), rgb() => "R,100,G,2%200";
    Style::path().explode(), rgb() => "R=100,G=2%200";
    Style::path().reserved(), "a:b@c/d?e,f".to_owned() => "a:b@c%2Fd%3Fe,f";
    Style::path().json(), rgb() => "%7B%22R%22%3A100%2C%22G%22%3A%222%200%22%7D";
}

cases! { label_in_a_path in_path:
    Style::path().label(), "blue".to_owned() => ".blue";
    Style::path().label(), strings(&["blue", "b.lack"]) => ".blue,b.lack";
    Style::path().label().explode(), strings(&["blue", "b.lack"]) => ".blue.b%2Elack";
    Style::path().label(), rgb() => ".R,100,G,2%200";
    Style::path().label().explode(), rgb() => ".R=100.G=2%200";
    Style::path().label().explode(), vec![1.5, 2.0] => ".1%2E5.2";
}

cases! { matrix_in_a_path in_path:
    Style::path().matrix(), "blue".to_owned() => ";p=blue";
    Style::path().matrix(), String::new() => ";p";
    Style::path().matrix(), strings(&["blue", "bl;ack"]) => ";p=blue,bl%3Back";
    Style::path().matrix().explode(), strings(&["blue", "black", ""]) => ";p=blue;p=black;p";
    Style::path().matrix(), rgb() => ";p=R,100,G,2%200";
    Style::path().matrix().explode(), rgb() => ";R=100;G=2%200";
}

cases! { form_in_a_query in_query:
    Style::query(), "blue".to_owned() => "p=blue";
    Style::query(), String::new() => "p=";
    Style::query(), "a+b&c=d#".to_owned() => "p=a%2Bb%26c%3Dd%23";
    Style::query(), strings(&["blue", "bl,ack", ""]) => "p=blue&p=bl%2Cack&p=";
    Style::query().flat(), strings(&["blue", "bl,ack", ""]) => "p=blue,bl%2Cack,";
    Style::query(), rgb() => "R=100&G=2%200";
    Style::query().flat(), rgb() => "p=R,100,G,2%200";
    Style::query(), Deep { sizes: Some(vec![1, 2]), ..Deep::new() } => "sizes=1&sizes=2";
    Style::query(), Deep { inner: Some(Box::new(Deep { name: Some("x".to_owned()), ..Deep::new() })), ..Deep::new() }
        => "inner=%7B%22name%22%3A%22x%22%7D";
    Style::query().reserved(), "a:b/c?d,e=f%20 &+[".to_owned().replace("%20", "") => "p=a:b/c?d,e=f%20%26%2B%5B";
    Style::query().reserved().flat(), strings(&["a/b", "c,d"]) => "p=a/b,c%2Cd";
    Style::query().json(), rgb() => "p=%7B%22R%22%3A100%2C%22G%22%3A%222%200%22%7D";
    Style::query().json(), Json::Null => "p=null";
    Style::query(), vec![vec![1, 2], vec![3]] => "p=%5B1%2C2%5D&p=%5B3%5D";
    Style::query(), (1_u8, true) => "p=1&p=true";
    Style::query(), Either::Number(-5) => "p=-5";
    Style::query(), Either::Flag(true) => "p=true";
    Style::query(), Either::Text("5x".to_owned()) => "p=5x";
    Style::query(), Either::Many(vec![1, 2]) => "p=1&p=2";
}

cases! { delimited_in_a_query in_query:
    Style::query().space(), strings(&["blue", "black"]) => "p=blue%20black";
    Style::query().pipe(), strings(&["blue", "bl ack"]) => "p=blue%7Cbl%20ack";
    Style::query().tab(), strings(&["blue", "black"]) => "p=blue%09black";
    Style::query().pipe().explode(), strings(&["a|b", "c"]) => "p=a%7Cb&p=c";
    Style::query().space(), Rgb { g: None, ..rgb() } => "p=R%20100";
    Style::query().pipe(), rgb() => "p=R%7C100%7CG%7C2%200";
}

cases! { deep_objects_in_a_query in_query:
    Style::query().deep(), rgb() => "p%5BR%5D=100&p%5BG%5D=2%200";
    Style::query().deep(), Deep {
        name: Some("n".to_owned()),
        sizes: Some(vec![1, 2]),
        inner: Some(Box::new(Deep { name: Some("m".to_owned()), ..Deep::new() })),
        items: Some(vec![
            Deep { sizes: Some(vec![3]), ..Deep::new() },
            Deep { name: Some("o".to_owned()), ..Deep::new() },
        ]),
    } => "p%5Bname%5D=n&p%5Bsizes%5D%5B%5D=1&p%5Bsizes%5D%5B%5D=2&p%5Binner%5D%5Bname%5D=m\
          &p%5Bitems%5D%5B0%5D%5Bsizes%5D%5B%5D=3&p%5Bitems%5D%5B1%5D%5Bname%5D=o";
    Style::query().deep(), strings(&["a", "b"]) => "p%5B%5D=a&p%5B%5D=b";
}

cases! { simple_in_a_header in_header:
    Style::header(), "a, b;\"c\" %20é".to_owned() => "a, b;\"c\" %20é";
    Style::header(), String::new() => "";
    Style::header(), strings(&["blue", "black"]) => "blue,black";
    Style::header(), rgb() => "R,100,G,2 0";
    Style::header().explode(), rgb() => "R=100,G=2 0";
    Style::header().json(), rgb() => "{\"R\":100,\"G\":\"2 0\"}";
}

cases! { cookies in_cookies:
    Style::cookie(), "a;b c,d".to_owned() => "p=a%3Bb%20c%2Cd";
    Style::cookie(), strings(&["blue", "black"]) => "p=blue; p=black";
    Style::cookie().flat(), strings(&["blue", "bl,ack"]) => "p=blue,bl%2Cack";
    Style::cookie(), rgb() => "R=100; G=2%200";
    Style::cookie().flat(), rgb() => "p=R,100,G,2%200";
    Style::cookie().cookie(), "a%20b,c".to_owned() => "p=a%20b,c";
    Style::cookie().json(), vec![1, 2] => "p=%5B1%2C2%5D";
}

#[test]
fn what_is_undefined_is_left_out() {
    let none: Option<String> = None;
    let empty: Vec<String> = Vec::new();
    for optional in [
        Style::query(),
        Style::query().flat(),
        Style::query().deep(),
        Style::cookie(),
    ] {
        let mut request = RequestEncoder::new(&META);
        Style::path().encode("p", &"-", &mut request);
        optional.optional().encode("p", &none, &mut request);
        optional
            .optional()
            .encode("p", &Some(empty.clone()), &mut request);
        optional
            .optional()
            .encode("p", &Some(Rgb::new()), &mut request);
        let sent = request.finish().unwrap();
        assert_eq!((&*sent.query, &*sent.cookies), ("", ""));
        let headers = HeaderMap::new();
        let mut request =
            RequestDecoder::new(&META, "/x/-/y", Some("other=1"), &headers, Bytes::new()).unwrap();
        assert_eq!(
            optional
                .optional()
                .decode::<Option<String>>("p", &mut request),
            Some(None)
        );
        assert_eq!(
            optional.optional().decode::<Option<Rgb>>("p", &mut request),
            Some(None)
        );
        assert_eq!(
            optional
                .optional()
                .decode::<Option<Map<String>>>("p", &mut request),
            Some(None)
        );
        assert_eq!(
            optional
                .optional()
                .decode::<Option<Either>>("p", &mut request),
            Some(None)
        );
        assert_eq!(
            optional
                .optional()
                .decode::<Option<Vec<i64>>>("p", &mut request),
            Some(None)
        );
    }
    let wrong =
        "p cannot be sent: it is required, and an empty list or null cannot be written here";
    assert_eq!(encode(Style::query(), &empty).unwrap_err(), wrong);
    assert_eq!(encode(Style::path(), &none).unwrap_err(), wrong);
}

#[test]
fn values_beside_text_in_a_segment_arrive() {
    for (p, q, path) in [
        ("a.b", "c.d", "/a%2Eb.c%2Ed"),
        ("{", "x", "/%7B.x"),
        ("é", ".", "/%C3%A9.%2E"),
    ] {
        let mut request = RequestEncoder::new(&CROWDED);
        Style::path().encode("p", &p, &mut request);
        Style::path().encode("q", &q, &mut request);
        let sent = request.finish().unwrap();
        assert_eq!(sent.path, path);
        let headers = HeaderMap::new();
        let mut request =
            RequestDecoder::new(&CROWDED, &sent.path, None, &headers, Bytes::new()).unwrap();
        assert_eq!(
            Style::path().decode::<String>("p", &mut request).as_deref(),
            Some(p)
        );
        assert_eq!(
            Style::path().decode::<String>("q", &mut request).as_deref(),
            Some(q)
        );
    }
}

fn read<T: Value>(param: Param, query: &str) -> Result<T, String> {
    let sent = EncodedRequest {
        query: query.to_owned(),
        path: "/x/-/y".to_owned(),
        ..encode(Style::path(), &"-").unwrap()
    };
    decode(param, &sent)
}

#[test]
fn what_strangers_write_is_read() {
    assert_eq!(read(Style::query(), "p=a+b%20c"), Ok("a b c".to_owned()));
    assert_eq!(
        read(Style::query().pipe(), "p=a|b%7cc"),
        Ok(strings(&["a", "b", "c"]))
    );
    assert_eq!(
        read(Style::query().space(), "p=a+b%20c"),
        Ok(strings(&["a", "b", "c"]))
    );
    assert_eq!(read(Style::query(), "&&p&"), Ok(String::new()));
    assert_eq!(
        read(Style::query().deep(), "p[R]=1&p%5BG%5D=x"),
        Ok(Rgb {
            r: Some(1),
            g: Some("x".to_owned()),
            b: None
        })
    );
    assert_eq!(
        read(Style::query().deep(), "p[sizes][]=1&p[sizes][]=2"),
        Ok(Deep {
            sizes: Some(vec![1, 2]),
            ..Deep::new()
        })
    );
    assert_eq!(
        read(Style::query().deep(), "p[sizes][1]=2&p[sizes][0]=1"),
        Ok(Deep {
            sizes: Some(vec![1, 2]),
            ..Deep::new()
        })
    );
    let rest: Map<String> = [("x".to_owned(), "1".to_owned())].into();
    assert_eq!(read(Style::query(), "other=2&x=1"), Ok(rest));
}
