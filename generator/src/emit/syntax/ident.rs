//! Identifiers of our own.

use proc_macro2::{Ident, Span};

/// An identifier of our own, known to be one.
pub(in crate::emit) fn id(name: &'static str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// A local name of our own.
pub(in crate::emit) fn local(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
