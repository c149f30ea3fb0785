//! The workspace of a package, by the rules of cargo.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::paths::lexical;

/// A folder and its `Cargo.toml`.
#[derive(Debug, Clone)]
pub(super) struct Manifest {
    /// The absolute path of the folder.
    pub(super) dir: PathBuf,
    /// The content of the file.
    pub(super) table: Table,
}

impl Manifest {
    /// Reads the manifest of a folder. Returns `None` if the file is missing or invalid TOML.
    pub(super) fn read(dir: &Path) -> Option<Self> {
        let text = fs::read_to_string(dir.join("Cargo.toml")).ok()?;
        Some(Self {
            dir: lexical(dir),
            table: text.parse().ok()?,
        })
    }

    /// Returns the table `[workspace]`.
    pub(super) fn workspace(&self) -> Option<&Table> {
        self.table.get("workspace")?.as_table()
    }

    /// Returns the table `[package]`.
    pub(super) fn package(&self) -> Option<&Table> {
        self.table.get("package")?.as_table()
    }

    /// Returns whether the workspace of this manifest excludes the package in a folder: `exclude`
    /// lists a folder around the package, and `members` does not.
    fn excludes(&self, package: &Path) -> bool {
        let lists = |key: &str| {
            let list = self.workspace().and_then(|workspace| workspace.get(key));
            let folders = list.and_then(Value::as_array).into_iter().flatten();
            let mut folders = folders.filter_map(Value::as_str);
            folders.any(|folder| package.starts_with(lexical(&self.dir.join(folder))))
        };
        lists("exclude") && !lists("members")
    }
}

/// Returns the manifest of the workspace's root, or the package's own manifest without a workspace
/// around it. Returns `None` if a manifest between the two cannot be read.
pub(super) fn root_of(package: &Manifest) -> Option<Manifest> {
    if package.workspace().is_some() {
        return Some(package.clone());
    }
    let named = package.package().and_then(|table| table.get("workspace"));
    if let Some(path) = named {
        return Manifest::read(&package.dir.join(path.as_str()?));
    }
    for folder in package.dir.ancestors().skip(1) {
        if !folder.join("Cargo.toml").is_file() {
            continue;
        }
        let manifest = Manifest::read(folder)?;
        if manifest.workspace().is_some() && !manifest.excludes(&package.dir) {
            return Some(manifest);
        }
        // The `workspace` key of a member may name a root in another folder.
        let pointer = manifest.package().and_then(|table| table.get("workspace"));
        if let Some(path) = pointer {
            return Manifest::read(&folder.join(path.as_str()?));
        }
    }
    Some(package.clone())
}

/// Returns the `Cargo.toml` above a folder whose `[workspace]` includes a package in the folder as
/// soon as a member depends on the package or `members` lists the folder.
#[must_use]
pub fn enclosing_workspace(package: &Path) -> Option<PathBuf> {
    let package = lexical(&std::path::absolute(package).ok()?);
    let above = package.ancestors().skip(1);
    let manifests = above.filter_map(Manifest::read);
    let mut roots = manifests.filter(|manifest| manifest.workspace().is_some());
    let root = roots.find(|manifest| !manifest.excludes(&package))?;
    Some(root.dir.join("Cargo.toml"))
}
