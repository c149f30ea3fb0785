//! Probable targets of broken references.
//!
//! Each supported spelling occurs in practice. The first spelling with a target is used, and the
//! caller reports the correction.

use super::{Node, Resolver};

/// Sections that moved between Swagger 2.0 and OpenAPI 3.
const MOVED: [(&str, &str); 4] = [
    ("#/definitions/", "#/components/schemas/"),
    ("#/responses/", "#/components/responses/"),
    ("#/parameters/", "#/components/parameters/"),
    ("#/securityDefinitions/", "#/components/securitySchemes/"),
];

impl<'t> Resolver<'t> {
    /// Returns the probable target of a broken reference in `node`, with a description of the
    /// corrected reference, and the corrected reference if it can be written in this file.
    pub(super) fn meant(
        &self,
        node: &Node<'t>,
        reference: &str,
    ) -> Option<(Node<'t>, String, Option<String>)> {
        let spellings = spellings(reference);
        let found = |at: &Node<'t>, reference: &str| self.find(at, reference, 0).ok();
        for spelling in &spellings {
            if let Some(target) = found(node, spelling) {
                return Some((target, format!("`{spelling}`"), Some(spelling.clone())));
            }
        }
        let local = std::iter::once(reference).chain(spellings.iter().map(String::as_str));
        for spelling in local.filter(|spelling| spelling.starts_with("#/")) {
            // The part was written to be pasted into the root document.
            if node.file != self.root().file
                && let Some(target) = found(&self.root(), spelling)
            {
                return Some((target, format!("`{spelling}` of the root document"), None));
            }
            if let Some(target) = self.around(node, spelling) {
                let reading = "the one that is defined around it".to_owned();
                return Some((target, reading, None));
            }
        }
        None
    }

    /// Resolves `#/$defs/…` and `#/definitions/…` of a schema that was a separate document before
    /// it was pasted.
    fn around(&self, node: &Node<'t>, reference: &str) -> Option<Node<'t>> {
        let path = reference.strip_prefix("#/")?;
        if !(path.starts_with("$defs/") || path.starts_with("definitions/")) {
            return None;
        }
        let mut origin = node.origin();
        loop {
            let here = self.at(&origin)?;
            if let Ok(target) = self.walk_spellings(&here, path, reference, 0) {
                return Some(target);
            }
            let parent = origin.parent();
            if parent == origin {
                return None;
            }
            origin = parent;
        }
    }
}

/// Returns other spellings of a reference, the most likely first.
fn spellings(reference: &str) -> Vec<String> {
    let mut found = Vec::new();
    let tidy = reference.trim().trim_end_matches('/');
    if tidy != reference {
        found.push(tidy.to_owned());
    }
    let path = tidy.trim_start_matches(['#', '/']);
    let sections = [
        "components/",
        "definitions/",
        "paths/",
        "responses/",
        "parameters/",
    ];
    if sections.iter().any(|section| path.starts_with(section)) {
        found.push(format!("#/{path}"));
    } else if !tidy.is_empty() && !tidy.contains(['/', '#', '.', ':']) {
        found.push(format!("#/components/schemas/{tidy}"));
        found.push(format!("#/definitions/{tidy}"));
    }
    for (old, new) in MOVED {
        if let Some(name) = tidy.strip_prefix(old) {
            found.push(format!("{new}{name}"));
        } else if let Some(name) = tidy.strip_prefix(new) {
            found.push(format!("{old}{name}"));
        }
    }
    found.retain(|spelling| spelling != reference);
    found
}
