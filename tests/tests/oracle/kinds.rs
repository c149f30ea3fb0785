//! Kinds of differences between generated types and a validator of JSON Schema. Each is a change of the document's
//! schema: a difference is of a kind if the validator agrees after the change.

use serde_json::{Map, Value, json};

/// The schemas of draft 2020-12 that a value is validated against, or a part of them.
type Members = Map<String, Value>;

/// A kind of differences.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// Changes a schema with all that it refers to.
    pub(crate) change: fn(&mut Value),
    /// Whether documents of `spec/features` have it.
    pub(crate) in_features: bool,
}

const fn kind(name: &'static str, change: fn(&mut Value), in_features: bool) -> Kind {
    Kind {
        name,
        change,
        in_features,
    }
}

/// Why types accept values that the validator refuses.
pub(crate) const WIDER: &[Kind] = &[
    kind(
        "several alternatives of a `oneOf` match (W0350, W0351)",
        one_of,
        true,
    ),
    kind("a pattern with look-around (W0313)", look_around, true),
    kind(
        "values of names under several patterns (W0352)",
        several_patterns,
        true,
    ),
    kind(
        "more than twelve items with schemas of their own (W0353)",
        long_tuples,
        true,
    ),
    kind("no value is valid (W0301)", never, false),
    kind("keywords that are not checked (W0110)", unchecked, false),
    kind(
        "listed values of another type are texts (W0106)",
        listed_texts,
        false,
    ),
    kind(
        "null is listed, and the type excludes it",
        listed_null,
        false,
    ),
    kind(
        "`additionalProperties` of a part of an `allOf` is about properties that no part declares",
        undeclared,
        false,
    ),
];

/// Why types refuse values that the validator accepts.
pub(crate) const NARROWER: &[Kind] = &[
    kind(
        "a schema without `type` has the type that its keywords are about",
        implied_types,
        false,
    ),
    kind("a format that the validator does not check", formats, true),
    kind("the JSON in a string has a schema", contents, true),
    kind("an alternative is the schema itself", circles, true),
    kind(
        "`patternProperties` alone describes all properties",
        all_names,
        false,
    ),
    kind("numbers have the range of their format", ranges, false),
];

/// Changes each object in a value, the innermost first.
fn each(value: &mut Value, change: &dyn Fn(&mut Members)) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(|value| each(value, change)),
        Value::Object(members) => {
            members.values_mut().for_each(|value| each(value, change));
            change(members);
        }
        _ => {}
    }
}

/// Adds a schema that values must match as well.
pub(crate) fn also(members: &mut Members, schema: Value) {
    match members.get_mut("allOf") {
        Some(Value::Array(all)) => all.push(schema),
        _ => drop(members.insert("allOf".to_owned(), json!([schema]))),
    }
}

/// Returns whether the type of a schema is this one.
fn has_type(members: &Members, name: &str) -> bool {
    match members.get("type") {
        Some(Value::Array(all)) => all.iter().any(|kind| kind == name),
        kind => kind.is_some_and(|kind| kind == name),
    }
}

fn one_of(root: &mut Value) {
    each(root, &|members| {
        if members.get("oneOf").is_some_and(Value::is_array)
            && let Some(all) = members.remove("oneOf")
        {
            also(members, json!({ "anyOf": all }));
        }
    });
}

fn look_around(root: &mut Value) {
    each(root, &|members| {
        let pattern = members
            .get("pattern")
            .and_then(Value::as_str)
            .unwrap_or_default();
        if ["(?=", "(?!", "(?<"]
            .iter()
            .any(|part| pattern.contains(part))
        {
            members.remove("pattern");
        }
    });
}

fn several_patterns(root: &mut Value) {
    each(root, &|members| {
        let count = members
            .get("patternProperties")
            .and_then(Value::as_object)
            .map_or(0, Map::len);
        let others = members
            .get("additionalProperties")
            .is_some_and(|schema| *schema != json!(false));
        if count + usize::from(others && count > 0) > 1 {
            members.remove("patternProperties");
            members.remove("additionalProperties");
        }
    });
}

fn long_tuples(root: &mut Value) {
    each(root, &|members| {
        let count = members
            .get("prefixItems")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        if count > 12 {
            members.remove("prefixItems");
            members.remove("items");
        }
    });
}

fn never(root: &mut Value) {
    each(root, &|members| {
        for key in ["properties", "schemas"] {
            let all = members.get_mut(key).and_then(Value::as_object_mut);
            for schema in all.into_iter().flat_map(Map::values_mut) {
                if *schema == json!(false) {
                    *schema = json!(true);
                }
            }
        }
    });
}

fn unchecked(root: &mut Value) {
    each(root, &|members| {
        for key in [
            "if",
            "then",
            "else",
            "not",
            "contains",
            "dependentSchemas",
            "unevaluatedItems",
        ] {
            if members
                .get(key)
                .is_some_and(|schema| schema.is_object() || schema.is_boolean())
            {
                members.remove(key);
            }
        }
    });
}

fn listed_texts(root: &mut Value) {
    each(root, &|members| {
        let is_text = has_type(members, "string");
        if let Some(Value::Array(all)) = members.get_mut("enum")
            && is_text
        {
            let texts = all
                .iter()
                .filter(|value| !value.is_string() && !value.is_null());
            let texts: Vec<Value> = texts.map(|value| json!(value.to_string())).collect();
            all.extend(texts);
        }
    });
}

fn listed_null(root: &mut Value) {
    each(root, &|members| {
        if members
            .get("enum")
            .and_then(Value::as_array)
            .is_some_and(|all| all.contains(&Value::Null))
        {
            members.remove("type");
        }
    });
}

fn undeclared(root: &mut Value) {
    let known = root.clone();
    each(root, &|members| {
        let parts = members.get_mut("allOf").and_then(Value::as_array_mut);
        for part in parts.into_iter().flatten() {
            *part = without_others(part, &known, 0);
        }
    });
}

/// Returns a part of an `allOf` that says nothing of properties that it does not declare.
fn without_others(part: &Value, known: &Value, depth: usize) -> Value {
    let target = part["$ref"]
        .as_str()
        .and_then(|to| known.pointer(to.strip_prefix('#')?));
    let mut part = match target {
        Some(target) if depth < 16 => target.clone(),
        _ => part.clone(),
    };
    if let Value::Object(members) = &mut part {
        members.remove("additionalProperties");
        let parts = members.get_mut("allOf").and_then(Value::as_array_mut);
        for part in parts.into_iter().flatten() {
            *part = without_others(part, known, depth + 1);
        }
    }
    part
}

fn implied_types(root: &mut Value) {
    const IMPLIED: &[(&str, &[&str])] = &[
        (
            "object",
            &[
                "properties",
                "additionalProperties",
                "patternProperties",
                "required",
            ],
        ),
        ("array", &["items", "prefixItems"]),
        ("string", &["pattern", "minLength", "maxLength", "format"]),
    ];
    each(root, &|members| {
        let is_stated = ["type", "enum", "const", "$ref"]
            .iter()
            .any(|key| members.contains_key(*key));
        let has = |key: &&str| match *key {
            "properties" | "patternProperties" => members.get(*key).is_some_and(Value::is_object),
            "required" => members.get(*key).is_some_and(Value::is_array),
            "items" | "additionalProperties" => members
                .get(*key)
                .is_some_and(|value| value.is_object() || value.is_boolean()),
            key => members
                .get(key)
                .is_some_and(|value| value.is_string() || value.is_u64()),
        };
        let implied = IMPLIED.iter().find(|(_, keys)| keys.iter().any(has));
        if let Some((name, _)) = implied.filter(|_| !is_stated) {
            members.insert("type".to_owned(), json!(name));
        }
    });
}

fn formats(root: &mut Value) {
    each(root, &|members| {
        if members.remove("x-format").is_some() {
            also(members, json!({ "not": { "type": "string" } }));
        }
    });
}

fn contents(root: &mut Value) {
    each(root, &|members| {
        if members.remove("contentSchema").is_some() {
            also(members, json!({ "not": { "type": "string" } }));
        }
    });
}

fn circles(root: &mut Value) {
    let known = root.clone();
    let all = root
        .pointer_mut("/components/schemas")
        .and_then(Value::as_object_mut);
    for (name, schema) in all.into_iter().flatten() {
        let own = format!("#/components/schemas/{name}");
        for key in ["oneOf", "anyOf"] {
            let alternatives = schema.get_mut(key).and_then(Value::as_array_mut);
            for alternative in alternatives.into_iter().flatten() {
                if leads_to(alternative, &own, &known, 0) {
                    *alternative = json!(false);
                }
            }
        }
    }
}

/// Returns whether an alternative is another name for a schema, or a choice of it.
fn leads_to(part: &Value, own: &str, known: &Value, depth: usize) -> bool {
    let Some(to) = part["$ref"].as_str().filter(|_| depth < 16) else {
        let choices = ["oneOf", "anyOf"]
            .iter()
            .filter_map(|key| part[*key].as_array());
        return choices
            .flatten()
            .any(|part| part["$ref"].is_string() && leads_to(part, own, known, depth + 1));
    };
    let target = to.strip_prefix('#').and_then(|to| known.pointer(to));
    to == own || target.is_some_and(|target| leads_to(target, own, known, depth + 1))
}

fn all_names(root: &mut Value) {
    each(root, &|members| {
        let patterns = members.get("patternProperties").and_then(Value::as_object);
        let mut all = patterns.into_iter().flat_map(Map::values);
        if let (Some(only), None) = (all.next().cloned(), all.next())
            && !members.contains_key("additionalProperties")
        {
            members.insert("additionalProperties".to_owned(), only);
        }
    });
}

/// Adds the bounds of the formats of numbers. Integers without a format have 64 bits.
pub(crate) fn ranges(root: &mut Value) {
    each(root, &|members| {
        let (is_integer, is_number) = (has_type(members, "integer"), has_type(members, "number"));
        let format = members.get("x-format").and_then(Value::as_str);
        let bounds = match format.unwrap_or_default() {
            "float" if is_number => json!({ "minimum": f32::MIN, "maximum": f32::MAX }),
            _ if !is_integer => return,
            "int8" => json!({ "minimum": i8::MIN, "maximum": i8::MAX }),
            "int16" => json!({ "minimum": i16::MIN, "maximum": i16::MAX }),
            "int32" => json!({ "minimum": i32::MIN, "maximum": i32::MAX }),
            "uint8" => json!({ "minimum": 0, "maximum": u8::MAX }),
            "uint16" => json!({ "minimum": 0, "maximum": u16::MAX }),
            "uint32" => json!({ "minimum": 0, "maximum": u32::MAX }),
            "uint64" | "uint" => json!({ "minimum": 0, "maximum": u64::MAX }),
            _ => json!({ "minimum": i64::MIN, "maximum": i64::MAX }),
        };
        also(members, bounds);
    });
}
