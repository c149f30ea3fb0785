use super::{AHEAD, Cursor, EXPECTED, Rejected};
use crate::values::Json;
use crate::values::escape::are_plain;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt::Debug;

fn read<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, Rejected> {
    let mut cursor = Cursor::new(text);
    let value = T::deserialize(&mut cursor)?;
    cursor.end().map(|()| value)
}

/// Asserts that a text is read as serde_json reads it.
fn same<'t, T: Deserialize<'t> + PartialEq + Debug>(text: &'t str) {
    assert_eq!(
        read::<T>(text).ok(),
        serde_json::from_str(text).ok(),
        "{text}"
    );
}

#[derive(Debug, PartialEq, serde::Deserialize)]
enum Shape {
    Point,
    Circle(f64),
    Square { side: i32 },
}

#[derive(Debug, PartialEq, serde::Deserialize)]
struct Part {
    id: u8,
    name: String,
    size: Option<f64>,
    shape: Option<Shape>,
    counts: Option<BTreeMap<i16, (bool, char)>>,
    #[serde(default)]
    rest: Vec<Part>,
    wide: Option<i128>,
    single: Option<f32>,
    nothing: Option<()>,
}

const PART: &str = r#" {"id": 7, "name":"a\u00e9\ud83d\ude00\n/\/", "size": -1.5e2 , "shape": {"Square":{"side":-3}},
    "counts":{"-1":[true,"x"]}, "rest":[ {"id":0,"name":""}, [1,"b"] ], "wide":-170141183460469231731687303715884105728,
    "single": 0.1, "nothing": null, "unknown": [{}, [], "\ud800", 1e999, false] } "#;

fn json() -> impl Strategy<Value = Json> {
    let scalar = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        any::<f64>().prop_map(Json::from),
        ".{0,12}".prop_map(Json::from),
    ];
    scalar.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Json::from),
            btree_map("[a-c\\\\\"é]{0,3}", inner, 0..6).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

/// A text that differs from JSON in a few places.
fn nearly(text: String) -> impl Strategy<Value = String> {
    let marks: Vec<char> = "{}[]\",:\\ue0.-+ \n1tfn\u{1}é".chars().collect();
    let change = (
        any::<proptest::sample::Index>(),
        proptest::sample::select(marks),
        0..3,
    );
    vec(change, 0..3).prop_map(move |changes| {
        let mut chars: Vec<char> = text.chars().collect();
        for (place, mark, kind) in changes.into_iter().filter(|_| !text.is_empty()) {
            let place = place.index(chars.len().max(1));
            match kind {
                0 if place < chars.len() => chars[place] = mark,
                1 if place < chars.len() => drop(chars.remove(place)),
                _ => chars.insert(place, mark),
            }
        }
        chars.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn texts_are_accepted_as_by_serde_json(text in json().prop_flat_map(|json| nearly(json.to_string()))) {
        same::<Json>(&text);
        let ignored = read::<IgnoredAny>(&text).is_ok();
        prop_assert_eq!(ignored, serde_json::from_str::<IgnoredAny>(&text).is_ok(), "{}", text);
    }

    #[test]
    fn types_accept_what_they_accept_of_serde_json(text in nearly(PART.to_owned())) {
        same::<Part>(&text);
    }

    #[test]
    fn numbers_are_those_of_serde_json(float in any::<f64>(), short in "-?[0-9]{1,9}(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,3})?") {
        for text in [float.to_string(), short] {
            same::<f64>(&text);
            same::<f32>(&text);
            same::<u8>(&text);
            same::<i32>(&text);
            same::<u128>(&text);
        }
    }
}

#[test]
fn integers_of_any_size_are_read() {
    for text in [
        "0",
        "-0",
        "-1",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "01",
        "1.0",
    ] {
        same::<u64>(text);
        same::<i128>(text);
        same::<f64>(text);
        same::<Json>(text);
    }
}

#[test]
fn nesting_is_limited() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read::<IgnoredAny>(&nested(128)).is_ok());
    for depth in [129, 100_000] {
        assert_eq!(read::<Json>(&nested(depth)), Err(Rejected));
        assert!(read::<IgnoredAny>(&nested(depth)).is_err());
    }
}

/// The keys of an object, as they are visited with the requests of this crate.
struct Keys<'a>(&'static str, &'static [&'static str], &'a mut Vec<String>);

impl<'de> Visitor<'de> for Keys<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map
            .next_key_seed(KeySeed(self.0, self.1, self.2))?
            .is_some()
        {
            if self.0 == EXPECTED {
                map.next_value::<IgnoredAny>()?;
            } else {
                break;
            }
        }
        while map.next_entry::<String, IgnoredAny>()?.is_some() {
            self.2.push("next".to_owned());
        }
        Ok(())
    }
}

struct KeySeed<'a>(&'static str, &'static [&'static str], &'a mut Vec<String>);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_struct(self.0, self.1, self)
    }
}

impl<'de> Visitor<'de> for KeySeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a key")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.2.push("()".to_owned());
        Ok(())
    }

    fn visit_str<E>(self, key: &str) -> Result<(), E> {
        self.2.push(key.to_owned());
        Ok(())
    }

    fn visit_bytes<E>(self, found: &[u8]) -> Result<(), E> {
        self.2
            .push(format!("found {}", String::from_utf8_lossy(found)));
        Ok(())
    }
}

fn keys(request: &'static str, key: &'static [&'static str], text: &str) -> Option<Vec<String>> {
    let mut keys = Vec::new();
    let mut cursor = Cursor::new(text);
    let read = (&mut cursor).deserialize_map(Keys(request, key, &mut keys));
    read.and_then(|()| cursor.end()).ok().map(|()| keys)
}

#[test]
fn an_expected_key_is_compared_as_it_is_written() {
    let keys = |text| keys(EXPECTED, &["kind"], text).unwrap_or_default();
    assert_eq!(
        keys(r#"{"kind":1,"other":2, "kinds":3, "kin":4}"#),
        ["()", "other", "kinds", "kin"]
    );
    // An escaped key is not recognized as the expected one, and is searched for.
    assert_eq!(keys(r#"{"k\u0069nd":1}"#), ["kind"]);
    assert!(
        are_plain(&["a", "é"])
            && !are_plain(&["a", "a\\b"])
            && !are_plain(&["\""])
            && !are_plain(&["\n"])
    );
}

#[test]
fn a_string_is_found_ahead_and_no_key_is_consumed() {
    let ahead = |text: &str| keys(AHEAD, &["kind"], text);
    let long = "x".repeat(100);
    let found = ahead(&format!(
        r#"{{"a":[{{"b":["{long}\"]}}"]}}], "c":{{}}, "k\u0069nd" : "d\u00e9" }}"#
    ));
    assert_eq!(
        found.unwrap_or_default(),
        ["found dé", "next", "next", "next"]
    );
    assert_eq!(ahead(r#"{"a":1}"#).unwrap_or_default(), ["()", "next"]);
    assert_eq!(
        ahead(r#"{"kind":1,"a":2}"#).unwrap_or_default(),
        ["()", "next", "next"]
    );
    // What was passed is validated when it is read.
    assert_eq!(ahead(r#"{"a":[}],"kind":"d"}"#), None);
    assert_eq!(ahead(&format!(r#"{{"a":{}"#, "[".repeat(100_000))), None);
}

/// The files of JSONTestSuite: names begin with `y` (must be accepted), `n` (must be rejected) or `i` (either).
#[test]
fn the_json_test_suite_is_accepted_and_rejected() {
    let Some(suite) =
        bothends_test_environment::json_test_suite("the_json_test_suite_is_accepted_and_rejected")
    else {
        return;
    };
    let files = std::fs::read_dir(suite).expect("the suite").flatten();
    for path in files.map(|entry| entry.path()) {
        let bytes = std::fs::read(&path).expect("a file");
        // Bytes that are not UTF-8 are rejected before they are read.
        let text = std::str::from_utf8(&bytes).ok();
        let read = text.and_then(|text| read::<Json>(text).ok());
        assert_eq!(read, serde_json::from_slice(&bytes).ok(), "{path:?}");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_as_it_must_be = match name.as_bytes() {
            [b'y', ..] => read.is_some(),
            [b'n', ..] => read.is_none(),
            _ => name.starts_with('i'),
        };
        assert!(is_as_it_must_be, "{name}");
    }
}
