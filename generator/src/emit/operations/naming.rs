//! Names of the types of an operation, and the text of its request line.

use super::super::context::Context;
use super::super::docs::code;
use super::super::scope::Scope;
use crate::ir::Operation;
use proc_macro2::Ident;
use syn::Path;

/// Returns the names of the types of an operation.
pub(in crate::emit) fn type_names(operation: &Operation) -> [String; 6] {
    let ends = [
        "Request",
        "Response",
        "ResponseBody",
        "ResponseHeaders",
        "Error",
        "ErrorHeaders",
    ];
    ends.map(|end| format!("{}{end}", operation.base))
}

/// Returns `{base}Request`, `{base}Response` and so on.
pub(in crate::emit) fn type_name(cx: &Context<'_>, operation: &Operation, end: &str) -> Ident {
    cx.ident(&format!("{}{end}", operation.base))
}

/// Returns the method and path of an operation, such as `GET /pets/{petId}`, or the name of a
/// webhook.
pub(in crate::emit) fn call_of(operation: &Operation) -> String {
    if operation.path.is_empty() {
        format!("Webhook {}", code(&operation.name.wire))
    } else {
        code(&format!("{} {}", operation.method, operation.path))
    }
}

/// Returns the error type of an operation.
pub(in crate::emit) fn error_type(scope: &Scope<'_>, operation: &Operation) -> Path {
    Path::from(type_name(scope.cx, operation, "Error"))
}
