//! Bounds, lengths and patterns.

use super::context::Context;
use crate::diagnostic::codes;
use crate::model::Constraints;
use crate::resolve::Node;
use crate::source::Value;

/// Reads one keyword. Returns `false` if the keyword is not a constraint.
pub(super) fn read<'t>(
    context: &mut Context<'t, '_>,
    key: &str,
    node: &Node<'t>,
    constraints: &mut Constraints,
) -> bool {
    match key {
        "minimum" => constraints.minimum = context.as_bound(node).map(|bound| (bound, false)),
        "maximum" => constraints.maximum = context.as_bound(node).map(|bound| (bound, false)),
        // A boolean before 3.1 and a number since then; see `resolve_bounds`.
        "exclusiveMinimum" | "exclusiveMaximum" if node.value.as_bool().is_none() => {
            context.as_bound(node);
        }
        "multipleOf" => constraints.multiple_of.extend(context.as_bound(node)),
        "minLength" => constraints.min_length = context.as_size(node),
        "maxLength" => constraints.max_length = context.as_size(node),
        "pattern" => constraints.pattern.extend(context.as_text(node)),
        "minItems" => constraints.min_items = context.as_size(node),
        "maxItems" => constraints.max_items = context.as_size(node),
        "uniqueItems" => constraints.unique_items = context.as_flag(node).unwrap_or_default(),
        "minProperties" => constraints.min_properties = context.as_size(node),
        "maxProperties" => constraints.max_properties = context.as_size(node),
        "propertyNames" => constraints.property_names.push(context.schema(node)),
        "dependentRequired" => constraints.dependent_required = dependent(context, node),
        _ => return false,
    }
    true
}

fn dependent<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Vec<(String, Vec<String>)> {
    let Some(node) = context.as_object(node) else {
        return Vec::new();
    };
    node.entries()
        .map(|(name, others)| {
            let others: Vec<String> = others
                .items()
                .filter_map(|other| context.as_text(&other))
                .collect();
            (name.to_owned(), others)
        })
        .filter(|(_, others)| !others.is_empty())
        .collect()
}

/// Combines both forms of exclusive bounds with the bounds that were read.
pub(super) fn resolve_bounds(node: &Node<'_>, constraints: &mut Constraints) {
    if let Some(exclusive) = node.value.get("exclusiveMinimum") {
        let at_least = |own: f64, other: f64| own >= other;
        resolve_bound(exclusive, &mut constraints.minimum, at_least);
    }
    if let Some(exclusive) = node.value.get("exclusiveMaximum") {
        let at_most = |own: f64, other: f64| own <= other;
        resolve_bound(exclusive, &mut constraints.maximum, at_most);
    }
}

/// Returns a bound as a float, and whether it is excluded.
pub(super) fn bound(stated: Option<&(Value, bool)>) -> Option<(f64, bool)> {
    let (value, excluded) = stated?;
    Some((value.as_number()?.as_f64(), *excluded))
}

/// Reports bounds that no value meets, at the lower bound.
pub(super) fn report_contradictions<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
    constraints: &Constraints,
) {
    let sizes = [
        ("Length", constraints.min_length, constraints.max_length),
        ("Items", constraints.min_items, constraints.max_items),
        (
            "Properties",
            constraints.min_properties,
            constraints.max_properties,
        ),
    ];
    for (suffix, least, most) in sizes {
        if let (Some(least), Some(most)) = (least, most)
            && least > most
        {
            report_bounds(
                context,
                node,
                [&format!("min{suffix}"), &format!("max{suffix}")],
            );
        }
    }
    let (minimum, maximum) = (constraints.minimum.as_ref(), constraints.maximum.as_ref());
    if let (Some((least, above)), Some((most, below))) = (bound(minimum), bound(maximum))
        && (least > most || (least == most && (above || below)))
    {
        let is_number = |key: &str| {
            node.value
                .get(key)
                .is_some_and(|it| it.as_number().is_some())
        };
        let key = |exclusive: &'static str, plain: &'static str, excluded: bool| {
            if excluded && is_number(exclusive) {
                exclusive
            } else {
                plain
            }
        };
        let lower = key("exclusiveMinimum", "minimum", above);
        let upper = key("exclusiveMaximum", "maximum", below);
        report_bounds(context, node, [lower, upper]);
    }
}

fn report_bounds<'t>(context: &mut Context<'t, '_>, node: &Node<'t>, [lower, upper]: [&str; 2]) {
    let text = |key: &str| node.value.get(key).map(Value::to_json).unwrap_or_default();
    let message = format!(
        "no value meets both `{lower}: {}` and `{upper}: {}`",
        text(lower),
        text(upper)
    );
    context.report(codes::BOUNDS, &node.origin().child(lower), message);
}

fn resolve_bound(
    exclusive: &Value,
    bound: &mut Option<(Value, bool)>,
    is_stricter: impl Fn(f64, f64) -> bool,
) {
    match (exclusive, bound) {
        (Value::Bool(true), Some((_, excluded))) => *excluded = true,
        (Value::Number(own), bound) => {
            let other = bound.as_ref().and_then(|(other, _)| other.as_number());
            if other.is_none_or(|other| is_stricter(own.as_f64(), other.as_f64())) {
                *bound = Some((Value::Number(*own), true));
            }
        }
        _ => {}
    }
}
