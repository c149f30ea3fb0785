//! The Rust code of a new server: an impl of every trait, with methods for the user to write.

use std::fmt::Write as _;

use crate::ir::{Api, Operation};

use super::template::one_line;

/// Returns the impls of all traits for `Service`.
pub(super) fn impls(api: &Api) -> String {
    let mut text = String::new();
    for (index, tag) in api.tags.iter().enumerate() {
        let methods: Vec<String> = operations_of(api, index).map(method).collect();
        let _ = write!(
            text,
            "\nimpl {} for Service {{\n{}}}\n",
            tag.trait_name,
            methods.join("\n")
        );
    }
    text
}

/// Returns the operations of a tag.
pub(super) fn operations_of(api: &Api, tag: usize) -> impl Iterator<Item = &Operation> {
    let operations = api.operations.iter();
    operations.filter(move |operation| operation.tag == Some(tag))
}

/// Returns the imports from the module `server`, in braces.
pub(super) fn imports(api: &Api) -> String {
    let mut names: Vec<&str> = api.tags.iter().map(|tag| tag.trait_name.as_str()).collect();
    names.extend((!api.base_path.is_empty()).then_some("BASE_PATH"));
    names.extend((!api.schemes.is_empty()).then_some("Credentials"));
    names.sort_unstable();
    names.push("router");
    format!("{{{}}}", names.join(", "))
}

/// Returns the imports from the runtime.
pub(super) fn runtime_imports(api: &Api) -> &'static str {
    if api.schemes.is_empty() {
        "use bothends_runtime::server::{Context, Error, Rejection, RejectionKind, serve};
"
    } else {
        "use bothends_runtime::SecurityRequirement;
use bothends_runtime::server::{AuthError, Authenticate, Context, Error, Rejection, RejectionKind, serve};
"
    }
}

/// Returns an authenticator that rejects every caller, if the document has security schemes.
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
    /// them with `==`, which takes constant time, and never their `expose()`d texts. Return the caller,
    /// or `AuthError::Unauthenticated` (401) or `AuthError::Forbidden` (403).
    async fn authenticate(
        &self,
        _credentials: Credentials,
        _required: &'static [SecurityRequirement],
        _context: &Context,
    ) -> Result<Self::Principal, AuthError> {
        Err(AuthError::Unauthenticated)
    }
}
"#
}

/// Returns the router, with the authenticator and at the path of the document's server, formatted
/// as by rustfmt.
pub(super) fn service(api: &Api) -> String {
    let guard = (!api.schemes.is_empty()).then_some(".guard(Users)");
    let base_path = (!api.base_path.is_empty()).then_some(".base_path(BASE_PATH)");
    let on_failure = ".on_failure(|failure| eprintln!(\"{failure}\"))";
    let calls: Vec<&str> = guard.into_iter().chain(base_path).collect();
    let router = "router(Service)";
    if calls.is_empty() {
        return format!("{router}{on_failure}");
    }
    let mut text = router.to_owned();
    for call in calls.into_iter().chain([on_failure]) {
        text.push_str("\n        ");
        text.push_str(call);
    }
    text
}

/// Returns the path of the document's server, escaped for a format string.
pub(super) fn shown_path(api: &Api) -> &'static str {
    if api.base_path.is_empty() {
        ""
    } else {
        "{BASE_PATH}"
    }
}

/// Returns a method that responds with 501.
pub(super) fn method(operation: &Operation) -> String {
    let Operation {
        name,
        base,
        method,
        path,
        ..
    } = operation;
    let call = one_line(&format!("{method} {path}"));
    format!(
        "    // {call}
    async fn {}(
        &self,
        _context: Context,
        _request: {base}Request,
    ) -> Result<{base}Response, Error<{base}Error>> {{
        Err(Rejection::new(RejectionKind::NotImplemented).into())
    }}
",
        name.rust,
    )
}
