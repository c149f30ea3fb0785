//! Everything that is wrong with a request is told, by its path and in the words of JSON.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_runtime::http::{HeaderMap, HeaderValue};
use bothends_runtime::private::{Row, RowCodec, Statuses, Value, codec};
use bothends_runtime::{
    Base64, Bytes, Json, Map, Nullable, OperationMeta, Param, ParameterStyle, RequestDecoder,
    ResponseDecoder, StatusCode, object, string_enum, tagged, union,
};

#[derive(Debug, Clone, PartialEq)]
struct Item {
    id: i32,
    name: Option<String>,
    tags: Option<Vec<Vec<i64>>>,
    kind: Option<Kind>,
    more: Option<Map<Item>>,
    pair: Option<(String, bool)>,
    note: Nullable<String>,
    any: Option<Json>,
}
object! {
    Item(id: i32) {
        "id" => id,
        "name" => name?,
        "tags" => tags?,
        "kind" => kind?,
        "more" => more?,
        "pair" => pair?,
        "note" => note?,
        "any" => any?,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Hash)]
enum Kind {
    A,
    B,
}
string_enum! { Kind { A => "a", B => "b" } }

#[derive(Debug, Clone, PartialEq)]
enum Pet {
    Item(Box<Item>),
    Other(Other),
}
tagged! { Pet by "type" { Item => "item", Other => "other" } }

#[derive(Debug, Clone, PartialEq)]
struct Other {
    list: Vec<i64>,
}
object! { Other(list: Vec<i64>) { "list" => list } }

#[derive(Debug, Clone, PartialEq)]
enum Loose {
    Other(Other),
    Text(String),
}
union! { Loose { Other, Text } }

const ROW: Row = Row::empty(Statuses::parse("200"));

/// What is wrong with a body.
fn body<T: Value + serde::Serialize>(media: &'static str, body: &str) -> Vec<String> {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static(media));
    let body = Bytes::copy_from_slice(body.as_bytes());
    let response = ResponseDecoder::new(StatusCode::OK, headers, body);
    let read = match media {
        "application/json" => <codec::json as RowCodec<T>>::read(&ROW, response.body()),
        _ => <codec::form as RowCodec<T>>::read(&ROW, response.body()),
    };
    let Err(error) = read else { return Vec::new() };
    error
        .field_errors()
        .map(|(field, message)| format!("{field}: {message}"))
        .collect()
}

fn json<T: Value + serde::Serialize>(text: &str) -> Vec<String> {
    body::<T>("application/json", text)
}

#[test]
fn every_item_of_a_list_or_map_that_is_wrong_is_told() {
    let text = r#"[
        {"id": 1},
        {"id": "x", "name": 1},
        {"tags": [[1, "a", 2, "b"], [3], ["c"], 4]},
        {"id": 2, "more": {"x": {"id": []}, "y": {"id": 3}, "z": {"name": null, "kind": "c"}}},
        {"id": 99999999999, "pair": ["x"]},
        {"id": 5}
    ]"#;
    assert_eq!(
        json::<Vec<Item>>(text),
        [
            "[1].id: must be an integer",
            "[1].name: must be a string",
            "[2].tags[0][1]: must be an integer",
            "[2].id: is required",
            "[2].tags[0][3]: must be an integer",
            "[2].tags[2][0]: must be an integer",
            "[2].tags[3]: must be an array",
            "[3].more.x.id: must be an integer",
            "[3].more.z.kind: must be one of `a`, `b`",
            "[3].more.z.id: is required",
            "[4].id: must be an integer from -2147483648 to 2147483647",
            "[4].pair: must be an array of 2 items",
        ]
    );
    assert_eq!(json::<Vec<Item>>(r#"[{"id": 1}]"#), [""; 0]);
}

#[test]
fn within_unions_too() {
    assert_eq!(
        json::<Vec<Pet>>(
            r#"[
                {"type": "other", "list": [1, "a", "b"]},
                {"type": "item", "id": true, "tags": {}},
                {"type": "cow"}, {"type": 1}, {}, []
            ]"#
        ),
        [
            "[0].list[1]: must be an integer",
            "[0].list[2]: must be an integer",
            "[1].id: must be an integer",
            "[1].tags: must be an array",
            "[2].type: must be one of `item`, `other`",
            "[3].type: must be a string",
            "[4].type: is required",
            "[5]: must be an object",
        ]
    );
    // What looks like one of the variants only is told as that one.
    assert_eq!(
        json::<Map<Loose>>(r#"{"a": {"list": ["x", 1, "y"]}, "b": 1, "c": "fine"}"#),
        [
            "a.list[0]: must be an integer",
            "a.list[2]: must be an integer",
            "b: matches none of the alternatives: Other (must be an object); Text (must be a string)",
        ]
    );
}

#[test]
fn there_is_an_end_to_it() {
    let many = format!("[{}]", vec![r#"{"id": "x"}"#; 5000].join(","));
    let reported = json::<Vec<Item>>(&many);
    assert_eq!(reported.len(), 101);
    assert_eq!(reported[99], "[99].id: must be an integer");
    assert_eq!(
        reported[100],
        "body: has further errors, which are not listed"
    );
    // A large value beside a list of faults is not read again for each of them without end.
    let large = vec!["0"; 100_000].join(",");
    let wrong = vec![r#""x""#; 60].join(",");
    let text = format!(r#"{{"a": [{large}], "b": [{wrong}]}}"#);
    let reported = json::<Map<Vec<i64>>>(&text);
    assert!((10..60).contains(&reported.len()), "{}", reported.len());
    assert_eq!(
        reported.last().unwrap(),
        "body: has further errors, which are not listed"
    );
}

#[test]
fn forms_tell_all_too() {
    #[derive(Debug, Clone, PartialEq)]
    struct Order {
        id: i64,
        tags: Vec<i64>,
        item: Option<Item>,
        data: Option<Base64>,
    }
    object! {
        Order(id: i64, tags: Vec<i64>) {
            "id" => id, "tags" => tags, "item" => item?, "data" => data?,
        }
    }
    let form = "id=x&tags=1&tags=b&tags=c&data=%21&item=%7B%22id%22%3A%22x%22%2C%22name%22%3A1%7D";
    assert_eq!(
        body::<Order>("application/x-www-form-urlencoded", form),
        [
            "id: must be an integer",
            "tags[1]: must be an integer",
            "data: must be base64",
            "item.id: must be an integer",
            "item.name: must be a string",
            "tags[2]: must be an integer",
        ]
    );
}

static META: OperationMeta = OperationMeta {
    id: "op",
    method: "GET",
    path: "/x/{p}",
    server: None,
    parameters: &[("query", "p")],
    security: &[],
    streams: &[],
    success: &[],
    retries: None,
    idempotency_key: None,
};

/// What is wrong with a parameter.
fn param<T: Value>(param: Param, query: &str, headers: &[(&str, &str)]) -> Vec<String> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let name = bothends_runtime::http::HeaderName::from_bytes(name.as_bytes()).unwrap();
        map.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
    }
    let mut request =
        RequestDecoder::new(&META, "/x/%31", Some(query), &map, Bytes::new()).unwrap();
    let read = param.decode::<T>("p", &mut request);
    assert_eq!(read.is_none(), !request.field_errors().is_empty());
    let faults = request.field_errors().iter();
    faults
        .map(|fault| format!("{}: {}", fault.field, fault.message))
        .collect()
}

#[test]
fn parameters_tell_all_too() {
    type Numbers = Vec<i64>;
    let two = ["p[1]: must be an integer", "p[2]: must be an integer"];
    assert_eq!(
        param::<Numbers>(ParameterStyle::query(), "p=1&p=a&p=b", &[]),
        two
    );
    assert_eq!(
        param::<Numbers>(ParameterStyle::query().flat(), "p=1,a,b", &[]),
        two
    );
    assert_eq!(
        param::<Numbers>(ParameterStyle::header(), "", &[("p", "1, a,b")]),
        two
    );
    assert_eq!(
        param::<Numbers>(ParameterStyle::cookie(), "", &[("cookie", "p=1; p=a; p=b")]),
        two
    );
    assert_eq!(
        param::<Item>(
            ParameterStyle::query().deep(),
            "p[id]=x&p[kind]=c&p[name]=1",
            &[]
        ),
        [
            "p.id: must be an integer",
            "p.kind: must be one of `a`, `b`"
        ]
    );
    assert_eq!(
        param::<Vec<Item>>(
            ParameterStyle::query().json(),
            "p=[{%22id%22:true},{}]",
            &[]
        ),
        ["p[0].id: must be an integer", "p[1].id: is required"]
    );
}

/// What cannot be read at all, byte by byte.
#[test]
fn broken_parameters_are_told() {
    for (query, message) in [
        // RFC 3986, section 2.1: a percent sign begins a triple.
        ("p=%", "p: is badly encoded"),
        ("p=%4", "p: is badly encoded"),
        ("p=%G1", "p: is badly encoded"),
        // RFC 3629, section 3: a lone continuation byte, a cut sequence, an overlong one, a surrogate.
        ("p=%80", "p: is badly encoded"),
        ("p=%E4%B8", "p: is badly encoded"),
        ("p=%C0%AF", "p: is badly encoded"),
        ("p=%ED%A0%80", "p: is badly encoded"),
        ("p=1&p=2", "p: is given more than once"),
        ("", "p: is required"),
    ] {
        assert_eq!(
            param::<String>(ParameterStyle::query(), query, &[]),
            [message],
            "{query}"
        );
    }
    assert_eq!(
        param::<String>(ParameterStyle::cookie(), "", &[("cookie", "p=%E4")]),
        ["p: is badly encoded"]
    );
    let mut headers = HeaderMap::new();
    headers.insert("p", HeaderValue::from_bytes(b"\xff").unwrap());
    let mut request = RequestDecoder::new(&META, "/x/1", None, &headers, Bytes::new()).unwrap();
    assert_eq!(
        ParameterStyle::header().decode::<String>("p", &mut request),
        None
    );
    assert_eq!(request.field_errors()[0].message, "is not UTF-8");
}

#[test]
fn another_charset_is_not_taken_for_utf_8() {
    let read = |media: &'static str, bytes: &'static [u8]| {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static(media));
        let response = ResponseDecoder::new(StatusCode::OK, headers, Bytes::from_static(bytes));
        response
            .body()
            .text::<String>()
            .map_err(|error| error.to_string())
    };
    // An é, in one charset and in the other.
    assert_eq!(
        read("text/plain; charset=UTF-8", b"\xc3\xa9"),
        Ok("é".to_owned())
    );
    assert_eq!(
        read("text/plain; charset=\"iso-8859-1\"", b"\xe9"),
        Err("body: is of the charset iso-8859-1, and only UTF-8 is read".to_owned())
    );
    assert_eq!(
        read("text/plain; charset=iso-8859-1", b"e"),
        Ok("e".to_owned())
    );
    assert_eq!(
        read("text/plain", b"\xe9"),
        Err("body: is not UTF-8".to_owned())
    );
}

/// A response says null where nothing should be, and is taken.
#[test]
fn null_for_nothing_is_taken_outside_of_requests() {
    let text = r#"{"id": 1, "name": null, "note": null, "any": null}"#;
    let item: Item = serde_json::from_str(text).unwrap();
    assert_eq!((&item.name, &item.note), (&None, &Nullable::Null));
    // Any JSON may be there, null too: it is kept.
    assert_eq!(item.any, Some(Json::Null));
    let item = Item::new(1);
    assert_eq!(serde_json::to_string(&item).unwrap(), r#"{"id":1}"#);
}
