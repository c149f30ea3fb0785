//! Names of schemas in other files of the document.

use std::collections::HashSet;
use std::path::{Component, Path};

use super::context::Context;
use crate::model::SchemaId;
use crate::position::Origin;

impl Context<'_, '_> {
    /// Returns the schemas of other files to which references lead, each with its name: the last
    /// segment of its pointer, or the name of its file. A name that the root document or a file
    /// before it has gets the name of its own file as a prefix, and then those of its folders. Files
    /// are in the order of their paths and schemas in that of their pointers, so that no name depends
    /// on the order of the references.
    pub(super) fn schemas_of_other_files(
        &self,
        known: &[(String, SchemaId)],
    ) -> Vec<(String, SchemaId)> {
        let root = self.resolver.root().file;
        let named: HashSet<SchemaId> = known.iter().map(|(_, id)| *id).collect();
        let mut taken: HashSet<String> = known.iter().map(|(name, _)| letters(name)).collect();
        let mut found: Vec<(&Origin, &str, SchemaId)> = Vec::new();
        for (id, schema) in (0..).map(SchemaId).zip(&self.schemas.list) {
            let name = schema.name.as_ref().or(schema.suggested_name.as_ref());
            if let Some(name) = name
                && schema.origin.file != root
                && !named.contains(&id)
            {
                found.push((&schema.origin, name, id));
            }
        }
        found.sort_by_key(|(origin, ..)| (self.resolver.path(origin.file), *origin));
        let name = |(origin, name, id): (&Origin, &str, SchemaId)| {
            let mut name = name.to_owned();
            // The name of a whole file is that of the file already.
            let stem = self.resolver.stem(origin.file);
            let stem = stem.filter(|_| origin.pointer.last().is_some());
            let folders = self.resolver.path(origin.file).and_then(Path::parent);
            let folders = folders.into_iter().flat_map(Path::components).rev();
            let folders = folders.filter_map(|folder| match folder {
                Component::Normal(folder) => folder.to_str(),
                _ => None,
            });
            let mut prefixes = stem.into_iter().chain(folders);
            while taken.contains(&letters(&name))
                && let Some(prefix) = prefixes.next()
            {
                name = format!("{prefix}_{name}");
            }
            taken.insert(letters(&name));
            (name, id)
        };
        found.into_iter().map(name).collect()
    }
}

/// Returns the letters and digits of a name, by which names of types are equal.
pub(super) fn letters(name: &str) -> String {
    let chars = name.chars().filter(|at| at.is_alphanumeric());
    chars.flat_map(char::to_lowercase).collect()
}
