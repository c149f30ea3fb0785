//! Which of several types a value looks like most.
//!
//! Nothing here is generic: a union gives the outlines of its variants, and gets an order.

use super::Outline;
use crate::Json;
use crate::enums::{literal_text, same};
use crate::table::Meta;

/// How deep lists, options and unions in unions are looked into.
const DEPTH: u8 = 8;
/// How many outlines are looked at for one variant.
const STEPS: u16 = 4096;
/// How many items of a list, or values of a map, are looked at.
const ITEMS: usize = 64;

/// How well a value fits; the greater the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fit {
    /// How narrow the type is that takes it: 0 for what takes anything.
    narrow: u8,
    /// How many known keys are there.
    known: usize,
    /// How many unknown keys there are, from the top.
    strange: std::cmp::Reverse<usize>,
    /// How few optional keys are missing.
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
/// Takes the kind of value, and is told nothing more.
const KIND: Fit = Fit::scalar(1);
/// Takes fewer values than the kind has.
const PART: Fit = Fit::scalar(2);
/// Takes just these values.
const EXACT: Fit = Fit::scalar(3);

/// The order in which to try the outlines: those that fit, best first, then the others.
pub(super) fn order(value: &Json, text: bool, outlines: &[Outline]) -> Vec<usize> {
    let look = |outline: &Outline| Look { text, steps: STEPS }.fit(value, *outline, DEPTH);
    let mut ranked: Vec<(Option<Fit>, usize)> = outlines
        .iter()
        .map(look)
        .enumerate()
        .map(|(index, fit)| (fit, index))
        .collect();
    ranked.sort_by(|(one, _), (other, _)| other.cmp(one));
    ranked.into_iter().map(|(_, index)| index).collect()
}

/// A look at a value, as one variant.
struct Look {
    /// Whether every scalar is a text.
    text: bool,
    /// How many outlines may still be looked at; then anything fits.
    steps: u16,
}

impl Look {
    fn fit(&mut self, value: &Json, outline: Outline, depth: u8) -> Option<Fit> {
        let Some((depth, steps)) = depth.checked_sub(1).zip(self.steps.checked_sub(1)) else {
            return Some(ANY);
        };
        self.steps = steps;
        match outline {
            Outline::Any => return Some(ANY),
            Outline::Nullable(_) if value.is_null() => return Some(KIND),
            Outline::Nullable(inner) => return self.fit(value, inner(), depth),
            Outline::OneOf(variants) => {
                return variants()
                    .into_iter()
                    .filter_map(|of| self.fit(value, of, depth))
                    .max();
            }
            Outline::Literals(all) => {
                let is = |of: &Json| match self.text {
                    true => literal_text(of) == literal_text(value),
                    false => same(of, value),
                };
                return all().iter().any(is).then_some(EXACT);
            }
            _ => {}
        }
        match value {
            Json::Null => matches!(outline, Outline::Null).then_some(KIND),
            Json::Bool(_) => matches!(outline, Outline::Bool).then_some(KIND),
            Json::Number(number) => match outline {
                Outline::Integer if number.is_i64() || number.is_u64() => Some(PART),
                Outline::Number => Some(KIND),
                _ => None,
            },
            Json::String(string) => of_string(string, self.text, outline),
            Json::Array(items) => self.list(items, outline, depth),
            Json::Object(object) => self.object(object, outline, depth),
        }
    }

    fn list(&mut self, items: &[Json], outline: Outline, depth: u8) -> Option<Fit> {
        match outline {
            Outline::Tuple(length) => (length == items.len()).then_some(PART),
            // The worst item counts; an empty list says nothing about its items.
            Outline::List(item) => {
                let looked = items.iter().take(ITEMS);
                let worst = looked.map(|value| self.fit(value, item(), depth)).min();
                worst.unwrap_or(Some(KIND)).map(|worst| worst.max(KIND))
            }
            _ => None,
        }
    }

    fn object(
        &mut self,
        object: &serde_json::Map<String, Json>,
        outline: Outline,
        depth: u8,
    ) -> Option<Fit> {
        match outline {
            Outline::Object(meta) => of_table(object, meta),
            Outline::AnyObject => Some(KIND),
            Outline::Tagged { key, values } => {
                let tag = object.get(key)?.as_str()?;
                values
                    .iter()
                    .any(|names| names.contains(&tag))
                    .then_some(EXACT)
            }
            Outline::Map(of) => {
                let looked = object.values().take(ITEMS);
                let worst = looked.map(|value| self.fit(value, of(), depth)).min();
                worst.unwrap_or(Some(KIND)).map(|_| KIND)
            }
            _ => None,
        }
    }
}

fn of_string(string: &str, text: bool, outline: Outline) -> Option<Fit> {
    match outline {
        Outline::String => Some(KIND),
        Outline::Formatted(check) => check(string).then_some(PART),
        Outline::Values { known, .. } if known.contains(&string) => Some(EXACT),
        Outline::Values { open, .. } => open.then_some(ANY),
        // What is text anyway may stand for another scalar.
        Outline::Null if text => string.is_empty().then_some(PART),
        Outline::Bool if text => matches!(string, "true" | "false").then_some(EXACT),
        Outline::Integer if text => string.parse::<i128>().is_ok().then_some(EXACT),
        Outline::Number if text => string
            .parse::<f64>()
            .is_ok_and(f64::is_finite)
            .then_some(PART),
        _ => None,
    }
}

fn of_table(object: &serde_json::Map<String, Json>, meta: &Meta) -> Option<Fit> {
    let mut known = 0;
    let mut missing = 0;
    for (key, optional) in meta.keys.iter().zip(meta.optional) {
        if object.contains_key(*key) {
            known += 1;
        } else if *optional == 0 {
            return None;
        } else {
            missing += 1;
        }
    }
    let strange = object.len().saturating_sub(known);
    if meta.is_closed() && strange > 0 {
        return None;
    }
    // One that has none of its own keys takes it only by not looking.
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
