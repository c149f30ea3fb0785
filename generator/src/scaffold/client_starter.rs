//! The Rust code of a new client: the URL of the API, and a first call.

use crate::ir::{Api, Operation};

use super::template::rust_string;

/// Returns the URL of the API as an expression. `module` is the path of the API.
pub(super) fn base_url(api: &Api, module: &str) -> String {
    match &api.base_url {
        Some(_) => format!("{module}::client::BASE_URL"),
        None => rust_string(&format!("http://localhost:8080{}", api.base_path)),
    }
}

/// Returns a comment on where to set credentials, if the API has security schemes.
pub(super) fn credentials(api: &Api) -> String {
    if api.schemes.is_empty() {
        String::new()
    } else {
        "    // Operations with security need credentials: `client.with_credentials(Credentials { .. })`
    // takes them, with a field for each security scheme of the document.
"
        .to_owned()
    }
}

/// Returns a first call: of an operation that reads data and has no required parameters, preferably
/// without credentials. Without such an operation, the code only creates the client.
pub(super) fn first_call(api: &Api) -> String {
    let simple = |operation: &&Operation| operation.method == "GET" && operation.is_bare();
    let open = |operation: &&Operation| {
        let security = &operation.security;
        security.is_empty() || security.iter().any(Vec::is_empty)
    };
    let all = || api.operations.iter().filter(simple);
    match all().find(open).or_else(|| all().next()) {
        Some(Operation { name, .. }) => format!(
            "    let response = client.{}().await?;
    println!(\"{{response:#?}}\");
",
            name.rust
        ),
        None => "    println!(\"{client:#?}\");\n".to_owned(),
    }
}
