//! Enums of types.

use super::super::docs::{Text, code};
use super::super::rules;
use super::super::scope::Scope;
use super::super::syntax::{
    field, item_enum, item_struct, named_fields, public, table, tuple_fields, variant,
};
use super::enums::fallback_variant;
use super::head::head;
use super::row::{constructor, setter};
use crate::ir::{TypeDef, TypeRef, Union, UnionVariant};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, Variant, Visibility};

/// Returns `enum`, and `tagged!`, `events!` or `union!`; or a `struct` and `any_of!`.
pub(super) fn emit(scope: &Scope<'_>, def: &TypeDef, union: &Union) -> Vec<Item> {
    if union.several {
        return several(scope, def, union);
    }
    let ident = scope.name(&def.name);
    let attrs = head(def);
    let tagged = union.tag.is_some();
    let mut variants: Vec<Variant> = union
        .variants
        .iter()
        .map(|variant| union_variant(scope, variant, tagged))
        .collect();
    let table = match &union.tag {
        Some(tag) => {
            let rows = union
                .variants
                .iter()
                .map(|variant| tagged_row(scope, variant));
            let fallback = union.fallback.as_ref().map(|fallback| {
                let fallback = scope.name(fallback);
                variants.push(fallback_variant(
                    scope,
                    fallback.clone(),
                    "UnrecognizedValue",
                ));
                let asked = rules::clause(&def.rules);
                quote!(, #fallback #asked)
            });
            let word = if union.by_event { "events" } else { "tagged" };
            table(word, quote!(#ident #fallback by #tag { #(#rows),* }))
        }
        None => {
            let rows = union.variants.iter().map(|variant| row(scope, variant));
            table("union", quote!(#ident { #(#rows),* }))
        }
    };
    vec![item_enum(attrs, ident, variants), table]
}

fn union_variant(scope: &Scope<'_>, alternative: &UnionVariant, tagged: bool) -> Variant {
    let mut text = Text::new(&alternative.doc);
    if text.is_empty() && tagged {
        text.paragraph(
            alternative
                .tags
                .iter()
                .map(|tag| code(tag))
                .collect::<Vec<_>>()
                .join(", "),
        );
    }
    let inner = field(
        Vec::new(),
        Visibility::Inherited,
        None,
        scope.ty(&alternative.ty),
    );
    variant(
        text.attrs(),
        scope.name(&alternative.name),
        tuple_fields([inner]),
    )
}

fn row(scope: &Scope<'_>, variant: &UnionVariant) -> TokenStream {
    let (name, rules) = (
        scope.name(&variant.name),
        rules::value_clause(scope, &variant.ty, &variant.rules, true),
    );
    quote!(#name #rules)
}

/// Returns a struct with a field for each alternative that may match together with others.
fn several(scope: &Scope<'_>, def: &TypeDef, union: &Union) -> Vec<Item> {
    let ident = scope.name(&def.name);
    let attrs = head(def);
    let fields = union.variants.iter().map(|variant| {
        let ty = TypeRef::Option(Box::new(variant.ty.clone()));
        let docs = Text::new(&variant.doc).attrs();
        field(
            docs,
            public(),
            Some(scope.name(&variant.name)),
            scope.ty(&ty),
        )
    });
    let rows = union.variants.iter().map(|variant| {
        let name = scope.name(&variant.name);
        let optional = TypeRef::Option(Box::new(variant.ty.clone()));
        let ty = setter(scope, &variant.name, &optional, &variant.doc);
        let rules = rules::value_clause(scope, &variant.ty, &variant.rules, true);
        match scope.cx.api.is_foreign(&variant.ty) {
            true => quote!(#name #rules #ty),
            false => quote!(#name #ty #rules),
        }
    });
    let head = constructor(&ident, None, std::iter::empty::<(_, syn::Type)>());
    let table = table("any_of", quote!(#head { #(#rows),* }));
    vec![
        item_struct(attrs, ident, named_fields(fields.collect::<Vec<_>>())),
        table,
    ]
}

fn tagged_row(scope: &Scope<'_>, variant: &UnionVariant) -> TokenStream {
    let name = scope.name(&variant.name);
    let tags = &variant.tags;
    let rules = rules::value_clause(scope, &variant.ty, &variant.rules, true);
    let others = variant.takes_others.then(|| quote!(default));
    quote!(#name => #(#tags)|* #others #rules)
}
