//! Variants that look alike: the one that keeps most of the value is taken.

use super::*;

/// Reads a value, and writes it again.
fn kept<T: DeserializeOwned + Serialize>(json: &str) -> Json {
    serde_json::to_value(serde_json::from_str::<T>(json).unwrap()).unwrap()
}

mod alike {
    use super::*;
    use bothends_runtime::UnrecognizedValue;

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

    #[derive(Debug, Clone, PartialEq, Hash)]
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

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Words {
        text: String,
    }
    object! { Words(text: String) { "text" => text, "type" = "words" } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Picture {
        url: String,
    }
    object! { Picture(url: String) { "url" => url, "type" = "picture" } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) enum Sent {
        Picture(Picture),
        Unrecognized(UnrecognizedValue),
    }
    tagged! { Sent, Unrecognized by "type" { Picture => "picture" } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Question {
        parts: Vec<Sent>,
    }
    object! { Question(parts: Vec<Sent>) { "parts" => parts } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Reply {
        parts: Vec<Words>,
    }
    object! { Reply(parts: Vec<Words>) { "parts" => parts } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) enum Message {
        Question(Question),
        Reply(Reply),
    }
    union! { Message { Question, Reply } }

    #[derive(Debug, Clone, PartialEq)]
    pub(super) enum LaterMessage {
        Reply(Reply),
        Question(Question),
    }
    union! { LaterMessage { Reply, Question } }
}

#[test]
fn new_members_of_a_listed_value_do_not_make_it_an_unlisted_one() {
    use alike::{LaterMessage, Message};
    let part = r#"{"type": "words", "text": "a", "new": {"b": [1, 2], "c": 3}}"#;
    let json = format!(r#"{{"parts": [{part}, {part}]}}"#);
    let replied = serde_json::from_str::<Message>(&json).unwrap();
    assert!(matches!(replied, Message::Reply(_)), "{replied:?}");
    let replied = serde_json::from_str::<LaterMessage>(&json).unwrap();
    assert!(matches!(replied, LaterMessage::Reply(_)), "{replied:?}");
    let json = r#"{"parts": [{"type": "sound"}, {"type": "picture", "url": "a"}]}"#;
    assert_eq!(picked::<Message>(json), "Question");
    assert_eq!(picked::<LaterMessage>(json), "Question");
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
    use bothends_runtime::private::{Kind, Outline, State, Value};
    use std::cell::Cell;

    thread_local! {
        pub(super) static READ: Cell<u32> = const { Cell::new(0) };
    }

    /// A number that counts how often it is read.
    #[derive(Debug, Clone, PartialEq)]
    pub(super) struct Counted(i64);

    impl Value for Counted {
        type Kind = Counts;
    }

    pub(super) enum Counts {}

    impl Kind<Counted> for Counts {
        fn decode<'de, D: bothends_runtime::serde::Deserializer<'de>>(
            deserializer: D,
            state: &State<'_>,
        ) -> Result<Counted, D::Error> {
            READ.set(READ.get() + 1);
            i64::decode(deserializer, state).map(Counted)
        }

        fn outline() -> Outline {
            Outline::Integer
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
    pub(super) fn chain_of(length: usize, end: &str) -> String {
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
    use chain::{Chain, READ, chain_of};
    for length in [10, 100] {
        READ.set(0);
        let read: Chain = serde_json::from_str(&chain_of(length, r#"{"end": 1, "x": 2}"#)).unwrap();
        assert_eq!(
            serde_json::to_string(&read).unwrap().replace(':', ": "),
            chain_of(length, r#"{"end": 1}"#)
        );
        let steps = u32::try_from(length).unwrap();
        assert!(READ.get() <= 3 + 2 * steps, "{length}: {}", READ.get());

        READ.set(0);
        let error =
            serde_json::from_str::<Chain>(&chain_of(length, r#"{"end": "x"}"#)).unwrap_err();
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
    use bothends_runtime::{Bytes, OperationMeta, ParameterStyle, RequestDecoder};
    static META: OperationMeta = OperationMeta {
        id: "op",
        method: "GET",
        path: "/",
        server: None,
        parameters: &[("query", "p")],
        security: &[],
        streams: &[],
        success: &[],
        retries: None,
        idempotency_key: None,
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
            ParameterStyle::query().decode("p", &mut request),
            Some(value),
            "{query}"
        );
    }
}
