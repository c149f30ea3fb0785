//! Mutants: documents with one change each, drawn with a fixed seed.

use serde_json::{Map, Value, json};

use crate::draw::Random;

type Change = fn(&mut Value, &mut Random) -> bool;

/// Changes of a schema. Each returns whether it applies.
const OF_SCHEMAS: &[(&str, Change)] = &[
    ("add a property", |schema, _| {
        properties(schema).is_some_and(|all| insert(all, "mutant", json!({ "type": "string" })))
    }),
    ("add a required property", |schema, _| {
        properties(schema).is_some_and(|all| insert(all, "mutant", json!({ "type": "integer" })))
            && require(schema, "mutant")
    }),
    ("remove a property", |schema, random| {
        let Some(name) = property(schema, random) else {
            return false;
        };
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            required.retain(|listed| *listed != name);
        }
        properties(schema).is_some_and(|all| all.remove(&name).is_some())
    }),
    ("rename a property", |schema, random| {
        let Some(name) = property(schema, random) else {
            return false;
        };
        if let Some(Value::Array(required)) = schema.get_mut("required") {
            for entry in required.iter_mut().filter(|entry| **entry == name) {
                *entry = json!("renamed-property");
            }
        }
        properties(schema).is_some_and(|all| {
            let value = all.remove(&name).unwrap_or_default();
            insert(all, "renamed-property", value)
        })
    }),
    ("require a property", |schema, random| {
        property(schema, random).is_some_and(|name| require(schema, &name))
    }),
    ("make a property optional", |schema, random| {
        let Some(Value::Array(required)) = schema.get_mut("required") else {
            return false;
        };
        if required.is_empty() {
            return false;
        }
        required.remove(random.below(required.len()));
        true
    }),
    ("change a type", |schema, _| match schema["type"].as_str() {
        Some("string") if is_plain(schema) => set(schema, json!({ "type": "integer" })),
        Some("integer") => set(schema, json!({ "type": "string" })),
        Some("boolean") => set(schema, json!({ "type": "integer" })),
        _ => false,
    }),
    ("widen a number", |schema, _| {
        match schema["type"].as_str() {
            Some("integer") => set(schema, json!({ "type": "number" })),
            _ => false,
        }
    }),
    ("narrow", |schema, _| match schema["type"].as_str() {
        Some("string") if is_plain(schema) => insert_into(schema, "maxLength", json!(3)),
        Some("integer" | "number") => insert_into(schema, "maximum", json!(2)),
        Some("array") => insert_into(schema, "maxItems", json!(1)),
        _ => false,
    }),
    ("nest in a list", |schema, _| {
        is_scalar(schema) && set(schema, json!({ "type": "array", "items": schema }))
    }),
    ("nest in an object", |schema, _| {
        let nested =
            json!({ "type": "object", "required": ["inner"], "properties": { "inner": schema } });
        is_scalar(schema) && set(schema, nested)
    }),
    ("accept null", |schema, _| {
        is_scalar(schema) && set(schema, json!({ "anyOf": [schema, { "type": "null" }] }))
    }),
    ("add a value", |schema, _| {
        let Some(Value::Array(values)) = schema.get_mut("enum") else {
            return false;
        };
        let is_text = values.iter().all(Value::is_string);
        values.push(if is_text {
            json!("mutant")
        } else {
            json!(4711)
        });
        true
    }),
    ("remove a value", |schema, random| {
        let Some(Value::Array(values)) = schema.get_mut("enum") else {
            return false;
        };
        if values.len() < 2 {
            return false;
        }
        values.remove(random.below(values.len()));
        true
    }),
    ("list the values", |schema, _| {
        schema["type"] == "string"
            && is_plain(schema)
            && insert_into(schema, "enum", json!(["abcd", "other"]))
    }),
    ("close", |schema, _| {
        schema.get("properties").is_some()
            && insert_into(schema, "additionalProperties", json!(false))
    }),
    ("keep additional properties", |schema, _| {
        schema.get("properties").is_some()
            && insert_into(schema, "additionalProperties", json!({ "type": "string" }))
    }),
    ("remove a choice", |schema, random| {
        ["oneOf", "anyOf"]
            .iter()
            .any(|key| match schema.get_mut(*key) {
                Some(Value::Array(all)) if all.len() > 1 => {
                    all.remove(random.below(all.len()));
                    true
                }
                _ => false,
            })
    }),
    ("add a choice", |schema, _| {
        ["oneOf", "anyOf"].iter().any(|key| match schema.get_mut(*key) {
            Some(Value::Array(all)) => {
                let properties = json!({ "type": "array", "items": { "type": "boolean" } });
                all.push(json!({ "type": "object", "required": ["mutants"], "properties": { "mutants": properties } }));
                true
            }
            _ => false,
        })
    }),
    ("give a format", |schema, _| {
        schema["type"] == "string"
            && is_plain(schema)
            && insert_into(schema, "format", json!("uuid"))
    }),
    ("give a default", |schema, _| {
        schema["type"] == "string"
            && is_plain(schema)
            && insert_into(schema, "default", json!("given"))
    }),
    ("reverse the order", |schema, _| {
        properties(schema).is_some_and(|all| {
            let reversed: Vec<_> = std::mem::take(all).into_iter().rev().collect();
            all.extend(reversed);
            true
        })
    }),
];

/// Changes of an operation.
const OF_OPERATIONS: &[(&str, Change)] = &[
    ("rename the operation", |operation, _| {
        set_key(operation, "operationId", json!("mutantOperation"))
    }),
    ("deprecate", |operation, _| {
        insert_into(operation, "deprecated", json!(true))
    }),
    ("change the tag", |operation, _| {
        set_key(operation, "tags", json!(["mutants"]))
    }),
    ("add a parameter", |operation, _| {
        parameter(
            operation,
            json!({ "name": "mutant", "in": "query", "schema": { "type": "string" } }),
        )
    }),
    ("add a required parameter", |operation, _| {
        parameter(
            operation,
            json!({ "name": "mutant", "in": "query", "required": true, "schema": { "type": "string" } }),
        )
    }),
    ("remove a parameter", |operation, random| {
        let Some(Value::Array(all)) = operation.get_mut("parameters") else {
            return false;
        };
        let free = |parameter: &Value| parameter["in"].is_string() && parameter["in"] != "path";
        let at: Vec<usize> = (0..all.len()).filter(|at| free(&all[*at])).collect();
        random.pick(&at).is_some_and(|at| {
            all.remove(*at);
            true
        })
    }),
    ("turn a parameter", |operation, random| {
        let Some(Value::Array(all)) = operation.get_mut("parameters") else {
            return false;
        };
        let free = |parameter: &Value| parameter["in"].is_string() && parameter["in"] != "path";
        let at: Vec<usize> = (0..all.len()).filter(|at| free(&all[*at])).collect();
        random.pick(&at).is_some_and(|at| turn(&mut all[*at]))
    }),
    ("turn the body", |operation, _| {
        operation.get_mut("requestBody").is_some_and(turn)
    }),
    ("remove the body", |operation, _| {
        operation
            .as_object_mut()
            .is_some_and(|members| members.remove("requestBody").is_some())
    }),
    ("add a success", |operation, _| {
        status(operation, "206", json!({ "description": "A part." }))
    }),
    ("add an error", |operation, _| {
        status(operation, "418", json!({ "description": "Tea." }))
    }),
    ("add an error with a body", |operation, _| {
        let content = json!({ "application/json": { "schema": { "type": "object", "required": ["why"], "properties": { "why": { "type": "string" } } } } });
        status(
            operation,
            "422",
            json!({ "description": "No.", "content": content, "headers": { "X-Mutant": { "schema": { "type": "string" } } } }),
        )
    }),
    ("remove a response", |operation, random| {
        let Some(Value::Object(all)) = operation.get_mut("responses") else {
            return false;
        };
        let names: Vec<String> = all.keys().cloned().collect();
        names.len() > 1
            && random
                .pick(&names)
                .is_some_and(|name| all.remove(name).is_some())
    }),
    ("add a header", |operation, random| {
        response(operation, random).is_some_and(|response| {
            set_key(
                &mut response["headers"],
                "X-Mutant",
                json!({ "schema": { "type": "integer" } }),
            )
        })
    }),
    ("add a required header", |operation, random| {
        response(operation, random).is_some_and(|response| {
            set_key(
                &mut response["headers"],
                "X-Mutant",
                json!({ "required": true, "schema": { "type": "integer" } }),
            )
        })
    }),
    ("add a body to a response", |operation, random| {
        response(operation, random).is_some_and(|response| {
            insert_into(
                response,
                "content",
                json!({ "text/plain": { "schema": { "type": "string" } } }),
            )
        })
    }),
    ("add a media type", |operation, random| {
        response(operation, random).is_some_and(|response| {
            response["content"].is_object()
                && set_key(
                    &mut response["content"],
                    "text/csv",
                    json!({ "schema": { "type": "string" } }),
                )
        })
    }),
];

/// Returns mutants of a document with their names.
pub(crate) fn mutants(document: &Value, seed: u64, count: usize) -> Vec<(String, Value)> {
    let mut random = Random(seed);
    let (mut schemas, mut operations) = (Vec::new(), Vec::new());
    places(document, "", &mut schemas);
    for section in ["paths", "webhooks"] {
        for (path, item) in document[section].as_object().into_iter().flatten() {
            for (method, operation) in item.as_object().into_iter().flatten() {
                if operation["responses"].is_object() {
                    let path = path.replace('~', "~0").replace('/', "~1");
                    operations.push(format!("/{section}/{path}/{method}"));
                }
            }
        }
    }
    let mut found: Vec<(String, Value)> = Vec::new();
    // Most draws do not apply to their place.
    for _ in 0..count * 40 {
        if found.len() == count {
            break;
        }
        let of_schema = random.chance(2);
        let (changes, places) = match of_schema {
            true => (OF_SCHEMAS, &schemas),
            false => (OF_OPERATIONS, &operations),
        };
        let change = random.pick(changes).copied();
        let place = random.pick(places).cloned();
        let (Some((name, change)), Some(place)) = (change, place) else {
            continue;
        };
        let mut mutant = document.clone();
        let Some(part) = mutant.pointer_mut(&place) else {
            continue;
        };
        let title = format!("{name} at {place}");
        let is_new = !found.iter().any(|(known, _)| *known == title);
        if is_new && change(part, &mut random) && mutant != *document {
            found.push((title, mutant));
        }
    }
    found
}

/// Collects the pointers of schemas.
fn places(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            let is_schema = object.contains_key("oneOf")
                || object.contains_key("anyOf")
                || matches!(&object.get("type"), Some(Value::String(kind)) if kind.len() > 3);
            if is_schema
                && !pointer.contains("securitySchemes")
                && !pointer.ends_with("/properties")
            {
                found.push(pointer.to_owned());
            }
            for (name, value) in object {
                if ["example", "examples", "default", "enum", "const"].contains(&name.as_str()) {
                    continue;
                }
                let name = name.replace('~', "~0").replace('/', "~1");
                places(value, &format!("{pointer}/{name}"), found);
            }
        }
        Value::Array(all) => {
            for (index, value) in all.iter().enumerate() {
                places(value, &format!("{pointer}/{index}"), found);
            }
        }
        _ => {}
    }
}

fn properties(schema: &mut Value) -> Option<&mut Map<String, Value>> {
    schema.get_mut("properties")?.as_object_mut()
}

fn property(schema: &Value, random: &mut Random) -> Option<String> {
    let names: Vec<String> = schema["properties"].as_object()?.keys().cloned().collect();
    random.pick(&names).cloned()
}

fn insert(all: &mut Map<String, Value>, name: &str, value: Value) -> bool {
    all.insert(name.to_owned(), value).is_none()
}

fn insert_into(schema: &mut Value, key: &str, value: Value) -> bool {
    let members = schema.as_object_mut();
    members.is_some_and(|members| !members.contains_key(key) && insert(members, key, value))
}

fn set_key(object: &mut Value, key: &str, value: Value) -> bool {
    object[key] = value;
    true
}

fn set(schema: &mut Value, value: Value) -> bool {
    *schema = value;
    true
}

fn require(schema: &mut Value, name: &str) -> bool {
    if !schema["required"].is_array() {
        schema["required"] = json!([]);
    }
    let required = schema["required"].as_array_mut();
    required.is_some_and(|all| {
        let is_new = !all.iter().any(|listed| listed == name);
        all.push(json!(name));
        is_new
    })
}

/// Returns whether a schema has a type and texts alone.
fn is_plain(schema: &Value) -> bool {
    let known = ["type", "description", "title", "maxLength"];
    let members = schema.as_object();
    members.is_some_and(|members| members.keys().all(|key| known.contains(&key.as_str())))
}

fn is_scalar(schema: &Value) -> bool {
    let kind = schema["type"].as_str().unwrap_or_default();
    ["string", "integer", "number", "boolean"].contains(&kind) && is_plain(schema)
}

fn turn(part: &mut Value) -> bool {
    if part.get("$ref").is_some() {
        return false;
    }
    part["required"] = json!(part["required"] != json!(true));
    true
}

fn parameter(operation: &mut Value, parameter: Value) -> bool {
    if !operation["parameters"].is_array() {
        operation["parameters"] = json!([]);
    }
    operation["parameters"].as_array_mut().is_some_and(|all| {
        all.push(parameter);
        true
    })
}

fn status(operation: &mut Value, status: &str, response: Value) -> bool {
    insert_into(&mut operation["responses"], status, response)
}

fn response<'v>(operation: &'v mut Value, random: &mut Random) -> Option<&'v mut Value> {
    let all = operation.get_mut("responses")?.as_object_mut()?;
    let names = all
        .iter()
        .filter(|(_, response)| response.get("$ref").is_none());
    let names: Vec<String> = names.map(|(name, _)| name.clone()).collect();
    all.get_mut(random.pick(&names)?)
}
