//! What stands between the items of a list in one value, as it is or encoded.

use super::ParamSource;
use crate::wire::param::{Notation, Place};
use std::cell::OnceCell;
use std::rc::Rc;

/// What a comma is that came encoded (`%2C`), in a list that is one value with no other comma in it.
///
/// By RFC 6570 it belongs to an item. Most HTTP libraries encode the commas between items as well,
/// which cannot be told apart where an item may hold a comma. So both readings are tried, and this
/// says which goes first: the other is taken where the type of the items does not take the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoded {
    /// It stands between items.
    #[default]
    Split,
    /// It is part of an item.
    Keep,
}

impl ParamSource<'_> {
    /// Whether an encoded comma may stand between items as well as in one.
    pub(super) fn has_two_readings(&self) -> bool {
        let [value] = self.values.as_slice() else {
            return false;
        };
        self.has_encoded_commas() && !value.contains(',') && split_at_any(value, &COMMAS).len() > 1
    }

    /// The same value, with its encoded commas read in the other way.
    pub(super) fn other_reading(self) -> Self {
        let encoded = match self.encoded {
            Encoded::Split => Encoded::Keep,
            Encoded::Keep => Encoded::Split,
        };
        Self {
            encoded,
            asked: OnceCell::new(),
            walk: Rc::default(),
            ..self
        }
    }

    /// Whether commas stand between items, and may be encoded.
    pub(super) fn has_encoded_commas(&self) -> bool {
        let commas = match self.param.form {
            Notation::Simple | Notation::Form => true,
            Notation::Label | Notation::Matrix => !self.param.exploded(),
            _ => false,
        };
        commas && matches!(self.param.place, Place::Path | Place::Query)
    }

    /// Cuts a value at what stands between items. In a header nothing is encoded, and `+` is a space
    /// in queries only.
    pub(super) fn split<'v>(&self, value: &'v str) -> Vec<&'v str> {
        let in_header = self.param.place == Place::Header;
        match self.param.form {
            Notation::Label if self.param.exploded() => value.split('.').collect(),
            Notation::Matrix if self.param.exploded() => value.split(';').collect(),
            Notation::Space if in_header => value.split(' ').collect(),
            Notation::Pipe if in_header => value.split('|').collect(),
            Notation::Tab if in_header => value.split('\t').collect(),
            Notation::Space if self.param.place == Place::Path => {
                split_at_any(value, &["%20", " "])
            }
            Notation::Space => split_at_any(value, &["%20", "+", " "]),
            Notation::Pipe => split_at_any(value, &["%7C", "%7c", "|"]),
            Notation::Tab => split_at_any(value, &["%09", "\t"]),
            _ if self.encoded == Encoded::Split
                && self.has_encoded_commas()
                && !value.contains(',') =>
            {
                split_at_any(value, &COMMAS)
            }
            _ => value.split(',').collect(),
        }
    }
}

/// A comma that is encoded.
const COMMAS: [&str; 2] = ["%2C", "%2c"];

fn split_at_any<'v>(value: &'v str, marks: &[&str]) -> Vec<&'v str> {
    let mut out = Vec::new();
    let mut rest = value;
    loop {
        let first = marks
            .iter()
            .filter_map(|mark| rest.find(mark).map(|at| (at, mark.len())))
            .min();
        match first.and_then(|(at, length)| Some((rest.get(..at)?, rest.get(at + length..)?))) {
            Some((item, after)) => {
                out.push(item);
                rest = after;
            }
            None => {
                out.push(rest);
                return out;
            }
        }
    }
}
