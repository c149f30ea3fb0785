//! Values of the schemas whose types are the user's, for a generated test of these types: the examples
//! of the document, and drawn values that are valid.
//!
//! The values of a schema depend on the schema and its position alone, so a change of one schema leaves
//! the values of the others as they are.

pub(super) mod examples;
pub(super) mod exchanges;

mod draw;
mod number;
mod random;
mod text;

use std::collections::HashMap;

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::Diagnostics;
use crate::dialect::{Example, Values, contradicts};
use crate::ir::Samples;
use crate::model::SchemaId;
use crate::source::Value;

use crate::lower::Document;
use crate::lower::schema::shape::Additional;
use draw::Draw;

/// The number of drawn values.
const COUNT: usize = 100;
/// The number of attempts.
const ATTEMPTS: usize = 1_000;
/// The maximum depth at which examples are searched.
const DEEPEST: usize = 32;

/// Returns values of each replaced schema.
pub(in crate::lower) fn collect(document: &mut Document<'_>, values: &Values) -> Vec<Samples> {
    // What drawing merges in addition is not a part of the document.
    let reported = std::mem::replace(document.diagnostics, Diagnostics::new());
    let samples = of_replaced(document, values);
    *document.diagnostics = reported;
    samples
}

fn of_replaced(document: &mut Document<'_>, values: &Values) -> Vec<Samples> {
    let mut ids: Vec<SchemaId> = document.replaced.keys().copied().collect();
    ids.sort_unstable();
    let mut examples: HashMap<SchemaId, IndexSet<String>> = HashMap::new();
    for Example { schema, value, .. } in &values.examples {
        note_examples(document, *schema, value, 0, &mut examples);
    }
    let mut found: IndexMap<_, Samples> = IndexMap::new();
    for id in ids {
        let Some(path) = document.replaced.get(&id).cloned() else {
            continue;
        };
        let origin = document.schema(id).origin.clone();
        let examples = examples.remove(&id).unwrap_or_default();
        // A schema with other targets of `$dynamicRef` has the same position.
        let key = (origin.clone(), path.clone());
        if found.contains_key(&key) {
            continue;
        }
        let (drawn, failed) = draw(document, values, id, &examples);
        let samples = Samples {
            origin,
            path,
            examples: examples.into_iter().collect(),
            not_drawn: failed.filter(|_| drawn.is_empty()),
            drawn,
        };
        found.insert(key, samples);
    }
    found.into_values().collect()
}

/// Draws values of a schema. Also returns why one of them could not be drawn.
fn draw(
    document: &mut Document<'_>,
    values: &Values,
    id: SchemaId,
    examples: &IndexSet<String>,
) -> (Vec<String>, Option<String>) {
    let mut draw = Draw::new(document, &values.unchecked, id);
    let mut drawn: IndexSet<String> = IndexSet::new();
    let mut failed = None;
    for _ in 0..ATTEMPTS {
        if drawn.len() >= COUNT {
            break;
        }
        match draw.value(id, 0) {
            Ok(value) => {
                let is_valid =
                    !value.is_null() && !contradicts(&draw.document.model.schemas, id, &value);
                let text = value.to_json();
                if is_valid && !examples.contains(&text) {
                    drawn.insert(text);
                }
            }
            Err(reason) => failed = Some(reason),
        }
    }
    let none = failed.unwrap_or_else(|| "no value was found".to_owned());
    (drawn.into_iter().collect(), Some(none))
}

/// Notes the values of replaced schemas in an example.
fn note_examples(
    document: &mut Document<'_>,
    id: SchemaId,
    value: &Value,
    depth: usize,
    found: &mut HashMap<SchemaId, IndexSet<String>>,
) {
    // Documents write `null` for an absent value of any type.
    if depth > DEEPEST || value.is_null() {
        return;
    }
    if document.replaced.contains_key(&id) {
        found.entry(id).or_default().insert(value.to_json());
    }
    let schema = document.schema(id);
    let parts: Vec<SchemaId> = schema
        .reference
        .iter()
        .chain(&schema.all_of)
        .copied()
        .collect();
    let (items, prefix) = (schema.items, schema.prefix_items.clone());
    match value {
        Value::Object(object) => {
            let properties = schema.properties.iter();
            let mut inner: Vec<(SchemaId, &Value)> = properties
                .filter_map(|(name, id)| Some((*id, object.get(name)?)))
                .collect();
            if let Additional::Of(additional) = document.shape(id).additional {
                let declared = &document.schema(id).properties;
                let is_more = |name: &String| declared.iter().all(|(own, _)| own != name);
                inner.extend(
                    object
                        .iter()
                        .filter(|(name, _)| is_more(name))
                        .map(|(_, v)| (additional, v)),
                );
            }
            for (id, value) in inner {
                note_examples(document, id, value, depth + 1, found);
            }
        }
        Value::Array(all) => {
            let ids = prefix.into_iter().map(Some).chain(std::iter::repeat(items));
            for (id, value) in ids.zip(all) {
                if let Some(id) = id {
                    note_examples(document, id, value, depth + 1, found);
                }
            }
        }
        _ => {}
    }
    for part in parts {
        note_examples(document, part, value, depth + 1, found);
    }
}
