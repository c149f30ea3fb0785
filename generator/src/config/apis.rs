//! `[[api]]`: several documents in one file.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use toml::Value;

use super::Config;
use super::entry::Entry;
use super::values::wrong;

/// The key of the documents.
pub(super) const KEY: &str = "api";

impl Config {
    /// Returns the name of a document: `name`, or the name of its file without the ending.
    #[must_use]
    pub fn document_name(&self) -> String {
        let stem = self.spec.as_deref().and_then(Path::file_stem);
        let stem = || stem.map(|stem| stem.to_string_lossy().into_owned());
        self.name.clone().or_else(stem).unwrap_or_default()
    }
}

/// Reads the documents, each entry by `set`. A key of the whole file is the default of each.
pub(super) fn apis(
    config: &mut Config,
    entry: &Entry<'_>,
    set: fn(&mut Config, &Entry<'_>) -> Result<(), String>,
) -> Result<(), String> {
    let Value::Array(tables) = entry.value else {
        return Err(wrong(KEY, "a list of tables", entry.value));
    };
    let own = [
        ("spec", config.spec.is_some()),
        ("out", config.out.is_some()),
        ("name", config.name.is_some()),
    ];
    if let Some((key, _)) = own.iter().find(|(_, is_set)| *is_set) {
        return Err(format!(
            "with `[[api]]`, each of its entries has its own `{key}`"
        ));
    }
    let mut found = Vec::new();
    for table in tables {
        let Value::Table(table) = table else {
            return Err(wrong(KEY, "a list of tables", table));
        };
        let mut api = config.clone();
        for (key, value) in table {
            if key == KEY {
                return Err("an entry of `[[api]]` cannot contain `api`".to_owned());
            }
            let folder = entry.folder;
            set(&mut api, &Entry { key, value, folder })?;
        }
        if api.spec.is_none() {
            return Err("missing `spec` in an entry of `[[api]]`".to_owned());
        }
        found.push(api);
    }
    let mut names = BTreeSet::new();
    for api in &found {
        let name = api.document_name();
        if !names.insert(name.clone()) {
            return Err(format!(
                "two entries of `[[api]]` are called `{name}`: give one a `name`"
            ));
        }
    }
    let mut outs = BTreeSet::new();
    for out in found.iter().filter_map(|api| api.out.as_ref()) {
        if !outs.insert(out) {
            let out = out.display();
            return Err(format!("two entries of `[[api]]` have the `out` `{out}`"));
        }
    }
    share(&mut found);
    config.apis = found;
    Ok(())
}

/// Gives imports the settings of the document that has the file, and takes from each document the import
/// of itself.
fn share(apis: &mut [Config]) {
    for api in &mut *apis {
        let spec = api.spec.clone().unwrap_or_default();
        let own = plain(&spec);
        let is_own = |file: &str| plain(&spec.with_file_name("").join(file)) == own;
        api.imports.retain(|file, _| !is_own(file));
    }
    let all = apis.to_vec();
    for api in apis {
        let spec = api.spec.clone().unwrap_or_default();
        let place = |file: &str| plain(&spec.with_file_name("").join(file));
        for (file, import) in &mut api.imports {
            let place = place(file);
            let other = all
                .iter()
                .find(|each| each.spec.as_deref().map(plain).as_ref() == Some(&place));
            if import.config.is_none() {
                import.settings = other.cloned().map(Box::new);
            }
        }
    }
}

/// Returns a path without `.`, and without the folders that a `..` leaves.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}
