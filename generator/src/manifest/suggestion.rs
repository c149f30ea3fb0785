//! The suggested line for a manifest.

use std::collections::BTreeSet;
use std::path::Path;

use toml::{Table, Value};

use super::workspace::Manifest;
use super::{RUNTIME, VERSION};
use crate::scaffold::{inline, key};

/// Returns the entry of a manifest with additional features. The existing features stay first and
/// unchanged.
pub(super) fn extended(name: &str, entry: &Value, missing: &BTreeSet<&'static str>) -> String {
    let mut table = match entry {
        Value::Table(table) => table.clone(),
        version => Table::from_iter([("version".to_owned(), version.clone())]),
    };
    let features = table.remove("features");
    let mut features = match features {
        Some(Value::Array(features)) => features,
        _ => Vec::new(),
    };
    features.extend(missing.iter().map(|feature| Value::from(*feature)));
    line(name, table, features)
}

/// Returns an entry for a manifest without one. The runtime has the same source as the generator.
pub(super) fn new(manifest: &Manifest, root: &Manifest, needed: &BTreeSet<&'static str>) -> String {
    let shared = root.workspace().and_then(|table| table.get("dependencies"));
    let shared = shared.and_then(Value::as_table);
    let source = if shared.is_some_and(|shared| shared.contains_key(RUNTIME)) {
        Table::from_iter([("workspace".to_owned(), Value::from(true))])
    } else {
        source_of_generator(manifest, shared)
            .unwrap_or_else(|| Table::from_iter([("version".to_owned(), Value::from(VERSION))]))
    };
    let features = needed.iter().map(|feature| Value::from(*feature));
    line(RUNTIME, source, features.collect())
}

/// Returns the source of this project's crates according to the entry of the generator: a
/// repository, or a checkout with the runtime next to the generator.
fn source_of_generator(manifest: &Manifest, shared: Option<&Table>) -> Option<Table> {
    let entry = manifest.table.get("build-dependencies")?.get("bothends")?;
    if entry.get("workspace").is_some() {
        return repository(shared?.get("bothends")?);
    }
    let Some(path) = entry.get("path").and_then(Value::as_str) else {
        return repository(entry);
    };
    let runtime = Path::new(path).with_file_name("runtime");
    let is_there = manifest.dir.join(&runtime).join("Cargo.toml").is_file();
    let runtime = runtime.to_string_lossy().replace('\\', "/");
    is_there.then(|| Table::from_iter([("path".to_owned(), Value::from(runtime))]))
}

fn repository(entry: &Value) -> Option<Table> {
    entry.get("git")?;
    let keys = ["git", "branch", "tag", "rev"].into_iter();
    let pairs = keys.filter_map(|key| Some((key.to_owned(), entry.get(key)?.clone())));
    Some(pairs.collect())
}

/// Returns a line such as `bothends-runtime = { version = "0.1", features = ["uuid"] }`.
fn line(name: &str, table: Table, features: Vec<Value>) -> String {
    // The source of the crate is the first key, which is the usual order.
    let pairs = table
        .iter()
        .map(|(key, value)| (key.as_str(), inline(value)));
    let features = (!features.is_empty()).then(|| ("features", inline(&Value::Array(features))));
    let pairs = pairs
        .chain(features)
        .map(|(name, value)| format!("{} = {value}", key(name)));
    format!(
        "{} = {{ {} }}",
        key(name),
        pairs.collect::<Vec<_>>().join(", ")
    )
}
