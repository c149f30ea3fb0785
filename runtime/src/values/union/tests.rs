//! The work for nested unions, counted in tried variants.
#![allow(dead_code, unreachable_pub)]

use crate::values::read::{Arena, State, Value};
use crate::values::{Json, Strictness};
use crate::{object, union};
use serde_json::json;

#[derive(Debug, Clone, PartialEq)]
struct Text {
    value: String,
}
object! { Text(value: String) { "value" => value } }

#[derive(Debug, Clone, PartialEq)]
struct Number {
    value: i64,
}
object! { Number(value: i64) { "value" => value } }

#[derive(Debug, Clone, PartialEq)]
struct Group {
    value: Vec<Part>,
}
object! { Group(value: Vec<Part>) { "value" => value } }

/// Variants that have the same outline.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    Text(Text),
    Number(Number),
    Group(Group),
}
union! { Part { Text, Number, Group } }

#[derive(Debug, Clone, PartialEq)]
struct Page {
    parts: Vec<Part>,
    number: Option<i64>,
}
object! { Page(parts: Vec<Part>) { "parts" => parts, "number" => number? } }

#[derive(Debug, Clone, PartialEq)]
struct Sheet {
    parts: Vec<Part>,
    name: Option<String>,
}
object! { Sheet(parts: Vec<Part>) { "parts" => parts, "name" => name? } }

#[derive(Debug, Clone, PartialEq)]
enum Document {
    Page(Page),
    Sheet(Sheet),
    Parts(Vec<Part>),
}
union! { Document { Page, Sheet, Parts } }

/// A document with this number of parts, each of them the last or the second to last variant of its
/// unions.
fn document(parts: usize) -> Json {
    let group = |_| json!({"value": [{"value": 1}]});
    json!({"parts": (0..parts / 2).map(group).collect::<Vec<_>>(), "name": "d"})
}

fn steps(parts: usize) -> u64 {
    let json = document(parts);
    let arena = Arena::default();
    let state = State::direct(&arena, Strictness::Lenient);
    let read = Document::decode(json.clone(), &state);
    let read = read.and_then(serde_json::to_value);
    assert!(read.is_ok_and(|read| read == json));
    state.unions.tried()
}

#[test]
fn attempts_grow_with_the_size_of_the_input_and_not_faster() {
    let (few, many) = (steps(400), steps(4_000));
    assert!(few >= 400, "{few}");
    assert!(many <= 10 * few, "{few}, {many}");
}

#[test]
fn all_valid_items_are_read() {
    // More than the limit that is independent of the size.
    assert!(steps(90_000) > 200_000);
}

#[test]
fn an_invalid_item_among_many_is_found() {
    let mut json = document(10_000);
    json["parts"][4_999]["value"] = json!(true);
    let error = serde_json::from_value::<Document>(json);
    let message = error.map(drop).expect_err("no value").to_string();
    assert!(!message.contains("attempts"), "{message}");
    assert!(message.contains("parts[4999]"), "{message}");
}

#[test]
fn the_depth_limit_is_reported() {
    #[derive(Debug, Clone, PartialEq)]
    enum Deep {
        List(Vec<Deep>),
        Number(i64),
    }
    union! { Deep { List, Number } }

    let nested = |levels: usize| {
        let mut json = json!(1);
        for _ in 0..levels {
            json = json!([json]);
        }
        json
    };
    // The JSON parser has a lower limit, so the tree is built by hand.
    let read = move || {
        assert!(serde_json::from_value::<Deep>(nested(200)).is_ok());
        let error = serde_json::from_value::<Deep>(nested(300)).expect_err("too deep");
        error.to_string()
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    let message = thread.spawn(read).expect("a thread").join();
    let message = message.expect("no panic");
    assert!(message.contains("more than 256 nested unions"), "{message}");
}
