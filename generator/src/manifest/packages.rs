//! The packages of a workspace, and their folders.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::paths::lexical;
use super::workspace::Manifest;

/// Finds the packages of a workspace by `members` and path dependencies, and returns them by name.
///
/// Patterns in `members` other than `*` for a whole folder name are skipped, so packages may be
/// missing. Every package in the result is one that cargo finds too.
pub(super) fn packages(root: &Manifest) -> BTreeMap<String, Vec<Manifest>> {
    let mut open = vec![root.dir.clone()];
    let workspace = root.workspace();
    let members = workspace.and_then(|workspace| workspace.get("members"));
    for member in members.and_then(Value::as_array).into_iter().flatten() {
        open.extend(
            member
                .as_str()
                .map(|member| folders(&root.dir, member))
                .into_iter()
                .flatten(),
        );
    }
    open.extend(path_dependencies(root));
    let mut seen = BTreeSet::new();
    let mut found: BTreeMap<String, Vec<Manifest>> = BTreeMap::new();
    while let Some(dir) = open.pop() {
        let dir = lexical(&dir);
        if !seen.insert(dir.clone()) {
            continue;
        }
        let Some(manifest) = Manifest::read(&dir) else {
            continue;
        };
        open.extend(path_dependencies(&manifest));
        let name = manifest.package().and_then(|package| package.get("name"));
        if let Some(name) = name.and_then(Value::as_str) {
            found.entry(name.to_owned()).or_default().push(manifest);
        }
    }
    found
}

/// Returns the folders that an entry of `members` matches.
fn folders(root: &Path, member: &str) -> Vec<PathBuf> {
    let mut folders = vec![root.to_path_buf()];
    for step in member.split('/') {
        if step != "*" {
            folders.iter_mut().for_each(|folder| folder.push(step));
            continue;
        }
        let entries = folders
            .iter()
            .filter_map(|folder| fs::read_dir(folder).ok());
        let entries = entries
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()));
        folders = entries.filter(|path| path.is_dir()).collect();
    }
    folders
}

/// Returns the folders that a manifest names as `path` of a dependency, in any of its tables.
fn path_dependencies(manifest: &Manifest) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let workspace = manifest.workspace();
    let targets = manifest.table.get("target").and_then(Value::as_table);
    let targets = targets.into_iter().flat_map(Table::values);
    let tables = targets.filter_map(Value::as_table);
    for table in tables.chain([&manifest.table]).chain(workspace) {
        let lists = table
            .iter()
            .filter(|(key, _)| key.ends_with("dependencies"));
        let lists = lists.filter_map(|(_, list)| list.as_table());
        let entries = lists.flat_map(Table::values);
        let paths = entries.filter_map(|entry| entry.get("path")?.as_str());
        found.extend(paths.map(|path| manifest.dir.join(path)));
    }
    found
}
