//! `anyOf`: a value may match several alternatives at once, and each of them has a field.
//!
//! All alternatives are read from the same value. A member that one alternative ignores may belong
//! to another, so serialization merges all of them: members of objects by name, items of arrays of
//! equal length by position. If two alternatives have different values for the same member, the
//! first one counts.

use super::rank;
use super::untagged::{Failed, UnionVariant, explain};
use crate::values::read::bounds::{Level, too_deep};
use crate::values::read::{FieldErrors, Lost, Reader, State, with_node};
use crate::values::{Json, to_json};
use serde::de::Deserializer;
use serde::ser::{Error, Serialize, Serializer};

/// Deserializes every matching alternative; `add` merges one of them into the others.
///
/// # Errors
///
/// Returns an error if no alternative matches: it contains the errors of each.
pub fn read_any_of<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    state: &State<'_>,
    alternatives: &[&dyn UnionVariant<T>],
    add: fn(&mut T, T),
) -> Result<T, D::Error> {
    with_node(deserializer, state, |reader| {
        collect(reader, alternatives, add)
    })
}

/// Collects the alternatives that match. A deviation from the document is accepted only if no alternative matches
/// without it.
fn collect<T>(
    reader: Reader<'_, '_>,
    alternatives: &[&dyn UnionVariant<T>],
    add: fn(&mut T, T),
) -> Result<T, FieldErrors> {
    let state = reader.state();
    let level = Level::enter(&state.unions, reader.node()).ok_or_else(too_deep)?;
    let (goes_on, is_narrow) = (state.goes_on(), state.is_narrow());
    state.set_goes_on(false);
    state.set_narrow(true);
    let mut collected = try_all(reader, alternatives, add, &level);
    state.set_narrow(is_narrow);
    if collected.is_err() && !is_narrow {
        collected = try_all(reader, alternatives, add, &level);
    }
    state.set_goes_on(goes_on);
    collected.map_err(|failed| {
        let Some(failed) = failed else {
            return level.too_many().into();
        };
        let outlines: Vec<_> = alternatives
            .iter()
            .map(|alternative| alternative.outline())
            .collect();
        let order = rank::order(reader.node(), reader.is_text(), &outlines);
        explain(reader, alternatives, &order, failed)
    })
}

/// Returns the alternatives that match, or the errors of each; `None` if too many were tried.
fn try_all<T>(
    reader: Reader<'_, '_>,
    alternatives: &[&dyn UnionVariant<T>],
    add: fn(&mut T, T),
    level: &Level<'_>,
) -> Result<T, Option<Failed>> {
    let state = reader.state();
    let before = state.lost();
    let mut least: Option<Lost> = None;
    let mut all: Option<T> = None;
    let mut failed = Vec::new();
    for (index, alternative) in alternatives.iter().enumerate() {
        if !level.may_try() {
            state.set_lost(before);
            return Err(None);
        }
        state.set_lost(Lost::default());
        match (alternative.decode(reader), &mut all) {
            (Ok(value), Some(all)) => {
                add(all, value);
                least = lesser(least, state.lost());
            }
            (Ok(value), None) => {
                all = Some(value);
                least = lesser(least, state.lost());
            }
            (Err(errors), _) => failed.push((index, errors)),
        }
    }
    // A member is lost if no alternative keeps it. The losses of the best alternative approximate
    // that number.
    state.set_lost(before.and(least.unwrap_or_default()));
    all.ok_or(Some(failed))
}

/// Returns what an alternative loses, if it is less than the least of the others.
fn lesser(least: Option<Lost>, lost: Lost) -> Option<Lost> {
    let lesser = least.filter(|least| least.count() <= lost.count());
    Some(lesser.unwrap_or(lost))
}

/// The field of an alternative, which may be empty.
pub trait Alternative {
    /// Returns the value as JSON, if there is one.
    fn to_json(&self) -> Option<Result<Json, String>>;
}

impl<T: Serialize> Alternative for Option<T> {
    fn to_json(&self) -> Option<Result<Json, String>> {
        // Serialized as text first, which preserves the digits of an `f32`.
        let text = to_json(self.as_ref()?).map_err(|error| error.to_string());
        Some(text.and_then(|text| serde_json::from_slice(&text).map_err(|error| error.to_string())))
    }
}

/// Serializes all alternatives as one merged value.
///
/// # Errors
///
/// Returns an error if no alternative is set, or if one cannot be serialized.
pub fn write_any_of<S: Serializer>(
    serializer: S,
    alternatives: &[&dyn Alternative],
) -> Result<S::Ok, S::Error> {
    let mut all: Option<Json> = None;
    for json in alternatives
        .iter()
        .filter_map(|alternative| alternative.to_json())
    {
        let json = json.map_err(S::Error::custom)?;
        match &mut all {
            Some(all) => merge(all, json),
            None => all = Some(json),
        }
    }
    match all {
        Some(all) => all.serialize(serializer),
        None => Err(S::Error::custom("no alternative of an `anyOf` is set")),
    }
}

/// Adds the missing members. The recursion is as deep as the values, whose depth serde_json limits.
fn merge(all: &mut Json, more: Json) {
    match (all, more) {
        (Json::Object(all), Json::Object(more)) => {
            for (key, value) in more {
                match all.get_mut(&key) {
                    Some(known) => merge(known, value),
                    None => {
                        all.insert(key, value);
                    }
                }
            }
        }
        (Json::Array(all), Json::Array(more)) if all.len() == more.len() => {
            for (known, value) in all.iter_mut().zip(more) {
                merge(known, value);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
#[allow(unreachable_pub, reason = "the macros are for public types")]
mod tests {
    use crate::{any_of, object};
    use serde_json::{Value, json};

    /// Both alternatives contain the union recursively.
    #[derive(Debug, Clone, PartialEq)]
    struct Node {
        left: Option<Box<Left>>,
        right: Option<Box<Right>>,
    }
    any_of! { Node() { left: Box<Left>, right: Box<Right> } }

    #[derive(Debug, Clone, PartialEq)]
    struct Left {
        next: Option<Node>,
    }
    object! { Left() { "next" => next? } }

    #[derive(Debug, Clone, PartialEq)]
    struct Right {
        next: Option<Node>,
        leaf: Option<i64>,
    }
    object! { Right() { "next" => next?, "leaf" => leaf? } }

    fn nested(depth: usize) -> Value {
        (0..depth).fold(json!({"leaf": 1}), |value, _| json!({"next": value}))
    }

    #[test]
    fn nested_alternatives_are_all_read() {
        let value = nested(6);
        let node: Node = serde_json::from_value(value.clone()).expect("a node");
        assert!(node.left.is_some() && node.right.is_some());
        assert_eq!(serde_json::to_value(&node).expect("JSON"), value);
    }

    #[test]
    fn exponential_work_is_an_error() {
        let read = serde_json::from_value::<Node>(nested(100));
        assert!(read.is_err());
    }

    #[test]
    fn a_value_without_alternatives_is_an_error() {
        assert!(serde_json::to_value(Node::new()).is_err());
        assert!(serde_json::to_value(Node::default()).is_err());
    }

    #[test]
    fn an_alternative_has_a_setter() {
        let (next, leaf) = (None, Some(1));
        let node = Node::new()
            .left(Left { next: None })
            .right(Right { next, leaf });
        assert_eq!(
            serde_json::to_value(&node).expect("JSON"),
            json!({"leaf": 1})
        );
    }
}
