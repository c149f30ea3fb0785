//! Bodies of `multipart/form-data`, after RFC 7578.
//!
//! A property is a part under its name, a list one part for each item; an object is a part of
//! JSON. Files keep their name, type and headers; one without a type is of the one that the document
//! gives, or `application/octet-stream`, and one without a name has none. What the document says of
//! a single property goes first.

mod name;
mod read;
mod write;

pub(crate) use read::read;
pub(crate) use write::{Whole, write};

/// The type of a file of which nothing else is said (OpenAPI 3.0.4, 4.7.15.1).
const OCTETS: &str = "application/octet-stream";

/// Where some bytes are first found.
fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    // Looks for the first byte first, which is rare in most data.
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
