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
pub(super) fn emit(scope: &Scope<'_>, def: &TypeDef, of: &Union) -> Vec<Item> {
    if of.several {
        return several(scope, def, of);
    }
    let ident = scope.name(&def.name);
    let attrs = head(def);
    let tagged = of.tag.is_some();
    let mut variants: Vec<Variant> = of
        .variants
        .iter()
        .map(|of| one(scope, of, tagged))
        .collect();
    let table = match &of.tag {
        Some(tag) => {
            let rows = of.variants.iter().map(|of| tagged_row(scope, of));
            let fallback = of.fallback.as_ref().map(|fallback| {
                let fallback = scope.name(fallback);
                variants.push(fallback_variant(
                    scope,
                    fallback.clone(),
                    "UnrecognizedValue",
                ));
                let asked = rules::clause(&def.rules);
                quote!(, #fallback #asked)
            });
            let word = if of.by_event { "events" } else { "tagged" };
            table(word, quote!(#ident #fallback by #tag { #(#rows),* }))
        }
        None => {
            let rows = of.variants.iter().map(|of| row(scope, of));
            table("union", quote!(#ident { #(#rows),* }))
        }
    };
    vec![item_enum(attrs, ident, variants), table]
}

fn one(scope: &Scope<'_>, of: &UnionVariant, tagged: bool) -> Variant {
    let mut text = Text::of(&of.doc);
    if text.is_empty() && tagged {
        text.paragraph(
            of.tags
                .iter()
                .map(|tag| code(tag))
                .collect::<Vec<_>>()
                .join(", "),
        );
    }
    let inner = field(Vec::new(), Visibility::Inherited, None, scope.ty(&of.ty));
    variant(text.attrs(), scope.name(&of.name), tuple_fields([inner]))
}

fn row(scope: &Scope<'_>, of: &UnionVariant) -> TokenStream {
    let (name, rules) = (
        scope.name(&of.name),
        rules::of(scope, &of.ty, &of.rules, true),
    );
    quote!(#name #rules)
}

/// Returns a struct with a field for each alternative that may match together with others.
fn several(scope: &Scope<'_>, def: &TypeDef, of: &Union) -> Vec<Item> {
    let ident = scope.name(&def.name);
    let attrs = head(def);
    let fields = of.variants.iter().map(|of| {
        let ty = TypeRef::Option(Box::new(of.ty.clone()));
        let docs = Text::of(&of.doc).attrs();
        field(docs, public(), Some(scope.name(&of.name)), scope.ty(&ty))
    });
    let rows = of.variants.iter().map(|of| {
        let name = scope.name(&of.name);
        let optional = TypeRef::Option(Box::new(of.ty.clone()));
        let ty = setter(scope, &of.name, &optional, &of.doc);
        let rules = rules::of(scope, &of.ty, &of.rules, true);
        match scope.cx.api.is_foreign(&of.ty) {
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

fn tagged_row(scope: &Scope<'_>, of: &UnionVariant) -> TokenStream {
    let name = scope.name(&of.name);
    let tags = &of.tags;
    let rules = rules::of(scope, &of.ty, &of.rules, true);
    let others = of.takes_others.then(|| quote!(default));
    quote!(#name => #(#tags)|* #others #rules)
}
