//! Ranking of the variants of a union by how well a value fits them.
//!
//! The code here is not generic: a union passes the outlines of its variants, and receives an
//! order.

use super::Outline;
use crate::values::Json;
use crate::values::decimal::Decimal;
use crate::values::outline::Meta;
use crate::values::{Node, Whole};

/// Limit for the depth of lists, options and nested unions that are examined.
const DEPTH: u8 = 8;
/// Limit for the number of outlines that are examined for one variant.
const STEPS: u16 = 4096;
/// Limit for the number of items of a list, or values of a map, that are examined.
const ITEMS: usize = 64;

/// How well a value fits; greater is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fit {
    /// How narrow the accepting type is: 0 for a type that accepts any value.
    narrow: u8,
    /// The number of known keys that are present.
    known: usize,
    /// The number of unknown keys; fewer are better.
    strange: std::cmp::Reverse<usize>,
    /// The number of optional keys that are missing; fewer are better.
    missing: std::cmp::Reverse<usize>,
}

impl Fit {
    const fn scalar(narrow: u8) -> Self {
        Self {
            narrow,
            known: 0,
            strange: std::cmp::Reverse(0),
            missing: std::cmp::Reverse(0),
        }
    }
}

const ANY: Fit = Fit::scalar(0);
/// The fit of a type that accepts every value of this kind.
const KIND: Fit = Fit::scalar(1);
/// The fit of a type that accepts fewer values than the kind has.
const PART: Fit = Fit::scalar(2);
/// The fit of a type that accepts only listed values.
const EXACT: Fit = Fit::scalar(3);

/// A variant by its index, and how well a value fits it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ranked {
    pub(super) index: usize,
    fit: Option<Fit>,
}

impl Ranked {
    /// Returns whether the value fits at all.
    pub(super) const fn fits(&self) -> bool {
        self.fit.is_some()
    }

    /// Returns whether the value fits another variant exactly as well.
    pub(super) fn fits_like(&self, other: &Self) -> bool {
        self.fit == other.fit
    }

    /// Returns whether the variant is as narrow as another that precedes it in the order.
    pub(super) fn is_as_narrow_as(&self, other: &Self) -> bool {
        match (self.fit, other.fit) {
            (Some(fit), Some(other)) => fit.narrow >= other.narrow,
            (None, Some(_)) => false,
            (_, None) => true,
        }
    }
}

/// Returns the order in which to try the outlines: those that fit, best first, then the others.
pub(super) fn order(value: &Node, text: bool, outlines: &[Outline]) -> Vec<Ranked> {
    let look = |outline: &Outline| Look { text, steps: STEPS }.fit(value, *outline, DEPTH);
    let mut ranked: Vec<Ranked> = outlines
        .iter()
        .map(look)
        .enumerate()
        .map(|(index, fit)| Ranked { index, fit })
        .collect();
    ranked.sort_by_key(|ranked| std::cmp::Reverse(ranked.fit));
    ranked
}

/// The examination of a value for one variant.
struct Look {
    /// Whether every scalar is a text.
    text: bool,
    /// The number of outlines that may still be examined; after that, any value fits.
    steps: u16,
}

impl Look {
    fn fit(&mut self, value: &Node, outline: Outline, depth: u8) -> Option<Fit> {
        let Some((depth, steps)) = depth.checked_sub(1).zip(self.steps.checked_sub(1)) else {
            return Some(ANY);
        };
        self.steps = steps;
        match outline {
            Outline::Any => return Some(ANY),
            Outline::Nullable(_) if *value == Node::Null => return Some(KIND),
            Outline::Nullable(inner) => return self.fit(value, inner(), depth),
            Outline::OneOf(variants) => {
                return variants()
                    .into_iter()
                    .filter_map(|variant| self.fit(value, variant, depth))
                    .max();
            }
            Outline::Literals { known, open } => {
                let is = |literal: &Json| value.is_literal(literal, self.text);
                let scalar = matches!(value, Node::Scalar(_) | Node::Decimal(_) | Node::Text(_));
                return match known().iter().any(is) {
                    true => Some(EXACT),
                    false => (open && scalar).then_some(ANY),
                };
            }
            _ => {}
        }
        match value {
            Node::Null => matches!(outline, Outline::Null).then_some(KIND),
            Node::Scalar(Json::Number(number)) => match outline {
                Outline::Integer if number.is_i64() || number.is_u64() => Some(PART),
                Outline::Integer if value.whole() != Whole::Not => Some(PART),
                Outline::Number => Some(KIND),
                _ => None,
            },
            Node::Decimal(_) => match outline {
                Outline::Integer if value.whole() != Whole::Not => Some(PART),
                Outline::Number => Some(KIND),
                _ => None,
            },
            Node::Scalar(_) => matches!(outline, Outline::Bool).then_some(KIND),
            Node::Bare(string) | Node::Text(string) | Node::Field(string) => {
                of_string(string, self.text, outline)
            }
            Node::File(_) => matches!(outline, Outline::String).then_some(KIND),
            Node::List(items) | Node::Repeated(items) => self.list(items, outline, depth),
            Node::Object(fields) | Node::Numbered(fields) => self.object(fields, outline, depth),
        }
    }

    fn list(&mut self, items: &[Node], outline: Outline, depth: u8) -> Option<Fit> {
        match outline {
            Outline::Tuple(length) => (length == items.len()).then_some(PART),
            // The worst item counts; an empty list fits any item type.
            Outline::List(item) => {
                let looked = items.iter().take(ITEMS);
                let worst = looked.map(|value| self.fit(value, item(), depth)).min();
                worst.unwrap_or(Some(KIND)).map(|worst| worst.max(KIND))
            }
            _ => None,
        }
    }

    fn object(&mut self, fields: &[Field], outline: Outline, depth: u8) -> Option<Fit> {
        match outline {
            Outline::Object(meta) => of_table(fields, meta),
            Outline::AnyObject => Some(KIND),
            Outline::Tagged {
                key,
                values,
                others,
                open,
            } => {
                let tag = fields.iter().find(|(known, _)| known == key);
                let is = |names: &&[&str]| match tag {
                    Some((_, Node::Text(tag))) => names.contains(&tag.as_str()),
                    _ => false,
                };
                match values.iter().any(is) {
                    true => Some(EXACT),
                    false if others.contains(&1) => Some(KIND),
                    false => (open && matches!(tag, Some((_, Node::Text(_))))).then_some(ANY),
                }
            }
            Outline::Map(inner) => {
                let looked = fields.iter().take(ITEMS);
                let worst = looked
                    .map(|(_, value)| self.fit(value, inner(), depth))
                    .min();
                worst.unwrap_or(Some(KIND)).map(|_| KIND)
            }
            _ => None,
        }
    }
}

/// A name and a value.
type Field = (String, Node);

/// Returns whether a text is a JSON number. A text with leading zeros, or `1.0` for an integer,
/// should stay a text.
fn is_number(text: &str, whole: bool) -> bool {
    match whole {
        true => !text.contains(['.', 'e', 'E']) && Whole::new(text) != Whole::Not,
        false => Decimal::parse(text).is_some(),
    }
}

fn of_string(string: &str, text: bool, outline: Outline) -> Option<Fit> {
    match outline {
        Outline::String => Some(KIND),
        Outline::Formatted(check) => check(string).then_some(PART),
        Outline::Values { known, .. } if known.contains(&string) => Some(EXACT),
        Outline::Values { open, .. } => open.then_some(ANY),
        // If every scalar is a text, a text may represent another scalar.
        Outline::Null if text => string.is_empty().then_some(PART),
        Outline::Bool if text => matches!(string, "true" | "false").then_some(EXACT),
        Outline::Integer if text => is_number(string, true).then_some(EXACT),
        Outline::Number if text => is_number(string, false).then_some(PART),
        _ => None,
    }
}

fn of_table(fields: &[Field], meta: &Meta) -> Option<Fit> {
    // Most tables are small, and need no allocation.
    let (mut few, mut many) = ([false; 64], Vec::new());
    let present = match few.get_mut(..meta.keys.len()) {
        Some(few) => few,
        None => {
            many.resize(meta.keys.len(), false);
            &mut many[..]
        }
    };
    let mut next = 0;
    for (key, _) in fields {
        if let Some(index) = meta.find(key, next) {
            next = index + 1;
            if let Some(present) = present.get_mut(index) {
                *present = true;
            }
        }
    }
    let required = |(there, optional): (&bool, &u8)| !there && *optional == 0;
    if present.iter().zip(meta.optional).any(required) {
        return None;
    }
    let known = present.iter().filter(|there| **there).count();
    let missing = present.len() - known;
    let strange = fields.len().saturating_sub(known);
    if meta.is_closed() && strange > 0 {
        return None;
    }
    // An object with none of the known keys fits only because unknown keys are ignored.
    let narrow = match (known, strange) {
        (1.., _) | (_, 0) => PART.narrow,
        _ if meta.is_open() => KIND.narrow,
        _ => ANY.narrow,
    };
    Some(Fit {
        narrow,
        known,
        strange: std::cmp::Reverse(strange),
        missing: std::cmp::Reverse(missing),
    })
}
