//! Values: types, their tables and rules, and their conversion from and to JSON and trees.
//!
//! This is the lowest layer. Its modules know neither messages nor their ends.

pub(crate) mod binary;
pub(crate) mod check;
#[cfg(feature = "jiff")]
mod date_time;
pub(crate) mod decimal;
pub(crate) mod enums;
pub(crate) mod error;
pub(crate) mod escape;
pub(crate) mod escaped;
mod field_error;
mod file;
#[cfg(feature = "sample")]
pub(crate) mod form;
pub(crate) mod json_reader;
mod json_text;
mod json_writer;
mod leniency;
pub(crate) mod newtype;
mod node;
pub(crate) mod number;
mod outline;
mod prefix;
pub(crate) mod presence;
pub(crate) mod read;
mod refuse;
pub(crate) mod round_trip;
pub(crate) mod same_as;
#[cfg(feature = "sample")]
pub(crate) mod sample;
mod ser;
pub(crate) mod short;
pub(crate) mod syntax;
pub(crate) mod table;
pub(crate) mod tag;
pub(crate) mod union;
pub(crate) mod words;

pub use binary::{Base64, Base64Error, Binary};
pub use bytes::Bytes;
pub use check::{Rule, Validate, ValidationErrors, rules};
#[cfg(feature = "jiff")]
pub use date_time::{DateTime, DateTimeError};
pub use enums::{Unrecognized, UnrecognizedError, UnrecognizedValue};
pub(crate) use error::WireError;
pub use error::{DecodeError, EncodeError};
pub(crate) use field_error::BODY;
pub use field_error::FieldError;
pub use json_text::JsonText;
pub(crate) use json_writer::to_json;
#[cfg_attr(
    not(feature = "server"),
    allow(unreachable_pub, reason = "public in a server")
)]
pub use leniency::Leniency;
pub(crate) use leniency::{Leniencies, Strictness};
pub(crate) use node::{Node, Whole};
pub use prefix::{NoItem, TupleList};
pub use presence::Nullable;
pub(crate) use presence::Presence;
pub(crate) use read::more;
pub use round_trip::RoundTripReport;
pub use serde_json::Value as Json;

/// An object with arbitrary keys, in the order of the input.
pub type Map<T> = indexmap::IndexMap<String, T>;
