//! Enums of strings and of other scalars.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_runtime::{Unrecognized, literal_enum, string_enum};
use std::collections::{BTreeSet, HashSet};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Color {
    Red,
    Blue,
}
string_enum! { Color { Red => "red", Blue => "blue" } }

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    let sorted: BTreeSet<Status> = [other.clone(), Status::Unknown, Status::Completed].into();
    assert_eq!(sorted.into_iter().next_back(), Some(other.clone()));
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
