//! The Rust of a new server: an impl of every trait, with a body to be written for each method.

use std::fmt::Write as _;

use crate::ir::{Api, Operation};

use super::template::{one_line, rust_string};

/// The impls of all traits for `Service`.
pub(super) fn impls(api: &Api) -> String {
    let mut text = String::new();
    for (index, tag) in api.tags.iter().enumerate() {
        let operations = api
            .operations
            .iter()
            .filter(|operation| operation.tag == Some(index));
        let methods: Vec<String> = operations.map(method).collect();
        let _ = write!(
            text,
            "\nimpl {} for Service {{\n{}}}\n",
            tag.trait_name,
            methods.join("\n")
        );
    }
    text
}

/// What is imported from the module `server`, in braces.
pub(super) fn imports(api: &Api) -> String {
    let mut names: Vec<&str> = api.tags.iter().map(|tag| tag.trait_name.as_str()).collect();
    names.extend((!api.base_path.is_empty()).then_some("BASE_PATH"));
    names.extend((!api.schemes.is_empty()).then_some("Credentials"));
    names.sort_unstable();
    names.push("router");
    format!("{{{}}}", names.join(", "))
}

/// What is imported from the runtime.
pub(super) fn runtime_imports(api: &Api) -> &'static str {
    if api.schemes.is_empty() {
        "use bothends_runtime::server::{Body, Context, Error};
use bothends_runtime::{StatusCode, http};
"
    } else {
        "use bothends_runtime::server::{Authenticate, Body, Context, Denied, Error};
use bothends_runtime::{Requirement, StatusCode, http};
"
    }
}

/// An authenticator that rejects, if the document has security schemes.
pub(super) fn authenticator(api: &Api) -> &'static str {
    if api.schemes.is_empty() {
        return "";
    }
    r#"
/// Decides who may call the operations that have `security` in the document.
struct Users;

impl Authenticate for Users {
    type Credentials = Credentials;
    // The type of a caller, which handlers get from `context.principal::<T>()`.
    type Principal = ();

    /// Rejects every caller with 401 until it is written.
    ///
    /// `credentials` has a field for each security scheme of the document. The fields of the schemes
    /// in `required` hold what the caller has sent. Look them up where you keep your users, or compare
    /// them with `==`, which takes constant time, and never their `expose()`d texts. Return the caller, or `Denied::Unknown` (401) or `Denied::Forbidden` (403).
    async fn authenticate(
        &self,
        _credentials: Credentials,
        _required: &'static [Requirement],
        _context: &Context,
    ) -> Result<Self::Principal, Denied> {
        Err(Denied::Unknown)
    }
}
"#
}

/// The router, with the authenticator and at the path of the document's server.
pub(super) fn service(api: &Api) -> String {
    let mut text = "router(Service)".to_owned();
    if !api.schemes.is_empty() {
        text.push_str(".guard(Users)");
    }
    if !api.base_path.is_empty() {
        text.push_str(".base_path(BASE_PATH)");
    }
    text
}

/// The path of the document's server, as a format string shows it.
pub(super) fn shown_path(api: &Api) -> &'static str {
    if api.base_path.is_empty() {
        ""
    } else {
        "{BASE_PATH}"
    }
}

fn method(operation: &Operation) -> String {
    let Operation {
        name,
        base,
        method,
        path,
        ..
    } = operation;
    let error = if operation.errors.is_empty() {
        "bothends_runtime::NoError".to_owned()
    } else {
        format!("{base}Error")
    };
    let call = one_line(&format!("{method} {path}"));
    format!(
        "    // {call}
    async fn {}(
        &self,
        _context: Context,
        _request: {base}Request,
    ) -> Result<{base}Response, Error<{error}>> {{
        not_implemented({})
    }}
",
        name.rust,
        rust_string(&name.wire),
    )
}
