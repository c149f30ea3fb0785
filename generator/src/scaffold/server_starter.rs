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
    names.sort_unstable();
    names.push("router");
    format!("{{{}}}", names.join(", "))
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
