//! The delimiters between the items of a list in one value, encoded or not.

use super::ParamSource;
use crate::message::wire::notation::{Notation, Place};

/// The meaning of an encoded comma (`%2C`) in a list in one value that has no other comma.
///
/// By RFC 6570 an encoded comma belongs to an item. Most HTTP libraries encode the commas between
/// items as well, which cannot be distinguished if an item may contain a comma. Both
/// interpretations are therefore tried, and this type selects the first one: the other is used if
/// the type of the items does not accept the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Encoded {
    /// A delimiter between items.
    #[default]
    Split,
    /// A part of an item.
    Keep,
}

impl ParamSource<'_> {
    /// Returns whether an encoded comma may be a delimiter as well as a part of an item.
    pub(super) fn has_two_readings(&self) -> bool {
        let [value] = &*self.values else {
            return false;
        };
        self.has_encoded_commas() && !value.contains(',') && split_at_any(value, &COMMAS).len() > 1
    }

    /// Returns the same value with the other interpretation of its encoded commas.
    pub(super) fn other_reading(self) -> Self {
        let encoded = match self.encoded {
            Encoded::Split => Encoded::Keep,
            Encoded::Keep => Encoded::Split,
        };
        Self { encoded, ..self }
    }

    /// Returns whether commas are the delimiters, and may be encoded.
    pub(super) fn has_encoded_commas(&self) -> bool {
        let commas = match self.param.form {
            Notation::Simple | Notation::Form => true,
            Notation::Label | Notation::Matrix => !self.param.exploded(),
            _ => false,
        };
        commas && matches!(self.param.place, Place::Path | Place::Query)
    }

    /// Splits a value at its delimiters. A header is not encoded, and `+` is a space only in
    /// queries.
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

/// The encoded forms of a comma.
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
