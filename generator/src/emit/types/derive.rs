//! `--serde derive`: structs with serde's derive macros. Enums and unions keep their tables.

use super::super::rules;
use super::super::scope::Scope;
use super::super::syntax::{list_attr, table as macro_table};
use super::head::{derives, docs};
use super::row::{extra, head_of, setter_type};
use crate::ir::{Field, Object, Rule, TypeDef, TypeRef, Unknown};
use proc_macro2::Ident;
use quote::quote;
use syn::{Attribute, Item};

/// Returns docs, derives and serde attributes of a struct.
pub(super) fn head(def: &TypeDef, object: &Object) -> Vec<Attribute> {
    let mut attrs = docs(def);
    let own = derives(def.traits);
    attrs.push(list_attr(
        "derive",
        quote!(
            #own,
            bothends_runtime::serde::Serialize,
            bothends_runtime::serde::Deserialize
        ),
    ));
    let refuse = matches!(object.unknown, Unknown::Refused).then(|| quote!(, deny_unknown_fields));
    attrs.push(list_attr(
        "serde",
        quote!(crate = "bothends_runtime::serde" #refuse),
    ));
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

/// Returns `construct!`, which generates `new`.
pub(super) fn table(scope: &Scope<'_>, ident: &Ident, object: &Object, whole: &[Rule]) -> Item {
    let head = head_of(scope, ident, object);
    let fields = object.fields.iter().map(|field| {
        let name = scope.name(&field.name);
        let mark = (field.optional || field.fixed).then(|| quote!(?));
        let ty = setter_type(scope, &field.name, &field.ty).filter(|_| field.optional);
        let ty = ty.map(|ty| quote!(: #ty));
        let (wire, rules) = (
            &field.name.wire,
            rules::of(scope.cx.api, &field.ty, &field.rules),
        );
        quote!(#wire #ty => #name #mark #rules,)
    });
    let (extra, whole) = (extra(scope, object), rules::clause(whole));
    macro_table("construct", quote!(#head #whole { #(#fields)* #extra }))
}
