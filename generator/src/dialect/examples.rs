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
    let example = node.value.get("example").into_iter();
    let several = match node.value.get("examples") {
        Some(Value::Array(items)) => &items[..],
        _ => &[],
    };
    example.chain(several).take(MOST).map(shown).collect()
}

/// Returns the examples of a parameter.
pub(super) fn of_holder<'t>(context: &Context<'t, '_>, holder: &Node<'t>) -> Vec<String> {
    let all = all(context, holder).take(MOST);
    all.map(|(_, node)| shown(node.value)).collect()
}

/// Returns the values of `example`, without a name, and of the map `examples` of Example Objects.
pub(super) fn all<'t>(
    context: &Context<'t, '_>,
    holder: &Node<'t>,
) -> impl Iterator<Item = (&'t str, Node<'t>)> {
    let example = holder.get("example").map(|node| ("", node));
    let several = holder.get("examples");
    let several = several
        .into_iter()
        .flat_map(|all| all.entries().collect::<Vec<_>>());
    // Examples do not affect the generated types, so an unresolved reference is skipped.
    let several = several.filter_map(|(name, node)| {
        let node = context.resolver.follow(&node, &mut Diagnostics::new())?;
        let value = node.get("value").or_else(|| node.get("dataValue"))?;
        Some((name, value))
    });
    example.into_iter().chain(several)
}
