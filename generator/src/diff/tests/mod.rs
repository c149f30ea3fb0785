//! Tests of the comparison: minimal pairs, symmetry, and documents that mean the same.

mod announced;
mod items;
mod pairs;
mod required;
mod rust;
mod same;
mod stability;
mod table;
mod xml;

use serde_json::Value;

use super::{Change, Options, Report, compare};
use crate::Builder;
use crate::ir::Api;
use crate::source::MemoryLoader;

/// Reads a document into a lowered API with names.
fn api(document: &Value) -> Api {
    let text = serde_json::to_string_pretty(document).expect("JSON");
    let mut loader = MemoryLoader::new();
    loader.add("api.json", text.clone());
    let read = Builder::new("api.json").read_from(&loader, Some("api.json".as_ref()), true);
    let read = read.expect("settings");
    let errors: Vec<String> = read
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.message.clone())
        .collect();
    read.api.unwrap_or_else(|| panic!("{errors:?}\n{text}"))
}

fn report(old: &Value, new: &Value, options: &Options) -> Report {
    compare(&api(old), &api(new), options)
}

/// A change in one line.
fn shown(change: &Change) -> String {
    let place = &change.place;
    format!(
        "{} {} {} {}",
        change.code(),
        place.name,
        place.member,
        change.message()
    )
}
