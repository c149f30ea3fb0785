//! The attributes of a type: its documentation and its derives.

use super::super::docs::Text;
use super::super::syntax::{list_attr, word_attr};
use super::configured::{self, attributes};
use crate::ir::{Traits, TypeDef};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Attribute;

/// Returns the doc attributes of a type: its text, and its pointer, unless the name says where it
/// comes from.
pub(super) fn docs(def: &TypeDef) -> Vec<Attribute> {
    let text = Text::new(&def.doc);
    if !text.is_empty() && is_named_after_schema(def) {
        return text.attrs();
    }
    text.pointer(&def.doc).attrs()
}

/// Returns whether a type has exactly the name of a reusable schema.
fn is_named_after_schema(def: &TypeDef) -> bool {
    let place = def.doc.pointer.as_deref().and_then(|pointer| {
        let sections = ["#/components/schemas/", "#/definitions/"];
        sections.iter().find_map(|it| pointer.strip_prefix(it))
    });
    place == Some(def.name.rust.as_str())
}

/// Returns the doc attributes and the derives of a type.
pub(super) fn head(def: &TypeDef) -> Vec<Attribute> {
    head_with(def, def.traits)
}

/// Returns the doc attributes of a type, and derives of some of its traits.
pub(super) fn head_with(def: &TypeDef, derived: Traits) -> Vec<Attribute> {
    let mut attrs = docs(def);
    attrs.push(list_attr("derive", derives(def, derived)));
    attrs.extend(attributes(def));
    attrs.extend(def.non_exhaustive.then(|| word_attr("non_exhaustive")));
    attrs
}

/// Returns the traits and the macros of a derive.
pub(super) fn derives(def: &TypeDef, traits: Traits) -> TokenStream {
    let copy = traits.copy.then(|| quote!(Copy,));
    let default = traits.default.then(|| quote!(Default,));
    let eq = traits.eq.then(|| quote!(, Eq));
    let ord = traits.ord.then(|| quote!(, PartialOrd, Ord));
    let hash = traits.hash.then(|| quote!(, Hash));
    let further = configured::derives(def);
    quote!(Debug, Clone, #copy #default PartialEq #eq #ord #hash #(, #further)*)
}
