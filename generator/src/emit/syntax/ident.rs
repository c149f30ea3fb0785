//! Identifiers of the generator.

use proc_macro2::{Ident, Span};

/// Returns an identifier of the generator, which is known to be valid.
pub(in crate::emit) fn id(name: &'static str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Returns a local name of the generator.
pub(in crate::emit) fn local(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}
