//! The order of paths, components and properties decides no name, in one file or in several.

use std::collections::BTreeSet;
use std::path::Path;

use bothends::Builder;
use bothends_tests::{features, stem};
use serde_json::{Map, Value};

/// Maps whose entries have no order.
const UNORDERED: &[&str] = &[
    "paths",
    "webhooks",
    "schemas",
    "definitions",
    "properties",
    "parameters",
    "responses",
    "requestBodies",
    "headers",
];

/// Returns a value with its unordered maps in another order.
pub(crate) fn permuted(
    value: &Value,
    is_unordered: bool,
    order: &dyn Fn(&mut Vec<String>),
) -> Value {
    match value {
        Value::Array(items) => {
            let items = items.iter().map(|item| permuted(item, false, order));
            Value::Array(items.collect())
        }
        Value::Object(map) => {
            let mut keys: Vec<String> = map.keys().cloned().collect();
            if is_unordered {
                order(&mut keys);
            }
            let entries = keys.into_iter().map(|key| {
                // A property may be named `properties`: the entries of an unordered map are schemas.
                let inner = !is_unordered && UNORDERED.contains(&key.as_str());
                let value = permuted(&map[&key], inner, order);
                (key, value)
            });
            Value::Object(entries.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

/// Returns the names of the items that are generated from a document. Of two components that are one
/// schema, the first owns the type and the other is its alias, so the kinds of items may change.
///
/// Returns `None` if the document is not valid alone, or if items have a claim to one name, where the
/// order of the document decides.
fn names(document: &Value, folder: &Path) -> Option<BTreeSet<String>> {
    let path = folder.join("api.json");
    std::fs::write(&path, document.to_string()).expect("written");
    let plan = Builder::new(&path).module(true).plan().expect("settings");
    let is_conflict = |code: &str| code == "W0401";
    if plan.has_errors()
        || plan
            .diagnostics
            .iter()
            .any(|diagnostic| is_conflict(diagnostic.code.id))
    {
        return None;
    }
    let lines = plan.files.iter().flat_map(|file| file.text.lines());
    let item = |line: &str| {
        let (kind, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
        let is_item = ["struct", "enum", "type", "trait", "mod"].contains(&kind);
        let name = rest.split(|at: char| !at.is_alphanumeric() && at != '_' && at != '#');
        is_item.then(|| name.into_iter().next().unwrap_or_default().to_owned())
    };
    Some(lines.filter_map(item).collect())
}

/// Moves the schemas of a document to another file. The order of references to it is that of the document.
fn split(mut document: Value, folder: &Path, order: &dyn Fn(&mut Vec<String>)) -> Option<Value> {
    let schemas = document
        .pointer_mut("/components")?
        .as_object_mut()?
        .remove("schemas")?;
    let moved = serde_json::json!({"components": {"schemas": schemas}});
    let moved = permuted(&moved, false, order).to_string();
    std::fs::write(folder.join("common.json"), moved).expect("written");
    let local = "\"#/components/schemas/";
    let text = document.to_string();
    let text = text.replace(local, "\"common.json#/components/schemas/");
    serde_json::from_str(&text).ok()
}

const ORDERS: [fn(&mut Vec<String>); 3] = [
    |keys| keys.reverse(),
    |keys| keys.sort(),
    |keys| keys.sort_by_key(|key| key.chars().rev().collect::<String>()),
];

/// Compares the names of all features in several orders. `names_of` returns those of a document in an
/// order.
fn compare(names_of: impl Fn(&Value, &dyn Fn(&mut Vec<String>)) -> Option<BTreeSet<String>>) {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for path in features().expect("the features") {
        let text = std::fs::read_to_string(&path).expect("a feature");
        let document: Value = serde_yaml::from_str(&text).expect("YAML");
        let Some(expected) = names_of(&document, &|_| {}) else {
            continue;
        };
        compared += 1;
        for order in ORDERS {
            let found = names_of(&document, &order).unwrap_or_default();
            if found != expected {
                let lost: Vec<_> = expected.difference(&found).collect();
                let new: Vec<_> = found.difference(&expected).collect();
                wrong.push(format!("{}: {lost:?} became {new:?}", stem(&path)));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    assert!(compared > 40, "{compared} documents");
}

#[test]
fn a_permutation_changes_no_name() {
    let folder = tempfile::tempdir().expect("a folder");
    compare(|document, order| names(&permuted(document, false, order), folder.path()));
}

#[test]
fn a_permutation_of_several_files_changes_no_name() {
    let folder = tempfile::tempdir().expect("a folder");
    compare(|document, order| {
        let root = split(document.clone(), folder.path(), order)?;
        names(&permuted(&root, false, order), folder.path())
    });
}
