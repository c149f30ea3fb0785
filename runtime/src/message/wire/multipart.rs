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

/// Returns the offset of the first occurrence of some bytes.
fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    // Searches for the first byte, which is rare in most data.
    let first = *what.first()?;
    let mut from = 0;
    loop {
        let at = from + bytes.get(from..)?.iter().position(|byte| *byte == first)?;
        if bytes.get(at..)?.starts_with(what) {
            return Some(at);
        }
        from = at + 1;
    }
}
