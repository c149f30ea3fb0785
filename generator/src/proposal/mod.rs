//! Proposed overlays: the repairs of a document as actions of OpenAPI Overlay 1.1.

use serde_json::{Map, Value as Json, json};

use crate::diagnostic::{Change, Repair};
use crate::position::{FileId, Pointer};
use crate::source::Value;

/// The version of the overlays.
const VERSION: &str = "1.1.0";

/// Returns the actions of the next step, given a file with its overlays applied and the repairs of
/// what is still wrong with it.
///
/// A step has changes of one kind. Each action is written for the document after the steps before,
/// because the removal of an item moves those after it.
pub(crate) fn step(file: FileId, root: &Value, repairs: &[Repair]) -> Vec<Json> {
    let kind = |change: &Change| match change {
        Change::Set(..) => 0,
        Change::Rename(..) => 1,
        Change::Remove => 2,
    };
    let repairs = repairs.iter().filter(|repair| repair.place.file == file);
    let repairs: Vec<&Repair> = repairs.collect();
    let Some(first) = repairs.iter().map(|repair| kind(&repair.change)).min() else {
        return Vec::new();
    };
    let now = repairs
        .into_iter()
        .filter(|repair| kind(&repair.change) == first);
    let mut actions: Vec<_> = now.flat_map(|repair| actions(root, repair)).collect();
    // The last items first.
    if first == 2 {
        actions.reverse();
    }
    actions
}

/// Returns the text of an overlay, as JSON or as YAML.
///
/// # Errors
/// Returns an error message if the actions cannot be written.
pub(crate) fn text(title: &str, actions: &[Json], json: bool) -> Result<String, String> {
    let overlay = json!({
        "overlay": VERSION,
        "info": { "title": title, "version": "1.0.0" },
        "actions": actions,
    });
    if json {
        let text = serde_json::to_string_pretty(&overlay).map_err(|error| error.to_string())?;
        return Ok(text + "\n");
    }
    serde_yaml::to_string(&overlay).map_err(|error| error.to_string())
}

/// Returns the actions of a repair; none if the node does not exist.
fn actions(root: &Value, repair: &Repair) -> Vec<Json> {
    let Some((target, node)) = query(root, &repair.place.pointer) else {
        return Vec::new();
    };
    let action = |target: &str, entries: Vec<(&str, Json)>| {
        let mut action = Map::new();
        action.insert("target".to_owned(), target.into());
        action.insert("description".to_owned(), repair.description.clone().into());
        action.extend(
            entries
                .into_iter()
                .map(|(key, entry)| (key.to_owned(), entry)),
        );
        Json::Object(action)
    };
    let expects = |value: &Value| (EXPECTS, serde_json::to_value(value).unwrap_or_default());
    match &repair.change {
        Change::Set(key, value) => {
            let mut entries = Vec::new();
            // The entry is stated with those beside it, so that an action for another value stops.
            if node.get(key).is_some() {
                entries.push(expects(node));
            }
            entries.push(("update", json!({ *key: value })));
            vec![action(&target, entries)]
        }
        Change::Rename(old, new) => {
            let (old, renamed) = (entry(&target, old), entry(&target, new));
            vec![
                action(&target, vec![("update", json!({ new: {} }))]),
                action(&renamed, vec![("copy", old.clone().into())]),
                action(&old, vec![("remove", true.into())]),
            ]
        }
        Change::Remove => vec![action(
            &target,
            vec![expects(node), ("remove", true.into())],
        )],
    }
}

const EXPECTS: &str = "x-bothends-expects";

/// Returns the query that selects a node, and the node.
fn query<'v>(root: &'v Value, pointer: &Pointer) -> Option<(String, &'v Value)> {
    let start = ("$".to_owned(), root);
    let steps = pointer.names().into_iter();
    steps
        .into_iter()
        .try_fold(start, |(query, node), step| match node {
            Value::Array(items) => {
                let index: usize = step.parse().ok()?;
                Some((format!("{query}[{index}]"), items.get(index)?))
            }
            _ => Some((entry(&query, step), node.get(step)?)),
        })
}

/// Returns the query of an entry of an object that a query selects (RFC 9535, sections 2.3.1 and
/// 2.5.1).
fn entry(query: &str, name: &str) -> String {
    let mut chars = name.chars();
    let is_short = chars
        .next()
        .is_some_and(|char| char == '_' || char.is_ascii_alphabetic())
        && chars.all(|char| char == '_' || char.is_ascii_alphanumeric());
    if is_short {
        return format!("{query}.{name}");
    }
    let mut quoted = String::new();
    for char in name.chars() {
        match char {
            '\'' | '\\' => quoted.extend(['\\', char]),
            '\0'..='\u{1f}' => quoted.push_str(&format!("\\u{:04x}", u32::from(char))),
            _ => quoted.push(char),
        }
    }
    format!("{query}['{quoted}']")
}

#[cfg(test)]
mod tests;
