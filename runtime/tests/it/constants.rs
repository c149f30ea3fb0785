//! Properties without a field are read and written as properties with a field whose type has one
//! value.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_runtime::http::{HeaderMap, HeaderValue};
use bothends_runtime::private::{Row, RowCodec, Statuses, Value, codec};
use bothends_runtime::serde::Serialize;
use bothends_runtime::{
    Bytes, Json, ResponseDecoder, StatusCode, literal_enum, object, string_enum, tagged, union,
};

#[derive(Debug, Clone, Copy, Default, PartialEq, Hash)]
enum Kind {
    #[default]
    List,
}
string_enum! { Kind { List => "list" } }

macro_rules! single {
    ($($Type:ident = $value:expr;)*) => {
        $(#[derive(Debug, Clone, Copy, Default, PartialEq, Hash)]
        enum $Type {
            #[default]
            Only,
        }
        literal_enum! { $Type { Only => $value } })*
    };
}
single! { Version = 2; Scale = -0.5; Done = true; }

/// The two forms of an object.
mod fields {
    use super::*;

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Page {
        pub(super) kind: Kind,
        pub(super) id: i64,
        pub(super) version: Version,
        pub(super) scale: Scale,
        pub(super) done: Done,
    }
    object! {
        Page(id: i64) {
            "kind" => kind!,
            "id" => id,
            "version" => version!,
            "scale" => scale!,
            "done" => done!,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Page {
    id: i64,
}
object! {
    Page(id: i64) {
        "kind" = "list",
        "id" => id,
        "version" = 2,
        "scale" = -0.5,
        "done" = true,
    }
}

const ROW: Row = Row::empty(Statuses::parse("200"));

/// Returns the errors of a body, each with its path and its message.
fn errors<T: Value + Serialize>(media: &'static str, body: &str) -> Vec<String> {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static(media));
    let body = Bytes::copy_from_slice(body.as_bytes());
    let response = ResponseDecoder::new(StatusCode::OK, headers, body);
    let read = match media {
        "application/json" => <codec::json as RowCodec<T>>::read(&ROW, response.body()),
        _ => <codec::form as RowCodec<T>>::read(&ROW, response.body()),
    };
    let Err(error) = read else { return Vec::new() };
    let errors = error.field_errors();
    errors
        .map(|(field, message)| format!("{field}: {message}"))
        .collect()
}

#[test]
fn errors_are_those_of_an_enum_of_one_value() {
    let json = [
        r#"{"kind": "list", "id": 1, "version": 2, "scale": -0.5, "done": true}"#,
        r#"{"done": true, "scale": -5e-1, "version": 2.0, "id": 1, "kind": "\u006cist", "more": 1}"#,
        r#"{"kind": "page", "id": 1, "version": 3, "scale": 0.5, "done": false}"#,
        r#"{"kind": null, "id": null, "version": null, "scale": null, "done": null}"#,
        r#"{"kind": ["list"], "id": "1", "version": "2", "scale": {}, "done": 1}"#,
        r#"{"id": 1, "version": 2, "kind": "list", "kind": "list", "scale": -0.5, "done": true}"#,
        r#"{"version": 2, "version": 2, "id": "x"}"#,
        "{}",
        "[]",
        r#"{"kind": "#,
    ];
    let forms = [
        "kind=list&id=1&version=2&scale=-0.5&done=true",
        "done=1&version=2.0&scale=-5e-1&kind=list&id=1",
        "kind=page&id=1&version=3&scale=0.5&done=false",
        "kind=list&kind=list&id=1",
        "",
    ];
    let json = json.map(|text| ("application/json", text));
    let forms = forms.map(|text| ("application/x-www-form-urlencoded", text));
    for (media, text) in json.iter().chain(&forms) {
        let found = errors::<Page>(media, text);
        assert_eq!(found, errors::<fields::Page>(media, text), "{text}");
    }
    assert_eq!(
        errors::<Page>(json[2].0, json[2].1),
        [
            "kind: must be `list`",
            "version: must be `2`",
            "scale: must be `-0.5`",
            "done: must be `true`",
        ]
    );
    assert_eq!(errors::<Page>(json[7].0, json[7].1).len(), 5);
    for text in json.map(|(_, text)| text) {
        let read = serde_json::from_str::<Page>(text).map_err(|error| error.to_string());
        let other = serde_json::from_str::<fields::Page>(text).map_err(|error| error.to_string());
        assert_eq!(
            read.map(|page| page.id),
            other.map(|page| page.id),
            "{text}"
        );
    }
}

#[test]
fn constants_are_written_at_their_place() {
    let text = r#"{"kind":"list","id":1,"version":2,"scale":-0.5,"done":true}"#;
    assert_eq!(serde_json::to_string(&Page::new(1)).unwrap(), text);
    assert_eq!(serde_json::to_string(&fields::Page::new(1)).unwrap(), text);
    assert_eq!(serde_json::from_str::<Page>(text).unwrap(), Page::new(1));
}

#[derive(Debug, Clone, PartialEq)]
struct Cat {}
object! { Cat() { "kind" = "cat" } }

#[derive(Debug, Clone, PartialEq)]
struct Dog {
    name: Option<String>,
}
object! { Dog() { "name": String => name?, "kind" = "dog" } }

#[derive(Debug, Clone, PartialEq)]
enum Tagged {
    Cat(Cat),
    Dog(Dog),
}
tagged! { Tagged by "kind" { Cat => "cat", Dog => "dog" } }

#[derive(Debug, Clone, PartialEq)]
enum Untagged {
    Cat(Cat),
    Dog(Dog),
}
union! { Untagged { Cat, Dog } }

#[test]
fn unions_choose_by_a_constant_and_write_it_once() {
    for text in [
        r#"{"kind":"cat"}"#,
        r#"{"name":"Rex","kind":"dog"}"#,
        r#"{"kind":"dog"}"#,
    ] {
        let is_cat = text.contains("cat");
        let tagged: Tagged = serde_json::from_str(text).unwrap();
        assert_eq!(matches!(tagged, Tagged::Cat(_)), is_cat);
        assert_eq!(serde_json::to_string(&tagged).unwrap(), text);
        let untagged: Untagged = serde_json::from_str(text).unwrap();
        assert_eq!(matches!(untagged, Untagged::Cat(_)), is_cat);
        assert_eq!(serde_json::to_string(&untagged).unwrap(), text);
    }
    assert!(serde_json::from_str::<Cat>(r#"{"kind":"dog"}"#).is_err());
    for text in [r#"{"kind":"cow"}"#, r#"{"kind":1}"#, "{}"] {
        assert!(serde_json::from_str::<Tagged>(text).is_err(), "{text}");
        assert!(serde_json::from_str::<Untagged>(text).is_err(), "{text}");
    }
    let json: Json =
        serde_json::to_value(Untagged::Dog(Dog::new().name("Rex".to_owned()))).unwrap();
    assert_eq!(json, serde_json::json!({ "name": "Rex", "kind": "dog" }));
}

#[test]
fn a_tag_is_added_where_the_constant_is_another_value() {
    macro_rules! object_of {
        ($Type:ident $constant:literal) => {
            #[derive(Debug, Clone, PartialEq)]
            struct $Type {}
            object! { $Type() { "kind" = $constant } }
        };
    }
    object_of! { Same "a\\\"b" }
    object_of! { Raw r"a\b" }
    object_of! { Escaped "\\" }
    object_of! { Number 1 }
    object_of! { Other "x" }

    #[derive(Debug, Clone, PartialEq)]
    enum All {
        Same(Same),
        Raw(Raw),
        Escaped(Escaped),
        Number(Number),
        Other(Other),
    }
    tagged! {
        All by "kind" {
            Same => "a\\\"b", Raw => "a\\b", Escaped => r"\\", Number => "1", Other => "y",
        }
    }
    for (value, text) in [
        (All::Same(Same {}), r#"{"kind":"a\\\"b"}"#),
        (All::Raw(Raw {}), r#"{"kind":"a\\b"}"#),
        (All::Escaped(Escaped {}), r#"{"kind":"\\\\"}"#),
        (All::Number(Number {}), r#"{"kind":"1"}"#),
        (All::Other(Other {}), r#"{"kind":"y"}"#),
    ] {
        assert_eq!(serde_json::to_string(&value).unwrap(), text);
    }
}
