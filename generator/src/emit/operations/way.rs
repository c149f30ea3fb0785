//! The paths to the error code and the message in the body of an error: `[code: error.code]`.

use super::super::scope::Scope;
use crate::ir::{Field, Payload, Response, TypeKind, TypeRef};
use proc_macro2::TokenStream;
use quote::quote;

/// Returns the paths for the row of an error, or `None` if its body has neither code nor message.
pub(super) fn of(scope: &Scope<'_>, response: &Response) -> Option<TokenStream> {
    let Some(Payload::One(media)) = &response.payload else {
        return None;
    };
    let of = |path: &Option<Vec<(usize, bool)>>| steps(scope, &media.ty, path.as_ref()?);
    let code = of(&response.code_path).map(|steps| quote!(code: #steps));
    let message = of(&response.message_path).map(|steps| quote!(message: #steps));
    let both: Vec<TokenStream> = code.into_iter().chain(message).collect();
    (!both.is_empty()).then(|| quote!([#(#both),*]))
}

/// Returns the steps of a path: `error?.code`.
fn steps(scope: &Scope<'_>, ty: &TypeRef, path: &[(usize, bool)]) -> Option<TokenStream> {
    let mut ty = ty;
    let mut steps = Vec::new();
    for (index, optional) in path {
        let field = field_of(scope, ty, *index)?;
        let name = scope.name(&field.name);
        let mark = optional.then(|| quote!(?));
        steps.push(quote!(#name #mark));
        ty = match &field.ty {
            TypeRef::Option(inner) | TypeRef::Nullable(inner) => inner,
            other => other,
        };
    }
    Some(quote!(#(#steps).*))
}

fn field_of<'a>(scope: &Scope<'a>, ty: &TypeRef, index: usize) -> Option<&'a Field> {
    let api = scope.cx.api;
    let mut ty = ty;
    for _ in 0..16 {
        match ty {
            TypeRef::Boxed(inner) => ty = inner,
            TypeRef::Named(id) => match &api.type_def(*id).kind {
                TypeKind::Alias(inner) => ty = inner,
                TypeKind::Object(object) => return object.fields.get(index),
                _ => return None,
            },
            _ => return None,
        }
    }
    None
}
