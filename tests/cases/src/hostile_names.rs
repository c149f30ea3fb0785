//! A document in which every kind of item has every name of a list: keywords, items of Rust's prelude,
//! and associated items and modules of generated code.

use serde_json::{Map, Value, json};

/// Names that are likely to collide with an item of generated code.
const NAMES: &[&str] = &[
    "VALUES",
    "Values",
    "KNOWN",
    "NAME",
    "TABLE",
    "KEEP",
    "ALL",
    "META",
    "Kind",
    "Error",
    "Err",
    "Ok",
    "Some",
    "None",
    "Self",
    "self",
    "super",
    "crate",
    "type",
    "Type",
    "Option",
    "Result",
    "Box",
    "Vec",
    "String",
    "Map",
    "Json",
    "Default",
    "default",
    "new",
    "from",
    "into",
    "try_from",
    "as_str",
    "as_ref",
    "to_json",
    "from_str",
    "clone",
    "fmt",
    "eq",
    "cmp",
    "hash",
    "drop",
    "all",
    "core",
    "with",
    "send",
    "call",
    "boxed",
    "body",
    "Body",
    "status",
    "headers",
    "context",
    "ctx",
    "request",
    "response",
    "value",
    "Value",
    "serializer",
    "state",
    "checker",
    "known",
    "unrecognized",
    "Unrecognized",
    "UnrecognizedValue",
    "Nullable",
    "Validate",
    "check",
    "variants",
    "outline",
    "Response",
    "Request",
    "Client",
    "Router",
    "router",
    "Api",
    "Server",
    "server",
    "client",
    "types",
    "operations",
    "webhooks",
    "std",
    "alloc",
    "serde",
    "bothends_runtime",
    "bool",
    "str",
    "u8",
    "i64",
    "f64",
    "usize",
    "Debug",
    "Display",
    "Future",
    "Send",
    "Sync",
    "Sized",
    "Fn",
    "async",
    "await",
    "gen",
    "fn",
    "impl",
    "dyn",
    "where",
    "extra",
    "kind",
    "Context",
    "Credentials",
    "Webhook",
    "WebhookKind",
    "Handler",
    "Receiver",
    "Sender",
    "Event",
    "union",
    "macro_rules",
    "base",
    "Base",
    "Content",
    "NoError",
    "DefaultApi",
    "emit",
    "read",
    "write",
    "A",
    "T",
    "E",
    "S",
    "D",
];

/// Returns the document.
pub(crate) fn document() -> Value {
    let mut schemas = Map::new();
    let mut paths = Map::new();
    let mut webhooks = Map::new();
    let mut schemes = Map::new();
    for (index, name) in NAMES.iter().enumerate() {
        schemas.insert((*name).to_owned(), schema(index));
        schemes.insert(
            (*name).to_owned(),
            json!({"type": "apiKey", "in": "header", "name": format!("X-Key-{index}")}),
        );
        paths.insert(format!("/{index}/{{id}}"), path(name, index));
        let content = content(&json!({"$ref": "#/components/schemas/Items"}));
        let post = json!({"requestBody": {"required": true, "content": content}, "responses": {"204": {"description": "OK"}}});
        webhooks.insert((*name).to_owned(), json!({"post": post}));
    }
    schemas.insert(
        "Items".to_owned(),
        object(|_| json!({"type": "string"}), &[]),
    );
    schemas.insert(
        "Required".to_owned(),
        object(|_| json!({"type": "string"}), NAMES),
    );
    schemas.insert(
        "Closed".to_owned(),
        json!({"enum": NAMES, "x-enum-varnames": NAMES, "x-extensible-enum": false}),
    );
    schemas.insert(
        "Open".to_owned(),
        json!({"enum": NAMES, "x-enum-varnames": NAMES, "x-extensible-enum": true}),
    );
    let numbers: Vec<usize> = (0..NAMES.len()).collect();
    schemas.insert(
        "Numbers".to_owned(),
        json!({"enum": numbers, "x-enum-varnames": NAMES}),
    );
    let variables: Map<String, Value> = NAMES
        .iter()
        .map(|name| ((*name).to_owned(), json!({"default": "a"})))
        .collect();
    let url: String = NAMES.iter().map(|name| format!("/{{{name}}}")).collect();
    json!({
        "openapi": "3.1.0",
        "info": {"title": "Names of every kind", "version": "1"},
        "servers": NAMES.iter().map(|name| json!({"url": format!("https://{}.example", name.to_lowercase().replace('_', "-")), "description": name}))
            .chain([json!({"url": format!("https://all.example{url}"), "variables": variables})]).collect::<Vec<_>>(),
        "paths": paths,
        "webhooks": webhooks,
        "components": {"schemas": schemas, "securitySchemes": schemes},
    })
}

/// A struct, an enum, a tagged union or an untagged one, whose member has the name too. One of the
/// unions has a variant for each name.
fn schema(index: usize) -> Value {
    let name = NAMES[index];
    let names = if index == 2 {
        NAMES
    } else {
        &NAMES[index..=index]
    };
    match index % 4 {
        0 => json!({"type": "object", "properties": {name: {"type": "integer", "default": 1}}}),
        1 => json!({"type": "string", "enum": ["a", "b"], "x-enum-varnames": [name, "B"]}),
        2 => json!({"oneOf": variants(names), "discriminator": {"propertyName": "tag"}}),
        _ => {
            json!({"oneOf": [{"title": name, "type": "string"}, {"title": "VALUES", "type": "integer"}]})
        }
    }
}

/// The variants of a union, and one more.
fn variants(names: &[&str]) -> Vec<Value> {
    let variant = |name: &str| {
        json!({
            "type": "object",
            "title": name,
            "required": ["tag"],
            "properties": {"tag": {"const": name}, "more": {"type": "string"}},
        })
    };
    let names = names.iter().copied();
    names.chain(["another"]).map(variant).collect()
}

/// An object with a property of each name.
fn object(property: impl Fn(&str) -> Value, required: &[&str]) -> Value {
    let properties: Map<String, Value> = NAMES
        .iter()
        .map(|name| ((*name).to_owned(), property(name)))
        .collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": {"type": "string"}})
}

fn content(schema: &Value) -> Value {
    json!({"application/json": {"schema": schema}})
}

/// Returns whether no name before this one differs in case only: names of headers are equal then.
fn is_header(index: usize) -> bool {
    let before = &NAMES[..index];
    !before
        .iter()
        .any(|name| name.eq_ignore_ascii_case(NAMES[index]))
}

/// An operation whose id, tag, security, parameter and header have the name; the first operation has
/// parameters and headers of all names.
fn path(name: &str, index: usize) -> Value {
    let id = json!({"name": "id", "in": "path", "required": true, "schema": {"type": "string"}});
    let mut parameters = vec![id];
    let mut headers = Map::new();
    let text = json!({"type": "string"});
    for (at, other) in NAMES.iter().enumerate() {
        if index != 0 && at != index {
            continue;
        }
        let number = json!({"type": "integer", "default": 1});
        parameters.push(json!({"name": other, "in": "query", "schema": number}));
        if is_header(at) {
            parameters.push(json!({"name": other, "in": "header", "schema": text}));
            headers.insert((*other).to_owned(), json!({"schema": text}));
        }
    }
    let body = content(&json!({"$ref": format!("#/components/schemas/{name}")}));
    let error = content(&json!({"$ref": "#/components/schemas/Items"}));
    json!({"post": {
        "operationId": name,
        "tags": [name],
        "security": [{name: []}],
        "parameters": parameters,
        "requestBody": {"required": true, "content": body},
        "responses": {
            "200": {"description": name, "headers": headers, "content": body},
            "404": {"description": name, "headers": headers, "content": error},
        },
    }})
}
