//! How single properties of forms and of multipart bodies are written.

use super::super::scope::Scope;
use super::super::syntax::{id, string};
use super::request::style_word;
use crate::ir::{Media, Part, PartShape};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, parse_quote};

/// `with [value("file").media("image/png")]` in the row of a body, whose macro has the constructors
/// in scope; nothing where nothing is said.
pub(super) fn clause(media: &Media) -> Option<TokenStream> {
    let parts = media.parts.iter().map(|part| {
        let made = one(part);
        quote!(#made)
    });
    (!media.parts.is_empty()).then(|| quote!(with [#(#parts),*]))
}

/// `&[parts::value("file").media("image/png")]`; nothing where nothing is said.
fn list(scope: &Scope<'_>, media: &Media) -> Option<Expr> {
    if media.parts.is_empty() {
        return None;
    }
    let module = scope.runtime("parts");
    let parts = media.parts.iter().map(|part| {
        let made = one(part);
        quote!(#module::#made)
    });
    Some(parse_quote!(&[#(#parts),*]))
}

/// What a method that codes a body takes beside the body: how its parts are written, or what ends it.
pub(super) fn further(scope: &Scope<'_>, media: &Media) -> Option<Expr> {
    let end = || media.end.as_deref().map(string);
    list(scope, media).or_else(end)
}

fn one(part: &Part) -> TokenStream {
    let name = &part.name;
    let start = match &part.shape {
        PartShape::Value => quote!(value(#name)),
        PartShape::List => quote!(list(#name)),
        PartShape::Object(properties) => quote!(object(#name, &[#(#properties),*])),
    };
    let words = part.style.iter().map(|word| id(style_word(*word)));
    let media = part.media.iter();
    quote!(#start #(.#words())* #(.media(#media))*)
}
