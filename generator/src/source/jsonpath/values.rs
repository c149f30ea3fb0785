//! Equality and order of values, and indices of arrays.

use std::cell::Cell;
use std::cmp::Ordering;

use super::{Exhausted, Slice};
use crate::source::{Number, Value};

/// Returns whether two values are equal: numbers by their value, objects in any order.
pub(in super::super) fn same(
    a: &Value,
    b: &Value,
    visits: &Cell<usize>,
) -> Result<bool, Exhausted> {
    let spend = |amount: usize| {
        let left = visits.get().checked_sub(amount).ok_or(Exhausted)?;
        visits.set(left);
        Ok(())
    };
    spend(1)?;
    match (a, b) {
        (Value::String(a), Value::String(b)) if a.len() == b.len() => {
            spend(text_visits(a.len()))?;
            Ok(a == b)
        }
        (Value::Number(a), Value::Number(b)) => Ok(order(*a, *b) == Some(Ordering::Equal)),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (a, b) in a.iter().zip(b) {
                if !same(a, b, visits)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            for (key, a) in a {
                spend(text_visits(key.len()))?;
                match b.get(key) {
                    Some(b) if same(a, b, visits)? => {}
                    _ => return Ok(false),
                }
            }
            Ok(true)
        }
        (Value::Array(_) | Value::Object(_), _) => Ok(false),
        (a, b) => Ok(a == b),
    }
}

/// Returns how many visits take as long as reading a text.
pub(super) const fn text_visits(length: usize) -> usize {
    length / 16
}

pub(super) fn order(a: Number, b: Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
        (a, b) => a.as_f64().partial_cmp(&b.as_f64()),
    }
}

/// Returns an index from the start of an array of this length; a negative one is from its end.
pub(super) fn from_either_end(index: i64, length: usize) -> Option<usize> {
    match usize::try_from(index) {
        Ok(index) => Some(index),
        Err(_) => length.checked_sub(usize::try_from(index.unsigned_abs()).ok()?),
    }
}

impl Slice {
    /// Returns the selected indices of an array of this length, in order.
    pub(super) fn indices(self, length: usize) -> impl Iterator<Item = usize> {
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let normal = |index: i64| if index < 0 { length + index } else { index };
        let forward = self.step > 0;
        let (start, end) = if forward {
            let start = normal(self.start.unwrap_or(0)).clamp(0, length);
            (start, normal(self.end.unwrap_or(length)).clamp(0, length))
        } else {
            let start = self.start.map_or(length - 1, normal).clamp(-1, length - 1);
            let end = self.end.map_or(-1, |end| normal(end).clamp(-1, length - 1));
            (start, end)
        };
        let first = (self.step != 0).then_some(start);
        let all = std::iter::successors(first, move |at| at.checked_add(self.step));
        all.take_while(move |at| if forward { *at < end } else { *at > end })
            .filter_map(|at| usize::try_from(at).ok())
    }
}
