//! Fuzzes the reader of JSON text. A text that serde_json's deserializer reads as a type has the same value here, and a
//! text that serde_json rejects is no JSON here.
#![no_main]

use bothends_runtime::{Json, JsonText, Map, Nullable, object, string_enum, tagged};
use libfuzzer_sys::fuzz_target;
use serde::de::IgnoredAny;

#[derive(Debug, Clone, PartialEq)]
struct Leaf {
    size: f64,
    color: Option<Color>,
    note: Nullable<String>,
}
object! { Leaf(size: f64) { "size" => size, "color" => color?, "note" => note? } }

#[derive(Debug, Clone, Copy, PartialEq, Hash)]
enum Color {
    Red,
    Blue,
}
string_enum! { Color { Red => "red", Blue => "blue" } }

#[derive(Debug, Clone, PartialEq)]
struct Branch {
    kind: String,
    parts: Vec<Tree>,
    rest: Map<Json>,
}
object! { Branch(kind: String, parts: Vec<Tree>) { "kind" => kind, "parts" => parts, ..rest } }

#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Leaf(Leaf),
    Branch(Branch),
}
tagged! { Tree by "kind" { Leaf => "leaf", Branch => "branch" } }

/// Defines a function that reads a text by the reader of the runtime: as the JSON within a string of another text.
macro_rules! reader {
    ($name:ident $Inner:ty) => {
        fn $name(text: &str) -> Option<$Inner> {
            #[derive(Debug, Clone, PartialEq)]
            struct Outer {
                text: JsonText<$Inner>,
            }
            object! { Outer(text: JsonText<$Inner>) { "text" => text } }
            let outer = serde_json::json!({ "text": text }).to_string();
            let read = serde_json::from_str::<Outer>(&outer).ok()?;
            Some(read.text.into_inner())
        }
    };
}

reader!(any Json);
reader!(trees Vec<Tree>);

fuzz_target!(|text: &str| {
    if let Ok(expected) = serde_json::from_str::<Json>(text) {
        assert_eq!(any(text), Some(expected));
    }
    if let Ok(expected) = serde_json::from_str::<Vec<Tree>>(text) {
        assert_eq!(trees(text), Some(expected));
    }
    if serde_json::from_str::<IgnoredAny>(text).is_err() {
        assert_eq!(any(text), None);
        assert_eq!(trees(text), None);
    }
});
