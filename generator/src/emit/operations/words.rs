//! The words in tables for values of the intermediate representation.

use crate::ir::{Place, StyleWord};

/// Returns the method of the runtime's `Style`.
pub(in crate::emit) const fn place_word(place: Place) -> &'static str {
    match place {
        Place::Path => "path",
        Place::Query => "query",
        Place::QueryString => "querystring",
        Place::Header => "header",
        Place::Cookie => "cookie",
    }
}

/// Returns the method of the runtime's `Param`.
pub(in crate::emit) const fn style_word(word: StyleWord) -> &'static str {
    match word {
        StyleWord::Simple => "simple",
        StyleWord::Label => "label",
        StyleWord::Matrix => "matrix",
        StyleWord::Form => "form",
        StyleWord::Space => "space",
        StyleWord::Pipe => "pipe",
        StyleWord::Tab => "tab",
        StyleWord::Deep => "deep",
        StyleWord::Cookie => "cookie",
        StyleWord::Explode => "explode",
        StyleWord::Flat => "flat",
        StyleWord::Reserved => "reserved",
        StyleWord::Empty => "empty",
        StyleWord::Json => "json",
    }
}
