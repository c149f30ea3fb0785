//! Names that generated code may give, and that the macros must not trip over.
#![allow(missing_docs, dead_code, unreachable_pub, clippy::unwrap_used)]
#![deny(warnings)]

use bothends_runtime::{Map, NoError, Unrecognized};

// Whatever the document calls its types, the macros mean those of the standard library.
struct Option;
struct Result;
struct Box;
struct Vec;
struct String;
struct Default;

#[derive(Debug, Clone, PartialEq)]
pub struct Odd {
    pub map: u8,
    pub serializer: u8,
    pub deserializer: core::option::Option<u8>,
    pub value: core::option::Option<u8>,
    pub r#type: core::option::Option<u8>,
    pub meta: Map<u8>,
}
bothends_runtime::object! {
    Odd(map: u8, serializer: u8) {
        "map" => map,
        "serializer" => serializer,
        "deserializer": u8 => deserializer?,
        "value": u8 => value?,
        "type": u8 => r#type?,
        ..meta
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Hash)]
pub enum Shut {
    Error,
    Err,
    Ok,
    None,
    Some,
}
bothends_runtime::string_enum! {
    Shut { Error => "error", Err => "err", Ok => "ok", None => "none", Some => "some" }
}

#[derive(Debug, Clone, PartialEq, Hash)]
#[non_exhaustive]
pub enum Open {
    Error,
    Err,
    Unrecognized,
    Unrecognized2(Unrecognized),
}
bothends_runtime::string_enum! {
    Open, Unrecognized2 { Error => "error", Err => "err", Unrecognized => "unrecognized" }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Literal {
    Error,
    Err,
    Null,
}
bothends_runtime::literal_enum! { Literal { Error => 1, Err => "x", Null => null } }

#[derive(Debug, Clone, PartialEq)]
pub enum Union {
    Error(u8),
    Ok(Odd),
    None(std::boxed::Box<Union>),
}
bothends_runtime::union! { Union { Error, Ok, None } }

#[derive(Debug, Clone, PartialEq)]
pub enum Lists {
    Number(u8),
    One(std::vec::Vec<Lists>),
    Other(std::vec::Vec<Lists>),
    Third(std::vec::Vec<Lists>),
}
bothends_runtime::union! { Lists { Number, One, Other, Third } }

#[derive(Debug, Clone, PartialEq)]
pub enum Tagged {
    Error(std::boxed::Box<Odd>),
    Deserialize(Odd),
}
bothends_runtime::tagged! { Tagged by "map" { Error => "error", Deserialize => "x" | "y" } }

#[derive(Debug, Clone, PartialEq)]
pub enum Itself {
    Itself(std::boxed::Box<Odd>),
    Other(std::boxed::Box<Around>),
}
bothends_runtime::tagged! { Itself by "kind" { Itself => "odd", Other => "itself" } }

#[derive(Debug, Clone, PartialEq)]
pub struct Around(Itself);
bothends_runtime::newtype! { Around(Itself) }

#[derive(Debug, Clone, PartialEq)]
pub struct Unit;
bothends_runtime::operation! {
    "unit": "GET" "/"
    Unit {}
    -> UnitResponse { 204 }, UnitError = NoError
}

#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    pub request: u8,
    pub security: core::option::Option<u8>,
}
bothends_runtime::operation! {
    "request": "GET" "/{request}"
    Request(request: u8) from [u8] {
        path "request" => request,
        query[form explode reserved] "security": u8 => security?,
    }
    -> Response { 2XX }, Errors = NoError
    security { ["security"] }
}

#[test]
fn they_work_all_the_same() {
    let odd = Odd::new(1, 2);
    assert_eq!(
        serde_json::to_string(&odd).unwrap(),
        r#"{"map":1,"serializer":2}"#
    );
    assert_eq!("err".parse(), Ok(Shut::Err));
    assert_eq!(Open::from("error"), Open::Error);
    assert_eq!("1".parse(), Ok(Literal::Error));
    assert_eq!(serde_json::from_str::<Union>("1").unwrap(), Union::Error(1));
}

/// A union that holds itself, directly and in lists, is looked into only so deep.
#[test]
fn recursive_types_end() {
    let deep = |leaf: &str| format!("{}{leaf}{}", "[".repeat(60), "]".repeat(60));
    assert!(serde_json::from_str::<Union>(&deep("1")).is_err());
    assert!(serde_json::from_str::<Lists>(&deep("1")).is_ok());
    assert!(serde_json::from_str::<Lists>(&deep("{}")).is_err());
    assert!(serde_json::from_str::<Itself>("{\"kind\": \"itself\"}").is_err());
}
