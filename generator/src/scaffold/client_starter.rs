//! The Rust of a new client: where the API is, and a first call.

use crate::ir::{Api, Operation};

use super::template::rust_string;

/// The URL of the API, as an expression; `module` is where the API is.
pub(super) fn base_url(api: &Api, module: &str) -> String {
    match &api.base_url {
        Some(_) => format!("{module}::client::BASE_URL"),
        None => rust_string("http://localhost:8080"),
    }
}

/// Where credentials go, if there are any.
pub(super) fn credentials(api: &Api) -> String {
    if api.schemes.is_empty() {
        String::new()
    } else {
        "    // `with_credentials` takes what the API asks for: see `client::Credentials`.\n"
            .to_owned()
    }
}

/// A first call, of an operation that reads and needs nothing; what can be called, if there is none.
pub(super) fn first_call(api: &Api, module: &str) -> String {
    let simple = |operation: &&Operation| {
        operation.method == "GET"
            && operation.params.iter().all(|param| param.optional)
            && operation.body.is_none()
    };
    match api.operations.iter().find(simple) {
        Some(Operation { name, base, .. }) => format!(
            "    let answer = client.{}({module}::operations::{base}Request::new()).await?;
    println!(\"{{answer:#?}}\");
",
            name.rust
        ),
        None => "    println!(\"{client:#?}\");\n".to_owned(),
    }
}
