//! Bodies of `multipart/form-data` (RFC 7578).
//!
//! A property is a part under its name, a list is one part for each item, and an object is a part
//! of JSON. Files keep their name, media type and headers. A file without a media type has the one
//! of the document, or `application/octet-stream`; a file without a name has none. The encoding of
//! a single property takes precedence.

mod name;
mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::{Whole, write};

/// The media type of a file without a stated type (OpenAPI 3.0.4, section 4.7.15.1).
const OCTETS: &str = "application/octet-stream";

use memchr::memmem::find;
