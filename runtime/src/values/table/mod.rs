//! Objects as tables: a row for each field, and one visitor for all types.
//!
//! The code here is generic over the *format*, not over the type: a type adds only the arrays of
//! its fields, and the loops that read and write them are shared.

mod constant;
mod distinct;
mod forms;
mod lenient;
mod macros;
mod read;
mod slots;
mod validation;
mod write;

pub use constant::{Constant, constant};
pub use distinct::{distinct, distinct_headers, distinct_of, distinct_parameters, distinct_values};
pub use lenient::{none, not_null, or_none};
pub use read::{Table, fill, unfilled};
pub(crate) use slots::Left;
pub use slots::{Checked, Leave, Rest, Slot, Unchecked};
pub use write::{Emit, Fields, May, Sink, write};

use crate::values::read::State;
use serde::de::MapAccess;

/// The metadata of a type, without the types of its fields.
#[derive(Debug)]
pub struct Meta {
    /// The Rust name of the type.
    pub name: &'static str,
    /// The names on the wire.
    pub keys: &'static [&'static str],
    /// For each key, 1 if it is optional.
    pub optional: &'static [u8],
    /// Not empty if unknown keys are rejected.
    pub closed: &'static [&'static str],
    /// Not empty if unknown keys are kept.
    pub open: &'static [&'static str],
    /// Whether serde's derive macros implement its traits.
    pub derived: bool,
}

impl Meta {
    /// Returns the index of a key. The search starts at `from`, the expected index, and wraps
    /// around.
    #[inline]
    pub(crate) fn find(&self, key: &str, from: usize) -> Option<usize> {
        match self.keys.get(from) {
            Some(known) if *known == key => Some(from),
            _ => self.search(key, from),
        }
    }

    fn search(&self, key: &str, from: usize) -> Option<usize> {
        let (head, tail) = self.keys.split_at_checked(from).unwrap_or((self.keys, &[]));
        match tail.iter().position(|known| *known == key) {
            Some(index) => Some(index + head.len()),
            None => head.iter().position(|known| *known == key),
        }
    }

    /// Returns whether unknown keys are rejected.
    pub(crate) const fn is_closed(&self) -> bool {
        !self.closed.is_empty()
    }

    /// Returns whether unknown keys are kept.
    pub(crate) const fn is_open(&self) -> bool {
        !self.open.is_empty()
    }
}

/// A type that [`object!`](crate::object) describes.
pub trait Object: Sized {
    /// The metadata.
    const META: &'static Meta;

    /// The forms of the properties.
    #[cfg(feature = "sample")]
    const ROWS: &'static crate::values::sample::Rows;

    /// Deserializes the fields from a map.
    fn read<'de, A: MapAccess<'de>>(map: A, state: &State<'_>) -> Result<Self, A::Error>;

    /// Passes the fields to a sink.
    fn emit<W: Sink>(&self, sink: W) -> W::Out;
}
