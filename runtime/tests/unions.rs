//! Enums of types: told apart by what they look like, or by a property.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_runtime::serde::Serialize;
use bothends_runtime::serde::de::DeserializeOwned;
use bothends_runtime::{Json, Map, Unrecognized, object, string_enum, tagged, union};
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

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Word {
    Auto,
    Unrecognized(Unrecognized),
}
string_enum! { Word, Unrecognized { Auto => "auto" } }

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
        "fits none of the alternatives: Plain (must be a string); Text (must be an object); \
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
    let read = |json| serde_json::from_str::<Pet>(json).map_err(|error| error.to_string());
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
    assert_eq!(read("[]"), Err("must be an object".to_owned()));
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

/// Reads a value, and writes it again.
fn kept<T: DeserializeOwned + Serialize>(json: &str) -> Json {
    serde_json::to_value(serde_json::from_str::<T>(json).unwrap()).unwrap()
}

mod alike {
    use super::*;

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Street {
        street: Option<String>,
        city: Option<String>,
    }
    object! { Street() { "street" => street?, "city" => city? } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Box_ {
        number: Option<i64>,
        city: Option<String>,
        office: Option<Street>,
    }
    object! { Box_() { "number" => number?, "city" => city?, "office" => office? } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Person {
        name: String,
        address: Option<Street>,
    }
    object! { Person(name: String) { "name" => name, "address" => address? } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Company {
        name: String,
        address: Option<Box_>,
    }
    object! { Company(name: String) { "name" => name, "address" => address? } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Club {
        name: String,
        address: Option<Where>,
        members: Option<Vec<Party>>,
    }
    object! { Club(name: String) { "name" => name, "address" => address?, "members" => members? } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Noted {
        address: Option<Json>,
        rest: Map<Json>,
    }
    object! { Noted() { "address" => address?, ..rest } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) enum Where {
        Street(Street),
        Box_(Box_),
    }
    union! { Where { Street, Box_ } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) enum Party {
        Person(Person),
        Company(Company),
        Club(Box<Club>),
    }
    union! { Party { Person, Company, Club } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) enum Loose {
        Person(Person),
        Noted(Noted),
    }
    union! { Loose { Person, Noted } }

    #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub(super) enum Coin {
        Euro,
        Unrecognized(Unrecognized),
    }
    string_enum! { Coin, Unrecognized { Euro => "EUR" } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Cash {
        unit: Option<Coin>,
    }
    object! { Cash() { "unit" => unit? } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Weight {
        unit: Option<Word>,
    }
    object! { Weight() { "unit" => unit? } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) enum Amount {
        Cash(Cash),
        Weight(Weight),
    }
    union! { Amount { Cash, Weight } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Bird {
        wings: Option<i64>,
    }
    object! { Bird() { "wings" => wings? } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) enum Animal {
        Bird(Bird),
    }
    tagged! { Animal by "kind" { Bird => "bird" } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Keeper {
        pet: Option<Animal>,
    }
    object! { Keeper() { "pet" => pet? } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Anybody {
        pet: Option<Map<Json>>,
    }
    object! { Anybody() { "pet" => pet? } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) enum Owner {
        Keeper(Keeper),
        Anybody(Anybody),
    }
    union! { Owner { Keeper, Anybody } }
}

#[test]
fn of_variants_that_look_alike_the_one_is_taken_that_keeps_most() {
    use alike::{Amount, Loose, Owner, Party};
    for (json, name) in [
        // Nothing is dropped by either: the first of the document.
        (r#"{"name": "a"}"#, "Person"),
        (r#"{"name": "a", "address": {"city": "b"}}"#, "Person"),
        (r#"{"name": "a", "address": {"street": "b"}}"#, "Person"),
        // What differs is within.
        (r#"{"name": "a", "address": {"number": 1}}"#, "Company"),
        (
            r#"{"name": "a", "address": {"office": {"street": "b"}}}"#,
            "Company",
        ),
        (r#"{"name": "a", "members": []}"#, "Club"),
        (
            r#"{"name": "a", "address": {"street": "b"}, "members": [{"name": "c", "address": {"number": 1}}]}"#,
            "Club",
        ),
    ] {
        assert_eq!(picked::<Party>(json), name, "{json}");
    }
    // All drop something: the least of it.
    let json = r#"{"name": "a", "address": {"number": 1, "x": {"y": 2}}, "z": 3}"#;
    assert_eq!(
        kept::<Party>(json),
        serde_json::json!({"name": "a", "address": {"number": 1}})
    );
    // A property that nobody knows does not turn a typed value into an untyped one.
    let read = serde_json::from_str::<Loose>(r#"{"name": "a", "new": 1}"#).unwrap();
    assert!(matches!(read, Loose::Person(_)), "{read:?}");
    assert_eq!(picked::<Loose>(r#"{"other": 1}"#), "Noted");
    // A value that is listed is better than one that is not.
    assert_eq!(picked::<Amount>(r#"{"unit": "EUR"}"#), "Cash");
    assert_eq!(picked::<Amount>(r#"{"unit": "auto"}"#), "Weight");
    assert_eq!(picked::<Amount>(r#"{"unit": "x"}"#), "Cash");
    // The tag of a union is known to it, though no variant has it among its properties.
    assert_eq!(
        picked::<Owner>(r#"{"pet": {"kind": "bird", "wings": 2}}"#),
        "Keeper"
    );
}

mod chain {
    use super::*;
    use bothends_runtime::private::{Outline, Shape};
    use std::cell::Cell;

    thread_local! {
        pub(super) static READ: Cell<u32> = const { Cell::new(0) };
    }

    /// A number that counts how often it is read.
    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Counted(i64);

    impl<'de> bothends_runtime::serde::Deserialize<'de> for Counted {
        fn deserialize<D: bothends_runtime::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> Result<Self, D::Error> {
            READ.set(READ.get() + 1);
            i64::deserialize(deserializer).map(Self)
        }
    }

    impl Serialize for Counted {
        fn serialize<S: bothends_runtime::serde::Serializer>(
            &self,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            self.0.serialize(serializer)
        }
    }

    impl Shape for Counted {
        fn outline() -> Outline {
            Outline::Integer
        }
    }

    impl bothends_runtime::Validate for Counted {}

    macro_rules! links {
        ($($Link:ident)*) => {$(
            #[derive(Debug, Clone, PartialEq)]
            pub(super) struct $Link {
                next: Option<Box<Chain>>,
                end: Option<Counted>,
            }
            object! { $Link() { "next" => next?, "end" => end? } }
        )*};
    }
    links! { One Two Three }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) enum Chain {
        One(One),
        Two(Two),
        Three(Three),
    }
    union! { Chain { One, Two, Three } }

    /// A chain of so many, around its end.
    pub(super) fn of(length: usize, end: &str) -> String {
        format!(
            "{}{end}{}",
            r#"{"next": "#.repeat(length),
            "}".repeat(length)
        )
    }
}

/// All variants look alike at each of the levels, and none keeps everything: tried in all
/// combinations, three to the power of the levels.
#[test]
fn unions_within_unions_are_looked_at_once() {
    use chain::{Chain, READ, of};
    for length in [10, 100] {
        READ.set(0);
        let read: Chain = serde_json::from_str(&of(length, r#"{"end": 1, "x": 2}"#)).unwrap();
        assert_eq!(
            serde_json::to_string(&read).unwrap().replace(':', ": "),
            of(length, r#"{"end": 1}"#)
        );
        let steps = u32::try_from(length).unwrap();
        assert!(READ.get() <= 3 + 2 * steps, "{length}: {}", READ.get());

        READ.set(0);
        let error = serde_json::from_str::<Chain>(&of(length, r#"{"end": "x"}"#)).unwrap_err();
        assert!(
            error.to_string().contains("end: must be an integer"),
            "{error}"
        );
        assert!(READ.get() <= 3 + 2 * steps, "{length}: {}", READ.get());
    }
}

#[derive(Debug, Clone, PartialEq)]
enum Overlap {
    Shut(Shut),
    Whole(i64),
    Float(f64),
    Text(String),
}
union! { Overlap { Text, Float, Whole, Shut } }

#[test]
fn scalars_of_overlapping_kinds() {
    for (json, name) in [
        ("7", "Whole"),
        ("7.5", "Float"),
        (r#""7""#, "Text"),
        (r#""none""#, "Shut"),
        (r#""nothing""#, "Text"),
    ] {
        assert_eq!(picked::<Overlap>(json), name, "{json}");
    }
    // Where everything is text, what reads as a number is one, unless it would be written otherwise.
    use bothends_runtime::http::HeaderMap;
    use bothends_runtime::{Bytes, OperationMeta, RequestDecoder, Style};
    static META: OperationMeta = OperationMeta {
        id: "op",
        method: "GET",
        path: "/",
        server: None,
        parameters: &[("query", "p")],
        security: &[],
        streams: &[],
    };
    for (query, value) in [
        ("p=7", Overlap::Whole(7)),
        ("p=-7", Overlap::Whole(-7)),
        ("p=7.5", Overlap::Float(7.5)),
        ("p=none", Overlap::Shut(Shut::None)),
        ("p=007", Overlap::Text("007".to_owned())),
        ("p=%2B7", Overlap::Text("+7".to_owned())),
        ("p=NaN", Overlap::Text("NaN".to_owned())),
        ("p=", Overlap::Text(String::new())),
    ] {
        let headers = HeaderMap::new();
        let mut request =
            RequestDecoder::new(&META, "/", Some(query), &headers, Bytes::new()).unwrap();
        assert_eq!(
            Style::query().decode("p", &mut request),
            Some(value),
            "{query}"
        );
    }
}
