//! Generated servers with handlers that answer the examples of their document, for peers that know
//! nothing of us.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use bothends::Builder;
use bothends::ir::{Api, Operation, SchemeKind};
use serde_json::Value;

use crate::example::{of_schema, resolve};
use crate::scratch::manifest;

/// Writes a crate whose program serves the specs: `strangers NAME` prints the port it listens on.
///
/// # Errors
/// When a document cannot be generated or bundled, or a file cannot be written.
pub fn servers(dir: &Path, specs: &[(String, std::path::PathBuf)]) -> Result<(), String> {
    let reported = |error: &dyn std::fmt::Display| error.to_string();
    fs::create_dir_all(dir.join("src")).map_err(|error| reported(&error))?;
    let mut main = String::from(MAIN);
    let mut arms = String::new();
    for (name, path) in specs {
        let plan = Builder::new(path).module(true).plan();
        let plan = plan.map_err(|error| reported(&error))?;
        if plan.has_errors() {
            return Err(plan.report());
        }
        let text = &plan.files.first().ok_or("no file")?.text;
        fs::write(dir.join(format!("src/{name}.rs")), text).map_err(|error| reported(&error))?;
        let bundle = Builder::new(path).bundle(true);
        let bundle = bundle
            .map_err(|error| reported(&error))?
            .text
            .ok_or("no bundle")?;
        let document = serde_json::from_str(&bundle).map_err(|error| reported(&error))?;
        let _ = writeln!(main, "#[rustfmt::skip] #[allow(unused)] mod {name};");
        main.push_str(&handlers(name, &plan.api, &document));
        let guard = if plan.api.schemes.is_empty() {
            String::new()
        } else {
            format!(".guard(users_of_{name}::Users)")
        };
        let _ = writeln!(
            arms,
            "        {name:?} => axum::Router::new().fallback_service({name}::server::router(Example){guard}),"
        );
    }
    main.push_str(&SERVE.replace("ARMS", &arms));
    fs::write(dir.join("src/main.rs"), main).map_err(|error| reported(&error))?;
    let manifest = manifest("strangers").replace("[lib]\ndoctest = false\n", "").replace(
        "[dependencies]\n",
        "[dependencies]\naxum = { version = \"0.8\", default-features = false, features = [\"tokio\", \"http1\"] }\n\
         tokio = { version = \"1\", features = [\"macros\", \"rt\", \"net\"] }\n",
    );
    fs::write(dir.join("Cargo.toml"), manifest).map_err(|error| reported(&error))
}

const MAIN: &str = r#"//! Servers that answer examples.
use bothends_runtime::server::{Authenticate, Context, AuthError, Error, Rejection};
use bothends_runtime::{Operation, SecurityRequirement, ResponseDecoder, http};
use bothends_runtime::private::SuccessSet as _;

/// Answers what is written in the document.
struct Example;

/// The example as the type that it is read into; what cannot be read is a fault of the test.
fn example<O: Operation>(status: u16, headers: &[(&str, &str)], body: &'static str) -> Result<O::Response, Error<O::Error>> {
    let mut map = http::HeaderMap::new();
    for (name, value) in headers {
        let name = http::HeaderName::from_bytes(name.as_bytes()).expect("a name");
        map.insert(name, http::HeaderValue::from_str(value).expect("a value"));
    }
    let status = http::StatusCode::from_u16(status).expect("a status");
    match O::Success::decode(O::META, &mut ResponseDecoder::new(status, map, body.into())) {
        Some(Ok(response)) => Ok(response),
        Some(Err(error)) => { eprintln!("{error}: {body}"); Err(Rejection::internal().into()) }
        None => { eprintln!("no {status}"); Err(Rejection::internal().into()) }
    }
}
"#;

const SERVE: &str = r#"
#[tokio::main(flavor = "current_thread")]
async fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let service = match name.as_str() {
ARMS        _ => panic!("no such server"),
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    println!("{}", listener.local_addr().expect("an address").port());
    axum::serve(listener, service).await.expect("serving");
}
"#;

fn handlers(module: &str, api: &Api, document: &Value) -> String {
    let mut text = String::new();
    for (index, tag) in api.tags.iter().enumerate() {
        let _ = writeln!(
            text,
            "impl {module}::server::{} for Example {{",
            tag.trait_name
        );
        for operation in api.operations.iter().filter(|op| op.tag == Some(index)) {
            text.push_str(&handler(module, operation, document));
        }
        text.push_str("}\n");
    }
    if !api.schemes.is_empty() {
        text.push_str(&guard(module, api));
    }
    text
}

fn handler(module: &str, operation: &Operation, document: &Value) -> String {
    let (name, request) = (
        &operation.name.rust,
        format!("{module}::operations::{}Request", operation.base),
    );
    let (status, headers, body) = answer(operation, document);
    format!(
        "    async fn {name}(&self, _: Context, _: {request}) -> Result<<{request} as Operation>::Response, \
         Error<<{request} as Operation>::Error>> {{\n        example::<{request}>({status}, &{headers:?}, {body:?})\n    }}\n"
    )
}

/// The first success of an operation: its status, its headers and its body.
fn answer(operation: &Operation, document: &Value) -> (u16, Vec<(String, String)>, String) {
    let method = operation.method.to_lowercase();
    let responses = document
        .get("paths")
        .and_then(|paths| paths.get(&operation.path)?.get(&method)?.get("responses"));
    let found = responses.and_then(Value::as_object).and_then(|responses| {
        let success = responses.iter().find(|(status, _)| status.starts_with('2'));
        success.or_else(|| responses.iter().find(|(status, _)| *status == "default"))
    });
    let Some((status, response)) = found else {
        return (204, Vec::new(), String::new());
    };
    let response = resolve(document, response);
    let status = status.parse().unwrap_or(200);
    let mut headers = Vec::new();
    for (name, header) in response
        .get("headers")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        let header = resolve(document, header);
        let schema = header.get("schema").cloned().unwrap_or_default();
        headers.push((name.clone(), text(&of_schema(document, &schema))));
    }
    let content = response.get("content").and_then(Value::as_object);
    let content = content.and_then(|content| {
        let json = content.iter().find(|(media, _)| media.contains("json"));
        json.or_else(|| content.iter().next())
    });
    let Some((media, content)) = content else {
        return (status, headers, String::new());
    };
    headers.push(("content-type".to_owned(), media.clone()));
    let examples = content.get("examples").and_then(Value::as_object);
    let example = examples.and_then(|all| all.values().next());
    let example = example.and_then(|example| resolve(document, example).get("value"));
    let value = match content.get("example").or(example) {
        Some(value) => value.clone(),
        None => of_schema(document, content.get("schema").unwrap_or(&Value::Null)),
    };
    let body = if media.contains("json") {
        value.to_string()
    } else {
        text(&value)
    };
    (status, headers, body)
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Lets in who shows `good` for everything that is asked for.
fn guard(module: &str, api: &Api) -> String {
    let mut checks = String::new();
    for scheme in &api.schemes {
        let field = &scheme.name.rust;
        let secret = match scheme.kind {
            SchemeKind::Basic => "basic.password().expose()",
            SchemeKind::Transport => continue,
            _ => "basic.expose()",
        };
        let _ = writeln!(
            checks,
            "        if shown.{field}.as_ref().is_some_and(|basic| {secret} != \"good\") {{ return Err(AuthError::Unauthenticated); }}"
        );
    }
    format!(
        "mod users_of_{module} {{\nuse super::*;\npub struct Users;\nimpl Authenticate for Users {{\n    type Credentials = {module}::server::Credentials;\n    type Principal = ();\n\
         \x20   async fn authenticate(&self, shown: Self::Credentials, _: &'static [SecurityRequirement], _: &Context) -> Result<(), AuthError> {{\n\
         {checks}        Ok(())\n    }}\n}}\n}}\n"
    )
}
