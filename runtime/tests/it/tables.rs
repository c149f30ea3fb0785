//! Tables do what serde's derive does: the same JSON in, the same out, the same words of error.
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use bothends_runtime::serde::de::{DeserializeOwned, value};
use bothends_runtime::serde::{Deserialize, Serialize};
use bothends_runtime::{Base64, Binary, Json, Map, Nullable};
use std::fmt::Debug;

/// The same struct twice: once with derive, once with a table.
macro_rules! twice {
    ($Name:ident { $($derived:tt)* } { $($plain:tt)* } $($table:tt)*) => {
        mod derived {
            #[allow(unused_imports)]
            use super::*;
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
            $($derived)*
        }
        #[derive(Debug, Clone, PartialEq)]
        $($plain)*
        bothends_runtime::object! { $($table)* }
    };
}

mod wide;

mod plain {
    use super::*;
    twice! { Account
        {
            pub struct Account {
                pub id: String,
                #[serde(rename = "type")]
                pub kind: i32,
                pub owner: Option<Box<Account>>,
                #[serde(rename = "créé", default, skip_serializing_if = "Option::is_none")]
                pub created: Option<f64>,
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub tags: Option<Vec<String>>,
            }
        }
        {
            pub struct Account {
                pub id: String,
                pub kind: i32,
                pub owner: Option<Box<Account>>,
                pub created: Option<f64>,
                pub tags: Option<Vec<String>>,
            }
        }
        Account(id: String, kind: i32, owner: Option<Box<Account>>) {
            "id" => id, "type" => kind, "owner" => owner, "créé" => created?, "tags" => tags?,
        }
    }

    #[test]
    fn a_plain_struct() {
        for json in [
            r#"{"id": "a", "type": 1, "owner": null}"#,
            r#"{"type": 1, "tags": ["x"], "owner": {"id": "b", "type": 2, "owner": null}, "créé": 1.5, "id": "a"}"#,
            r#"{"id": "a", "type": 1, "owner": null, "other": {"x": [1]}, "créé": null}"#,
            r#"{"id": "a", "type": 1, "owner": null, "id": "b"}"#,
            r#"{"id": "a", "owner": null}"#,
            r#"{"id": "a", "type": "1", "owner": null}"#,
            r#"{"id": "a", "type": 1, "owner": {"id": 1}}"#,
            r#"{"id": "a", "type": 99999999999, "owner": null}"#,
            r#"{"id": "\u00e9", "type": 1, "owner": null, "\u0074ags": []}"#,
            "7",
            "null",
            "\"x\"",
            "{",
            "",
            r#"{"id""#,
            r#"{"id": "a",}"#,
        ] {
            same::<derived::Account, Account>(json);
        }
    }
}

mod closed {
    use super::*;
    twice! { One
        { pub struct One { pub a: u8, pub b: Maybe2 } }
        { pub struct One { pub a: u8, pub b: Maybe2 } }
        One(a: u8, b: Maybe2) closed { "a" => a, "b" => b }
    }
    type Maybe2 = Option<bool>;

    #[test]
    fn unknown_fields_are_ignored_outside_of_requests() {
        for json in [
            r#"{"a": 1, "b": true}"#,
            r#"{"a": 1, "b": null, "c": 1}"#,
            r#"{"": 1}"#,
        ] {
            same::<derived::One, One>(json);
        }
    }
}

mod open {
    use super::*;
    twice! { Bag
        { pub struct Bag { pub a: u8, #[serde(flatten)] pub rest: Map<Json> } }
        { pub struct Bag { pub a: u8, pub rest: Map<Json> } }
        Bag(a: u8) { "a" => a, ..rest }
    }

    #[test]
    fn unknown_fields_are_kept() {
        for json in [
            r#"{"a": 1}"#,
            r#"{"z": {"x": [1, null]}, "a": 1, "b": "c"}"#,
            r#"{"z": 1, "z": 2, "a": 1}"#,
            r#"{"z": 1}"#,
            r#"{"a": 1, "a": 2}"#,
            "[]",
        ] {
            same::<derived::Bag, Bag>(json);
        }
    }

    #[test]
    fn an_unknown_key_never_stands_for_a_known_one() {
        let bag = Bag {
            a: 1,
            rest: [("a".to_owned(), 2.into()), ("b".to_owned(), 3.into())].into(),
        };
        assert_eq!(serde_json::to_string(&bag).unwrap(), r#"{"a":1,"b":3}"#);
    }
}

mod empty {
    use super::*;
    twice! { Nothing
        { pub struct Nothing {} }
        { pub struct Nothing {} }
        Nothing() {}
    }

    #[test]
    fn an_object_without_fields() {
        for json in ["{}", r#"{"a": 1}"#, "1"] {
            same::<derived::Nothing, Nothing>(json);
        }
        assert_eq!(Nothing::new(), Nothing::default());
    }
}

/// The same from text, bytes and a value, and the same back.
#[track_caller]
fn same<D, T>(json: &str)
where
    D: Serialize + DeserializeOwned + Debug,
    T: Serialize + DeserializeOwned + PartialEq + Debug,
{
    let derived: Result<D, _> = serde_json::from_str(json);
    let table: Result<T, _> = serde_json::from_str(json);
    let by_bytes: Result<T, _> = serde_json::from_slice(json.as_bytes());
    match (&derived, &table) {
        (Ok(derived), Ok(table)) => {
            assert_eq!(
                serde_json::to_string(table).unwrap(),
                serde_json::to_string(derived).unwrap()
            );
            assert_eq!(
                serde_json::to_value(table).unwrap(),
                serde_json::to_value(derived).unwrap()
            );
            assert_eq!(
                serde_yaml::to_string(table).unwrap(),
                serde_yaml::to_string(derived).unwrap()
            );
            assert_eq!(by_bytes.as_ref().unwrap(), table);
        }
        (Err(derived), Err(table)) => {
            let derived = in_words::<D>(&derived.to_string());
            assert_eq!(table.to_string(), derived, "{json}");
            assert_eq!(by_bytes.unwrap_err().to_string(), derived);
        }
        _ => panic!("{json}: {derived:?} but {table:?}"),
    }
    let Ok(value) = serde_json::from_str::<Json>(json) else {
        return;
    };
    let derived = D::deserialize(&value).map(|read| serde_json::to_value(read).unwrap());
    let table = T::deserialize(value).map(|read| serde_json::to_value(read).unwrap());
    assert_eq!(
        table.map_err(|error| error.to_string()),
        derived.map_err(|error| in_words::<D>(&error.to_string()))
    );
    let derived: Result<D, _> = serde_yaml::from_str(json);
    let table: Result<T, _> = serde_yaml::from_str(json);
    assert_eq!(
        table.map(drop).map_err(|error| error.to_string()),
        derived
            .map(drop)
            .map_err(|error| in_words::<D>(&error.to_string()))
    );
}

/// What the derive says, in the words of JSON: a type is none of them.
fn in_words<D>(text: &str) -> String {
    let name = std::any::type_name::<D>();
    let name = name.rsplit("::").next().unwrap_or(name);
    text.replace(&format!("struct {name}"), "an object")
}

#[test]
fn there_may_be_any_number_of_fields() {
    let json: Map<u8> = (0..150_u8)
        .rev()
        .map(|number| (format!("f{number}"), number))
        .collect();
    let text = serde_json::to_string(&json).unwrap();
    let wide: wide::Wide = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (wide.f0, wide.f127, wide.f149),
        (Some(0), Some(127), Some(149))
    );
    assert_eq!(
        serde_json::from_str::<Map<u8>>(&serde_json::to_string(&wide).unwrap()).unwrap(),
        json
    );
    let twice = r#"{"f148": 1, "f148": 2}"#;
    let error = serde_json::from_str::<wide::Wide>(twice)
        .unwrap_err()
        .to_string();
    assert_eq!(error, "duplicate field `f148` at line 1 column 18");
}

#[derive(Debug, Clone, PartialEq)]
struct Presence {
    required: Option<String>,
    optional: Option<String>,
    both: Nullable<String>,
}
bothends_runtime::object! {
    Presence(required: Option<String>) {
        "required" => required,
        "optional" => optional?,
        "both" => both?,
    }
}

#[test]
fn absent_null_and_value_are_three_things() {
    let read = |json| serde_json::from_str::<Presence>(json).map_err(|error| error.to_string());
    let write = |presence: &Presence| serde_json::to_string(presence).unwrap();
    assert_eq!(
        read("{}"),
        Err("missing field `required` at line 1 column 2".to_owned())
    );
    let null = read(r#"{"required": null, "optional": null, "both": null}"#).unwrap();
    assert_eq!(
        null,
        Presence {
            both: Nullable::Null,
            ..Presence::new(None)
        }
    );
    assert_eq!(write(&null), r#"{"required":null,"both":null}"#);
    let full = Presence {
        required: Some("a".to_owned()),
        optional: Some("b".to_owned()),
        both: Nullable::Value("c".to_owned()),
    };
    assert_eq!(
        write(&full),
        r#"{"required":"a","optional":"b","both":"c"}"#
    );
    assert_eq!(read(&write(&full)).unwrap(), full);
    assert_eq!(write(&Presence::new(None)), r#"{"required":null}"#);
}

#[test]
fn keys_may_come_in_other_forms() {
    let entries = [(&b"a"[..], 1_u8)]
        .map(|(key, value)| (value::BytesDeserializer::<value::Error>::new(key), value));
    let map = value::MapDeserializer::new(entries.into_iter());
    #[derive(Debug, PartialEq)]
    struct One {
        a: u8,
    }
    bothends_runtime::object! { One(a: u8) { "a" => a } }
    assert_eq!(One::deserialize(map), Ok(One { a: 1 }));

    #[derive(Debug, PartialEq)]
    struct Number {
        a: u8,
    }
    bothends_runtime::object! { Number(a: u8) { "7" => a } }
    let map = value::MapDeserializer::<_, value::Error>::new([(7_u64, 1_u8)].into_iter());
    assert_eq!(Number::deserialize(map), Ok(Number { a: 1 }));
    assert_eq!(
        serde_yaml::from_str::<Number>("7: 1").unwrap(),
        Number { a: 1 }
    );
}

#[test]
fn bytes_are_base64_and_files_are_strings_in_json() {
    let bytes = Base64(vec![0, 255, 62]);
    assert_eq!(serde_json::to_string(&bytes).unwrap(), "\"AP8+\"");
    assert_eq!(serde_json::from_str::<Base64>("\"AP8+\"").unwrap(), bytes);
    assert!(serde_json::from_str::<Base64>("\"AP8\"").is_err());
    let file = Binary::new("text").with_name("a.txt");
    assert_eq!(serde_json::to_string(&file).unwrap(), "\"text\"");
    assert_eq!(
        serde_json::from_str::<Binary>("\"text\"").unwrap(),
        Binary::new("text")
    );
    assert!(serde_json::to_string(&Binary::new(vec![255])).is_err());
}

#[derive(Debug, Clone, PartialEq)]
struct Id(String);
bothends_runtime::newtype! { Id(String) display }

#[derive(Debug, Clone, PartialEq)]
struct Ids(Vec<Id>);
bothends_runtime::newtype! { Ids(Vec<Id>) }

#[test]
fn a_newtype_is_what_it_holds() {
    let ids = Ids(vec![Id("a".to_owned())]);
    assert_eq!(serde_json::to_string(&ids).unwrap(), r#"["a"]"#);
    assert_eq!(serde_json::from_str::<Ids>(r#"["a"]"#).unwrap(), ids);
    assert_eq!(ids.first().map(ToString::to_string).as_deref(), Some("a"));
    assert_eq!(Vec::<Id>::from(ids), [Id::from("a".to_owned())]);
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Derived {
    id: i64,
    tag: Option<String>,
}
bothends_runtime::object! { Derived(id: i64) derived { "id" => id, "tag": String => tag? } }

#[test]
fn a_derived_struct_has_its_constructor_and_is_read_by_its_table() {
    let derived = Derived { id: 1, tag: None };
    assert_eq!(Derived::new(1), derived);
    let read = bothends_runtime::private::read::<Vec<Derived>, _>(serde_json::json!([{"id": 1}]));
    assert_eq!(read.unwrap(), [derived]);
}
