//! Enums of strings and of other scalars.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_runtime::{Unrecognized, UnrecognizedValue, literal_enum, string_enum};
use std::collections::{BTreeSet, HashSet};

#[derive(Debug, Clone, PartialEq, Hash)]
#[non_exhaustive]
enum Status {
    Completed,
    #[deprecated]
    Failed,
    Unknown,
    Unrecognized(Unrecognized),
}
string_enum! {
    Status, Unrecognized {
        Completed => "Completed",
        Failed => "Failed",
        Unknown => "unknown",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Hash)]
enum Color {
    Red,
    Blue,
}
string_enum! { Color { Red => "red", Blue => "blue" } }

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Level {
    One,
    Half,
    Large,
    Off,
    Word,
    Nothing,
}
literal_enum! {
    Level {
        One => 1,
        Half => -2.5,
        Large => 18446744073709551615,
        Off => false,
        Word => "x\u{1}\"",
        Nothing => null,
    }
}

#[test]
fn the_order_is_that_of_the_strings() {
    let mut open = ["unknown", "Held", "Failed", "Completed"].map(Status::from);
    open.sort();
    assert_eq!(
        open.map(|status| status.to_string()),
        ["Completed", "Failed", "Held", "unknown"]
    );
    assert!(Color::Blue < Color::Red);
    assert_eq!(
        Color::Red.partial_cmp(&Color::Red),
        Some(std::cmp::Ordering::Equal)
    );
}

#[test]
fn an_open_enum_keeps_what_it_does_not_know() {
    let read = |json| serde_json::from_str::<Status>(json);
    assert_eq!(read("\"Completed\"").unwrap(), Status::Completed);
    assert_eq!(read("\"unknown\"").unwrap(), Status::Unknown);
    let other = read("\"Held\"").unwrap();
    assert!(matches!(&other, Status::Unrecognized(value) if value.as_str() == "Held"));
    assert_eq!(serde_json::to_string(&other).unwrap(), "\"Held\"");
    assert_eq!(other.to_string(), "Held");
    assert_eq!("Held".parse(), Ok(other.clone()));
    assert_eq!(Status::from("Held".to_owned()), other);
    assert_eq!(AsRef::<str>::as_ref(&other), "Held");
    assert_eq!(Status::VALUES, ["Completed", "Failed", "unknown"]);
    assert_eq!(format!("[{:>6}]", other), "[  Held]");
    assert_eq!(
        read("1").unwrap_err().to_string(),
        "invalid type: integer `1`, expected a string at line 1 column 1"
    );
    assert!(HashSet::from([other.clone()]).contains(&other));
}

#[test]
fn a_closed_enum_takes_nothing_else() {
    assert_eq!(
        serde_json::from_str::<Color>("\"red\"").unwrap(),
        Color::Red
    );
    assert_eq!(
        serde_json::from_str::<Color>("\"green\"")
            .unwrap_err()
            .to_string(),
        "unknown variant `green`, expected `red` or `blue` at line 1 column 7"
    );
    let error = Color::try_from("green").unwrap_err();
    assert_eq!(error.to_string(), "`green` is not a value of Color");
    assert_eq!((error.value(), error.known()), ("green", Color::VALUES));
    assert_eq!("blue".parse(), Ok(Color::Blue));
    let text: &'static str = Color::Blue.as_str();
    assert_eq!(text, "blue");
    assert_eq!(
        serde_yaml::from_str::<Vec<Color>>("[red, blue]").unwrap(),
        [Color::Red, Color::Blue]
    );
}

#[test]
fn other_scalars_are_what_they_are() {
    let texts = [
        "1",
        "-2.5",
        "18446744073709551615",
        "false",
        "\"x\\u0001\\\"\"",
        "null",
    ];
    for (json, level) in texts.into_iter().zip(Level::VALUES) {
        assert_eq!(serde_json::from_str::<Level>(json).unwrap(), *level);
        assert_eq!(serde_json::to_string(level).unwrap(), json);
        assert_eq!(level.to_string().parse(), Ok(*level));
    }
    assert_eq!(serde_json::from_str::<Level>("1.0").unwrap(), Level::One);
    for json in ["\"1\"", "2", "true", "\"null\"", "[]", "{}"] {
        assert!(serde_json::from_str::<Level>(json).is_err(), "{json}");
    }
    assert_eq!(
        serde_json::from_str::<Level>("2").unwrap_err().to_string(),
        "must be one of `1`, `-2.5`, `18446744073709551615`, `false`, `\"x\\u0001\\\"\"`, `null`"
    );
    assert_eq!(serde_yaml::from_str::<Level>("1").unwrap(), Level::One);
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
enum Kind {
    Text,
    Voice,
    Unrecognized(UnrecognizedValue),
}
literal_enum! { Kind, Unrecognized { Text => 0, Voice => 2 } }

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
enum Mixed {
    Auto,
    Half,
    On,
    Unrecognized(UnrecognizedValue),
}
literal_enum! { Mixed, Unrecognized { Auto => "auto", Half => 0.5, On => true } }

#[test]
fn scalars_that_are_not_listed_are_kept_where_one_of_their_type_is() {
    for (text, known) in [("0", true), ("2.0", true), ("7", false), ("-1e2", false)] {
        let kind: Kind = serde_json::from_str(text).unwrap();
        assert_eq!(!matches!(kind, Kind::Unrecognized(_)), known, "{text}");
        let number: f64 = serde_json::to_string(&kind).unwrap().parse().unwrap();
        assert_eq!(Ok(number), text.parse::<f64>());
    }
    for text in ["1.5", "\"7\"", "true", "null", "[]", "{}"] {
        assert!(serde_json::from_str::<Kind>(text).is_err(), "{text}");
    }
    for text in ["\"manual\"", "3", "0.25", "false"] {
        let mixed: Mixed = serde_json::from_str(text).unwrap();
        assert!(matches!(mixed, Mixed::Unrecognized(_)), "{text}");
        assert_eq!(serde_json::to_string(&mixed).unwrap(), text);
    }
}

#[test]
fn texts_stand_for_scalars_that_are_not_listed() {
    let kind: Kind = "7".parse().unwrap();
    assert_eq!(
        (kind.to_json(), kind.to_string()),
        (7.into(), "7".to_owned())
    );
    assert_eq!("2".parse(), Ok(Kind::Voice));
    assert!("seven".parse::<Kind>().is_err());
    // Its text is the same again, whatever it stands for.
    for text in ["manual", "0.250", "false", "01"] {
        let mixed: Mixed = text.parse().unwrap();
        assert_eq!(mixed.to_string(), text);
    }
}

#[test]
fn values_that_are_not_known_are_ordered_and_hashed_as_they_are_equal() {
    let kept = |text: &str| match serde_json::from_str::<Mixed>(text).unwrap() {
        Mixed::Unrecognized(value) => value,
        known => unreachable!("{known:?} is known"),
    };
    let values = ["1", "1.0", "-0.0", "0", "0.0", "\"a\"", "false", "1"].map(kept);
    for value in &values {
        for other in &values {
            assert_eq!(value == other, value.cmp(other).is_eq());
        }
    }
    assert_eq!(values.iter().collect::<HashSet<_>>().len(), 7);
    assert_eq!(values.iter().collect::<BTreeSet<_>>().len(), 7);
}
