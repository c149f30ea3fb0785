//! Several overlays, and overlays of referenced files.

use super::{Overlaid, overlay, yaml};

#[test]
fn overlays_are_applied_in_order_before_references_are_followed() {
    let first = overlay("  - {target: $.a, update: {$ref: other.yaml}}");
    let second = overlay("  - {target: $.a, update: {$ref: 'b.yaml#/x'}}");
    let overlaid = Overlaid::new(&[
        ("api.yaml", "a: {}"),
        ("1.overlay.yaml", &first),
        ("2.overlay.yaml", &second),
        ("b.yaml", "x: 1"),
    ]);
    assert!(overlaid.diagnostics.is_empty(), "{}", overlaid.report());
    assert_eq!(overlaid.values[0], yaml("a: {$ref: 'b.yaml#/x'}"));
    assert_eq!(overlaid.values.last(), Some(&yaml("x: 1")));
}

#[test]
fn extends_names_the_file_to_change() {
    let actions = overlay("  - {target: $.x, update: 2}");
    let overlaid = |extends: &str| {
        let text = format!("extends: {extends}\n{actions}");
        Overlaid::new(&[
            ("api.yaml", "a: {$ref: common/b.yaml}\nx: 0"),
            ("overlays/b.overlay.yaml", &text),
            ("common/b.yaml", "x: 1"),
            ("c.yaml", "x: 3"),
        ])
    };
    let changed = overlaid("../common/b.yaml");
    assert_eq!(changed.messages(), [""; 0]);
    assert_eq!(changed.values[0], yaml("a: {$ref: common/b.yaml}\nx: 0"));
    assert_eq!(changed.values.last(), Some(&yaml("x: 2")));
    for root in ["../api.yaml", "https://example.com/api.yaml"] {
        let changed = overlaid(root);
        assert_eq!(changed.messages(), [""; 0]);
        assert_eq!(changed.values[0], yaml("a: {$ref: common/b.yaml}\nx: 2"));
        assert_eq!(changed.values.last(), Some(&yaml("x: 1")));
    }
    // A file that no reference leads to, and one that does not exist.
    for other in ["../c.yaml", "b.yaml"] {
        let message = format!("E0025 `{other}` is not a file of the document");
        assert_eq!(overlaid(other).messages(), [message]);
    }
}

#[test]
fn extends_may_be_percent_encoded() {
    let actions = overlay("  - {target: $.x, update: 2}");
    for (extends, changed) in [
        ("my%20api.yaml", "my api.yaml"),
        ("a%20b.yaml", "a%20b.yaml"),
    ] {
        let text = format!("extends: {extends}\n{actions}");
        let files = [(changed, "x: 1"), ("a.overlay.yaml", &text)];
        let overlaid = Overlaid::new(&files);
        assert_eq!(overlaid.messages(), [""; 0]);
        assert_eq!(overlaid.values[0], yaml("x: 2"));
    }
}

#[test]
fn an_overlay_that_cannot_be_read_is_an_error() {
    let overlaid = Overlaid::new(&[("api.yaml", "a: 1"), ("a.overlay.yaml", "a: [")]);
    assert_eq!(overlaid.values.len(), 0);
    assert!(
        overlaid.messages()[0].starts_with("E0003"),
        "{}",
        overlaid.report()
    );
}
