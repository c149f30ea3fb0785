//! `example` and `examples`, for the documentation.

use super::context::Context;
use crate::diagnostic::Diagnostics;
use crate::resolve::Node;
use crate::source::Value;

/// The maximum number of examples that are shown in one place.
const MOST: usize = 3;
/// The maximum length of an example, in bytes of JSON.
const LONGEST: usize = 160;

/// Returns the displayed form of an example.
pub(crate) fn shown(value: &Value) -> String {
    value.to_json_within(LONGEST)
}

/// Returns the examples of a schema: `example` of OpenAPI, and the list `examples` of JSON Schema.
pub(super) fn of_schema(node: &Node<'_>) -> Vec<String> {
    let one = node.value.get("example").into_iter();
    let several = match node.value.get("examples") {
        Some(Value::Array(items)) => &items[..],
        _ => &[],
    };
    one.chain(several).take(MOST).map(shown).collect()
}

/// Returns the examples of a parameter: `example`, and the map `examples` of Example Objects.
pub(super) fn of_holder<'t>(context: &Context<'t, '_>, holder: &Node<'t>) -> Vec<String> {
    let mut found: Vec<String> = holder.value.get("example").map(shown).into_iter().collect();
    let Some(all) = holder.get("examples") else {
        return found;
    };
    for (_, node) in all.entries().take(MOST) {
        // Examples do not affect the generated types, so an unresolved reference is skipped.
        let node = context.resolver.follow(&node, &mut Diagnostics::new());
        let value = node.as_ref().and_then(|node| {
            let value = node.value.get("value");
            value.or_else(|| node.value.get("dataValue"))
        });
        if let Some(value) = value.filter(|_| found.len() < MOST) {
            found.push(shown(value));
        }
    }
    found
}
