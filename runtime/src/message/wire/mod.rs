//! Serialization of values as parameters and bodies, and deserialization.
//!
//! Every value is converted to a [`Node`](crate::values::Node), a small tree of texts, whatever its
//! style. For deserialization, the style is parsed into the node that the type requests.

mod brackets;
#[cfg(feature = "server")]
pub(crate) mod captures;
pub(crate) mod cookie;
mod expand;
pub(crate) mod form;
pub(crate) mod header;
pub(crate) mod media;
pub(crate) mod multipart;
mod param;
mod parse;
mod part;
pub(crate) mod percent;
pub(crate) mod query;
mod response_header;
mod scalar;
mod style;
pub(crate) mod template;

pub(crate) use expand::{Expanded, expand};
pub(crate) use param::Place;
pub use param::{OptionalParam, Param};
pub(crate) use parse::{Encoded, Sources};
pub use part::{Part, parts};
#[cfg(feature = "check-responses")]
pub(crate) use response_header::check_header;
pub(crate) use response_header::{HeaderStyle, HeaderStyleOf, read_header, write_header};
pub use style::Style;
