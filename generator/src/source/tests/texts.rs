//! Tests of parsing text to values.

use super::super::read::read;
use super::super::reader::ReadErrorKind;
use super::super::{Format, Number, Value};

fn value(text: &str) -> Value {
    read(text, false)
        .unwrap_or_else(|error| panic!("{error:?}\n{text}"))
        .value
}

fn json(text: &str) -> String {
    value(text).to_json()
}

#[test]
fn json_and_yaml_give_the_same_tree() {
    let from_json = value(r#"{"a": [1, -2.5, true, null, "x"], "b": {"c": {}}}"#);
    let from_yaml = value("a: [1, -2.5, true, ~, x]\nb:\n  c: {}\n");
    assert_eq!(from_json, from_yaml);
    assert_eq!(
        from_json.to_json(),
        r#"{"a":[1,-2.5,true,null,"x"],"b":{"c":{}}}"#
    );
}

#[test]
fn integers_are_exact_up_to_128_bits() {
    let text = "[-9223372036854775809, 18446744073709551616, 1.0, 1e3]";
    for text in [text.to_owned(), format!("# yaml\n{text}")] {
        let value = value(&text);
        let items = value.as_array().unwrap();
        if text.starts_with('#') {
            assert_eq!(items[0], Value::from(-9_223_372_036_854_775_809_i128));
            assert_eq!(items[1], Value::from(18_446_744_073_709_551_616_i128));
        }
        assert_eq!(items[2], Value::Number(Number::Float(1.0)));
        assert_eq!(items[2].scalar_text().as_deref(), Some("1.0"));
        assert_eq!(items[3].as_integer(), Some(1000));
    }
    assert_eq!(
        value("x: 999999999999999999999999999999999999999999").get("x"),
        Some(&Value::Number(Number::Float(1e42)))
    );
}

#[test]
fn keys_stay_as_they_are_written() {
    let text = "200: a\non: b\n~: c\n1.10: d\n0x10: e\ntrue: f\n'quoted': g\n";
    let keys: Vec<_> = value(text).as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["200", "on", "~", "1.10", "0x10", "true", "quoted"]);
}

#[test]
fn words_of_yaml_1_1_are_strings() {
    assert_eq!(json("[yes, no, on, off, y, 2020-01-01, 012, 1_000]"), {
        r#"["yes","no","on","off","y","2020-01-01","012","1_000"]"#
    });
}

#[test]
fn merge_keys_add_missing_entries() {
    let text = "base: &base {a: 1, b: 1}\nmore: &more {b: 2, c: 2}\n\
                one: {<<: *base, b: 3}\ntwo: {a: 4, <<: [*base, *more]}\n";
    let value = value(text);
    assert_eq!(value.get("one").unwrap().to_json(), r#"{"b":3,"a":1}"#);
    assert_eq!(
        value.get("two").unwrap().to_json(),
        r#"{"a":4,"b":1,"c":2}"#
    );
    // In JSON the key has no special meaning.
    assert_eq!(json(r#"{"<<": {"a": 1}}"#), r#"{"<<":{"a":1}}"#);
}

#[test]
fn the_last_of_two_keys_counts_and_both_formats_report_it() {
    for text in [
        "{\"a\": {\"b\": 1, \"c\": 2, \"b\": 3}}",
        "a:\n  b: 1\n  c: 2\n  b: 3\n",
    ] {
        let read = read(text, false).unwrap();
        assert_eq!(read.value.to_json(), r#"{"a":{"b":3,"c":2}}"#);
        let duplicates: Vec<_> = read
            .duplicates
            .iter()
            .map(|(pointer, _)| pointer.as_str())
            .collect();
        assert_eq!(duplicates, ["#/a/b"]);
    }
}

#[test]
fn tags_are_passed_over() {
    assert_eq!(
        json("a: !Ref x\nb: !!str 5\nc: !Map {d: 1}\n"),
        r#"{"a":"x","b":"5","c":{"d":1}}"#
    );
}

#[test]
fn a_brace_also_begins_yaml() {
    let read = read("{openapi: 3.0.0, # comment\n paths: {},}", false).unwrap();
    assert_eq!(read.format, Format::Yaml);
    assert_eq!(read.value.to_json(), r#"{"openapi":"3.0.0","paths":{}}"#);
}

#[test]
fn surrogates_of_double_quoted_yaml_become_characters() {
    assert_eq!(
        value(r#"a: "x\ud83d\ude00y""#).get("a").unwrap().as_str(),
        Some("x\u{1f600}y")
    );
    assert_eq!(
        value(r#"a: "\uD83Dz\\ud83d""#).get("a").unwrap().as_str(),
        Some("\u{fffd}z\\ud83d")
    );
    // Other scalars have no escapes.
    let text = "a: '\\ud83d'\nb: \"\\ud83d\\ude00\"\nc: \\ud83d\\ude00\n";
    assert_eq!(
        json(text),
        r#"{"a":"\\ud83d","b":"😀","c":"\\ud83d\\ude00"}"#
    );
}

#[test]
fn lone_surrogates_of_json_are_replaced() {
    let text = r#"{"a": "[\ud800-\udfff]", "b": "\ud83d\ude00", "c": "\\ud800"}"#;
    assert_eq!(
        json(text),
        "{\"a\":\"[\u{fffd}-\u{fffd}]\",\"b\":\"😀\",\"c\":\"\\\\ud800\"}"
    );
}

#[test]
fn control_characters_pass_through_yaml() {
    let value = value("a: x\u{82}\u{feff}\u{7f}\nb: |\n  \u{9f}\n");
    assert_eq!(
        value.get("a").unwrap().as_str(),
        Some("x\u{82}\u{feff}\u{7f}")
    );
    assert_eq!(value.get("b").unwrap().as_str(), Some("\u{9f}\n"));
}

#[test]
fn errors_have_a_position() {
    let error = read("{\"a\": 1,\n \"b\": }", true).unwrap_err();
    assert_eq!(
        (error.message.as_str(), error.offset),
        ("expected value", 15)
    );
    let text = "äöü: 1\na: [1, 2\nb: 3\n";
    let error = read(text, false).unwrap_err();
    assert_eq!(error.kind, ReadErrorKind::Syntax);
    assert_eq!(&text[error.offset..=error.offset], ":", "{error:?}");
    let error = read("? [a]\n: 1\n", false).unwrap_err();
    assert!(
        error.message.contains("expected a key that is text"),
        "{error:?}"
    );
}

#[test]
fn depth_is_limited_in_both_formats() {
    for depth in [200, 9_000, 1_000_000] {
        let json = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(read(&json, false).unwrap_err().kind, ReadErrorKind::TooDeep);
        let yaml = format!("# yaml\n{json}");
        assert_eq!(read(&yaml, false).unwrap_err().kind, ReadErrorKind::TooDeep);
    }
    let error = read("a: &a [*a]\n", false).unwrap_err();
    assert_eq!(error.kind, ReadErrorKind::TooDeep);
}

#[test]
fn alias_bombs_are_rejected() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let before = format!("*a{}", level - 1);
        let items = [before.as_str(); 10].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{items}]\n"));
    }
    assert_eq!(
        read(&text, false).unwrap_err().kind,
        ReadErrorKind::ExpandsTooFar
    );
    let big = "x".repeat(100_000);
    let many = vec!["*a"; 10_000].join(", ");
    let text = format!("a: &a \"{big}\"\nb: [{many}]\n");
    assert_eq!(
        read(&text, false).unwrap_err().kind,
        ReadErrorKind::ExpandsTooFar
    );
}

#[test]
fn tabs_for_indentation_are_named() {
    let help = "YAML does not allow tabs for indentation: use spaces";
    // The text, and the displayed line.
    for (text, line) in [
        ("a: 1\nb:\n\tc: 1\n", 3),
        ("a:\n  b: |\n    code:\n    \tx\nc:\n  d:\n \t e: 1\n", 7),
        ("a:\n  b: text\n\tc: 1\n", 3),
    ] {
        let error = read(text, false).expect_err(text);
        assert_eq!(error.help, Some(help), "{text}: {error:?}");
        let before = &text[..error.offset];
        assert_eq!(before.matches('\n').count() + 1, line, "{text}: {error:?}");
    }
    let error = read("a: [1\nb: 2\n", false).expect_err("no list");
    assert_eq!(error.help, None, "{error:?}");
}
