//! What the types of an operation are called, and what calls it.

use super::super::context::Context;
use super::super::docs::code;
use super::super::scope::Scope;
use crate::ir::Operation;
use proc_macro2::Ident;
use syn::Path;

/// The names of the types that an operation brings with it.
pub(in crate::emit) fn type_names(operation: &Operation) -> [String; 5] {
    let ends = [
        "Request",
        "Response",
        "ResponseBody",
        "ResponseHeaders",
        "Error",
    ];
    ends.map(|end| format!("{}{end}", operation.base))
}

/// `{base}Request`, `{base}Response` and so on.
pub(in crate::emit) fn type_name(cx: &Context<'_>, operation: &Operation, end: &str) -> Ident {
    cx.ident(&format!("{}{end}", operation.base))
}

/// What calls an operation: `GET /pets/{petId}`, or its name for a webhook.
pub(in crate::emit) fn call_of(operation: &Operation) -> String {
    if operation.path.is_empty() {
        format!("Webhook {}", code(&operation.name.wire))
    } else {
        code(&format!("{} {}", operation.method, operation.path))
    }
}

/// The type of an operation's errors.
pub(in crate::emit) fn error_type(scope: &Scope<'_>, operation: &Operation) -> Path {
    Path::from(type_name(scope.cx, operation, "Error"))
}
