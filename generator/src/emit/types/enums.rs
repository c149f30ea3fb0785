//! Enums of strings and of other JSON scalars.

use super::super::docs::{Text, code};
use super::super::rules;
use super::super::scope::Scope;
use super::super::syntax::{
    doc_attr, field, item_enum, path_type, table, tuple_fields, variant, word_attr,
};
use super::head::{head, head_with};
use crate::ir::{Literal, LiteralEnum, StringEnum, StringVariant, Traits, TypeDef};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Fields, Item, Variant, Visibility};

/// Returns `enum` and `string_enum!`.
pub(super) fn strings(scope: &Scope<'_>, def: &TypeDef, definition: &StringEnum) -> Vec<Item> {
    let ident = scope.name(&def.name);
    // The table implements them: values are in the order of their strings, not of the variants.
    let derived = Traits {
        eq: false,
        ord: false,
        ..def.traits
    };
    let attrs = head_with(def, derived);
    let rows = definition.variants.iter().map(|variant| {
        let (name, wire) = (scope.name(&variant.name), &variant.name.wire);
        quote!(#name => #wire,)
    });
    let mut variants: Vec<Variant> = definition
        .variants
        .iter()
        .map(|variant| string_variant(scope, variant))
        .collect();
    // The only value is the one that a constructor sets.
    if let (true, Some(only)) = (def.traits.default, variants.first_mut()) {
        only.attrs.push(word_attr("default"));
    }
    let tokens = match &definition.fallback {
        None => quote!(#ident { #(#rows)* }),
        Some(fallback) => {
            let fallback = scope.name(fallback);
            variants.push(fallback_variant(scope, fallback.clone(), "Unrecognized"));
            let asked = rules::clause(&def.rules);
            quote!(#ident, #fallback #asked { #(#rows)* })
        }
    };
    vec![
        item_enum(attrs, ident, variants),
        table("string_enum", tokens),
    ]
}

fn string_variant(scope: &Scope<'_>, value: &StringVariant) -> Variant {
    let mut text = Text::new(&value.doc);
    if text.is_empty() {
        text.paragraph(code(&value.name.wire));
    }
    variant(text.attrs(), scope.name(&value.name), Fields::Unit)
}

/// Returns the variant that stores unlisted values, in a type of the runtime.
pub(super) fn fallback_variant(
    scope: &Scope<'_>,
    ident: proc_macro2::Ident,
    text: &'static str,
) -> Variant {
    let ty = path_type(scope.runtime(text));
    let doc = doc_attr(" A value that the document did not list when this was generated.");
    variant(
        vec![doc],
        ident,
        tuple_fields([field(Vec::new(), Visibility::Inherited, None, ty)]),
    )
}

/// Returns `enum` and `literal_enum!`.
pub(super) fn literals(scope: &Scope<'_>, def: &TypeDef, definition: &LiteralEnum) -> Vec<Item> {
    let ident = scope.name(&def.name);
    let attrs = head(def);
    let variants = definition.variants.iter().map(|definition| {
        let mut text = Text::new(&definition.doc);
        if text.is_empty() {
            text.paragraph(code(&shown(&definition.value)));
        }
        variant(text.attrs(), scope.name(&definition.name), Fields::Unit)
    });
    let mut variants: Vec<Variant> = variants.collect();
    if let (true, Some(only)) = (def.traits.default, variants.first_mut()) {
        only.attrs.push(word_attr("default"));
    }
    let rows = definition.variants.iter().map(|variant| {
        let (name, value) = (scope.name(&variant.name), literal(&variant.value));
        quote!(#name => #value,)
    });
    let tokens = match &definition.fallback {
        None => quote!(#ident { #(#rows)* }),
        Some(fallback) => {
            let fallback = scope.name(fallback);
            variants.push(fallback_variant(
                scope,
                fallback.clone(),
                "UnrecognizedValue",
            ));
            let asked = rules::clause(&def.rules);
            quote!(#ident, #fallback #asked { #(#rows)* })
        }
    };
    vec![
        item_enum(attrs, ident, variants),
        table("literal_enum", tokens),
    ]
}

pub(super) fn literal(value: &Literal) -> TokenStream {
    match value {
        Literal::Null => quote!(null),
        Literal::Bool(value) => quote!(#value),
        Literal::Int(value) => integer(*value),
        Literal::Float(value) => float(*value),
        Literal::String(value) => quote!(#value),
    }
}

/// Returns an integer without a suffix.
pub(super) fn integer(value: i128) -> TokenStream {
    let digits = proc_macro2::Literal::u128_unsuffixed(value.unsigned_abs());
    if value < 0 {
        quote!(-#digits)
    } else {
        quote!(#digits)
    }
}

/// Returns a finite number without a suffix. JSON has no other numbers.
pub(super) fn float(value: f64) -> TokenStream {
    let magnitude = if value.is_finite() { value.abs() } else { 0.0 };
    let digits = proc_macro2::Literal::f64_unsuffixed(magnitude);
    if value.is_sign_negative() {
        quote!(-#digits)
    } else {
        quote!(#digits)
    }
}

fn shown(value: &Literal) -> String {
    match value {
        Literal::Null => "null".to_owned(),
        Literal::Bool(value) => value.to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Float(value) => value.to_string(),
        Literal::String(value) => value.clone(),
    }
}
