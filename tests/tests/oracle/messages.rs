//! The messages of a document as JSON Schemas, without the reader of the generator.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// The formats of strings that generated code checks.
const FORMATS: &[&str] = &["date", "date-time", "ipv4", "ipv6", "uuid"];

/// The schema of a message: a request, or a response with a status.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) schema: Value,
    pub(crate) is_request: bool,
}

/// Returns the messages of a document by name: `GET /pets/{} request`, `GET /pets/{} 200`.
pub(crate) fn messages(document: &Value) -> BTreeMap<String, Message> {
    let mut all = BTreeMap::new();
    for section in ["paths", "webhooks"] {
        let items = document[section].as_object();
        for (path, item) in items.into_iter().flatten() {
            let item = follow(document, item);
            for method in [
                "get", "put", "post", "delete", "patch", "head", "options", "trace",
            ] {
                let operation = &item[method];
                if !operation.is_object() {
                    continue;
                }
                let name = format!("{method} {}", shape(path));
                let request = request(document, path, &item, operation);
                all.insert(
                    format!("{name} request"),
                    Message {
                        schema: message(document, request, "readOnly"),
                        is_request: true,
                    },
                );
                let responses = operation["responses"].as_object();
                for (status, response) in responses.into_iter().flatten() {
                    let response = follow(document, response);
                    // A response with this status has no content in HTTP.
                    let schema = match status.as_str() {
                        "204" | "205" | "304" => content(&Value::Null),
                        _ => content(&response),
                    };
                    all.insert(
                        format!("{name} {}", status.to_lowercase()),
                        Message {
                            schema: message(document, schema, "writeOnly"),
                            is_request: false,
                        },
                    );
                }
            }
        }
    }
    all
}

/// Returns a path without the names of its variables, which are not sent.
fn shape(path: &str) -> String {
    let mut text = String::new();
    let mut is_inside = false;
    for letter in path.chars() {
        if !is_inside {
            text.push(letter);
        }
        is_inside = (is_inside || letter == '{') && letter != '}';
    }
    text
}

/// Follows a reference to a reusable part.
fn follow(document: &Value, part: &Value) -> Value {
    let mut part = part.clone();
    for _ in 0..16 {
        let Some(pointer) = part["$ref"]
            .as_str()
            .and_then(|reference| reference.strip_prefix('#'))
        else {
            break;
        };
        part = document.pointer(pointer).cloned().unwrap_or_default();
    }
    part
}

/// Returns a request as an object: a member for each parameter, and `body`.
fn request(document: &Value, path: &str, item: &Value, operation: &Value) -> Value {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    let own = operation["parameters"].as_array().into_iter().flatten();
    let shared = item["parameters"].as_array().into_iter().flatten();
    for parameter in own.chain(shared) {
        let parameter = follow(document, parameter);
        let (place, name) = (text(&parameter["in"]), text(&parameter["name"]));
        let variable = format!("{{{name}}}");
        let member = match place.as_str() {
            // A variable of the path is its position.
            "path" => format!("path {}", path.find(&variable).unwrap_or_default()),
            "header" => format!("header {}", name.to_lowercase()),
            _ => format!("{place} {name}"),
        };
        // OpenAPI ignores the definitions of these headers.
        let is_ignored = [
            "header accept",
            "header authorization",
            "header content-type",
        ];
        if properties.contains_key(&member) || is_ignored.contains(&member.as_str()) {
            continue;
        }
        let mut schema = parameter.get("schema").cloned().unwrap_or(json!(true));
        if place == "path" {
            // A part of a path cannot be null.
            schema = json!({ "allOf": [schema, { "not": { "type": "null" } }] });
        }
        properties.insert(member.clone(), schema);
        if parameter["required"] == json!(true) {
            required.push(json!(member));
        }
    }
    let body = follow(document, &operation["requestBody"]);
    if body.is_object() {
        properties.insert("body".to_owned(), content(&body));
        if body["required"] == json!(true) {
            required.push(json!("body"));
        }
    }
    json!({ "type": "object", "properties": properties, "required": required })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the content of a body as an object of a media type and a value.
fn content(body: &Value) -> Value {
    let media = body["content"].as_object().into_iter().flatten();
    let all = media.map(|(name, media)| {
        let name = name.to_lowercase();
        // Generated code has one kind of JSON in a body.
        let is_json = name.contains("json") && !name.contains("seq") && !name.contains("nd");
        let schema = media.get("schema").filter(|_| is_json);
        let name = if is_json { "json".to_owned() } else { name };
        json!({
            "type": "object",
            "required": ["media", "value"],
            "properties": {
                "media": { "const": name },
                "value": schema.cloned().unwrap_or(json!(true)),
            },
        })
    });
    let all: Vec<Value> = all.collect();
    match all.is_empty() {
        // Readers ignore a body that the document does not describe.
        true => json!({ "x-drawn": "no body" }),
        false => json!({ "anyOf": all }),
    }
}

/// Returns a schema with the reusable schemas that it needs, as JSON Schema 2020-12. Properties with
/// `left_out` are not required.
fn rooted(document: &Value, schema: Value, left_out: &str) -> Value {
    let mut root = json!({ "message": schema, "components": document["components"] });
    open_parts(document, &mut root);
    let marked: Vec<String> = marked(document, left_out);
    upgrade(
        &mut root,
        left_out,
        &marked,
        document["openapi"].as_str() < Some("3.1"),
    );
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    root["$ref"] = json!("#/message");
    root
}

/// Returns the schema of a message, without the components that it does not need. Generated code reads a
/// value that several alternatives describe.
fn message(document: &Value, schema: Value, left_out: &str) -> Value {
    let needed = within(document, &schema);
    let mut root = rooted(needed.as_ref().unwrap_or(document), schema, left_out);
    overlapping(&mut root);
    root
}

/// Returns a reusable schema as JSON Schema 2020-12, without the other schemas that it does not need.
pub(crate) fn reusable(document: &Value, pointer: &str, left_out: &str) -> Option<Value> {
    let mut document = within(document, &json!({ "$ref": pointer }))?;
    let reference = crate::tags::select(&mut document, pointer);
    Some(rooted(&document, json!({ "$ref": reference }), left_out))
}

/// Returns a document with the components that a schema refers to.
fn within(document: &Value, schema: &Value) -> Option<Value> {
    let mut part = json!({ "openapi": document["openapi"], "components": {} });
    let mut open = Vec::new();
    references(schema, &mut open);
    let mut seen = BTreeSet::new();
    while let Some(pointer) = open.pop() {
        let mut steps = pointer.strip_prefix("#/components/")?.splitn(3, '/');
        let (kind, name) = (steps.next()?, steps.next()?);
        if !seen.insert((kind.to_owned(), name.to_owned())) {
            continue;
        }
        let value = document.pointer(&format!("/components/{kind}/{name}"))?;
        references(value, &mut open);
        let name = name.replace("~1", "/").replace("~0", "~");
        if crate::tags::is_base(value) {
            let extending = crate::tags::extending(document, &name).into_iter();
            open.extend(extending.map(|name| format!("#/components/schemas/{name}")));
        }
        part["components"][kind][name] = value.clone();
    }
    Some(part)
}

/// Collects the references of a value.
fn references(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| references(item, all)),
        Value::Object(members) => {
            if let Some(target) = members.get("$ref").and_then(Value::as_str) {
                all.push(target.to_owned());
            }
            members.values().for_each(|value| references(value, all));
        }
        _ => {}
    }
}

/// Returns the reusable schemas that have a keyword.
fn marked(document: &Value, keyword: &str) -> Vec<String> {
    let schemas = document["components"]["schemas"].as_object();
    let all = schemas.into_iter().flatten();
    all.filter(|(_, schema)| schema[keyword] == json!(true))
        .map(|(name, _)| format!("#/components/schemas/{name}"))
        .collect()
}

/// Makes an `allOf` of closed objects one closed object, as generated code reads it: by JSON Schema, each part rejects the
/// properties of the others.
fn open_parts(document: &Value, value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(|value| open_parts(document, value)),
        Value::Object(object) => {
            object
                .values_mut()
                .for_each(|value| open_parts(document, value));
            let mut is_closed = false;
            for part in object
                .get_mut("allOf")
                .and_then(Value::as_array_mut)
                .into_iter()
                .flatten()
            {
                let mut own = follow(document, part);
                if own["additionalProperties"] == json!(false) {
                    is_closed = true;
                    own.as_object_mut()
                        .and_then(|own| own.remove("additionalProperties"));
                    *part = own;
                }
            }
            if is_closed {
                object.insert("unevaluatedProperties".to_owned(), json!(false));
            }
        }
        _ => {}
    }
}

/// Rewrites a schema and its parts.
fn upgrade(value: &mut Value, left_out: &str, marked: &[String], old: bool) {
    match value {
        Value::Array(all) => {
            for part in all {
                upgrade(part, left_out, marked, old);
            }
        }
        Value::Object(object) => {
            let is_left_out = |schema: &Value| {
                let by_reference = schema["$ref"].as_str();
                schema[left_out] == json!(true)
                    || by_reference.is_some_and(|to| marked.iter().any(|pointer| pointer == to))
            };
            let properties = object.get("properties").and_then(Value::as_object);
            let free: Vec<String> = properties
                .into_iter()
                .flatten()
                .filter(|(_, schema)| is_left_out(schema))
                .map(|(name, _)| name.clone())
                .collect();
            if let Some(Value::Array(required)) = object.get_mut("required") {
                required.retain(|name| !free.iter().any(|property| name == property));
            }
            if old {
                exclusive(object);
            }
            nullable(object);
            // The validator does not check other formats.
            let format = object.get("format").and_then(Value::as_str);
            if format.is_some_and(|format| !FORMATS.contains(&format))
                && let Some(format) = object.remove("format")
            {
                object.insert("x-format".to_owned(), format);
            }
            for part in object.values_mut() {
                upgrade(part, left_out, marked, old);
            }
        }
        _ => {}
    }
}

/// Rewrites exclusive bounds of OpenAPI 3.0.
fn exclusive(schema: &mut Map<String, Value>) {
    for (flag, bound) in [
        ("exclusiveMinimum", "minimum"),
        ("exclusiveMaximum", "maximum"),
    ] {
        match schema.get(flag) {
            Some(Value::Bool(true)) => {
                let value = schema.remove(bound).unwrap_or(json!(0));
                schema.insert(flag.to_owned(), value);
            }
            Some(Value::Bool(false)) => _ = schema.remove(flag),
            _ => {}
        }
    }
}

/// Makes alternatives that are types of their own an `anyOf`, at any depth.
fn overlapping(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(overlapping),
        Value::Object(schema) => {
            let keys = ["$ref", "properties", "type"];
            let is_type =
                |alternative: &Value| keys.iter().any(|key| alternative.get(key).is_some());
            let alternatives = schema.get("oneOf").and_then(Value::as_array);
            let are_types = alternatives.is_some_and(|all| all.iter().any(is_type));
            if are_types
                && !schema.contains_key("anyOf")
                && let Some(alternatives) = schema.remove("oneOf")
            {
                schema.insert("anyOf".to_owned(), alternatives);
            }
            schema.values_mut().for_each(overlapping);
        }
        _ => {}
    }
}

/// Rewrites `nullable`, which documents of 3.1 have, too, and which means the same there.
fn nullable(schema: &mut Map<String, Value>) {
    if schema.get("nullable") == Some(&json!(true)) {
        schema.remove("nullable");
        let inner = Value::Object(std::mem::take(schema));
        schema.insert("anyOf".to_owned(), json!([{ "type": "null" }, inner]));
    }
}
