//! Names of schemas without a name that several places have: those of a property or of a body to which
//! references lead, and those of properties that schemas have by an `allOf`.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::context::Context;
use super::other_files::letters;
use super::path_item::METHODS;
use crate::model::{Pointed, SchemaId};
use crate::position::Origin;

impl Context<'_, '_> {
    /// Returns the schemas without a name that several places have, with the words of their pointers:
    /// their names depend neither on the first reference nor on the order of the document. A name that
    /// another schema has gets the name of its file as a prefix.
    pub(super) fn pointed_schemas(&self, named: &[(String, SchemaId)]) -> Vec<Pointed> {
        let root = self.resolver.root().file;
        let origin = |id: SchemaId| {
            self.schemas
                .list
                .get(id.0 as usize)
                .map(|entry| &entry.origin)
        };
        let known: HashMap<&Origin, SchemaId> = (named.iter())
            .filter_map(|(_, id)| Some((origin(*id)?, *id)))
            .collect();
        let mut taken: HashSet<String> = named.iter().map(|(name, _)| letters(name)).collect();
        let mut all = self.inherited(named);
        all.extend(&self.schemas.referred);
        let mut referred: Vec<(&Origin, SchemaId)> = (all.into_iter())
            .filter_map(|id| Some((origin(id)?, id)))
            .filter(|(origin, _)| !known.contains_key(origin))
            .collect();
        referred.sort_by_key(|(origin, _)| (self.resolver.path(origin.file), *origin));
        let name = |(origin, schema): (&Origin, SchemaId)| {
            let mut at = origin.clone();
            let mut steps = Vec::new();
            let mut around = None;
            while let (None, Some(step)) = (around, at.pointer.last()) {
                steps.push(step);
                at = at.parent();
                around = known.get(&at).copied();
            }
            steps.reverse();
            let mut words = self.words(at, &steps);
            let is_free = around.is_some() || taken.insert(letters(&words));
            if let (false, true, Some(stem)) = (
                is_free,
                origin.file != root,
                self.resolver.stem(origin.file),
            ) {
                words = format!("{stem} {words}");
                taken.insert(letters(&words));
            }
            Pointed {
                schema,
                around,
                words,
            }
        };
        referred.into_iter().map(name).collect()
    }

    /// Returns the schemas of the properties that named schemas have and that other schemas have by an
    /// `allOf`: either may be converted first.
    fn inherited(&self, named: &[(String, SchemaId)]) -> BTreeSet<SchemaId> {
        let schema = |id: SchemaId| self.schemas.list.get(id.0 as usize);
        let all = self.schemas.list.iter();
        let composed = all.flat_map(|each| each.all_of.iter().chain(&each.reference));
        let composed: HashSet<&SchemaId> = composed.collect();
        let mut seen: HashSet<SchemaId> = named.iter().map(|(_, id)| *id).collect();
        let named = named.iter().map(|(_, id)| *id);
        let mut open: Vec<SchemaId> = named.filter(|id| composed.contains(id)).collect();
        let mut found = BTreeSet::new();
        while let Some(parent) = open.pop().and_then(schema) {
            found.extend(parent.properties.iter().map(|(_, id)| *id));
            open.extend(parent.all_of.iter().filter(|part| seen.insert(**part)));
        }
        found
    }

    /// Returns the words of steps from a node: the names of the document, and words for what is between
    /// them. An operation has the words of its `operationId`, and a parameter those of its name.
    fn words(&self, mut at: Origin, steps: &[String]) -> String {
        let text = |at: &Origin, key: &str| {
            let node = self.resolver.at(at)?.get(key)?;
            node.value.as_str().map(str::to_owned)
        };
        let mut words = Vec::new();
        let mut part = "schema";
        let mut steps = steps.iter().peekable();
        while let Some(step) = steps.next() {
            at = at.child(step);
            let left = steps.len();
            let mut entry = |at: &mut Origin| {
                let name = steps.next().cloned().unwrap_or_default();
                *at = at.child(&name);
                name
            };
            match step.as_str() {
                "components" => {}
                "properties" | "patternProperties" | "schemas" | "definitions" | "$defs"
                | "webhooks" | "callbacks" => words.push(entry(&mut at)),
                "paths" => {
                    let path = entry(&mut at);
                    let method = steps.next_if(|step| METHODS.contains(&step.as_str()));
                    words.push(method.map_or(path.clone(), |method| {
                        at = at.child(method);
                        text(&at, "operationId").unwrap_or(format!("{method} {path}"))
                    }));
                }
                "parameters" => {
                    let name = entry(&mut at);
                    words.push(text(&at, "name").unwrap_or(name));
                    part = "parameter";
                }
                "headers" => {
                    words.push(entry(&mut at));
                    part = "header";
                }
                "responses" | "requestBodies" => {
                    words.push(entry(&mut at));
                    part = "body";
                }
                "requestBody" => part = "body",
                "content" => _ = entry(&mut at),
                "schema" => words.push(part.to_owned()),
                // The properties of a part are those of the whole.
                "allOf" if left > 1 => _ = entry(&mut at),
                "items" => words.push("item".to_owned()),
                "additionalProperties" => words.push("value".to_owned()),
                other => words.push(other.to_owned()),
            }
        }
        words.join(" ")
    }
}
