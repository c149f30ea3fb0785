//! `anyOf`: a value may match several alternatives at once, and each of those has its place.
//!
//! All alternatives are read from the same value. What one of them does not know another may, so
//! writing puts what all of them have together: members of objects by name, items of lists of one
//! length by place. Where two have different values for the same member, the first counts.

use super::bounds::{Level, lost, set_lost, too_deep};
use super::buffer::Buffered;
use super::rank;
use super::untagged::{UnionVariant, Unreadable, explain};
use crate::Json;
use crate::wire::read::FieldErrors;
use serde::de::Deserializer;
use serde::ser::{Error, Serialize, Serializer};

/// Reads every alternative that matches; `add` puts one of them to the others.
///
/// # Errors
/// When none matches: what is wrong with each.
pub fn read_any_of<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    alternatives: &[&dyn UnionVariant<T>],
    add: fn(&mut T, T),
) -> Result<T, D::Error> {
    let value = Buffered::read(deserializer)?;
    collect(&value, alternatives, add).map_err(|field_errors| value.error(field_errors))
}

fn collect<T>(
    value: &Buffered,
    alternatives: &[&dyn UnionVariant<T>],
    add: fn(&mut T, T),
) -> Result<T, FieldErrors> {
    let level = Level::enter(value.node()).ok_or_else(too_deep)?;
    let walk = value.source().walk();
    let goes_on = walk.goes_on();
    walk.pause();
    let before = lost();
    let mut least = u64::MAX;
    let mut all: Option<T> = None;
    let mut failed = Vec::new();
    let mut is_too_much = false;
    for (index, alternative) in alternatives.iter().enumerate() {
        if !level.may_try() {
            (all, is_too_much) = (None, true);
            break;
        }
        set_lost(0);
        match (alternative.decode(value), &mut all) {
            (Ok(one), Some(all)) => {
                add(all, one);
                least = least.min(lost());
            }
            (Ok(one), None) => {
                all = Some(one);
                least = least.min(lost());
            }
            (Err(Unreadable(field_errors)), _) => failed.push((index, field_errors)),
        }
    }
    // A member is lost where no alternative keeps it; what the best of them drops is close to that.
    set_lost(before.saturating_add(if all.is_some() { least } else { 0 }));
    walk.resume(goes_on);
    all.ok_or_else(|| {
        if is_too_much {
            return level.too_many().into();
        }
        let outlines: Vec<_> = alternatives.iter().map(|of| of.outline()).collect();
        let order = rank::order(value.node(), value.is_text(), &outlines);
        explain(value, alternatives, &order, failed)
    })
}

/// A place of an alternative, which may be empty.
pub trait Alternative {
    /// Its value as JSON, if there is one.
    fn to_json(&self) -> Option<serde_json::Result<Json>>;
}

impl<T: Serialize> Alternative for Option<T> {
    fn to_json(&self) -> Option<serde_json::Result<Json>> {
        // As text first: a number of 32 bits keeps the digits that it is written with.
        let text = self.as_ref().map(serde_json::to_vec)?;
        Some(text.and_then(|text| serde_json::from_slice(&text)))
    }
}

/// Writes what all alternatives have, as one value.
///
/// # Errors
/// When there is none, or one cannot be written.
pub fn write_any_of<S: Serializer>(
    serializer: S,
    alternatives: &[&dyn Alternative],
) -> Result<S::Ok, S::Error> {
    let mut all: Option<Json> = None;
    for json in alternatives.iter().filter_map(|of| of.to_json()) {
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

/// Adds what is not there yet. Goes as deep as the values, which serde_json has read.
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

    /// Both alternatives hold the choice again.
    #[derive(Debug, Clone, PartialEq, Default)]
    struct Node {
        left: Option<Box<Left>>,
        right: Option<Box<Right>>,
    }
    any_of! { Node { left, right } }

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
    fn alternatives_of_alternatives_are_read_as_often_as_they_match() {
        let value = nested(6);
        let node: Node = serde_json::from_value(value.clone()).expect("a node");
        assert!(node.left.is_some() && node.right.is_some());
        assert_eq!(serde_json::to_value(&node).expect("JSON"), value);
    }

    #[test]
    fn what_doubles_with_each_level_ends_in_an_error() {
        let read = serde_json::from_value::<Node>(nested(100));
        assert!(read.is_err());
    }

    #[test]
    fn nothing_set_is_no_value() {
        assert!(serde_json::to_value(Node::default()).is_err());
    }
}
