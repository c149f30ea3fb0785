//! Paths and types.

use super::ident::id;
use proc_macro2::{Ident, Span};
use syn::punctuated::Punctuated;
use syn::{
    AngleBracketedGenericArguments, GenericArgument, Lifetime, Path, PathArguments, PathSegment,
    Type, TypePath, TypeTuple,
};

/// Returns `a::b::c`.
pub(in crate::emit) fn path(segments: impl IntoIterator<Item = Ident>) -> Path {
    Path {
        leading_colon: None,
        segments: segments.into_iter().map(PathSegment::from).collect(),
    }
}

/// Returns `a::b::c`, with names of the generator.
pub(in crate::emit) fn static_path(segments: &[&'static str]) -> Path {
    path(segments.iter().map(|name| id(name)))
}

/// Returns a path as a type.
pub(in crate::emit) fn path_type(path: Path) -> Type {
    Type::Path(TypePath {
        attrs: Vec::new(),
        qself: None,
        path,
    })
}

/// Returns a type with a single name.
pub(in crate::emit) fn simple_type(ident: Ident) -> Type {
    path_type(Path::from(ident))
}

/// Returns `path<A, B>`.
pub(in crate::emit) fn generic(mut path: Path, args: impl IntoIterator<Item = Type>) -> Type {
    if let Some(last) = path.segments.last_mut() {
        last.arguments = PathArguments::AngleBracketed(AngleBracketedGenericArguments {
            colon2_token: None,
            lt_token: Default::default(),
            args: args.into_iter().map(GenericArgument::Type).collect(),
            gt_token: Default::default(),
        });
    }
    path_type(path)
}

/// Returns `path<'_, A, B>`.
pub(in crate::emit) fn borrowing(path: Path, args: impl IntoIterator<Item = Type>) -> Type {
    let mut ty = generic(path, args);
    if let Type::Path(TypePath { path, .. }) = &mut ty
        && let Some(last) = path.segments.last_mut()
        && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
    {
        let lifetime = Lifetime::new("'_", Span::call_site());
        arguments
            .args
            .insert(0, GenericArgument::Lifetime(lifetime));
    }
    ty
}

/// Returns `Option<T>`.
pub(in crate::emit) fn option(ty: Type) -> Type {
    generic(static_path(&["Option"]), [ty])
}

/// Returns `(A, B)`.
pub(in crate::emit) fn tuple(elems: impl IntoIterator<Item = Type>) -> Type {
    let mut elems: Punctuated<Type, _> = elems.into_iter().collect();
    if elems.len() == 1 {
        elems.push_punct(Default::default());
    }
    Type::Tuple(TypeTuple {
        attrs: Vec::new(),
        paren_token: Default::default(),
        elems,
    })
}
