//! Rows and heads of the tables of structs.

use super::super::rules;
use super::super::scope::Scope;
use crate::ir::{self, Object, TypeRef, Unknown};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

/// Returns `..extra`, with the rules for each value.
pub(super) fn extra(scope: &Scope<'_>, object: &Object, is_read: bool) -> Option<TokenStream> {
    let Unknown::Kept(name, ty) = &object.unknown else {
        return None;
    };
    let each = rules::value_clause(scope, ty, &object.each, is_read);
    let name = scope.name(name);
    Some(quote!(..#name #each))
}

/// Returns `Name(a: A)`: the type and its constructor.
pub(super) fn head_of(scope: &Scope<'_>, ident: &Ident, object: &Object) -> TokenStream {
    let required = object.required();
    let required = required.into_iter();
    constructor(
        ident,
        object.init.as_ref().map(|name| scope.cx.ident(name)),
        required.map(|field| (scope.name(&field.name), scope.ty(&field.ty))),
    )
}

/// Returns `Name(a: A, b: B)`, or `Name from NameInit(a: A, b: B)` for a constructor that takes its
/// values by name.
pub(in crate::emit) fn constructor(
    ident: &Ident,
    init: Option<Ident>,
    required: impl Iterator<Item = (Ident, impl ToTokens)>,
) -> TokenStream {
    let parameters: Vec<TokenStream> = required.map(|(name, ty)| quote!(#name: #ty)).collect();
    let from = init.map(|init| quote!(from #init));
    quote!(#ident #from(#(#parameters),*))
}

/// Returns `: T` or `: #[deprecated] T`, the parameter type of an optional value's setter, or `None`
/// if its name is that of the constructor.
pub(in crate::emit) fn setter(
    scope: &Scope<'_>,
    name: &ir::Name,
    ty: &TypeRef,
    doc: &ir::Doc,
) -> Option<TokenStream> {
    let (TypeRef::Option(inner) | TypeRef::Nullable(inner)) = ty else {
        return None;
    };
    let (mark, ty) = (deprecated(doc), scope.ty(inner));
    (name.rust != "new").then(|| quote!(: #mark #ty))
}

/// Returns `#[deprecated]`, if the document says so.
pub(in crate::emit) fn deprecated(doc: &ir::Doc) -> Option<TokenStream> {
    doc.deprecated.then(|| quote!(#[deprecated]))
}

/// Returns `key => field,`, with its mark and its rules.
pub(in crate::emit) fn row(
    key: TokenStream,
    field: &Ident,
    mark: Option<TokenStream>,
    rules: Option<TokenStream>,
) -> TokenStream {
    quote!(#key => #field #mark #rules,)
}
