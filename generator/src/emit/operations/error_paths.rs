//! The paths to the error code and the message in the body of an error: `[code: error.code]`.

use super::super::scope::Scope;
use crate::ir::{Payload, Response, TypeRef};
use proc_macro2::TokenStream;
use quote::quote;

/// Returns the paths for the row of an error, or `None` if its body has neither code nor message.
pub(super) fn paths(scope: &Scope<'_>, response: &Response) -> Option<TokenStream> {
    let Some(Payload::One(media)) = &response.payload else {
        return None;
    };
    let steps_of = |path: &Option<Vec<(usize, bool)>>| steps(scope, &media.ty, path.as_ref()?);
    let code = steps_of(&response.code_path).map(|steps| quote!(code: #steps));
    let message = steps_of(&response.message_path).map(|steps| quote!(message: #steps));
    let both: Vec<TokenStream> = code.into_iter().chain(message).collect();
    (!both.is_empty()).then(|| quote!([#(#both),*]))
}

/// Returns the steps of a path: `error?.code`.
pub(in crate::emit) fn steps(
    scope: &Scope<'_>,
    ty: &TypeRef,
    path: &[(usize, bool)],
) -> Option<TokenStream> {
    let mut ty = ty;
    let mut steps = Vec::new();
    for (index, optional) in path {
        let field = scope.cx.api.object_of(ty)?.fields.get(*index)?;
        let name = scope.name(&field.name);
        let mark = optional.then(|| quote!(?));
        steps.push(quote!(#name #mark));
        ty = field.present().0;
    }
    Some(quote!(#(#steps).*))
}
