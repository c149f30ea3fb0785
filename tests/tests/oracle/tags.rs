//! Discriminators as JSON Schema: an alternative has the values of the discriminator that lead to it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::kinds::also;

const SCHEMAS: &str = "#/components/schemas/";

/// The schemas of a document.
struct Schemas<'d>(&'d Value);

/// Returns the names of the schemas that extend a schema by `allOf`, at any distance.
pub(crate) fn extending(document: &Value, base: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = vec![base.to_owned()];
    while let Some(base) = open.pop() {
        let reference = json!(format!("{SCHEMAS}{base}"));
        let all = document["components"]["schemas"].as_object();
        for (name, schema) in all.into_iter().flatten() {
            let parts = schema["allOf"].as_array().into_iter().flatten();
            let mut parts = parts.chain([schema].into_iter().filter(|schema| has_more(schema)));
            if parts.any(|part| part["$ref"] == reference) && !found.contains(name) {
                found.push(name.clone());
                open.push(name.clone());
            }
        }
    }
    found
}

/// Returns whether a schema has a discriminator, and no alternatives: those that extend it are alternatives.
pub(crate) fn is_base(schema: &Value) -> bool {
    schema["discriminator"].is_object() && choice(schema).is_none()
}

/// Returns whether a schema has more than a reference.
fn has_more(schema: &Value) -> bool {
    schema.get("properties").is_some_and(Value::is_object)
        || schema.get("required").is_some_and(Value::is_array)
}

/// Returns the alternatives of a schema.
fn choice(schema: &Value) -> Option<&Vec<Value>> {
    ["oneOf", "anyOf"]
        .iter()
        .find_map(|key| schema[*key].as_array())
}

/// Makes the alternatives of each discriminator an `anyOf` of schemas with their values. Schemas that extend a schema are
/// alternatives of its uses, and not of the schema itself. Returns the reference to the uses of a schema.
pub(crate) fn select(document: &mut Value, pointer: &str) -> String {
    let mut reference = json!({ "$ref": pointer });
    let known = document.clone();
    let schemas = Schemas(&known);
    let all = known["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten();
    let families: Vec<(&String, Value)> = all
        .filter_map(|(name, schema)| Some((name, schemas.family(name, schema)?)))
        .collect();
    for (name, _) in &families {
        let base = document["components"]["schemas"][name.as_str()].as_object_mut();
        if let Some(base) = base {
            base.remove("oneOf");
            base.remove("anyOf");
        }
    }
    schemas.select(document);
    for (name, family) in families {
        let whole = format!("{name} and those that extend it");
        document["components"]["schemas"][&whole] = family;
        for value in [&mut *document, &mut reference] {
            refer(
                value,
                &format!("{SCHEMAS}{name}"),
                &format!("{SCHEMAS}{whole}"),
            );
        }
    }
    reference["$ref"].as_str().unwrap_or(pointer).to_owned()
}

/// Lets all references to a schema, except for those of an `allOf`, lead to another one.
fn refer(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(|item| refer(item, from, to)),
        Value::Object(_) => {
            let is_extended = has_more(value);
            let Value::Object(object) = value else { return };
            if object.get("$ref").is_some_and(|target| target == from) && !is_extended {
                object.insert("$ref".to_owned(), json!(to));
            }
            for (key, value) in object {
                match value {
                    Value::Array(parts) if key == "allOf" => {
                        let others = parts.iter_mut().filter(|part| part["$ref"] != *from);
                        others.for_each(|part| refer(part, from, to));
                    }
                    value => refer(value, from, to),
                }
            }
        }
        _ => {}
    }
}

fn tagged(by: &Value, values: &BTreeSet<String>) -> Value {
    let name = by["propertyName"].as_str().unwrap_or_default();
    json!({ "required": [name], "properties": { name: { "enum": values } } })
}

impl Schemas<'_> {
    /// Returns the alternatives of a schema that others extend, if it has such.
    fn family(&self, name: &str, schema: &Value) -> Option<Value> {
        let by = &schema["discriminator"];
        let children = extending(self.0, name);
        let part = |name: &String| json!({ "$ref": format!("{SCHEMAS}{name}") });
        let own = name.to_owned();
        let parts: Vec<Value> = match choice(schema) {
            Some(all) => all.clone(),
            None if by.is_object() => children
                .iter()
                .chain([&name.to_owned()])
                .map(part)
                .collect(),
            None => return None,
        };
        let extends = |alternative: &Value| {
            children
                .iter()
                .any(|name| alternative["$ref"] == part(name)["$ref"])
        };
        let mut others = parts.iter().filter(|alternative| {
            !extends(alternative) && alternative["$ref"] != part(&own)["$ref"]
        });
        if children.is_empty() || others.next().is_some() {
            return None;
        }
        let tagged = parts.iter().filter_map(|part| match by.is_object() {
            true => Some(json!({ "allOf": [part, tagged(by, &self.values(part, by)?)] })),
            false => Some(part.clone()),
        });
        Some(json!({ "anyOf": tagged.collect::<Vec<Value>>() }))
    }

    fn select(&self, value: &mut Value) {
        match value {
            Value::Array(all) => all.iter_mut().for_each(|item| self.select(item)),
            Value::Object(object) => {
                let by = object
                    .get("discriminator")
                    .filter(|by| by.is_object())
                    .cloned();
                for key in ["oneOf", "anyOf"] {
                    if let (Some(by), Some(Value::Array(all))) = (&by, object.get(key).cloned()) {
                        object.remove(key);
                        also(object, json!({ "anyOf": self.alternatives(&all, by) }));
                    }
                }
                object.values_mut().for_each(|value| self.select(value));
            }
            _ => {}
        }
    }

    fn alternatives(&self, all: &[Value], by: &Value) -> Vec<Value> {
        let is_family = |part: &Value| {
            let target = self.target(part);
            target.is_some_and(|(name, schema)| {
                is_base(&schema) && !extending(self.0, &name).is_empty()
            })
        };
        let shared = self.shared(all, by);
        // Without a mapping, such values leave no discriminator.
        if !shared.is_empty() && !by["mapping"].is_object() {
            return all.to_vec();
        }
        let alternative = |part: &Value| match self.values(part, by) {
            Some(values) if !is_family(part) => {
                let own = values.difference(&shared).cloned().collect();
                json!({ "allOf": [part, tagged(by, &own)] })
            }
            _ => part.clone(),
        };
        all.iter().map(alternative).collect()
    }

    /// Returns the values that several alternatives list, and that no mapping assigns to one of them.
    fn shared(&self, all: &[Value], by: &Value) -> BTreeSet<String> {
        let property = by["propertyName"].as_str().unwrap_or_default();
        let (mut seen, mut shared) = (BTreeSet::new(), BTreeSet::new());
        for part in all {
            // An alternative that is a choice has the values of its own alternatives.
            let target = self.target(part);
            let inner = target.as_ref().and_then(|(_, target)| choice(target));
            let parts = inner.into_iter().flatten().chain([part]);
            let parts = parts.map(|part| self.listed(part, property, 0));
            let values: BTreeSet<String> = parts.flatten().collect();
            shared.extend(values.iter().filter(|value| seen.contains(*value)).cloned());
            seen.extend(values);
        }
        shared.retain(|value| by["mapping"].get(value).is_none());
        shared
    }

    fn target(&self, part: &Value) -> Option<(String, Value)> {
        let name = part["$ref"].as_str()?.strip_prefix(SCHEMAS)?;
        let target = self.0["components"]["schemas"].get(name)?;
        Some((name.to_owned(), target.clone()))
    }

    /// Returns the values of a discriminator that lead to an alternative, if they are known.
    fn values(&self, part: &Value, by: &Value) -> Option<BTreeSet<String>> {
        let property = by["propertyName"].as_str()?;
        let listed = self.listed(part, property, 0);
        let Some((name, target)) = self.target(part) else {
            return Some(listed).filter(|all| !all.is_empty());
        };
        let mapping = by["mapping"].as_object().into_iter().flatten();
        let leads = |to: &Value| to == &part["$ref"] || *to == name;
        let mapped = mapping
            .filter(|(_, to)| leads(to))
            .map(|(value, _)| value.clone());
        let mut values: BTreeSet<String> = mapped.collect();
        // An alternative that is a choice has the values of its own alternatives.
        let is_choice = ["oneOf", "anyOf"].iter().any(|key| target[*key].is_array());
        if is_choice || target.get("type").is_some_and(|kind| kind != "object") {
            return None;
        }
        if values.is_empty() && listed.is_empty() {
            values.insert(name);
        }
        values.extend(listed);
        Some(values)
    }

    /// Returns the values that a schema lists for a property.
    fn listed(&self, part: &Value, property: &str, depth: usize) -> BTreeSet<String> {
        if depth > 16 {
            return BTreeSet::new();
        }
        let mut values = BTreeSet::new();
        let own = &part["properties"][property];
        let own = self
            .target(own)
            .map_or_else(|| own.clone(), |(_, target)| target);
        let listed = own["enum"].as_array().into_iter().flatten();
        values.extend(
            listed
                .chain(own.get("const"))
                .filter_map(Value::as_str)
                .map(str::to_owned),
        );
        let target = self.target(part).map(|(_, target)| target);
        let parts = part["allOf"].as_array().into_iter().flatten();
        for part in parts.chain(target.iter()) {
            values.extend(self.listed(part, property, depth + 1));
        }
        values
    }
}
