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
    assert_eq!(written(&(None::<i64>, "null", 1.0)), r#"[null,"null",1.0]"#);
}

#[test]
fn names_of_members_are_strings() {
    let refused = ": a name of a member must be a string";
    let map = std::collections::BTreeMap::from([(vec![1], 1)]);
    assert_eq!(written(&map), refused);
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
        any::<f64>().prop_map(Json::from),
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
    fn all_json_is_written_as_serde_json_does(json in json()) {
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
