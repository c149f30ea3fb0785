//! The rows of `pairs.yaml` as pairs of documents. The tests of this crate and the tests with the
//! compiler share this file.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// A pair of documents, with the expected differences.
pub(crate) struct Pair {
    /// The difference and the direction.
    pub(crate) title: String,
    /// The old document.
    pub(crate) old: Value,
    /// The new document.
    pub(crate) new: Value,
    /// Whether the methods of server traits have a default.
    pub(crate) unimplemented: bool,
    /// The day of the comparison.
    pub(crate) today: Option<String>,
    /// The required number of days until a removal.
    pub(crate) days: Option<u32>,
    /// The expected differences.
    pub(crate) expected: BTreeSet<String>,
    /// The differences in the other order, where those are not the mirrors.
    pub(crate) reverse: Option<String>,
}

/// Returns the rows of the table that are not skipped.
pub(crate) fn rows() -> Vec<Value> {
    let mut rows: Vec<Value> = serde_yaml::from_str(include_str!("pairs.yaml")).expect("the table");
    rows.retain(|row| row["skip"] != json!(true));
    rows
}

fn text(row: &Value, key: &str) -> Option<String> {
    row[key].as_str().map(str::to_owned)
}

/// Returns the pairs of a row: one for each direction of a schema.
pub(crate) fn pairs(row: &Value) -> Vec<Pair> {
    let raw = text(row, "raw").expect("a difference");
    let also = row["also"].as_array().into_iter().flatten();
    let also: Vec<String> = also
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect();
    let pair_of = |direction: &str, raw: &str, old: Value, new: Value| Pair {
        title: format!("{raw} {direction}"),
        old,
        new,
        unimplemented: row["unimplemented"] == json!(true),
        today: text(row, "today"),
        days: row["days"].as_u64().and_then(|days| days.try_into().ok()),
        expected: also.iter().cloned().chain([raw.to_owned()]).collect(),
        reverse: text(row, "reverse"),
    };
    if row.get("document").is_some() {
        return vec![pair_of(
            "",
            &raw,
            document(&row["document"]),
            document(&row["new"]),
        )];
    }
    if row.get("operation").is_some() {
        let operation_of = |key: &str| operation(&row[key], &row["schemes"]);
        return vec![pair_of(
            "",
            &raw,
            operation_of("operation"),
            operation_of("new"),
        )];
    }
    let request = text(row, "request").unwrap_or_else(|| raw.clone());
    [
        ("request", &request),
        ("response", &raw),
        ("webhook", &raw),
        ("both", &raw),
    ]
    .into_iter()
    .map(|(direction, raw)| {
        let schema_of = |key: &str| schema(&row[key], &row["schemas"], direction);
        let mut pair = pair_of(direction, raw, schema_of("schema"), schema_of("new"));
        if direction == "both" {
            pair.expected.insert(request.clone());
        }
        pair
    })
    .collect()
}

fn operation(snippet: &Value, schemes: &Value) -> Value {
    let mut operation =
        json!({ "operationId": "getThings", "responses": { "204": { "description": "Done." } } });
    for (key, value) in snippet.as_object().into_iter().flatten() {
        operation[key] = value.clone();
    }
    document(&json!({
        "paths": { "/things": { "get": operation } },
        "components": { "securitySchemes": schemes.as_object().cloned().unwrap_or_default() },
    }))
}

fn schema(snippet: &Value, others: &Value, direction: &str) -> Value {
    let content =
        json!({ "application/json": { "schema": { "$ref": "#/components/schemas/Thing" } } });
    let done = json!({ "204": { "description": "Done." } });
    let request = json!({ "operationId": "thing", "requestBody": { "required": true, "content": content }, "responses": done });
    let response = json!({ "operationId": "thing", "responses": { "200": { "description": "Done.", "content": content } } });
    let mut schemas = others.as_object().cloned().unwrap_or_default();
    schemas.insert("Thing".to_owned(), snippet.clone());
    let mut keys = json!({ "components": { "schemas": schemas } });
    match direction {
        "request" => keys["paths"] = json!({ "/things": { "post": request } }),
        "both" => {
            keys["paths"] = json!({ "/things": { "post": request } });
            keys["paths"]["/things"]["post"]["responses"] = response["responses"].clone();
        }
        "response" => keys["paths"] = json!({ "/things": { "get": response } }),
        _ => keys["webhooks"] = json!({ "thing": { "post": request } }),
    }
    document(&keys)
}

/// A document with keys beside the head.
pub(crate) fn document(keys: &Value) -> Value {
    let mut document = json!({ "openapi": "3.1.0", "info": { "title": "Things", "version": "1" } });
    for (key, value) in keys.as_object().into_iter().flatten() {
        document[key] = value.clone();
    }
    document
}
