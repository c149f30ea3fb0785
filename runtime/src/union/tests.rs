//! How much work unions within unions take, counted in variants that are tried.

use super::bounds::tried;
use crate::{Json, object, union};
use serde_json::json;

#[derive(Debug, Clone, PartialEq)]
struct Text {
    text: String,
    style: Option<String>,
}
object! { Text(text: String) { "text" => text, "style" => style? } }

#[derive(Debug, Clone, PartialEq)]
struct Link {
    text: String,
    href: Option<String>,
}
object! { Link(text: String) { "text" => text, "href" => href? } }

#[derive(Debug, Clone, PartialEq)]
struct Group {
    text: String,
    items: Option<Vec<Part>>,
}
object! { Group(text: String) { "text" => text, "items" => items? } }

#[derive(Debug, Clone, PartialEq)]
enum Part {
    Text(Text),
    Link(Link),
    Group(Group),
}
union! { Part { Text, Link, Group } }

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

/// A document of so many parts, each the last of the variants that it may be, in a list and in groups.
fn document(parts: usize) -> Json {
    let group = |_| json!({"text": "a", "items": [{"text": "b", "href": "c"}]});
    json!({"parts": (0..parts / 2).map(group).collect::<Vec<_>>(), "name": "d"})
}

fn steps(parts: usize) -> u64 {
    let json = document(parts);
    let read: Document = serde_json::from_value(json.clone()).expect("a document");
    assert_eq!(serde_json::to_value(&read).expect("JSON"), json);
    tried()
}

#[test]
fn attempts_grow_with_the_size_of_the_input_and_not_faster() {
    let (one, ten) = (steps(1_000), steps(10_000));
    assert!(one >= 1_000, "{one}");
    assert!(ten <= 10 * one, "{one}, {ten}");
}

#[test]
fn as_many_valid_items_are_read_as_there_are() {
    // More than any constant bound on attempts allowed.
    assert!(steps(140_000) > 200_000);
}

#[test]
fn an_invalid_item_among_many_is_found() {
    let mut json = document(20_000);
    json["parts"][9_999]["items"][0] = json!({"href": "c"});
    let error = serde_json::from_value::<Document>(json).expect_err("no text");
    let message = error.to_string();
    assert!(!message.contains("attempts"), "{message}");
}

#[test]
fn the_bound_on_depth_is_named() {
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
    // The parser of JSON has a lower bound; here the tree is made by hand.
    let read = move || {
        assert!(serde_json::from_value::<Deep>(nested(200)).is_ok());
        let error = serde_json::from_value::<Deep>(nested(300)).expect_err("too deep");
        error.to_string()
    };
    let thread = std::thread::Builder::new().stack_size(64 << 20);
    let message = thread.spawn(read).expect("a thread").join();
    let message = message.expect("no panic");
    assert!(message.contains("more than 256 unions"), "{message}");
}
