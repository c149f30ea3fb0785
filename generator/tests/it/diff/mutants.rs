//! Mutants of a document: one change each, with its place and its differences.

use std::collections::BTreeSet;

use bothends::diff::{Raw, Subject};
use serde_json::{Map, Value, json};

use super::reach::{Reach, operations};

/// Random numbers from a seed (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn pick<'v, T>(&mut self, all: &'v [T]) -> Option<&'v T> {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let count = u64::try_from(all.len()).ok().filter(|count| *count > 0)?;
        all.get(usize::try_from((z ^ (z >> 31)) % count).ok()?)
    }
}

/// A difference that a mutant has.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    /// The difference in requests, and in responses.
    pub(crate) raws: [Raw; 2],
    pub(crate) subject: Subject,
    pub(crate) name: String,
    /// The end of the name of the part: a property, a parameter, a status.
    pub(crate) member: String,
    /// Whether requests and responses contain the value.
    pub(crate) directions: (bool, bool),
}

/// A mutant.
pub(crate) struct Mutant {
    pub(crate) title: String,
    pub(crate) document: Value,
    /// The differences, of which a change without a meaning has none.
    pub(crate) known: Vec<Known>,
}

/// A change of an object schema: the object, and the name of a plain string among its properties.
/// Returns the differences: the part, and what is different.
type OfObject = fn(&mut Value, &str) -> Option<Vec<(String, Raw)>>;

/// The name of a property that no document has.
const ADDED: &str = "mutantProperty";

const OF_OBJECTS: &[(&str, OfObject)] = &[
    ("add a property", |schema, _| {
        let raw = if is_closed(schema) {
            Raw::ClosedPropertyAdded
        } else {
            Raw::PropertyAdded
        };
        insert(schema, ADDED, json!({ "type": "string" }))?;
        Some(vec![(ADDED.to_owned(), raw)])
    }),
    ("add a required property", |schema, _| {
        let raw = if is_closed(schema) {
            Raw::ClosedRequiredPropertyAdded
        } else {
            Raw::RequiredPropertyAdded
        };
        insert(schema, ADDED, json!({ "type": "integer" }))?;
        require(schema, ADDED);
        Some(vec![(ADDED.to_owned(), raw)])
    }),
    ("remove a property", |schema, name| {
        // An object without properties is any object.
        let raw = (properties(schema)?.len() > 1).then(|| removal(schema, name))?;
        properties(schema)?.shift_remove(name)?;
        release(schema, name);
        Some(vec![(name.to_owned(), raw)])
    }),
    ("rename a property", |schema, name| {
        let (gone, required) = (removal(schema, name), is_required(schema, name));
        let value = properties(schema)?.shift_remove(name)?;
        insert(schema, ADDED, value)?;
        release(schema, name);
        if required {
            require(schema, ADDED);
        }
        let added = super::effects::reverse(gone);
        Some(vec![(name.to_owned(), gone), (ADDED.to_owned(), added)])
    }),
    ("require a property", |schema, name| {
        if is_required(schema, name) {
            return None;
        }
        require(schema, name);
        Some(vec![(name.to_owned(), Raw::PropertyRequired)])
    }),
    ("narrow a property", |schema, name| {
        properties(schema)?.get_mut(name)?["maxLength"] = json!(3);
        Some(vec![(name.to_owned(), Raw::ConstraintNarrowed)])
    }),
    ("widen a property", |schema, name| {
        *properties(schema)?.get_mut(name)? = json!({});
        Some(vec![(name.to_owned(), Raw::TypeWidened)])
    }),
    ("nest a property in a list", |schema, name| {
        let property = properties(schema)?.get_mut(name)?;
        *property = json!({ "type": "array", "items": property });
        Some(vec![(name.to_owned(), Raw::TypeChanged)])
    }),
    ("nest a property in an object", |schema, name| {
        let property = properties(schema)?.get_mut(name)?;
        *property =
            json!({ "type": "object", "required": ["inner"], "properties": { "inner": property } });
        Some(vec![(name.to_owned(), Raw::TypeChanged)])
    }),
    ("nest a property in an `allOf`", |schema, name| {
        let property = properties(schema)?.get_mut(name)?;
        *property = json!({ "allOf": [property] });
        Some(Vec::new())
    }),
    ("reorder the properties", |schema, _| {
        let all = properties(schema)?;
        let reversed: Vec<(String, Value)> = std::mem::take(all).into_iter().rev().collect();
        all.extend(reversed);
        Some(Vec::new())
    }),
];

/// A change of a list of strings.
type OfEnum = fn(&mut Vec<Value>) -> Option<[Raw; 2]>;

const OF_ENUMS: &[(&str, OfEnum)] = &[
    ("add a value", |values| {
        values.push(json!("mutantValue"));
        Some([Raw::KnownValueAdded, Raw::ValueAdded])
    }),
    ("remove a value", |values| {
        (values.len() > 2).then(|| values.pop())?;
        Some([Raw::KnownValueRemoved, Raw::ValueRemoved])
    }),
];

/// A change of an operation. Returns the part and the difference.
type OfOperation = fn(&mut Value, bool) -> Option<(String, Raw)>;

const OF_OPERATIONS: &[(&str, OfOperation)] = &[
    ("add a parameter", |operation, swagger| {
        parameter(operation, swagger, false)?;
        Some((ADDED.to_owned(), Raw::ParamAdded))
    }),
    ("add a required parameter", |operation, swagger| {
        parameter(operation, swagger, true)?;
        Some((ADDED.to_owned(), Raw::RequiredParamAdded))
    }),
    ("rename the operation", |operation, _| {
        *operation.get_mut("operationId")? = json!("mutantOperation");
        Some((String::new(), Raw::OperationRenamed))
    }),
    ("deprecate the operation", |operation, _| {
        let object = operation.as_object_mut()?;
        let is_new = object
            .insert("deprecated".to_owned(), json!(true))
            .is_none();
        is_new.then(|| (String::new(), Raw::OperationDeprecated))
    }),
    ("add an error", |operation, _| {
        let responses = operation.get_mut("responses")?.as_object_mut()?;
        let other = ["418", "4XX", "4xx", "default"];
        if other.iter().any(|status| responses.contains_key(*status)) {
            return None;
        }
        responses.insert("418".to_owned(), json!({ "description": "Tea." }));
        Some(("418".to_owned(), Raw::ErrorAdded))
    }),
];

/// Returns mutants of a document: each change at most once, at a drawn place.
pub(crate) fn mutants(document: &Value, random: &mut Random, count: usize) -> Vec<Mutant> {
    let places = Places::new(document);
    let total = OF_OBJECTS.len() + OF_ENUMS.len() + OF_OPERATIONS.len() + 1;
    let mut open: Vec<usize> = (0..total).collect();
    let mut found = Vec::new();
    while found.len() < count && !open.is_empty() {
        let Some(at) = random.pick(&open).copied() else {
            break;
        };
        open.retain(|index| *index != at);
        found.extend(places.mutant(document, random, at));
    }
    found
}

/// Where a document can be changed.
struct Places {
    swagger: bool,
    reach: Reach,
    /// The pointers of the object schemas with plain strings, and the names of these.
    objects: Vec<(String, Vec<String>)>,
    enums: Vec<String>,
    operations: Vec<(String, String)>,
}

impl Places {
    fn new(document: &Value) -> Self {
        let swagger = document.get("swagger").is_some();
        let section = if swagger {
            "/definitions"
        } else {
            "/components/schemas"
        };
        let mut composed = BTreeSet::new();
        parts(document, &mut composed);
        let schemas = document.pointer(section).and_then(Value::as_object);
        // A schema that is only a reference is another name of its target.
        let references = schemas
            .into_iter()
            .flatten()
            .map(|(_, schema)| &schema["$ref"]);
        let references = references.filter_map(Value::as_str);
        composed.extend(references.map(|reference| reference.trim_start_matches('#').to_owned()));
        let (mut objects, mut enums) = (Vec::new(), Vec::new());
        for (name, schema) in schemas.into_iter().flatten() {
            let escaped = name.replace('~', "~0").replace('/', "~1");
            let pointer = format!("{section}/{escaped}");
            let keys = [
                "type",
                "properties",
                "required",
                "description",
                "title",
                "additionalProperties",
            ];
            let plain = plain(schema);
            let own = schema.as_object().into_iter().flatten();
            let is_simple = own.clone().all(|(key, _)| keys.contains(&key.as_str()));
            if composed.contains(&pointer) {
                continue;
            }
            if is_simple && schema["type"] == "object" && !plain.is_empty() {
                objects.push((pointer, plain));
            } else if schema["type"] == "string" && own.count() == 2 && is_enum(schema) {
                enums.push(pointer);
            }
        }
        Self {
            swagger,
            reach: Reach::new(document),
            objects,
            enums,
            operations: operations(document),
        }
    }

    fn mutant(&self, document: &Value, random: &mut Random, at: usize) -> Option<Mutant> {
        let mut mutant = document.clone();
        let (title, known) = if let Some((title, change)) = OF_OBJECTS.get(at) {
            let (pointer, plain) = random.pick(&self.objects)?;
            let name = random.pick(plain)?;
            let changed = change(mutant.pointer_mut(pointer)?, name)?;
            let known = changed.into_iter().map(|(member, raw)| Known {
                member,
                ..self.of_schema(pointer, [raw, raw])
            });
            (format!("{title} at {pointer}"), known.collect())
        } else if let Some((title, change)) = OF_ENUMS.get(at - OF_OBJECTS.len()) {
            let pointer = random.pick(&self.enums)?;
            let values = mutant.pointer_mut(pointer)?["enum"].as_array_mut()?;
            let known = self.of_schema(pointer, change(values)?);
            (format!("{title} at {pointer}"), vec![known])
        } else {
            let (label, pointer) = random.pick(&self.operations)?;
            let at = at - OF_OBJECTS.len() - OF_ENUMS.len();
            let known_of = |raw, member| Known {
                raws: [raw, raw],
                subject: Subject::Operation,
                name: label.clone(),
                member,
                directions: (raw != Raw::ErrorAdded, matches!(raw, Raw::ErrorAdded)),
            };
            match OF_OPERATIONS.get(at) {
                Some((title, change)) => {
                    let (member, raw) = change(mutant.pointer_mut(pointer)?, self.swagger)?;
                    (format!("{title} at {label}"), vec![known_of(raw, member)])
                }
                None => {
                    let (item, method) = pointer.rsplit_once('/')?;
                    let item = mutant.pointer_mut(item)?.as_object_mut()?;
                    item.shift_remove(method)?;
                    let known = known_of(Raw::OperationRemoved, String::new());
                    (format!("remove an operation: {label}"), vec![known])
                }
            }
        };
        Some(Mutant {
            title,
            document: mutant,
            known,
        })
    }

    fn of_schema(&self, pointer: &str, raws: [Raw; 2]) -> Known {
        let name = pointer.rsplit('/').next().unwrap_or_default();
        Known {
            raws,
            subject: Subject::Type,
            name: name.replace("~1", "/").replace("~0", "~"),
            member: String::new(),
            directions: self.reach.directions(pointer),
        }
    }
}

/// Collects the schemas that other schemas are made of: a change of these changes the others too.
fn parts(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for key in ["allOf", "oneOf", "anyOf"] {
                for part in object
                    .get(key)
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
                {
                    let reference = part["$ref"].as_str().unwrap_or_default();
                    found.insert(reference.trim_start_matches('#').to_owned());
                }
            }
            object.values().for_each(|inner| parts(inner, found));
        }
        Value::Array(all) => all.iter().for_each(|inner| parts(inner, found)),
        _ => {}
    }
}

fn properties(schema: &mut Value) -> Option<&mut Map<String, Value>> {
    schema.get_mut("properties")?.as_object_mut()
}

/// Returns the names of the properties that are strings without further keywords.
fn plain(schema: &Value) -> Vec<String> {
    let all = schema["properties"].as_object().into_iter().flatten();
    let plain = all.filter(|(_, property)| {
        let keywords = property.as_object();
        let only = |keywords: &Map<String, Value>| {
            let mut keys = keywords.keys();
            keys.all(|key| key == "type" || key == "description")
        };
        property["type"] == "string" && keywords.is_some_and(only)
    });
    plain.map(|(name, _)| name.clone()).collect()
}

fn is_enum(schema: &Value) -> bool {
    let values = schema["enum"].as_array();
    values.is_some_and(|all| all.len() > 1 && all.iter().all(Value::is_string))
}

fn is_closed(schema: &Value) -> bool {
    schema["additionalProperties"] == json!(false)
}

fn is_required(schema: &Value, name: &str) -> bool {
    let required = schema["required"].as_array();
    required.is_some_and(|all| all.iter().any(|property| property == name))
}

fn removal(schema: &Value, name: &str) -> Raw {
    match (is_closed(schema), is_required(schema, name)) {
        (false, false) => Raw::PropertyRemoved,
        (false, true) => Raw::RequiredPropertyRemoved,
        (true, false) => Raw::ClosedPropertyRemoved,
        (true, true) => Raw::ClosedRequiredPropertyRemoved,
    }
}

fn insert(schema: &mut Value, name: &str, value: Value) -> Option<()> {
    let previous = properties(schema)?.insert(name.to_owned(), value);
    previous.is_none().then_some(())
}

fn require(schema: &mut Value, name: &str) {
    match schema["required"].as_array_mut() {
        Some(all) => all.push(json!(name)),
        None => schema["required"] = json!([name]),
    }
}

fn release(schema: &mut Value, name: &str) {
    if let Some(all) = schema.get_mut("required").and_then(Value::as_array_mut) {
        all.retain(|property| property != name);
    }
}

fn parameter(operation: &mut Value, swagger: bool, required: bool) -> Option<()> {
    let mut parameter = json!({ "name": ADDED, "in": "query", "required": required });
    match swagger {
        true => parameter["type"] = json!("string"),
        false => parameter["schema"] = json!({ "type": "string" }),
    }
    let object = operation.as_object_mut()?;
    let all = object.entry("parameters").or_insert_with(|| json!([]));
    all.as_array_mut()?.push(parameter);
    Some(())
}
