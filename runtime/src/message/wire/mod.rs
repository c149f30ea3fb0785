//! Serialization of values as parameters and bodies, and deserialization.
//!
//! Every value is converted to a [`Node`](crate::values::Node), a small tree of texts, whatever its
//! style. For deserialization, the style is parsed into the node that the type requests.

mod brackets;
#[cfg(feature = "server")]
pub(crate) mod captures;
mod coding;
pub(crate) mod cookie;
mod expand;
pub(crate) mod form;
pub(crate) mod header;
pub(crate) mod multipart;
mod notation;
mod parse;
mod part;
pub(crate) mod percent;
pub(crate) mod query;
pub(crate) mod template;

pub(crate) use coding::{expand, read};
pub(crate) use expand::Expanded;
pub use notation::Param;
pub(crate) use notation::{Notation, Place};
pub(crate) use parse::{Encoded, Sources};
pub use part::{Part, parts};
