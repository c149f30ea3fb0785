//! Rows and heads of the tables of structs.

use super::super::rules;
use super::super::scope::Scope;
use crate::ir::{Object, Unknown};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Above this number, required fields are no longer the constructor's parameters.
const MAX_PARAMETERS: usize = 7;

/// `..extra`, with what is asked of each.
pub(super) fn extra(scope: &Scope<'_>, object: &Object) -> Option<TokenStream> {
    let Unknown::Kept(name, _) = &object.unknown else {
        return None;
    };
    let (name, each) = (scope.name(name), rules::clause(&object.each));
    Some(quote!(..#name #each))
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

/// `key => field,`, with its mark and what is asked of it.
pub(in crate::emit) fn row(
    key: TokenStream,
    field: &Ident,
    mark: Option<TokenStream>,
    rules: Option<TokenStream>,
) -> TokenStream {
    quote!(#key => #field #mark #rules,)
}
