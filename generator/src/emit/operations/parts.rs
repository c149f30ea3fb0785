//! The encoding of individual properties in forms and multipart bodies.

use super::super::syntax::id;
use super::words::style_word;
use crate::ir::{Media, Part, PartShape};
use proc_macro2::TokenStream;
use quote::quote;

/// Returns `with [value("file").media("image/png")]` for the row of a body, whose macro has the
/// constructors in scope. Returns `None` if the document has no such encodings.
pub(super) fn clause(media: &Media) -> Option<TokenStream> {
    let parts = media.parts.iter().map(|part| {
        let made = part_row(part);
        quote!(#made)
    });
    (!media.parts.is_empty()).then(|| quote!(with [#(#parts),*]))
}

fn part_row(part: &Part) -> TokenStream {
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
