//! Whether null is a value of a schema.

use std::collections::HashMap;

use crate::model::{SchemaId, Types};
use crate::source::Value;

use crate::lower::Document;
use crate::lower::schema::shape::Shape;

/// The maximum depth of the search for null in a schema.
const DEEPEST: usize = 200;

impl Document<'_> {
    /// Returns whether null is a value of a schema, without converting any schema.
    pub(in crate::lower) fn is_nullable(&mut self, id: SchemaId) -> bool {
        if let Some(known) = self.nullable.get(&id) {
            return *known;
        }
        let nullable = self.walk_nullable(id, 0, &mut HashMap::new());
        self.nullable.insert(id, nullable);
        nullable
    }

    /// Visits each schema once: further visits have the same result. Otherwise nested choices would
    /// be visited once for each path to them.
    fn walk_nullable(
        &mut self,
        id: SchemaId,
        depth: usize,
        seen: &mut HashMap<SchemaId, bool>,
    ) -> bool {
        if let Some(known) = self.nullable.get(&id).or_else(|| seen.get(&id)) {
            return *known;
        }
        seen.insert(id, false);
        if depth > DEEPEST {
            return false;
        }
        let schema = self.schema(id);
        let own = schema.nullable || schema.types.contains(Types::NULL);
        let is_decided = own || !schema.types.is_unstated();
        let values = schema.enumeration.iter().flatten().chain(&schema.constant);
        let null_value = values.clone().any(|value| *value == Value::Null);
        let parts: Vec<SchemaId> = schema
            .reference
            .iter()
            .chain(&schema.all_of)
            .copied()
            .collect();
        let choices: Vec<SchemaId> = schema
            .one_of
            .iter()
            .chain(&schema.any_of)
            .copied()
            .collect();
        let nullable = own
            || null_value
            || (!is_decided
                && !parts.is_empty()
                && parts
                    .iter()
                    .all(|part| self.walk_nullable(*part, depth + 1, seen)))
            || (!is_decided
                && choices
                    .iter()
                    .any(|choice| self.walk_nullable(*choice, depth + 1, seen)));
        if nullable {
            self.nullable.insert(id, true);
        }
        seen.insert(id, nullable);
        nullable
    }

    pub(in crate::lower) fn allows_null(&mut self, shape: &Shape) -> bool {
        shape.nullable
            || shape
                .enumeration
                .iter()
                .flatten()
                .any(|value| *value == Value::Null)
            || shape
                .choices
                .iter()
                .flat_map(|choice| choice.alternatives.clone())
                .collect::<Vec<_>>()
                .into_iter()
                .any(|id| shape.types.is_unstated() && self.is_nullable(id))
    }
}
