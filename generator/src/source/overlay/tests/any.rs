//! Invented documents and overlays.

use proptest::prelude::*;

use super::{Overlaid, overlay};
use crate::position::{FileId, Origin, Pointer};
use crate::source::{Object, Value};

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (0..3_i128).prop_map(Value::from),
        "[a-c]{0,2}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec(("[a-c]", inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn query() -> impl Strategy<Value = String> {
    let step = prop_oneof![
        Just(".a"),
        Just("['b']"),
        Just("[0]"),
        Just("[-1]"),
        Just("[1:]"),
        Just(".*"),
        Just("..*"),
        Just("..a"),
        Just("[?@.a]"),
        Just("[?@ == 'b']"),
        Just("[0, 1]"),
    ];
    let steps = prop::collection::vec(step, 0..4);
    prop_oneof![
        9 => steps.prop_map(|steps| format!("${}", steps.concat())),
        1 => any::<String>(),
    ]
}

fn action() -> impl Strategy<Value = Value> {
    let change = prop_oneof![
        Just(("remove".to_owned(), Value::Bool(true))),
        value().prop_map(|value| ("update".to_owned(), value)),
        query().prop_map(|query| ("copy".to_owned(), Value::from(query))),
    ];
    (query(), change, any::<bool>()).prop_map(|(target, change, optional)| {
        let target = ("target".to_owned(), Value::from(target));
        let optional = ("x-bothends-optional".to_owned(), Value::Bool(optional));
        Value::Object([target, optional, change].into_iter().collect())
    })
}

/// Calls a function with the pointers and the values of all nodes.
fn each(pointer: &Pointer, value: &Value, visit: &mut dyn FnMut(&Pointer, &Value)) {
    visit(pointer, value);
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                each(&pointer.item(index), item, visit);
            }
        }
        Value::Object(object) => {
            for (key, value) in object {
                each(&pointer.child(key), value, visit);
            }
        }
        _ => {}
    }
}

fn at<'v>(root: &'v Value, pointer: &Pointer) -> Option<&'v Value> {
    pointer.segments().try_fold(root, |node, step| match node {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        other => other.get(&step),
    })
}

proptest! {
    /// Whatever the actions are: there is no panic, and each primitive value of the document is
    /// the value at the place where it is written.
    #[test]
    fn every_value_is_written_at_its_place(
        document in value(),
        actions in prop::collection::vec(action(), 1..8),
    ) {
        let mut root = Object::new();
        root.insert("a".to_owned(), document);
        let document = Value::Object(root);
        let list = Value::Array(actions);
        let text = overlay("").replace("actions:", &format!("actions: {}", list.to_json()));
        let files = [("api.yaml", document.to_json()), ("o.overlay.yaml", text.clone())];
        let files = files.each_ref().map(|(path, text)| (*path, text.as_str()));
        let overlaid = Overlaid::new(&files);
        let _ = overlaid.report();
        let Some(result) = overlaid.values.first() else { return Ok(()) };
        let written = super::yaml(&text);
        each(&Pointer::ROOT, result, &mut |pointer, value| {
            if matches!(value, Value::Array(_) | Value::Object(_)) {
                return;
            }
            let place = overlaid.sources.written(&Origin::new(FileId(0), pointer.clone()));
            let text = if place.file == FileId(0) { &document } else { &written };
            assert_eq!(at(text, &place.pointer), Some(value), "{pointer} at {place:?}");
        });
    }
}
