//! Values of a discriminator that a variant would lose: several values select it, and its schema
//! does not declare the property.

use std::collections::HashSet;

use crate::model::{Schema, SchemaId, Types};
use crate::position::Origin;
use crate::source::Value;

use crate::lower::Document;
use crate::lower::schema::candidate::Candidate;
use crate::lower::schema::shape::Shape;

impl Document<'_> {
    /// Adds the discriminating property to each variant that would lose its value. The property has
    /// the values that select the variant, or any string for the variant that accepts all others.
    pub(in crate::lower) fn keep_tags(
        &mut self,
        candidates: &mut [Candidate],
        (property, tags): &(String, Vec<Vec<String>>),
        shape: &Shape,
    ) {
        let by = shape.discriminator.as_ref();
        let default = by.filter(|by| by.property == *property);
        let default = default.and_then(|by| by.default);
        for (candidate, tags) in candidates.iter_mut().zip(tags) {
            let takes_others = default == Some(candidate.meant);
            if (tags.len() < 2 && !takes_others) || self.declares(candidate.schema, property) {
                continue;
            }
            let part = self.tag_part(property, tags, takes_others, &shape.origin);
            candidate.schema = self.intersection(vec![part, candidate.schema], &shape.origin);
        }
    }

    /// Adds the discriminating property to the shape of a base, if it would lose the value.
    pub(in crate::lower) fn keep_own_tag(
        &mut self,
        shape: &mut Shape,
        tags: &[String],
        takes_others: bool,
    ) {
        let Some(by) = shape.discriminator.clone() else {
            return;
        };
        if (tags.len() < 2 && !takes_others) || shape.properties.contains_key(&by.property) {
            return;
        }
        let schema = self.add_schema(tag_schema(tags, takes_others, &shape.origin));
        shape.properties.insert(by.property.clone(), schema);
        if !takes_others {
            shape.required.insert(by.property);
        }
    }

    /// Returns an object schema with the discriminating property alone.
    fn tag_part(
        &mut self,
        property: &str,
        tags: &[String],
        takes_others: bool,
        origin: &Origin,
    ) -> SchemaId {
        let schema = self.add_schema(tag_schema(tags, takes_others, origin));
        let required = (!takes_others).then(|| property.to_owned());
        self.add_schema(Schema {
            origin: origin.clone(),
            types: Types::OBJECT,
            properties: vec![(property.to_owned(), schema)],
            required: required.into_iter().collect(),
            ..Schema::default()
        })
    }

    /// Returns whether each value of a schema has a place for a property: a property of its own, or
    /// the tag of a union.
    fn declares(&mut self, id: SchemaId, property: &str) -> bool {
        let mut seen = HashSet::from([id]);
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let shape = self.shape(id);
            let by = shape.discriminator.as_ref();
            let is_union = !shape.choices.is_empty() || self.children.contains_key(&id);
            if shape.properties.contains_key(property)
                || (is_union && by.is_some_and(|by| by.property == property))
            {
                continue;
            }
            if shape.choices.is_empty() {
                return false;
            }
            let inner = shape
                .choices
                .into_iter()
                .flat_map(|choice| choice.alternatives);
            open.extend(inner.filter(|id| seen.insert(*id)));
        }
        true
    }
}

/// Returns the schema of a discriminating property: the values of a variant, or any string.
fn tag_schema(tags: &[String], takes_others: bool, origin: &Origin) -> Schema {
    let values = tags.iter().cloned().map(Value::String).collect();
    Schema {
        origin: origin.clone(),
        types: Types::STRING,
        enumeration: (!takes_others).then_some(values),
        // Another value selects another variant.
        extensions: vec![("x-extensible-enum".to_owned(), Value::Bool(false))],
        ..Schema::default()
    }
}
