//! Mentions of the runtime in a manifest.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::RUNTIME;
use super::workspace::Manifest;

/// All mentions of the runtime in a manifest: everything that a build can enable with any features
/// on any platform.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Mentions {
    /// The features of the runtime that any entry names.
    pub(super) features: BTreeSet<String>,
    /// The entry of `[dependencies]` that is not optional: its key and its value.
    pub(super) entry: Option<(String, Value)>,
    /// Whether some entries apply to some builds only: optional entries, and entries of a platform
    /// or of tests.
    pub(super) conditional: bool,
    /// Whether there is an entry for build scripts.
    pub(super) build: bool,
}

const TABLES: [&str; 5] = [
    "dependencies",
    "dev-dependencies",
    "dev_dependencies",
    "build-dependencies",
    "build_dependencies",
];

impl Mentions {
    /// Reads a manifest. Returns `None` if the manifest inherits an entry that its workspace lacks,
    /// or cannot be understood.
    pub(super) fn new(manifest: &Manifest, root: &Manifest) -> Option<Self> {
        let shared = root.workspace().and_then(|table| table.get("dependencies"));
        let mut reading = Reading {
            shared: shared.and_then(Value::as_table),
            found: Self::default(),
            keys: BTreeSet::new(),
        };
        reading.tables(&manifest.table, true)?;
        if let Some(targets) = manifest.table.get("target") {
            for target in targets.as_table()?.values() {
                reading.tables(target.as_table()?, false)?;
            }
        }
        if let Some(features) = manifest.table.get("features") {
            for list in features.as_table()?.values() {
                for word in list.as_array()? {
                    reading.enabled(word.as_str()?);
                }
            }
        }
        Some(reading.found)
    }

    /// Returns whether a lock file lists the runtime as a dependency of the package.
    pub(super) const fn is_locked(&self) -> bool {
        self.entry.is_some() || self.conditional || self.build
    }
}

/// The state while a manifest is read.
struct Reading<'a> {
    /// The table `[workspace.dependencies]`.
    shared: Option<&'a Table>,
    found: Mentions,
    /// The keys under which the manifest has the runtime.
    keys: BTreeSet<String>,
}

impl Reading<'_> {
    /// Reads the tables of dependencies in a table. `always` is `false` for the tables of a
    /// platform.
    fn tables(&mut self, table: &Table, always: bool) -> Option<()> {
        for name in TABLES {
            let Some(entries) = table.get(name) else {
                continue;
            };
            for (key, value) in entries.as_table()? {
                self.entry(key, value, name, always)?;
            }
        }
        Some(())
    }

    fn entry(&mut self, key: &str, value: &Value, table: &str, always: bool) -> Option<()> {
        let inherits = value.get("workspace").and_then(Value::as_bool) == Some(true);
        let inherited = match self.shared.and_then(|shared| shared.get(key)) {
            Some(inherited) if inherits => Some(inherited),
            // Cargo rejects such a manifest.
            None if inherits => return None,
            _ => None,
        };
        let source = inherited.unwrap_or(value);
        let package = source.get("package").map_or(Some(key), Value::as_str)?;
        if package != RUNTIME {
            return Some(());
        }
        self.keys.insert(key.to_owned());
        for value in inherited.into_iter().chain([value]) {
            if let Some(features) = value.get("features") {
                for feature in features.as_array()? {
                    self.found.features.insert(feature.as_str()?.to_owned());
                }
            }
        }
        let optional = value.get("optional").and_then(Value::as_bool) == Some(true);
        match table {
            "dependencies" if always && !optional => {
                self.found.entry = Some((key.to_owned(), value.clone()));
            }
            "build-dependencies" | "build_dependencies" => self.found.build = true,
            _ => self.found.conditional = true,
        }
        Some(())
    }

    /// Reads a value of `[features]`: `key/feature` and `key?/feature` enable a feature of the
    /// runtime.
    fn enabled(&mut self, word: &str) {
        if let Some((key, feature)) = word.split_once('/')
            && self.keys.contains(key.trim_end_matches('?'))
        {
            self.found.features.insert(feature.to_owned());
        }
    }
}
