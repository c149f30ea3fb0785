//! Lines and columns of nodes.

use std::path::PathBuf;

use super::super::read::read;
use super::super::{SourceFile, locate};
use crate::position::Pointer;

/// Returns `line:column` for each pointer.
fn places(text: &str, pointers: &[&str]) -> Vec<String> {
    let format = read(text, false).unwrap().format;
    let file = SourceFile {
        path: PathBuf::from("api"),
        text: text.to_owned(),
        format,
        remote: false,
    };
    let pointers: Vec<_> = pointers.iter().map(|text| Pointer::parse(text)).collect();
    let places = locate(&file, &pointers);
    places
        .iter()
        .map(|place| format!("{}:{}", place.line, place.column))
        .collect()
}

#[test]
fn yaml_objects_stand_at_their_key_and_scalars_at_their_value() {
    let text =
        "a:\n  ü: {x: 1}\n  list:\n    - one\n    - k: v\n      l: 2\n  s: 'q'\n  n:   5 # five\n";
    let pointers = [
        "#",
        "#/a",
        "#/a/ü",
        "#/a/ü/x",
        "#/a/list",
        "#/a/list/0",
        "#/a/list/1",
        "#/a/list/1/l",
        "#/a/s",
        "#/a/n",
    ];
    let wanted = [
        "1:1", "1:1", "2:3", "2:10", "3:3", "4:7", "5:7", "6:10", "7:6", "8:8",
    ];
    assert_eq!(places(text, &pointers), wanted);
}

#[test]
fn json_objects_stand_at_their_key_and_scalars_at_their_value() {
    let text = "{\"a\" :\n  {\"\\/b\\\"\": {\"x\": 1}, \"list\": [\"one\",\n {\"k\": true}]}}";
    let pointers = [
        "#/a",
        "#/a/~1b\"",
        "#/a/~1b\"/x",
        "#/a/list/0",
        "#/a/list/1",
        "#/a/list/1/k",
    ];
    assert_eq!(
        places(text, &pointers),
        ["1:2", "2:4", "2:19", "2:32", "3:2", "3:8"]
    );
}

#[test]
fn a_missing_node_has_the_place_of_its_parent() {
    assert_eq!(
        places("a:\n  b:\n    c: 1\n", &["#/a/b/x/y", "#/z"]),
        ["2:3", "1:1"]
    );
    assert_eq!(
        places("{\"a\": {\n \"b\": {}}}", &["#/a/b/x/y", "#/z"]),
        ["2:2", "1:1"]
    );
}

#[test]
fn merged_entries_stand_where_they_are_written() {
    let text = "base: &b\n  x: {y: 1}\n  z: 1\none:\n  <<: *b\n  z: 2\n";
    assert_eq!(
        places(text, &["#/one/x", "#/one/x/y", "#/one/z"]),
        ["2:3", "2:10", "6:6"]
    );
}

#[test]
fn of_two_keys_the_last_is_shown() {
    assert_eq!(places("a: 1\nb: 2\na: 3\n", &["#/a"]), ["3:4"]);
    assert_eq!(places("{\"a\": 1,\n\"a\": 2}", &["#/a"]), ["2:6"]);
}

#[test]
fn mended_texts_keep_their_places() {
    let text = "a: \"\\ud83d\\ude00\"\nb: x\u{82}\nc: {d: \"\\ud83d\\ude00\", e: [1]}\n";
    assert_eq!(
        places(text, &["#/b", "#/c", "#/c/d"]),
        ["2:4", "3:1", "3:8"]
    );
}
