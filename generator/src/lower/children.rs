//! Schemas that extend a schema with a discriminator.

use std::collections::{HashMap, HashSet};

use crate::model::{Schema, SchemaId};

use super::Lowering;

impl Lowering<'_> {
    /// Finds the schemas that extend others: `allOf`, directly or indirectly, with a reference to a
    /// schema that has a discriminator and no list of variants.
    pub(super) fn find_children(&mut self) {
        let polymorphic = |schema: &Schema| {
            schema.discriminator.is_some() && schema.one_of.is_empty() && schema.any_of.is_empty()
        };
        if !self.model.schemas.iter().any(polymorphic) {
            return;
        }
        let mut extended_by: HashMap<SchemaId, Vec<SchemaId>> = HashMap::new();
        for index in 0..self.model.schemas.len() {
            let id = SchemaId(u32::try_from(index).unwrap_or(u32::MAX));
            for base in self.extended(id) {
                extended_by.entry(base).or_default().push(id);
            }
        }
        // If a schema has several names, the first is used.
        let named = self.model.named_schemas.iter().enumerate().rev();
        let named: HashMap<SchemaId, usize> = named.map(|(at, (_, id))| (*id, at)).collect();
        for index in 0..self.model.schemas.len() {
            let base = SchemaId(u32::try_from(index).unwrap_or(u32::MAX));
            if !polymorphic(self.schema(base)) {
                continue;
            }
            let mut children = Vec::new();
            let mut seen = HashSet::from([base]);
            let mut open = vec![base];
            while let Some(id) = open.pop() {
                let more = extended_by.get(&id).into_iter().flatten().copied();
                for child in more.filter(|child| seen.insert(*child)) {
                    open.push(child);
                    children.extend(named.get(&child).map(|at| (*at, child)));
                }
            }
            children.sort_unstable_by_key(|(at, _)| *at);
            if !children.is_empty() {
                let children = children.into_iter().map(|(_, id)| id).collect();
                self.children.insert(base, children);
            }
        }
    }

    /// Returns the schemas that a schema extends: the parts of its `allOf`, and the target of a
    /// `$ref` with siblings that change its meaning.
    fn extended(&self, id: SchemaId) -> Vec<SchemaId> {
        let schema = self.schema(id);
        let reference = schema.reference.filter(|_| self.wraps(id).is_none());
        reference
            .into_iter()
            .chain(schema.all_of.iter().copied())
            .collect()
    }
}
