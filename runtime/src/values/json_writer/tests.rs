use super::*;
use crate::values::{Json, Map};
use proptest::prelude::*;

fn written<T: Serialize + ?Sized>(value: &T) -> String {
    match to_json(value) {
        Ok(text) => String::from_utf8(text).unwrap_or_default(),
        Err(error) => format!("{}: {}", error.field(""), error.message),
    }
}

#[test]
fn non_finite_numbers_are_located() {
    let nan = |found: &str| format!("{found}: {NOT_FINITE}");
    assert_eq!(written(&f64::NAN), nan(""));
    assert_eq!(written(&f32::NEG_INFINITY), nan(""));
    assert_eq!(written(&(None::<i64>, Some(f64::INFINITY))), nan("[1]"));
    let map = Map::from_iter([("a\n".to_owned(), vec![Some(1.5), None, Some(f64::NAN)])]);
    assert_eq!(written(&map), nan("a\n[2]"));
    assert_eq!(
        written(&std::collections::BTreeMap::from([(7, f64::NAN)])),
        nan("7")
    );
}

#[test]
fn null_and_its_text_are_written() {
    assert_eq!(written(&(None::<i64>, "null", 1.0)), r#"[null,"null",1]"#);
}

#[test]
fn empty_lists_and_objects_have_both_brackets() {
    let empty = (Vec::<i64>::new(), Map::<i64>::new(), [[0; 0]]);
    assert_eq!(written(&empty), "[[],{},[[]]]");
}

#[test]
fn an_escape_is_found_at_every_place_of_a_text() {
    for length in 0..=50 {
        for (place, character) in (0..length).flat_map(|place| {
            ['"', '\\', '\0', '\u{1f}', ' ', '\u{7f}', 'é'].map(|character| (place, character))
        }) {
            let plain = "a".repeat(length - 1);
            let (before, after) = plain.split_at(place);
            let text = format!("{before}{character}{after}");
            let map = std::collections::BTreeMap::from([(&text, &text)]);
            assert_eq!(
                written(&map),
                serde_json::to_string(&map).unwrap_or_default()
            );
        }
    }
}

#[test]
fn names_of_members_are_strings() {
    let refused = ": a name of a member must be a string";
    let map = std::collections::BTreeMap::from([(vec![1], 1)]);
    assert_eq!(written(&map), refused);
}

#[test]
fn numbers_are_written_without_a_needless_fraction_or_exponent() {
    let map = std::collections::BTreeMap::from([("a", 3600.0)]);
    assert_eq!(written(&map), r#"{"a":3600}"#);
    assert_eq!(
        written(&(1e16, 1e21_f32, -0.0, 0.5)),
        "[10000000000000000,1e+21,0,0.5]"
    );
    assert_eq!(
        written(&serde_json::json!([3600.0, 1e16, 7])),
        "[3600,10000000000000000,7]"
    );
}

/// Passes its text as serde_json passes numbers and raw values to its own serializer.
struct Raw(&'static str, &'static str);

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut raw = serializer.serialize_struct(self.0, 1)?;
        raw.serialize_field(self.0, self.1)?;
        raw.end()
    }
}

#[test]
fn texts_of_serde_json_are_written_as_json() {
    const NUMBER: &str = "$serde_json::private::Number";
    const VALUE: &str = "$serde_json::private::RawValue";
    for (raw, json, text) in [
        (Raw(NUMBER, "1.0"), "1", "1"),
        (Raw(NUMBER, "1.50"), "1.50", "1.50"),
        (Raw(NUMBER, "1e+400"), "1e+400", "1e400"),
        (Raw(VALUE, "[1.0]"), "[1.0]", "[1.0]"),
    ] {
        assert_eq!(written(&raw), json);
        let node = crate::values::Node::new(&raw).and_then(|node| node.text());
        assert_eq!(node.as_deref(), Ok(text));
    }
    assert_eq!(written(&Raw(NUMBER, "inf")), format!(": {NOT_FINITE}"));
    assert!(crate::values::Node::new(&Raw(NUMBER, "inf")).is_err());
}

#[derive(Debug, serde::Serialize)]
enum Kind {
    Unit,
    One(f32),
    Two(char, u128),
    Named { bytes: &'static [u8], unit: () },
}

#[test]
fn every_kind_is_written_as_serde_json_does() {
    let kinds = [
        Kind::Unit,
        Kind::One(0.1),
        Kind::Two('"', u128::MAX),
        Kind::Named {
            bytes: b"\0\xff",
            unit: (),
        },
    ];
    assert_eq!(
        written(&kinds),
        serde_json::to_string(&kinds).unwrap_or_default()
    );
    let map = std::collections::BTreeMap::from([(true, Some('x')), (false, None)]);
    assert_eq!(
        written(&map),
        serde_json::to_string(&map).unwrap_or_default()
    );
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        any::<u64>().prop_map(Json::from),
        any::<String>().prop_map(Json::from),
        "[\\x00-\\x7f]{0,40}".prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Json::from),
            prop::collection::vec((any::<String>(), inner), 0..8)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn json_without_fractions_is_written_as_serde_json_does(json in json()) {
        prop_assert_eq!(written(&json), json.to_string());
    }

    #[test]
    fn all_texts_are_formatted_as_strings(text in any::<String>()) {
        struct Formatted<'t>(&'t str);
        impl Serialize for Formatted<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self.0)
            }
        }
        prop_assert_eq!(written(&Formatted(&text)), serde_json::to_string(&text).unwrap_or_default());
    }
}
