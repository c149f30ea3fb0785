//! Values that fit a schema, made from the document alone: its examples, its defaults, and where it has
//! neither, the least that the schema takes.

use serde_json::{Map, Value, json};

/// How deep schemas are followed; what is required without end has no value anyway.
const DEPTH: u8 = 12;

/// What stands behind a `$ref` within one document.
#[must_use]
pub fn resolve<'a>(document: &'a Value, mut node: &'a Value) -> &'a Value {
    for _ in 0..DEPTH {
        let pointer = node.get("$ref").and_then(Value::as_str);
        let target = pointer
            .and_then(|pointer| pointer.strip_prefix('#'))
            .and_then(|pointer| document.pointer(pointer));
        match target {
            Some(target) => node = target,
            None => break,
        }
    }
    node
}

/// A value of a schema, as an answer of the service would hold it.
#[must_use]
pub fn of_schema(document: &Value, schema: &Value) -> Value {
    make(document, schema, DEPTH)
}

fn make(document: &Value, schema: &Value, depth: u8) -> Value {
    let schema = resolve(document, schema);
    let stated = ["const", "default", "example"]
        .iter()
        .find_map(|key| schema.get(*key));
    let listed = ["examples", "enum"]
        .iter()
        .find_map(|key| schema.get(*key)?.as_array()?.first());
    if let Some(value) = stated.or(listed) {
        return value.clone();
    }
    if depth == 0 {
        return Value::Null;
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(first) = schema
            .get(key)
            .and_then(|variants| variants.as_array()?.first())
        {
            return make(document, first, depth - 1);
        }
    }
    if let Some(parts) = schema.get("allOf").and_then(Value::as_array) {
        return all_of(document, schema, parts, depth);
    }
    match kind(schema) {
        "object" => object(document, schema, depth),
        "array" => array(document, schema, depth),
        "string" => Value::from(string(schema)),
        "integer" => Value::from(least(schema, 1)),
        "number" => json!(bound(schema, "minimum").unwrap_or(1.0)),
        "boolean" => Value::Bool(true),
        "null" => Value::Null,
        _ => json!({}),
    }
}

fn all_of(document: &Value, schema: &Value, parts: &[Value], depth: u8) -> Value {
    let mut merged = Map::new();
    for part in parts {
        match make(document, part, depth - 1) {
            Value::Object(members) => merged.extend(members),
            other => return other,
        }
    }
    if let Value::Object(members) = object(document, schema, depth) {
        merged.extend(members);
    }
    Value::Object(merged)
}

/// The JSON type of a schema, said or understood.
fn kind(schema: &Value) -> &str {
    let first = |types: &'static str| schema.get(types);
    match first("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => kinds.first().and_then(Value::as_str).unwrap_or("object"),
        _ if schema.get("items").is_some() => "array",
        _ if ["pattern", "minLength", "maxLength", "format"]
            .iter()
            .any(|key| schema.get(*key).is_some()) =>
        {
            "string"
        }
        _ => "object",
    }
}

fn object(document: &Value, schema: &Value, depth: u8) -> Value {
    let mut members = Map::new();
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten().filter_map(Value::as_str) {
        let property = schema
            .get("properties")
            .and_then(|properties| properties.get(name));
        let value = property.map_or_else(
            || json!("a"),
            |property| make(document, property, depth - 1),
        );
        members.insert(name.to_owned(), value);
    }
    Value::Object(members)
}

fn array(document: &Value, schema: &Value, depth: u8) -> Value {
    let count = bound(schema, "minItems").unwrap_or(0.0);
    let item = schema.get("items").cloned().unwrap_or_default();
    let mut items = Vec::new();
    while (items.len() as f64) < count {
        items.push(make(document, &item, depth - 1));
    }
    Value::Array(items)
}

fn bound(schema: &Value, key: &str) -> Option<f64> {
    schema.get(key)?.as_f64()
}

#[allow(clippy::cast_possible_truncation)]
fn least(schema: &Value, otherwise: i64) -> i64 {
    let minimum = bound(schema, "minimum").map(|least| least.ceil() as i64);
    let above = bound(schema, "exclusiveMinimum").map(|least| least.floor() as i64 + 1);
    let maximum = bound(schema, "maximum").map(|most| most.floor() as i64);
    let least = minimum.or(above).unwrap_or(otherwise);
    maximum.map_or(least, |most| least.min(most))
}

fn string(schema: &Value) -> String {
    let format = schema.get("format").and_then(Value::as_str);
    let text = match format {
        Some("date-time") => "2024-01-02T03:04:05Z",
        Some("date") => "2024-01-02",
        Some("time") => "03:04:05Z",
        Some("uuid") => "7f3c5c1e-2b0a-4c57-9d1f-0a6f0f7c5b11",
        Some("email") => "ann@example.com",
        Some("uri" | "url") => "https://example.com/",
        Some("ipv4") => "192.0.2.1",
        Some("ipv6") => "2001:db8::1",
        Some("byte" | "base64") => "YWJj",
        Some("duration") => "PT1S",
        _ => "a",
    };
    let mut text = text.to_owned();
    while (text.chars().count() as f64) < bound(schema, "minLength").unwrap_or(0.0) {
        text.push('a');
    }
    text
}
