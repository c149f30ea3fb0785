//! Objects as tables: one line a field, one visitor for all of them.
//!
//! What is generic here is generic over the *format*, not over the type: a type adds only the
//! arrays of its fields, and the loops that fill and write them are shared.

mod lenient;
mod macros;
mod read;
mod write;

pub use lenient::{none, or_none};
pub(crate) use read::Left;
pub use read::{Leave, Rest, Slot, fill, read, some_default, unfilled};
pub use write::{Emit, May, OpenWriter, Writer, write};

use serde::de::MapAccess;

/// What a table says of a type, apart from the types of its fields.
#[derive(Debug)]
pub struct Meta {
    /// The Rust name of the type.
    pub name: &'static str,
    /// The names on the wire.
    pub keys: &'static [&'static str],
    /// For each key, 1 when it may be absent.
    pub optional: &'static [u8],
    /// Not empty when unknown keys are refused.
    pub closed: &'static [&'static str],
    /// Not empty when unknown keys are kept.
    pub open: &'static [&'static str],
}

impl Meta {
    /// The index of a key; the search starts at `from`, where it is expected, and wraps.
    pub(crate) fn find(&self, key: &str, from: usize) -> Option<usize> {
        let (head, tail) = self.keys.split_at_checked(from).unwrap_or((self.keys, &[]));
        match tail.iter().position(|known| *known == key) {
            Some(index) => Some(index + head.len()),
            None => head.iter().position(|known| *known == key),
        }
    }

    /// Whether unknown keys are refused.
    pub(crate) const fn is_closed(&self) -> bool {
        !self.closed.is_empty()
    }

    /// Whether unknown keys are kept.
    pub(crate) const fn is_open(&self) -> bool {
        !self.open.is_empty()
    }
}

/// The keys of a table, each of which stands there once.
///
/// # Panics
///
/// At compile time, since tables are constants: if a key stands there twice.
pub const fn distinct(keys: &'static [&'static str]) -> &'static [&'static str] {
    let mut rest = keys;
    while let [first, after @ ..] = rest {
        let mut others = after;
        while let [other, next @ ..] = others {
            assert!(!same(first, other), "a table has the same key twice");
            others = next;
        }
        rest = after;
    }
    keys
}

/// The parameters of an operation, each of which stands there once.
///
/// # Panics
///
/// At compile time, since tables are constants: if a parameter stands there twice.
pub const fn distinct_parameters(
    parameters: &'static [(&'static str, &'static str)],
) -> &'static [(&'static str, &'static str)] {
    let mut rest = parameters;
    while let [(place, key), after @ ..] = rest {
        let mut others = after;
        while let [(other_place, other), next @ ..] = others {
            let twice = same(key, other) && same(place, other_place);
            assert!(!twice, "a table has the same parameter twice");
            others = next;
        }
        rest = after;
    }
    parameters
}

/// Whether two texts are the same.
const fn same(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    while let ([first, after @ ..], [second, next @ ..]) = (one, other) {
        if *first != *second {
            return false;
        }
        (one, other) = (after, next);
    }
    true
}

/// A type that [`object!`](crate::object) describes.
pub trait Object: Sized {
    /// The table.
    const META: &'static Meta;

    /// Reads the fields from a map.
    fn read<'de, A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>;
}
