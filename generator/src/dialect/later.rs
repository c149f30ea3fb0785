//! What is compared with schemas once all schemas of the document are read: examples, parameters with
//! the style `deepObject`, and discriminators.

use super::compared::{ComparedExample, Notation};
use super::context::Context;
use super::contradiction::Judge;
use super::examples;
use crate::diagnostic::codes;
use crate::model::{Schema, SchemaId, Types};
use crate::resolve::Node;

impl<'t> Context<'t, '_> {
    /// Keeps `example` and `examples` (Example Objects) of a media type or a parameter.
    pub(super) fn compare_examples(&mut self, holder: &Node<'t>, schema: SchemaId, as_: Notation) {
        let all: Vec<_> = examples::all(self, holder).collect();
        let all = all.into_iter().map(|(_, node)| ComparedExample {
            schema,
            node,
            notation: as_,
            holder: Some(holder.origin()),
        });
        self.later.examples.extend(all);
    }

    /// Keeps `example` and the list `examples` of a schema.
    pub(super) fn compare_own_examples(&mut self, id: SchemaId, node: &Node<'t>) {
        let example = node.get("example").into_iter();
        let several = node.get("examples").into_iter();
        let all = example.chain(several.flat_map(|all| all.items().collect::<Vec<_>>()));
        self.later.examples.extend(all.map(|node| ComparedExample {
            schema: id,
            node,
            notation: Notation::Json,
            holder: None,
        }));
    }

    /// Reports what contradicts the schemas of the document.
    pub(super) fn report_contradictions(&mut self) {
        let later = std::mem::take(&mut self.later);
        let mut judge = Judge::new(&self.schemas.list);
        for example in &later.examples {
            if let Some(reason) =
                judge.contradiction(example.schema, example.node.value, example.notation)
            {
                let message = format!("an example contradicts its schema: {reason}");
                self.diagnostics
                    .report(codes::EXAMPLE, &example.node.origin(), message);
            }
        }
        for (schema, place) in &later.deep_objects {
            let Some(schema) = resolved(&self.schemas.list, *schema) else {
                continue;
            };
            let parts = [&schema.all_of, &schema.any_of, &schema.one_of];
            let types = schema.types.without(Types::NULL);
            let is_other = !types.is_unstated() && !types.contains(Types::OBJECT);
            if is_other && parts.iter().all(|part| part.is_empty()) {
                let kind = if types == Types::ARRAY {
                    "an array"
                } else {
                    "a single value"
                };
                let message =
                    format!("`deepObject` is defined for objects, and the schema is {kind}");
                self.diagnostics.report(codes::DEEP_OBJECT, place, message);
            }
        }
        self.later = later;
        self.report_undeclared_tags();
    }

    /// Reports discriminators whose property no variant has.
    fn report_undeclared_tags(&mut self) {
        let mut search = Search::new(&self.schemas.list);
        let mut extending: Vec<(SchemaId, SchemaId)> = Vec::new();
        for (index, schema) in (0..).zip(&self.schemas.list) {
            extending.extend(schema.all_of.iter().map(|base| (*base, SchemaId(index))));
        }
        extending.sort_by_key(|(base, _)| base.0);
        for (index, schema) in (0..).zip(&self.schemas.list) {
            let is_object = schema.types.is_unstated() || schema.types.contains(Types::OBJECT);
            let Some(discriminator) = schema.discriminator.as_ref().filter(|_| is_object) else {
                continue;
            };
            let id = SchemaId(index);
            let first = extending.partition_point(|(base, _)| base.0 < index);
            let children = extending[first..]
                .iter()
                .take_while(|(base, _)| *base == id);
            let children = children.map(|(_, child)| *child);
            let variants = schema.one_of.iter().chain(&schema.any_of).copied();
            let mapped = discriminator
                .mapping
                .iter()
                .filter_map(|(_, target)| *target);
            let mut all = std::iter::once(id)
                .chain(variants)
                .chain(children)
                .chain(mapped);
            if all.any(|id| search.may_have(id, &discriminator.property)) {
                continue;
            }
            let message = format!(
                "no variant has the property `{}` of the discriminator",
                discriminator.property
            );
            let place = schema.origin.child("discriminator");
            self.diagnostics
                .report(codes::TAG_UNDECLARED, &place, message);
        }
    }
}

/// Returns the schema to which references without other keywords lead.
fn resolved(schemas: &[Schema], mut id: SchemaId) -> Option<&Schema> {
    // Longer chains are not followed.
    for _ in 0..100 {
        let schema = schemas.get(id.0 as usize)?;
        match schema.reference {
            Some(target) => id = target,
            None => return Some(schema),
        }
    }
    None
}

/// A search for properties in schemas and the parts of schemas.
struct Search<'a> {
    schemas: &'a [Schema],
    /// For each schema the number of the last search that visited it.
    visited: Vec<u32>,
    searches: u32,
    open: Vec<SchemaId>,
    /// How many more schemas are visited. Then every property may exist.
    budget: usize,
}

impl<'a> Search<'a> {
    fn new(schemas: &'a [Schema]) -> Self {
        Self {
            schemas,
            visited: vec![0; schemas.len()],
            searches: 0,
            open: Vec::new(),
            budget: 1_000_000,
        }
    }

    /// Returns whether a schema, or a part of it, may have a property.
    fn may_have(&mut self, id: SchemaId, property: &str) -> bool {
        self.searches += 1;
        self.open.clear();
        self.open.push(id);
        while let Some(id) = self.open.pop() {
            let index = id.0 as usize;
            let (Some(schema), Some(visited)) =
                (self.schemas.get(index), self.visited.get_mut(index))
            else {
                return true;
            };
            if std::mem::replace(visited, self.searches) == self.searches {
                continue;
            }
            let Some(left) = self.budget.checked_sub(1 + schema.properties.len()) else {
                return true;
            };
            self.budget = left;
            if schema.properties.iter().any(|(name, _)| name == property) {
                return true;
            }
            let parts = [&schema.all_of, &schema.any_of, &schema.one_of];
            let is_open = schema.properties.is_empty()
                && schema.reference.is_none()
                && parts.iter().all(|part| part.is_empty());
            let is_object = schema.types.is_unstated() || schema.types.contains(Types::OBJECT);
            // An object of any properties may have this one.
            if is_open && is_object {
                return true;
            }
            self.open.extend(schema.reference);
            parts.iter().for_each(|part| self.open.extend(part.iter()));
        }
        false
    }
}
