//! Overlays that cannot be applied.

use super::{Overlaid, overlay, refused};

const DOCUMENT: &str = "paths:\n  /pets:\n    get: {tags: [a]}\n";

#[test]
fn a_target_that_selects_nothing_is_an_error_with_its_place() {
    let text = overlay(
        "  - target: $.paths['/pets'].get\n    update: {}\n  - target: $.paths['/pet'].get\n    remove: true\n",
    );
    let overlaid = Overlaid::new(&[("api.yaml", DOCUMENT), ("a.overlay.yaml", &text)]);
    insta::assert_snapshot!(overlaid.report(), @r"
    error[E0021]: action 2: `$.paths['/pet'].get` selects nothing
     --> a.overlay.yaml:6:13
      |
    6 |   - target: $.paths['/pet'].get
      |             ^^^^^^^^^^^^^^ here
      |
      = note: #/actions/1/target
      = note: the longest part that selects a node is `$.paths`
      = help: correct the query, remove the action, or add `x-bothends-optional: true` to it
    ");
    // The previous version of a document may lack the target.
    let lenient = Overlaid::read(&[("api.yaml", DOCUMENT), ("a.overlay.yaml", &text)], true);
    assert!(lenient.diagnostics.is_empty(), "{}", lenient.report());
}

#[test]
fn an_optional_target_is_a_note() {
    let actions = "- {target: $.nothing, x-bothends-optional: true, remove: true}";
    let found = refused(DOCUMENT, actions);
    assert_eq!(found, ["N0020 action 1: `$.nothing` selects nothing"]);
}

#[test]
fn a_changed_target_is_an_error_with_both_values() {
    let actions = "- {target: $.paths.*.get.tags, x-bothends-expects: [b], remove: true}";
    let found = refused(DOCUMENT, actions);
    assert_eq!(
        found,
        [r##"E0022 action 1: expected `["b"]` at `#/paths/~1pets/get/tags`, found `["a"]`"##]
    );
}

#[test]
fn kinds_are_not_mixed() {
    for (actions, message) in [
        (
            "- {target: $.paths, update: [a]}",
            "E0023 action 1: an array cannot be merged into an object",
        ),
        (
            "- {target: $, update: {paths: {/pets: {get: {tags: b}}}}}",
            "E0023 action 1: a string cannot be merged into an array",
        ),
        (
            "- {target: '$.paths.*.get.tags[0]', update: {b: 1}}",
            "E0023 action 1: an object cannot be merged into a string",
        ),
        (
            "- {target: $..*, update: {b: 1}}",
            "E0023 action 1: the targets are not all objects, all arrays or all primitive values",
        ),
        (
            "- {target: $.paths, copy: $..*}",
            "E0023 action 1: `copy` selects 5 nodes, not one",
        ),
        (
            "- {target: $.paths, copy: $.a}",
            "E0021 action 1: `$.a` selects nothing",
        ),
        (
            "- {target: $, remove: true}",
            "E0023 action 1: the target is the whole document",
        ),
    ] {
        assert_eq!(refused(DOCUMENT, actions), [message], "{actions}");
    }
}

#[test]
fn invalid_overlays_are_reported() {
    for (text, message) in [
        (
            "[]",
            "an overlay is an object with `overlay`, `info` and `actions`",
        ),
        ("actions: []", "missing version of the overlay"),
        ("overlay: 1.2.0", "unsupported version `1.2.0` of overlays"),
        ("overlay: 1.1.0", "`actions` is missing or not an array"),
        (
            "{overlay: 1.1.0, actions: [], extend: a}",
            "unknown key `extend`; keys are `overlay`, `info`, `extends`, `actions`",
        ),
        (
            "{overlay: 1.1.0, actions: [1]}",
            "expected an object for action 1, found an integer",
        ),
        (
            "{overlay: 1.1.0, actions: [{remove: true}]}",
            "missing `target` of action 1",
        ),
        (
            "{overlay: 1.1.0, actions: [{target: $}]}",
            "action 1 changes nothing",
        ),
        (
            "{overlay: 1.1.0, actions: [{target: $, remove: yes please}]}",
            "expected `true` or `false` for `remove` of action 1, found a string",
        ),
        (
            "{overlay: 1.1.0, actions: [{target: $, copy: $, update: 1}]}",
            "action 1 has both `update` and `copy`",
        ),
        (
            "{overlay: 1.0.0, actions: [{target: $, copy: $}]}",
            "action 1 has `copy`, which overlay 1.0 does not have",
        ),
        (
            "{overlay: 1.1.0, actions: [{target: paths, update: 1}]}",
            "invalid JSONPath query in `target` of action 1: expected `$` at character 1",
        ),
        (
            "{overlay: 1.1.0, actions: [{target: $, update: {}, x-bothends-option: true}]}",
            "unknown key `x-bothends-option`; keys are `x-bothends-optional`, `x-bothends-expects`",
        ),
    ] {
        let overlaid = Overlaid::new(&[("api.yaml", DOCUMENT), ("a.overlay.yaml", text)]);
        assert_eq!(overlaid.messages(), [format!("E0020 {message}")], "{text}");
    }
}

#[test]
fn work_is_bounded() {
    let wide = format!("a: [{}]\n", "[1, 2, 3, 4, 5, 6, 7], ".repeat(20_000));
    let many = "- {target: '$..*..*[?count($..*) > 1]', remove: true}\n".repeat(1_000);
    let found = refused(&wide, &many);
    assert_eq!(found, ["E0024 action 1: overlays cause too much work"]);
    // Each action doubles the document.
    let doubled = "- {target: $.b, copy: $}\n".repeat(130);
    let found = refused("a: {}\nb: {}\n", &doubled);
    assert_eq!(
        found[0],
        "E0023 action 128: the result nests more than 128 levels"
    );
    let doubled = "- {target: $.b, copy: $.b}\n".repeat(100);
    let found = refused("b: [[text of some length]]\n", &doubled);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("E0024"), "{found:?}");
}

#[test]
fn actions_after_too_much_work_are_not_applied() {
    let copies = "- target: $['x-b'].a\n  copy: $['x-b'].a\n".repeat(23);
    let text = overlay(&format!(
        "- target: $\n  update: {{x-b: {{a: [{{x: {{}}}}]}}}}\n{copies}"
    ));
    let second = overlay("- {target: $.nothing, remove: true}");
    let overlaid = Overlaid::new(&[
        ("api.yaml", "a: {$ref: missing.yaml}"),
        ("1.overlay.yaml", &text),
        ("2.overlay.yaml", &second),
    ]);
    // 256 MiB suffice for 2^19 items of three nodes, read and written.
    assert_eq!(
        overlaid.messages(),
        ["E0024 action 20: overlays cause too much work"]
    );
    assert_eq!(overlaid.values.len(), 0);
}

#[test]
fn a_referenced_file_may_be_too_much_work() {
    let text = overlay(&"- {target: $.b, copy: $.b}\n".repeat(100));
    let overlaid = Overlaid::new(&[
        ("api.yaml", "a: {$ref: b.yaml}\nc: {$ref: missing.yaml}"),
        ("b.overlay.yaml", &format!("extends: b.yaml\n{text}")),
        ("b.yaml", "b: [[text]]"),
    ]);
    let messages = overlaid.messages();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].starts_with("E0024"), "{messages:?}");
}

#[test]
fn long_keys_are_work() {
    let key = "k".repeat(300_000);
    let zeros = format!(r#"{{"{key}": [{}0]}}"#, "0, ".repeat(9_999));
    let found = refused(&zeros, "- {target: '$.*[*]', remove: true}");
    assert_eq!(found, ["E0024 action 1: overlays cause too much work"]);
    let objects = "{}, ".repeat(999);
    let objects = format!(r#"{{"a": [{objects}{{}}], "b": {{"{key}": 1}}}}"#);
    let found = refused(&objects, "- {target: '$.a[*]', copy: $.b}");
    assert_eq!(found, ["E0024 action 1: overlays cause too much work"]);
}
