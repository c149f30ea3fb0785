//! `CodedError`: the API's error code in the body of an error.

use super::super::scope::Scope;
use super::super::syntax::{
    arm, binding, block, borrow, call, closure, id, match_expr, member, method, path_expr,
    path_type, self_path, simple_type, struct_pat, tuple_pat, var,
};
use super::outcome::{Shape, shape};
use crate::ir::{Field, Payload, Response, TypeKind, TypeRef};
use proc_macro2::Ident;
use syn::{Arm, Expr, ImplItem, Item, ItemImpl, Pat, Path, parse_quote};

/// `impl CodedError`, when the document has error codes.
pub(super) fn emit(scope: &Scope<'_>, ident: &Ident, errors: &[Response]) -> Option<Item> {
    let code = path_type(scope.type_path(scope.cx.api.error_code?));
    let arms: Vec<Arm> = errors.iter().map(|response| one(scope, response)).collect();
    let coded = scope.runtime("CodedError");
    let mut item: ItemImpl = parse_quote! {
        impl #coded for () {
            type Code = #code;
            fn code_id(&self) -> Option<&#code> {}
        }
    };
    *item.self_ty = simple_type(ident.clone());
    if let Some(ImplItem::Fn(function)) = item.items.last_mut() {
        function.block = block(match_expr(var("self"), arms));
    }
    Some(Item::Impl(item))
}

fn one(scope: &Scope<'_>, response: &Response) -> Arm {
    let path = self_path(scope.name(&response.name));
    match code_of(scope, response) {
        Some(expr) => arm(with_body(path, shape(response)), expr),
        None => arm(without_body(path, shape(response)), path_expr(id("None"))),
    }
}

fn with_body(path: Path, shape: Shape) -> Pat {
    match shape {
        Shape::Named { .. } => struct_pat(path, [id("body")], true),
        Shape::Unit | Shape::Tuple => tuple_pat(path, binding(id("body"))),
    }
}

fn without_body(path: Path, shape: Shape) -> Pat {
    match shape {
        Shape::Named { .. } => struct_pat(path, [], true),
        Shape::Tuple => parse_quote!(#path(_)),
        Shape::Unit => super::super::syntax::path_pat(path),
    }
}

/// The code, through the fields that lead to it.
fn code_of(scope: &Scope<'_>, response: &Response) -> Option<Expr> {
    let Some(Payload::One(media)) = &response.payload else {
        return None;
    };
    let mut ty = &media.ty;
    let mut at = Way::There(var("body"));
    for (index, _) in response.code_path.as_ref()? {
        let field = field_of(scope, ty, *index)?;
        at = at.step(scope.name(&field.name), &field.ty);
        ty = match &field.ty {
            TypeRef::Option(inner) | TypeRef::Maybe(inner) => inner,
            other => other,
        };
    }
    Some(match at {
        Way::There(expr) => call(var("Some"), [borrow(expr)]),
        Way::Perhaps(expr) => expr,
    })
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

/// An expression on the way to the code.
enum Way {
    /// A place.
    There(Expr),
    /// An `Option` of a reference.
    Perhaps(Expr),
}

impl Way {
    fn step(self, field: Ident, ty: &TypeRef) -> Self {
        let optional = match ty {
            TypeRef::Option(_) => Some("as_ref"),
            TypeRef::Maybe(_) => Some("value"),
            _ => None,
        };
        match (self, optional) {
            (Self::There(base), None) => Self::There(member(base, field)),
            (Self::There(base), Some(get)) => Self::Perhaps(method(member(base, field), get, [])),
            (Self::Perhaps(base), None) => {
                let inner = closure(id("it"), borrow(member(var("it"), field)));
                Self::Perhaps(method(base, "map", [inner]))
            }
            (Self::Perhaps(base), Some(get)) => {
                let inner = closure(id("it"), method(member(var("it"), field), get, []));
                Self::Perhaps(method(base, "and_then", [inner]))
            }
        }
    }
}
