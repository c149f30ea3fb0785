//! Tabs in YAML: separation before comments and in empty lines (YAML 1.2.2, sections 6.2 and 6.6).

use std::path::PathBuf;

use super::super::read::read;
use super::super::reader::ReadErrorKind;
use super::super::{Format, SourceFile, Sources, load_text, locate};
use crate::diagnostic::Diagnostics;
use crate::position::Pointer;

fn json(text: &str) -> String {
    let read = read(text, false).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    read.value.to_json()
}

#[test]
fn comments_after_tabs_are_comments() {
    for (text, expected) in [
        ("\t# first\na: 1\n", r#"{"a":1}"#),
        ("a: 1\n\t# c\nb: 2\n", r#"{"a":1,"b":2}"#),
        ("a: x\n\t# c\nb: y\n", r#"{"a":"x","b":"y"}"#),
        ("a:\n\t# c\n  b: 1\n", r#"{"a":{"b":1}}"#),
        (
            "a:\n  b: 1\n  \t# c\n\t\t# d\n  e: 2\n",
            r#"{"a":{"b":1,"e":2}}"#,
        ),
        ("a:\n\t# c\n- 1\n \t # d\n- 2\n", r#"{"a":[1,2]}"#),
        (
            "- # c\n\t# d\n  a: 1\n-\t# e\n  b: 2\n",
            r#"[{"a":1},{"b":2}]"#,
        ),
        ("? a\n:\t# c\n  1\n", r#"{"a":1}"#),
        ("a: |\n  x\n\t# c\nb: 2\n", r#"{"a":"x\n","b":2}"#),
        ("a: [1,\n\t# c\n  x\n\t# d\n]\n", r#"{"a":[1,"x"]}"#),
        ("a: {b: x\n\t# c\n}\n", r#"{"a":{"b":"x"}}"#),
        (
            "a: 'x' \t# c\n\t# d\nb: \"y\"\t# e\n",
            r#"{"a":"x","b":"y"}"#,
        ),
        ("--- \t# c\na: 1\n...\t# d\n", r#"{"a":1}"#),
        ("a: 1\n\t# the end", r#"{"a":1}"#),
    ] {
        assert_eq!(json(text), expected, "{text:?}");
        assert_eq!(
            json(&text.replace('\n', "\r\n")),
            expected.replace("\\r", ""),
            "{text:?}"
        );
    }
}

#[test]
fn a_byte_order_mark_precedes_a_comment_after_a_tab() {
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let text = "\u{feff}\t# c\r\na: 1\r\n";
    let tree = load_text("a.yaml", text, &mut sources, &mut diagnostics).unwrap();
    assert_eq!(tree.value(tree.root()).unwrap().to_json(), r#"{"a":1}"#);
    assert!(diagnostics.is_empty());
}

#[test]
fn lines_of_tabs_are_empty() {
    for (text, expected) in [
        ("a:\n\t\n  b: 1\n \t\nc: 2\n\t", r#"{"a":{"b":1},"c":2}"#),
        ("a: x\n\t\n  y\nb: 1\n", r#"{"a":"x\ny","b":1}"#),
        ("a: |\n  x\n\t\n  y\n", r#"{"a":"x\n\ny\n"}"#),
    ] {
        assert_eq!(json(text), expected, "{text:?}");
    }
}

#[test]
fn tabs_of_texts_are_kept() {
    for (text, expected) in [
        ("a: |\n  x\n  \t# y\n", r##"{"a":"x\n\t# y\n"}"##),
        ("a: \"x\t# y\"\n", r##"{"a":"x\t# y"}"##),
        ("a: 'x\n\t# y'\n", r##"{"a":"x # y"}"##),
        ("a: x\t#y\n", r#"{"a":"x"}"#),
        ("a: x#\ty\n", r##"{"a":"x#\ty"}"##),
        ("a: >\n  x\n\n  \ty # z\n", r##"{"a":"x\n\n\ty # z\n"}"##),
    ] {
        assert_eq!(json(text), expected, "{text:?}");
    }
}

#[test]
fn tabs_that_indent_are_an_error() {
    for text in ["a:\n\tb: 1\n", "a: 1\n\tb: 2\n", "a:\n  - 1\n\t- 2\n"] {
        let error = read(text, false).unwrap_err();
        assert_eq!(error.kind, ReadErrorKind::Syntax, "{text:?}");
        assert!(
            error.help.is_some_and(|help| help.contains("spaces")),
            "{text:?}"
        );
    }
}

#[test]
fn positions_stay_the_same() {
    let text = "a: 1\n\t# \u{e9}\n\t \t# c\nb:\t# d\n  c: x\n";
    let file = SourceFile {
        path: PathBuf::from("a.yaml"),
        text: text.to_owned(),
        format: Format::Yaml,
        remote: false,
    };
    let pointers = ["b", "c"].iter().scan(Pointer::ROOT, |at, step| {
        *at = at.child(step);
        Some(at.clone())
    });
    let found = locate(&file, &pointers.collect::<Vec<_>>());
    let places: Vec<_> = found.iter().map(|at| (at.line, at.column)).collect();
    assert_eq!(places, [(4, 1), (5, 6)]);
    let error = read("a: 1\n\t# c\nb: [\n", false).unwrap_err();
    assert_eq!(error.offset, "a: 1\n\t# c\nb: [\n".len(), "{error:?}");
}
