//! `--serde derive`: structs with serde's derive macros, for formats and tools of the user. The runtime
//! reads them by their tables all the same.

use super::super::syntax::{list_attr, word_attr};
use super::configured::attributes;
use super::head::{derives, docs};
use crate::ir::{Field, TypeDef, TypeRef};
use quote::quote;
use syn::Attribute;

/// Returns docs, derives and serde attributes of a struct.
pub(super) fn head(def: &TypeDef) -> Vec<Attribute> {
    let mut attrs = docs(def);
    let own = derives(def, def.traits);
    attrs.push(list_attr(
        "derive",
        quote!(
            #own,
            bothends_runtime::serde::Serialize,
            bothends_runtime::serde::Deserialize
        ),
    ));
    attrs.push(list_attr(
        "serde",
        quote!(crate = "bothends_runtime::serde"),
    ));
    attrs.extend(attributes(def));
    attrs.extend(def.non_exhaustive.then(|| word_attr("non_exhaustive")));
    attrs
}

/// Returns the serde attribute of a field, if necessary.
pub(super) fn field_attr(field: &Field) -> Option<Attribute> {
    let mut words = Vec::new();
    let rust = &field.name.rust;
    let wire = &field.name.wire;
    if rust.strip_prefix("r#").unwrap_or(rust) != wire {
        words.push(quote!(rename = #wire));
    }
    match (&field.ty, field.optional) {
        (TypeRef::Nullable(_), true) => words.push(quote!(
            default,
            skip_serializing_if = "bothends_runtime::Nullable::is_absent"
        )),
        (TypeRef::Option(_), true) => {
            words.push(quote!(default, skip_serializing_if = "Option::is_none"))
        }
        (_, true) => words.push(quote!(default)),
        (_, false) => {}
    }
    let read = match (&field.ty, field.optional) {
        _ if field.or_none => Some("bothends_runtime::private::or_none"),
        (TypeRef::Option(_), true) => Some("bothends_runtime::private::not_null"),
        // serde reads an absent `Option` as null; here the key is required.
        (TypeRef::Option(_), false) => Some("bothends_runtime::serde::Deserialize::deserialize"),
        _ => None,
    };
    words.extend(read.map(|read| quote!(deserialize_with = #read)));
    (!words.is_empty()).then(|| list_attr("serde", quote!(#(#words),*)))
}

/// Returns `#[serde(flatten)]`.
pub(super) fn flatten() -> Attribute {
    list_attr("serde", quote!(flatten))
}
