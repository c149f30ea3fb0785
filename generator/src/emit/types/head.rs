//! The attributes of a type: its documentation and its derives.

use super::super::docs::Text;
use super::super::syntax::list_attr;
use crate::ir::{Traits, TypeDef};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Attribute;

/// Returns the doc attributes of a type.
pub(super) fn docs(def: &TypeDef) -> Vec<Attribute> {
    Text::of(&def.doc).pointer(&def.doc).attrs()
}

/// Returns the doc attributes and the derives of a type.
pub(super) fn head(def: &TypeDef) -> Vec<Attribute> {
    let mut attrs = docs(def);
    attrs.push(list_attr("derive", derives(def.traits)));
    attrs
}

/// Returns the traits of a derive.
pub(super) fn derives(of: Traits) -> TokenStream {
    let copy = of.copy.then(|| quote!(Copy,));
    let default = of.default.then(|| quote!(Default,));
    let eq = of.eq.then(|| quote!(, Eq));
    let ord = of.ord.then(|| quote!(, PartialOrd, Ord));
    let hash = of.hash.then(|| quote!(, Hash));
    quote!(Debug, Clone, #copy #default PartialEq #eq #ord #hash)
}
