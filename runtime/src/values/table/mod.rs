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
mod tag;
mod validation;
mod write;

pub use crate::values::outline::Meta;
pub use crate::values::read::unfilled;
pub use constant::{Constant, constant, text_of};
pub use distinct::{distinct, distinct_headers, distinct_of, distinct_parameters, distinct_values};
pub use lenient::{none, not_null, or_none};
pub use read::{Table, fill};
pub(crate) use slots::Left;
pub use slots::{Checked, Leave, Rest, Slot, Unchecked};
pub use write::{Emit, Fields, May, Sink, write};

use crate::values::read::State;
use serde::de::MapAccess;

/// A type that [`object!`](crate::object) describes.
pub trait Object: Sized {
    /// The metadata.
    const META: &'static Meta;

    /// The forms of the properties.
    #[cfg(feature = "sample")]
    const ROWS: &'static crate::values::form::Rows;

    /// Deserializes the fields from a map.
    fn read<'de, A: MapAccess<'de>>(map: A, state: &State<'_>) -> Result<Self, A::Error>;

    /// Passes the fields to a sink.
    fn emit<W: Sink>(&self, sink: W) -> W::Out;
}
