//! The packages that depend on the runtime, read from `Cargo.lock`.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

use super::RUNTIME;

/// The packages of a `Cargo.lock`.
pub(super) struct Lock(Vec<Package>);

/// A package of a `Cargo.lock`.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// Whether the source of the package is a folder, and not a registry or a repository.
    pub(super) local: bool,
    /// Names of the packages that the package depends on, for all features and platforms.
    dependencies: Vec<String>,
}

impl Package {
    fn read(value: &Value) -> Option<Self> {
        let table = value.as_table()?;
        let word = |key: &str| table.get(key).and_then(Value::as_str);
        // `name`, or `name version` and `name version (source)` if several packages have the name.
        let name = |entry: &Value| Some(entry.as_str()?.split(' ').next()?.to_owned());
        let dependencies = match table.get("dependencies") {
            None => Vec::new(),
            Some(list) => list.as_array()?.iter().map(name).collect::<Option<_>>()?,
        };
        Some(Self {
            name: word("name")?.to_owned(),
            version: word("version")?.to_owned(),
            local: !table.contains_key("source"),
            dependencies,
        })
    }

    /// Returns whether the package depends on the runtime.
    pub(super) fn has_runtime(&self) -> bool {
        self.dependencies.iter().any(|name| name == RUNTIME)
    }
}

impl Lock {
    /// Reads the lock file of a workspace's root. Returns `None` if the file is missing or has
    /// another format.
    pub(super) fn read(root: &Path) -> Option<Self> {
        let text = fs::read_to_string(root.join("Cargo.lock")).ok()?;
        let table: Table = text.parse().ok()?;
        let packages = table.get("package")?.as_array()?;
        let packages = packages.iter().map(Package::read);
        Some(Self(packages.collect::<Option<_>>()?))
    }

    /// Returns the local package of this name and version if it is the only one.
    pub(super) fn local(&self, name: &str, version: &str) -> Option<&Package> {
        let mut all = self.0.iter();
        all.find(|package| package.local && package.name == name && package.version == version)
    }

    /// Returns the versions of the runtime.
    pub(super) fn runtimes(&self) -> Vec<&str> {
        let runtimes = self.0.iter().filter(|package| package.name == RUNTIME);
        runtimes.map(|package| package.version.as_str()).collect()
    }

    /// Returns the packages that depend on the runtime.
    pub(super) fn dependents(&self) -> impl Iterator<Item = &Package> {
        self.0.iter().filter(|package| package.has_runtime())
    }
}
