//! Parameters in every style: the bytes, written by hand from RFC 6570 and OpenAPI, and back.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use bothends_runtime::http::{HeaderMap, HeaderValue};
use bothends_runtime::private::Value;
use bothends_runtime::serde::Serialize;
use bothends_runtime::{
    Bytes, EncodedRequest, Json, Map, OperationMeta, Param, ParameterStyle, RequestDecoder,
    RequestEncoder,
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
        ParameterStyle::path().encode("p", &"-", &mut request);
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
    ParameterStyle::path(), "a b/é,;=.%".to_owned() => "a%20b%2F%C3%A9%2C%3B%3D.%25";
    ParameterStyle::path(), 5_i64 => "5";
    ParameterStyle::path(), strings(&["red", "gr,een", "b/lue"]) => "red,gr%2Ceen,b%2Flue";
    ParameterStyle::path().explode(), strings(&["red", "green"]) => "red,green";
    ParameterStyle::path(), rgb() => "R,100,G,2%200";
    ParameterStyle::path().explode(), rgb() => "R=100,G=2%200";
    ParameterStyle::path().reserved(), "a:b@c/d?e,f".to_owned() => "a:b@c%2Fd%3Fe,f";
    ParameterStyle::path().json(), rgb() => "%7B%22R%22%3A100%2C%22G%22%3A%222%200%22%7D";
}

cases! { label_in_a_path in_path:
    ParameterStyle::path().label(), "blue".to_owned() => ".blue";
    ParameterStyle::path().label(), strings(&["blue", "b.lack"]) => ".blue,b.lack";
    ParameterStyle::path().label().explode(), strings(&["blue", "b.lack"]) => ".blue.b%2Elack";
    ParameterStyle::path().label(), rgb() => ".R,100,G,2%200";
    ParameterStyle::path().label().explode(), rgb() => ".R=100.G=2%200";
    ParameterStyle::path().label().explode(), vec![1.5, 2.0] => ".1%2E5.2";
}

cases! { matrix_in_a_path in_path:
    ParameterStyle::path().matrix(), "blue".to_owned() => ";p=blue";
    ParameterStyle::path().matrix(), String::new() => ";p";
    ParameterStyle::path().matrix(), strings(&["blue", "bl;ack"]) => ";p=blue,bl%3Back";
    ParameterStyle::path().matrix().explode(), strings(&["blue", "black", ""]) => ";p=blue;p=black;p";
    ParameterStyle::path().matrix(), rgb() => ";p=R,100,G,2%200";
    ParameterStyle::path().matrix().explode(), rgb() => ";R=100;G=2%200";
}

cases! { form_in_a_query in_query:
    ParameterStyle::query(), "blue".to_owned() => "p=blue";
    ParameterStyle::query(), String::new() => "p=";
    ParameterStyle::query(), "a+b&c=d#".to_owned() => "p=a%2Bb%26c%3Dd%23";
    ParameterStyle::query(), strings(&["blue", "bl,ack", ""]) => "p=blue&p=bl%2Cack&p=";
    ParameterStyle::query().flat(), strings(&["blue", "bl,ack", ""]) => "p=blue,bl%2Cack,";
    ParameterStyle::query(), rgb() => "R=100&G=2%200";
    ParameterStyle::query().flat(), rgb() => "p=R,100,G,2%200";
    ParameterStyle::query(), Deep { sizes: Some(vec![1, 2]), ..Deep::new() } => "sizes=1&sizes=2";
    ParameterStyle::query(), Deep { inner: Some(Box::new(Deep { name: Some("x".to_owned()), ..Deep::new() })), ..Deep::new() }
        => "inner=%7B%22name%22%3A%22x%22%7D";
    ParameterStyle::query().reserved(), "a:b/c?d,e=f%20 &+[".to_owned().replace("%20", "") => "p=a:b/c?d,e=f%20%26%2B%5B";
    ParameterStyle::query().reserved().flat(), strings(&["a/b", "c,d"]) => "p=a/b,c%2Cd";
    ParameterStyle::query().json(), rgb() => "p=%7B%22R%22%3A100%2C%22G%22%3A%222%200%22%7D";
    ParameterStyle::query().json(), Json::Null => "p=null";
    ParameterStyle::query(), vec![vec![1, 2], vec![3]] => "p=%5B1%2C2%5D&p=%5B3%5D";
    ParameterStyle::query(), (1_u8, true) => "p=1&p=true";
    ParameterStyle::query(), Either::Number(-5) => "p=-5";
    ParameterStyle::query(), Either::Flag(true) => "p=true";
    ParameterStyle::query(), Either::Text("5x".to_owned()) => "p=5x";
    ParameterStyle::query(), Either::Many(vec![1, 2]) => "p=1&p=2";
}

cases! { delimited_in_a_query in_query:
    ParameterStyle::query().space(), strings(&["blue", "black"]) => "p=blue%20black";
    ParameterStyle::query().pipe(), strings(&["blue", "bl ack"]) => "p=blue%7Cbl%20ack";
    ParameterStyle::query().tab(), strings(&["blue", "black"]) => "p=blue%09black";
    ParameterStyle::query().pipe().explode(), strings(&["a|b", "c"]) => "p=a%7Cb&p=c";
    ParameterStyle::query().space(), Rgb { g: None, ..rgb() } => "p=R%20100";
    ParameterStyle::query().pipe(), rgb() => "p=R%7C100%7CG%7C2%200";
}

cases! { deep_objects_in_a_query in_query:
    ParameterStyle::query().deep(), rgb() => "p%5BR%5D=100&p%5BG%5D=2%200";
    ParameterStyle::query().deep(), Deep {
        name: Some("n".to_owned()),
        sizes: Some(vec![1, 2]),
        inner: Some(Box::new(Deep { name: Some("m".to_owned()), ..Deep::new() })),
        items: Some(vec![
            Deep { sizes: Some(vec![3]), ..Deep::new() },
            Deep { name: Some("o".to_owned()), ..Deep::new() },
        ]),
    } => "p%5Bname%5D=n&p%5Bsizes%5D%5B%5D=1&p%5Bsizes%5D%5B%5D=2&p%5Binner%5D%5Bname%5D=m\
          &p%5Bitems%5D%5B0%5D%5Bsizes%5D%5B%5D=3&p%5Bitems%5D%5B1%5D%5Bname%5D=o";
    ParameterStyle::query().deep(), strings(&["a", "b"]) => "p%5B%5D=a&p%5B%5D=b";
}

cases! { simple_in_a_header in_header:
    ParameterStyle::header(), "a, b;\"c\" %20é".to_owned() => "a, b;\"c\" %20é";
    ParameterStyle::header(), String::new() => "";
    ParameterStyle::header(), strings(&["blue", "black"]) => "blue,black";
    ParameterStyle::header(), rgb() => "R,100,G,2 0";
    ParameterStyle::header().explode(), rgb() => "R=100,G=2 0";
    ParameterStyle::header().json(), rgb() => "{\"R\":100,\"G\":\"2 0\"}";
}

cases! { cookies in_cookies:
    ParameterStyle::cookie(), "a;b c,d".to_owned() => "p=a%3Bb%20c%2Cd";
    ParameterStyle::cookie(), strings(&["blue", "black"]) => "p=blue; p=black";
    ParameterStyle::cookie().flat(), strings(&["blue", "bl,ack"]) => "p=blue,bl%2Cack";
    ParameterStyle::cookie(), rgb() => "R=100; G=2%200";
    ParameterStyle::cookie().flat(), rgb() => "p=R,100,G,2%200";
    ParameterStyle::cookie().cookie(), "a%20b,c".to_owned() => "p=a%20b,c";
    ParameterStyle::cookie().json(), vec![1, 2] => "p=%5B1%2C2%5D";
}

#[test]
fn what_is_undefined_is_left_out() {
    let none: Option<String> = None;
    let empty: Vec<String> = Vec::new();
    for optional in [
        ParameterStyle::query(),
        ParameterStyle::query().flat(),
        ParameterStyle::query().deep(),
        ParameterStyle::cookie(),
    ] {
        let mut request = RequestEncoder::new(&META);
        ParameterStyle::path().encode("p", &"-", &mut request);
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
    assert_eq!(encode(ParameterStyle::query(), &empty).unwrap_err(), wrong);
    assert_eq!(encode(ParameterStyle::path(), &none).unwrap_err(), wrong);
}

#[test]
fn values_beside_text_in_a_segment_arrive() {
    for (p, q, path) in [
        ("a.b", "c.d", "/a%2Eb.c%2Ed"),
        ("{", "x", "/%7B.x"),
        ("é", ".", "/%C3%A9.%2E"),
    ] {
        let mut request = RequestEncoder::new(&CROWDED);
        ParameterStyle::path().encode("p", &p, &mut request);
        ParameterStyle::path().encode("q", &q, &mut request);
        let sent = request.finish().unwrap();
        assert_eq!(sent.path, path);
        let headers = HeaderMap::new();
        let mut request =
            RequestDecoder::new(&CROWDED, &sent.path, None, &headers, Bytes::new()).unwrap();
        assert_eq!(
            ParameterStyle::path()
                .decode::<String>("p", &mut request)
                .as_deref(),
            Some(p)
        );
        assert_eq!(
            ParameterStyle::path()
                .decode::<String>("q", &mut request)
                .as_deref(),
            Some(q)
        );
    }
}

fn read<T: Value>(param: Param, query: &str) -> Result<T, String> {
    let sent = EncodedRequest {
        query: query.to_owned(),
        path: "/x/-/y".to_owned(),
        ..encode(ParameterStyle::path(), &"-").unwrap()
    };
    decode(param, &sent)
}

#[test]
fn what_strangers_write_is_read() {
    assert_eq!(
        read(ParameterStyle::query(), "p=a+b%20c"),
        Ok("a b c".to_owned())
    );
    assert_eq!(
        read(ParameterStyle::query().pipe(), "p=a|b%7cc"),
        Ok(strings(&["a", "b", "c"]))
    );
    assert_eq!(
        read(ParameterStyle::query().space(), "p=a+b%20c"),
        Ok(strings(&["a", "b", "c"]))
    );
    assert_eq!(read(ParameterStyle::query(), "&&p&"), Ok(String::new()));
    assert_eq!(
        read(ParameterStyle::query().deep(), "p[R]=1&p%5BG%5D=x"),
        Ok(Rgb {
            r: Some(1),
            g: Some("x".to_owned()),
            b: None
        })
    );
    assert_eq!(
        read(ParameterStyle::query().deep(), "p[sizes][]=1&p[sizes][]=2"),
        Ok(Deep {
            sizes: Some(vec![1, 2]),
            ..Deep::new()
        })
    );
    assert_eq!(
        read(
            ParameterStyle::query().deep(),
            "p[sizes][1]=2&p[sizes][0]=1"
        ),
        Ok(Deep {
            sizes: Some(vec![1, 2]),
            ..Deep::new()
        })
    );
    let rest: Map<String> = [("x".to_owned(), "1".to_owned())].into();
    assert_eq!(read(ParameterStyle::query(), "other=2&x=1"), Ok(rest));
}
