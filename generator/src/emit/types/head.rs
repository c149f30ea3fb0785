//! What stands before a type: its documentation and its derives.

use super::super::docs::Text;
use super::super::syntax::list_attr;
use crate::ir::TypeDef;
use syn::Attribute;

/// The doc attributes of a type.
pub(super) fn docs(def: &TypeDef) -> Vec<Attribute> {
    Text::of(&def.doc).pointer(&def.doc).attrs()
}

/// The doc attributes of a type, and its derives.
pub(super) fn head(def: &TypeDef, derives: proc_macro2::TokenStream) -> Vec<Attribute> {
    let mut attrs = docs(def);
    attrs.push(list_attr("derive", derives));
    attrs
}
