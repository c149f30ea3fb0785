//! Every kind of table and rule, with many seeds.

#![allow(dead_code, unreachable_pub, reason = "the macros are for public types")]

use super::{Sample, Sampler, Seed};
use crate::values::{Base64, Json, JsonText, Map, Nullable, TupleList, Unrecognized, Validate};
use crate::{any_of, literal_enum, newtype, object, string_enum, tagged, union};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::fmt::Debug;

const COUNT: u64 = 400;

/// Draws many values. All are valid, and come back as they were.
fn draw<T>() -> Vec<Json>
where
    T: Sample + Validate + Serialize + DeserializeOwned + PartialEq + Debug,
{
    let values = (0..COUNT).map(|seed| {
        let value = T::sample(&mut Seed::new(seed)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(value.validate(), Ok(()));
        let json = serde_json::to_value(&value).expect("JSON");
        let again: T = serde_json::from_str(&json.to_string()).expect("the value");
        assert_eq!(again, value, "{json}");
        json
    });
    values.collect()
}

/// Returns how many different values there are.
fn different<'v>(values: impl IntoIterator<Item = &'v Json>) -> usize {
    let texts: BTreeSet<String> = values.into_iter().map(Json::to_string).collect();
    texts.len()
}

#[derive(Debug, Clone, PartialEq)]
struct Scalars {
    small: i8,
    size: u64,
    step: i64,
    price: f64,
    ratio: f32,
    code: String,
    mail: String,
    short: String,
    bytes: Base64,
    text: JsonText<Vec<i64>>,
    note: Nullable<String>,
    maybe: Option<bool>,
    any: Option<Json>,
}
object! {
    Scalars {
        "kind" = "scalars",
        "version" = 2,
        "small" => small,
        "size" => size where [exclusive_minimum(3), maximum(900)],
        "step" => step where [multiple_of(6), multiple_of(4)],
        "price" => price where [minimum_float(0.5), exclusive_maximum(10), multiple_of_float(0.01)],
        "ratio" => ratio,
        "code" => code where [pattern(r"^[A-Z]{2}-\d{3,5}$"), max_length(7)],
        "mail" => mail where [format("email"), max_length(40)],
        "short" => short where [min_length(2), max_length(5)],
        "bytes" => bytes,
        "text" => text where [min_items(1)],
        "note" => note?,
        "maybe" => maybe where [required()],
        "any" => any? where [max_length(3)],
    }
}

#[test]
fn scalars_are_drawn_to_their_bounds() {
    let values = draw::<Scalars>();
    let values_of = |key: &str| {
        values
            .iter()
            .map(|value| value[key].clone())
            .collect::<Vec<Json>>()
    };
    let has =
        |key: &str, wanted: Json| assert!(values_of(key).contains(&wanted), "{key}: {wanted}");
    for (key, wanted) in [("small", [-128, 127]), ("size", [4, 900])] {
        for wanted in wanted {
            has(key, Json::from(wanted));
        }
    }
    has("price", Json::from(0.5));
    has("price", Json::from(9.99));
    has("note", Json::Null);
    assert!(
        values_of("short")
            .iter()
            .any(|text| text.as_str().unwrap_or("").chars().count() == 5)
    );
    for key in ["code", "mail", "short", "price", "step", "bytes", "text"] {
        assert!(
            different(&values_of(key)) > 20,
            "{key}: {:?}",
            values_of(key)
        );
    }
    assert!(
        values
            .iter()
            .all(|value| value["kind"] == "scalars" && value["version"] == 2)
    );
}

#[derive(Debug, Clone, PartialEq)]
struct Name(String);
newtype! { Name(String) where [pattern("^[a-z]+$"), min_length(3)] }

#[derive(Debug, Clone, PartialEq)]
struct Lists {
    unique: Vec<u8>,
    names: Vec<Name>,
    pair: (i64, String),
    prefix: TupleList<(bool,), (Option<i64>,), Name>,
    levels: Map<Vec<i64>>,
}
object! {
    Lists {
        "unique" => unique where [min_items(3), max_items(6), unique_items(), items(&[maximum(9)])],
        "names" => names where [max_items(2)],
        "pair" => pair where [prefix_items(&[&[minimum(7)], &[max_length(1)]])],
        "prefix" => prefix,
        "levels" => levels where [
            min_properties(1),
            property_names(&[pattern("^x-")]),
            additional_properties(&[min_items(1)])
        ],
    }
}

#[test]
fn lists_and_maps_satisfy_their_rules() {
    let values = draw::<Lists>();
    assert!(different(&values) > 350);
    assert!(values.iter().any(|value| {
        value["unique"]
            .as_array()
            .is_some_and(|items| items.len() == 6)
    }));
}

#[derive(Debug, Clone, PartialEq)]
struct Groups {
    one: Option<i64>,
    two: Option<i64>,
    three: Option<i64>,
    four: Option<i64>,
    more: Map<i64>,
}
object! {
    Groups() where [
        one_of_required(&[&["one"], &["two", "three"]]),
        dependent_required("one", &["four"]),
        max_properties(3)
    ] {
        "one" => one?,
        "two" => two?,
        "three" => three?,
        "four" => four?,
        ..more where [property_name_patterns(&["^x-", "^[0-9]+$"]), maximum(5)]
    }
}

#[test]
fn rules_of_an_object_as_a_whole_are_satisfied() {
    let values = draw::<Groups>();
    assert!(values.iter().any(|value| value.get("one").is_some()));
    assert!(values.iter().any(|value| value.get("two").is_some()));
    let more = |value: &&Json| {
        let mut names = value
            .as_object()
            .into_iter()
            .flat_map(serde_json::Map::keys);
        names.any(|name| name.starts_with("x-"))
    };
    assert!(values.iter().any(|value| more(&value)));
}

#[derive(Debug, Clone, PartialEq)]
enum Level {
    Low,
    Half,
}
literal_enum! { Level { Low => 1, Half => 0.5 } }

#[derive(Debug, Clone, PartialEq, Hash)]
enum Color {
    Red,
    Unrecognized(Unrecognized),
}
string_enum! { Color, Unrecognized { Red => "red" } }

#[derive(Debug, Clone, PartialEq, Hash)]
enum Listed {
    One,
    Unrecognized(Unrecognized),
}
string_enum! { Listed, Unrecognized where [known()] { One => "one" } }

#[derive(Debug, Clone, PartialEq)]
struct Leaf {
    level: Level,
    color: Color,
    listed: Option<Listed>,
}
object! { Leaf { "level" => level, "color" => color, "listed" => listed? } }

#[derive(Debug, Clone, PartialEq)]
struct Branch {
    left: Box<Tree>,
    right: Box<Tree>,
}
object! { Branch { "left" => left, "right" => right } }

#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Leaf(Leaf),
    Branch(Branch),
}
tagged! { Tree by "kind" { Leaf => "leaf" | "end", Branch => "branch" } }

#[test]
fn recursive_unions_end() {
    let values = draw::<Tree>();
    assert!(values.iter().any(|value| value["left"]["kind"] == "branch"));
    assert!(
        values
            .iter()
            .any(|value| value["kind"] == "leaf" && value["level"] == 0.5)
    );
    let known = |value: &Json| !value.to_string().contains("unlisted");
    assert!(values.iter().all(known));
    let sampler = Sampler::new().unknown_values(true);
    let all = (0..COUNT).map(|seed| sampler.value::<Leaf>(&mut Seed::new(seed)));
    let all: Vec<Leaf> = all.collect::<Result<_, _>>().expect("leaves");
    assert!(
        all.iter()
            .any(|leaf| matches!(leaf.color, Color::Unrecognized(_)))
    );
}

#[derive(Debug, Clone, PartialEq)]
enum Either {
    Text(String),
    Small(i64),
    Ratio(f64),
    Many(Vec<i64>),
    Object(Groups),
}
union! { Either { Text where [max_length(3)], Small where [maximum(3)], Ratio, Many, Object } }

#[derive(Debug, Clone, PartialEq)]
struct Some {
    text: Option<String>,
    groups: Option<Groups>,
}
any_of! { Some() { text: String where [min_length(4)], groups: Groups } }

#[derive(Debug, Clone, PartialEq)]
struct Unions {
    either: Either,
    some: Some,
    next: Option<Box<Unions>>,
}
object! { Unions { "either" => either, "some" => some, "next" => next? } }

#[test]
fn a_union_without_a_discriminator_has_one_variant() {
    let values = draw::<Unions>();
    // A small number without a fraction is of two variants.
    let mut numbers = values.iter().filter_map(|value| value["either"].as_f64());
    assert!(numbers.all(|number| number.fract() != 0.0 || !(-1e19..=3.0).contains(&number)));
    for is in [
        Json::is_f64,
        Json::is_string,
        Json::is_array,
        Json::is_object,
    ] {
        assert!(values.iter().any(|value| is(&value["either"])));
    }
    assert!(values.iter().any(|value| value["next"]["next"].is_object()));
}

#[derive(Debug, Clone, PartialEq)]
struct Never {
    own: Box<Never>,
    text: String,
}
object! { Never { "own" => own, "text" => text } }

#[derive(Debug, Clone, PartialEq)]
struct Contradiction {
    text: String,
}
object! { Contradiction { "a/b" => text where [pattern("^[a-z]{3}$"), min_length(9)] } }

#[test]
fn what_has_no_value_is_an_error_with_its_rule() {
    let error = Never::sample(&mut Seed::new(1)).expect_err("no value");
    assert_eq!(error.rule(), "recursion");
    let error = Contradiction::sample(&mut Seed::new(1)).expect_err("no value");
    assert_eq!(
        error.to_string(),
        "no value was found for `/a~1b` that satisfies pattern `^[a-z]{3}$`"
    );
}

/// Draws many invalid values, and returns the rules that they break.
fn break_rules<T: Sample + DeserializeOwned + Validate + Debug>() -> BTreeSet<&'static str> {
    let all = (0..COUNT).map(|seed| {
        let invalid = T::sample_invalid(&mut Seed::new(seed)).expect("an invalid value");
        let text = invalid.value().to_string();
        let read = serde_json::from_str::<T>(&text);
        // What a client accepts in a response is not accepted in a request.
        let is_lenient = matches!(invalid.rule(), "type" | "additionalProperties" | "format");
        assert!(
            is_lenient || read.is_err() || read.is_ok_and(|it| it.validate().is_err()),
            "{invalid:?}"
        );
        invalid.rule()
    });
    all.collect()
}

#[test]
fn invalid_neighbours_break_each_rule() {
    let has = |found: BTreeSet<&str>, wanted: &[&str]| {
        let wanted: BTreeSet<&str> = wanted.iter().copied().collect();
        assert!(
            found.is_superset(&wanted),
            "{:?}",
            wanted.difference(&found)
        );
    };
    has(
        break_rules::<Scalars>(),
        &[
            "const",
            "type",
            "required",
            "exclusiveMinimum",
            "maximum",
            "multipleOf",
            "minimum",
            "exclusiveMaximum",
            "pattern",
            "format",
            "minLength",
            "maxLength",
        ],
    );
    has(
        break_rules::<Lists>(),
        &[
            "minItems",
            "maxItems",
            "uniqueItems",
            "maximum",
            "minProperties",
            "type",
            "minimum",
        ],
    );
    has(
        break_rules::<Groups>(),
        &["oneOf", "dependentRequired", "type", "maximum"],
    );
    has(
        break_rules::<Tree>(),
        &["discriminator", "enum", "required", "type"],
    );
    has(break_rules::<Unions>(), &["oneOf", "anyOf", "required"]);
}
