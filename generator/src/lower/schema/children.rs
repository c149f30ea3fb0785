//! Schemas that extend a schema with a discriminator.

use std::collections::{HashMap, HashSet};

use crate::model::{Discriminator, Schema, SchemaId};

use crate::lower::Document;

impl Document<'_> {
    /// Finds the schemas that extend others: `allOf`, directly or indirectly, with a reference to a
    /// schema that has a discriminator and no list of variants.
    pub(in crate::lower) fn find_children(&mut self) {
        let discriminates = |schema: &Schema| schema.discriminator.is_some();
        if !self.model.schemas.iter().any(discriminates) {
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
            let Some(by) = self.own_discriminator(base) else {
                continue;
            };
            let (property, mapped) = (by.property.clone(), by.mapping.clone());
            let is_mapped = |id: SchemaId| mapped.iter().any(|(_, target)| *target == Some(id));
            let mut children = Vec::new();
            let mut seen = HashSet::from([base]);
            // Each with whether another discriminator chooses between the schemas that extend it.
            let mut open = vec![(base, false)];
            while let Some((id, around)) = open.pop() {
                let other = self
                    .own_discriminator(id)
                    .filter(|_| named.contains_key(&id));
                let around = around || other.is_some_and(|by| by.property != property);
                let more = extended_by.get(&id).into_iter().flatten().copied();
                for child in more.filter(|child| seen.insert(*child)) {
                    open.push((child, around));
                    // A value of such a schema is one of the other union.
                    if around && !is_mapped(child) {
                        continue;
                    }
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

    /// Returns the discriminator of a schema without a list of variants: its own, or that of an
    /// inline part of its `allOf`. The variants are the schemas that extend it.
    pub(in crate::lower) fn own_discriminator(&self, id: SchemaId) -> Option<&Discriminator> {
        let schema = self.schema(id);
        if !schema.one_of.is_empty() || !schema.any_of.is_empty() {
            return None;
        }
        let place = schema.origin.child("allOf");
        let is_inline = |part: &Schema| part.origin.parent() == place || part.origin == place;
        let mut inline = schema.all_of.iter().copied();
        schema.discriminator.as_ref().or_else(|| {
            inline.find_map(|part| match is_inline(self.schema(part)) {
                true => self.own_discriminator(part),
                false => None,
            })
        })
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
