//! Properties of schemas that apply under a condition (`then`, `else`, `dependentSchemas`): optional
//! fields, whose constraints are not checked.

use std::collections::HashSet;

use indexmap::IndexMap;

use crate::model::{Constraints, Model, Schema, SchemaId, Types};
use crate::source::{Number, Value};

use crate::lower::Document;
use crate::lower::schema::class::infer;
use crate::lower::schema::shape::Shape;

/// Removes conditional schemas without properties: they have no effect on a type.
pub(in crate::lower) fn remove_empty(model: &mut Model) {
    let has = have_properties(&model.schemas);
    for schema in &mut model.schemas {
        if !schema.conditional.iter().any(|id| has[id.0 as usize]) {
            schema.conditional.clear();
        }
    }
}

/// Returns, for each schema, whether it has a property by itself, or by its parts, alternatives or
/// conditions.
fn have_properties(schemas: &[Schema]) -> Vec<bool> {
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); schemas.len()];
    for (index, schema) in schemas.iter().enumerate() {
        inner(schema).for_each(|id| users[id.0 as usize].push(index));
    }
    let mut has = vec![false; schemas.len()];
    let own = |index: &usize| !schemas[*index].properties.is_empty();
    let mut open: Vec<usize> = (0..schemas.len()).filter(own).collect();
    while let Some(index) = open.pop() {
        if !std::mem::replace(&mut has[index], true) {
            open.append(&mut users[index]);
        }
    }
    has
}

/// Returns the schemas that state properties of the same object.
fn inner(schema: &Schema) -> impl DoubleEndedIterator<Item = SchemaId> + '_ {
    let parts = schema.reference.iter().chain(&schema.all_of);
    let choices = schema.one_of.iter().chain(&schema.any_of);
    parts.chain(choices).chain(&schema.conditional).copied()
}

impl Document<'_> {
    /// Adds the properties that a shape has under a condition only.
    pub(in crate::lower) fn add_conditional(&mut self, shape: &mut Shape) {
        let conditional = std::mem::take(&mut shape.conditional);
        let Some(found) = self.conditional_properties(&conditional) else {
            return;
        };
        for (name, schemas) in found {
            if !shape.properties.contains_key(&name) {
                let property = self.loosened(schemas);
                shape.properties.insert(name, property);
            }
        }
    }

    /// Returns the properties of schemas and of their parts, alternatives and conditions, each with
    /// its schemas, or `None` if they are too many.
    fn conditional_properties(
        &mut self,
        ids: &[SchemaId],
    ) -> Option<IndexMap<String, Vec<SchemaId>>> {
        let mut found: IndexMap<String, Vec<SchemaId>> = IndexMap::new();
        let mut seen = HashSet::new();
        let mut open: Vec<SchemaId> = ids.iter().rev().copied().collect();
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            if !self.charge(id, 1 + self.schema(id).properties.len()) {
                return None;
            }
            let schema = self.schema(id);
            for (name, property) in &schema.properties {
                let known = found.entry(name.clone()).or_default();
                if !known.contains(property) {
                    known.push(*property);
                }
            }
            open.extend(inner(schema).rev());
        }
        Some(found)
    }

    /// Returns a schema for the values of a property that has different schemas under different
    /// conditions. Where none of the conditions is met, the property is not constrained.
    fn loosened(&mut self, schemas: Vec<SchemaId>) -> SchemaId {
        if let Some(id) = self.loosened.get(&schemas) {
            return *id;
        }
        let loose: Vec<SchemaId> = schemas.iter().map(|id| self.loose(*id)).collect();
        let id = match &loose[..] {
            [only] => *only,
            _ if self.have_one_type(&loose) => loose[0],
            _ => self.add_schema(Schema {
                origin: self.schema(loose[0]).origin.clone(),
                any_of: loose,
                ..Schema::default()
            }),
        };
        self.loosened.insert(schemas, id);
        id
    }

    /// Returns a scalar without its constraints, or the schema itself.
    fn loose(&mut self, id: SchemaId) -> SchemaId {
        if self.is_named(id) || !is_scalar(self.schema(id)) {
            return id;
        }
        let shape = self.shape(id);
        let mut schema = self.schema(id).clone();
        if schema.types.is_unstated() {
            schema.types = infer(&shape);
        }
        schema.constraints = Constraints::default();
        schema.constant = None;
        schema.enumeration = None;
        if let Some(values) = shape.enumeration {
            let is_text = |value: &Value| matches!(value, Value::String(_));
            if values.len() > 1 && values.iter().all(is_text) {
                // Other values are valid where the condition is not met.
                let open = ("x-extensible-enum".to_owned(), Value::Bool(true));
                schema.extensions.insert(0, open);
                schema.enumeration = Some(values);
            } else if schema.types.is_unstated() {
                let types = values.iter().map(type_of);
                schema.types = types.fold(Types::UNSTATED, Types::union);
            }
        }
        self.add_schema(schema)
    }

    fn have_one_type(&self, all: &[SchemaId]) -> bool {
        let first = self.schema(all[0]);
        let is_same = |id: &SchemaId| {
            let schema = self.schema(*id);
            is_scalar(schema)
                && (schema.types, &schema.format) == (first.types, &first.format)
                && schema.enumeration.is_none()
        };
        !first.types.is_unstated() && all.iter().all(is_same)
    }
}

/// Returns whether a schema has no inner schemas.
fn is_scalar(schema: &Schema) -> bool {
    schema.reference.is_none()
        && schema.boolean.is_none()
        && schema.all_of.is_empty()
        && schema.any_of.is_empty()
        && schema.one_of.is_empty()
        && schema.conditional.is_empty()
        && schema.properties.is_empty()
        && schema.pattern_properties.is_empty()
        && schema.additional_properties.is_none()
        && schema.items.is_none()
        && schema.prefix_items.is_empty()
        && schema.content_schema.is_none()
}

fn type_of(value: &Value) -> Types {
    match value {
        Value::Null => Types::NULL,
        Value::Bool(_) => Types::BOOLEAN,
        Value::Number(Number::Int(_)) => Types::INTEGER,
        Value::Number(Number::Float(_)) => Types::NUMBER,
        Value::String(_) => Types::STRING,
        Value::Array(_) => Types::ARRAY,
        Value::Object(_) => Types::OBJECT,
    }
}
