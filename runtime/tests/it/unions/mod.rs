//! Enums of types: told apart by what they look like, or by a property.
#![allow(missing_docs, clippy::unwrap_used)]

mod look_alikes;

use bothends_runtime::serde::Serialize;
use bothends_runtime::serde::de::DeserializeOwned;
use bothends_runtime::{
    Json, Map, ResponseDecoder, StatusCode, Unrecognized, object, string_enum, tagged, union,
};
use std::fmt::Debug;

#[derive(Debug, Clone, PartialEq)]
struct Text {
    r#type: Option<String>,
    text: String,
}
object! { Text(text: String) { "type" => r#type?, "text" => text } }

#[derive(Debug, Clone, PartialEq)]
struct Image {
    url: String,
    alt: Option<String>,
}
object! { Image(url: String) { "url" => url, "alt" => alt? } }

#[derive(Debug, Clone, PartialEq)]
struct Sized {
    url: String,
    width: i64,
    height: Option<i64>,
}
object! { Sized(url: String, width: i64) { "url" => url, "width" => width, "height" => height? } }

#[derive(Debug, Clone, PartialEq)]
struct Options {
    verbose: Option<bool>,
    depth: Option<i64>,
}
object! { Options() { "verbose" => verbose?, "depth" => depth? } }

#[derive(Debug, Clone, PartialEq)]
struct Strict {
    verbose: Option<bool>,
}
object! { Strict() closed { "verbose" => verbose? } }

#[derive(Debug, Clone, PartialEq, Hash)]
enum Word {
    Auto,
    Unrecognized(Unrecognized),
}
string_enum! { Word, Unrecognized { Auto => "auto" } }

#[derive(Debug, Clone, Copy, PartialEq, Hash)]
enum Shut {
    None,
}
string_enum! { Shut { None => "none" } }

/// The variant by its name, and the same JSON back.
#[track_caller]
fn picked<T: DeserializeOwned + Serialize + Debug>(json: &str) -> String {
    match serde_json::from_str::<T>(json) {
        Ok(value) => {
            let back: Json = serde_json::from_str(&serde_json::to_string(&value).unwrap()).unwrap();
            assert_eq!(back, serde_json::from_str::<Json>(json).unwrap());
            let name = format!("{value:?}");
            name.split(['(', ' ']).next().unwrap().to_owned()
        }
        Err(error) => error.to_string(),
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Content {
    Plain(String),
    Text(Text),
    Image(Box<Image>),
    Sized(Sized),
    Many(Vec<Content>),
    Map(Map<String>),
}
union! { Content { Plain, Text, Image, Sized, Many, Map } }

#[test]
fn objects_are_told_apart_by_their_keys() {
    for (json, name) in [
        (r#""x""#, "Plain"),
        (r#"{"text": "x"}"#, "Text"),
        (r#"{"text": "x", "type": "y"}"#, "Text"),
        (r#"{"url": "x"}"#, "Image"),
        (r#"{"url": "x", "alt": "y"}"#, "Image"),
        (r#"{"url": "x", "width": 1}"#, "Sized"),
        (r#"{"url": "x", "width": 1, "height": 2}"#, "Sized"),
        (r#"{"other": "x"}"#, "Map"),
        (r#"["x", {"url": "y"}, []]"#, "Many"),
    ] {
        assert_eq!(picked::<Content>(json), name, "{json}");
    }
    assert_eq!(
        picked::<Content>("1"),
        "matches none of the alternatives: Plain (must be a string); Text (must be an object); \
         Image (must be an object); Sized (must be an object); Many (must be an array); \
         Map (must be an object)"
    );
}

#[derive(Debug, Clone, PartialEq)]
enum Setting {
    Options(Options),
    Strict(Strict),
    Any(Map<Json>),
}
union! { Setting { Options, Strict, Any } }

#[test]
fn what_does_not_look_does_not_win() {
    for (json, name) in [
        (r#"{"verbose": true, "depth": 1}"#, "Options"),
        (r#"{"x": 1}"#, "Any"),
        (r#"{}"#, "Strict"),
        (r#"{"depth": "x"}"#, "Any"),
    ] {
        assert_eq!(picked::<Setting>(json), name, "{json}");
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Scalar {
    Text(String),
    Word(Word),
    Shut(Shut),
    Float(f64),
    Whole(i64),
    Flag(bool),
    Nothing(()),
    Words(Vec<Word>),
    Floats(Vec<f64>),
    Wholes(Vec<i64>),
    Pair((String, i64)),
    Other(Json),
}
union! { Scalar { Text, Word, Shut, Float, Whole, Flag, Nothing, Words, Floats, Wholes, Pair, Other } }

#[test]
fn the_narrowest_type_is_taken() {
    for (json, name) in [
        (r#""x""#, "Text"),
        (r#""auto""#, "Word"),
        (r#""none""#, "Shut"),
        ("1", "Whole"),
        ("1.5", "Float"),
        ("-1", "Whole"),
        ("true", "Flag"),
        ("null", "Nothing"),
        (r#"["auto"]"#, "Words"),
        ("[1, 2]", "Wholes"),
        ("[1.5, 2.5]", "Floats"),
        (r#"["a", 1]"#, "Pair"),
        (r#"{"x": 1}"#, "Other"),
    ] {
        assert_eq!(picked::<Scalar>(json), name, "{json}");
    }
}

#[derive(Debug, Clone, PartialEq)]
struct Cat {
    pet_type: String,
    lives: Option<i64>,
}
object! { Cat(pet_type: String) { "petType" => pet_type, "lives" => lives? } }

#[derive(Debug, Clone, PartialEq)]
struct Dog {
    bark: Option<String>,
    friend: Option<Box<Pet>>,
    rest: Map<Json>,
}
object! { Dog() { "bark" => bark?, "friend" => friend?, ..rest } }

#[derive(Debug, Clone, PartialEq)]
enum Pet {
    Cat(Box<Cat>),
    Dog(Dog),
}
tagged! { Pet by "petType" { Cat => "cat" | "Cat", Dog => "dog" } }

#[derive(Debug, Clone, PartialEq)]
enum PetOrText {
    Text(Text),
    Pet(Pet),
}
union! { PetOrText { Text, Pet } }

#[test]
fn a_tag_tells_which() {
    let read = |json: &'static str| {
        let headers = bothends_runtime::http::HeaderMap::new();
        let response = ResponseDecoder::new(StatusCode::OK, headers, json.into());
        response
            .body()
            .json::<Pet>()
            .map_err(|error| error.to_string())
    };
    let cat = |tag: &str| {
        Pet::Cat(Box::new(Cat {
            pet_type: tag.to_owned(),
            lives: Some(9),
        }))
    };
    assert_eq!(read(r#"{"lives": 9, "petType": "cat"}"#), Ok(cat("cat")));
    assert_eq!(read(r#"{"petType": "Cat", "lives": 9}"#), Ok(cat("Cat")));
    assert_eq!(
        read(r#"{"petType": "cow"}"#),
        Err("petType: must be one of `cat`, `Cat`, `dog`".to_owned())
    );
    assert_eq!(read("{}"), Err("petType: is required".to_owned()));
    assert_eq!(
        read(r#"{"petType": 1}"#),
        Err("petType: must be a string".to_owned())
    );
    assert_eq!(read("[]"), Err("body: must be an object".to_owned()));
    assert_eq!(
        read(r#"{"petType": "cat", "lives": "x"}"#),
        Err("lives: must be an integer".to_owned())
    );
    assert_eq!(
        picked::<PetOrText>(r#"{"petType": "cat", "lives": 1}"#),
        "Pet"
    );
    assert_eq!(picked::<PetOrText>(r#"{"text": "x"}"#), "Text");
}

#[test]
fn the_tag_is_put_in_unless_it_is_there() {
    let write = |pet: &Pet| serde_json::to_string(pet).unwrap();
    let cat = |tag: &str| {
        Pet::Cat(Box::new(Cat {
            pet_type: tag.to_owned(),
            lives: None,
        }))
    };
    assert_eq!(write(&cat("Cat")), r#"{"petType":"Cat"}"#);
    assert_eq!(write(&cat("tiger")), r#"{"petType":"cat"}"#);
    let mut dog = Dog {
        friend: Some(Box::new(cat("x"))),
        ..Dog::new()
    };
    assert_eq!(
        write(&Pet::Dog(dog.clone())),
        r#"{"petType":"dog","friend":{"petType":"cat"}}"#
    );
    dog.rest.insert("petType".to_owned(), Json::from("wolf"));
    dog.rest.insert("age".to_owned(), Json::from(3));
    assert_eq!(
        write(&Pet::Dog(dog)),
        r#"{"petType":"dog","friend":{"petType":"cat"},"age":3}"#
    );
    assert_eq!(serde_yaml::to_string(&cat("x")).unwrap(), "petType: cat\n");
    assert_eq!(
        serde_json::to_value(cat("x")).unwrap(),
        serde_json::json!({"petType": "cat"})
    );
}

#[test]
fn other_formats_are_read_too() {
    let pet: Pet = serde_yaml::from_str("petType: dog\nbark: loud\n").unwrap();
    assert!(matches!(&pet, Pet::Dog(dog) if dog.bark.as_deref() == Some("loud")));
    let content: Content = serde_yaml::from_str("- a\n- {url: x, width: 1}\n").unwrap();
    assert!(matches!(content, Content::Many(items) if items.len() == 2));
    let value = serde_json::json!({"url": "x", "alt": "y"});
    assert!(matches!(
        serde_json::from_value(value),
        Ok(Content::Image(_))
    ));
}

string_enum! { Sort { Near => "near", Far => "far" } }

#[derive(Debug, Clone, Copy, PartialEq)]
enum Sort {
    Near,
    Far,
}

#[derive(Debug, Clone, PartialEq)]
struct Place {
    sort: Option<Sort>,
    name: Option<String>,
}
object! { Place() { "sort" => sort?, "name" => name? } }

#[derive(Debug, Clone, PartialEq)]
enum Trip {
    Walk(Place),
    Flight(Box<Place>),
}
tagged! { Trip by "sort" { Walk => "near", Flight => "far" } }

#[test]
fn a_variant_may_have_the_tag_as_an_optional_property() {
    let near = Place {
        sort: Some(Sort::Near),
        name: Some("x".to_owned()),
    };
    for text in [
        r#"{"sort":"near","name":"x"}"#,
        r#"{"name":"x","sort":"near"}"#,
    ] {
        assert_eq!(
            serde_json::from_str::<Trip>(text).unwrap(),
            Trip::Walk(near.clone()),
            "{text}"
        );
    }
    let far = Trip::Flight(Box::default());
    assert_eq!(serde_json::to_string(&far).unwrap(), r#"{"sort":"far"}"#);
}
