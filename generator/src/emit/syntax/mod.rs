//! Small builders of `syn` values: items are built, never parsed back from tokens.

mod item;
mod path;

pub(super) use item::*;
pub(super) use path::*;

use proc_macro2::{Ident, Span};

/// An identifier of our own, known to be one.
pub(super) fn id(name: &'static str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// A local name of our own.
pub(super) fn local(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
