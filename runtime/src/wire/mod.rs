//! Serialization of values as parameters and bodies, and deserialization.
//!
//! Every value is converted to a [`Node`], a small tree of texts, whatever its style. For
//! deserialization, the style is parsed into the node that the type requests.

mod brackets;
pub(crate) mod cookie;
mod error;
mod expand;
mod finite;
pub(crate) mod form;
pub(crate) mod header;
pub(crate) mod locate;
pub(crate) mod media;
pub(crate) mod multipart;
mod node;
mod param;
mod parse;
mod part;
pub(crate) mod percent;
pub(crate) mod query;
pub(crate) mod read;
mod ser;
pub(crate) mod short;
mod strict;
mod style;
pub(crate) mod template;

pub(crate) use error::WireError;
pub use error::{DecodeError, EncodeError};
pub(crate) use expand::{Expanded, expand};
pub(crate) use finite::to_json;
pub(crate) use node::{Node, Whole};
pub use param::{OptionalParam, Param};
pub(crate) use param::{Place, read_header, write_header};
pub(crate) use parse::{Encoded, Sources, expect};
pub use part::{Part, parts};
pub(crate) use read::more;
pub use strict::not_null;
#[cfg(feature = "server")]
pub(crate) use strict::strictly;
pub(crate) use strict::{is_strict, not_null_at, null_as, null_error};
pub use style::Style;
