//! Structs.

use super::super::Serde;
use super::super::docs::Text;
use super::super::scope::Scope;
use super::super::syntax::{field, item_struct, named_fields, public, table};
use super::{defaults, derive, head};
use crate::ir::{self, Object, TypeDef, TypeRef, Unknown};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Field, Item};

/// Above this number, required fields are no longer the constructor's parameters.
const MAX_PARAMETERS: usize = 7;

/// The struct, its table, and the accessors of its defaults.
pub(super) fn emit(scope: &Scope<'_>, def: &TypeDef, object: &Object) -> Vec<Item> {
    let ident = scope.name(&def.name);
    let derived = scope.cx.options.serde == Serde::Derive;
    let attrs = if derived {
        derive::head(def, object)
    } else {
        head(def, quote!(Debug, Clone, PartialEq))
    };
    let mut items = vec![
        item_struct(
            attrs,
            ident.clone(),
            named_fields(fields(scope, object, derived)),
        ),
        if derived {
            derive::table(scope, &ident, object)
        } else {
            wire_table(scope, &ident, object)
        },
    ];
    items.extend(defaults::accessors(scope, &ident, object));
    items
}

fn fields(scope: &Scope<'_>, object: &Object, derived: bool) -> Vec<Field> {
    let mut fields: Vec<Field> = object
        .fields
        .iter()
        .map(|of| {
            let mut attrs = Text::of(&of.doc).attrs();
            if derived {
                attrs.extend(derive::field_attr(of));
            }
            field(
                attrs,
                public(),
                Some(scope.name(&of.name)),
                scope.ty(&of.ty),
            )
        })
        .collect();
    if let Unknown::Kept(name, ty) = &object.unknown {
        let mut attrs = Text::line("Properties that the document does not name.").attrs();
        if derived {
            attrs.push(derive::flatten());
        }
        let ty = scope.ty(&TypeRef::Map(Box::new(ty.clone())));
        fields.push(field(attrs, public(), Some(scope.name(name)), ty));
    }
    fields
}

fn wire_table(scope: &Scope<'_>, ident: &Ident, object: &Object) -> Item {
    let head = head_of(scope, ident, object);
    let closed = matches!(object.unknown, Unknown::Refused).then(|| quote!(closed));
    let rows = object.fields.iter().map(|of| {
        let wire = &of.name.wire;
        row(quote!(#wire), &scope.name(&of.name), mark(of))
    });
    let extra = match &object.unknown {
        Unknown::Kept(name, _) => {
            let name = scope.name(name);
            Some(quote!(..#name))
        }
        Unknown::Ignored | Unknown::Refused => None,
    };
    table("object", quote!(#head #closed { #(#rows)* #extra }))
}

/// `Name(a: A)`: the type and its constructor.
pub(super) fn head_of(scope: &Scope<'_>, ident: &Ident, object: &Object) -> TokenStream {
    let required = object.fields.iter().filter(|of| !of.optional && !of.fixed);
    constructor(
        ident,
        required.map(|of| (scope.name(&of.name), scope.ty(&of.ty))),
    )
}

/// `Name(a: A, b: B)`, or `Name` alone when there would be too many parameters.
pub(in crate::emit) fn constructor(
    ident: &Ident,
    required: impl Iterator<Item = (Ident, syn::Type)>,
) -> TokenStream {
    let parameters: Vec<TokenStream> = required.map(|(name, ty)| quote!(#name: #ty)).collect();
    if parameters.len() > MAX_PARAMETERS {
        quote!(#ident)
    } else {
        quote!(#ident(#(#parameters),*))
    }
}

/// What follows a field in a table: `?` when it may be absent, `!` when it has one value only.
fn mark(of: &ir::Field) -> Option<TokenStream> {
    match (of.optional, of.fixed) {
        (true, _) => Some(quote!(?)),
        (false, true) => Some(quote!(!)),
        (false, false) => None,
    }
}

/// `key => field,`, with its mark.
pub(in crate::emit) fn row(
    key: TokenStream,
    field: &Ident,
    mark: Option<TokenStream>,
) -> TokenStream {
    quote!(#key => #field #mark,)
}
