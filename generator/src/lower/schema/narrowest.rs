//! The part of an `allOf` that implies the others: `{type: object}` next to a `$ref` adds no
//! constraint, so the type keeps its name.

use crate::model::{Constraints, Schema, SchemaId, Types};

use crate::lower::Document;
use crate::lower::schema::annotation::is_bare;

/// The maximum number of parts to compare with each other.
const MOST: usize = 8;
/// The maximum number of schemas to visit. Without a result within this limit, the parts are
/// merged.
const LOOKED_AT: usize = 200;

impl Document<'_> {
    /// Returns the part whose values all other parts accept, as far as detectable without merging.
    pub(in crate::lower) fn narrowest(&self, parts: Vec<SchemaId>) -> Option<SchemaId> {
        if let [only] = parts[..] {
            return Some(only);
        }
        if parts.len() > MOST {
            return None;
        }
        let mut look = Look {
            document: self,
            left: LOOKED_AT,
        };
        let mut all = parts.iter().copied();
        all.find(|narrow| {
            let mut others = parts.iter().filter(|part| *part != narrow);
            others.all(|wide| look.accepts(*wide, *narrow))
        })
    }
}

struct Look<'a> {
    document: &'a Document<'a>,
    /// The number of schemas that may still be visited.
    left: usize,
}

impl<'a> Look<'a> {
    fn at(&mut self, id: SchemaId) -> Option<&'a Schema> {
        self.left = self.left.checked_sub(1)?;
        Some(self.document.schema(id))
    }

    /// Returns whether each value of `narrow` is a value of `wide`, which has no constraints other
    /// than a type and a type of items.
    fn accepts(&mut self, wide: SchemaId, narrow: SchemaId) -> bool {
        if wide == narrow {
            return true;
        }
        let Some(schema) = self.at(wide) else {
            return false;
        };
        let is_plain = is_bare(schema)
            && schema.constraints == Constraints::default()
            && schema.content_encoding.is_none()
            && schema.content_media_type.is_none();
        if !is_plain {
            return false;
        }
        let stated = schema.types.without(Types::NULL);
        if !stated.is_unstated() {
            let null = schema.nullable || schema.types.contains(Types::NULL);
            let types = self.types_of(narrow);
            let fits = types.is_some_and(|types| is_within(types, stated));
            if !fits || !(null || self.is_never_null(narrow)) {
                return false;
            }
        }
        schema.items.is_none_or(|items| {
            let narrow = self.items_of(narrow);
            narrow.is_some_and(|narrow| self.accepts(items, narrow))
        })
    }

    /// Returns the types of a schema's values other than null, if detectable.
    fn types_of(&mut self, id: SchemaId) -> Option<Types> {
        let schema = self.at(id)?;
        let stated = schema.types.without(Types::NULL);
        if !stated.is_unstated() {
            return Some(stated);
        }
        if !schema.properties.is_empty() {
            return Some(Types::OBJECT);
        }
        if let Some(types) = parts(schema).find_map(|part| self.types_of(part)) {
            return Some(types);
        }
        let choices = [&schema.one_of, &schema.any_of];
        let choice = choices.into_iter().find(|choice| !choice.is_empty())?;
        let mut all = Types::UNSTATED;
        for alternative in choice {
            all = all.union(self.types_of(*alternative)?);
        }
        Some(all)
    }

    /// Returns whether null is certainly not a value of a schema.
    fn is_never_null(&mut self, id: SchemaId) -> bool {
        let Some(schema) = self.at(id) else {
            return false;
        };
        if schema.nullable || schema.types.contains(Types::NULL) {
            return false;
        }
        if !schema.types.is_unstated() || !schema.properties.is_empty() {
            return true;
        }
        let choices = [&schema.one_of, &schema.any_of];
        parts(schema).any(|part| self.is_never_null(part))
            || choices.into_iter().any(|choice| {
                !choice.is_empty()
                    && choice
                        .iter()
                        .all(|alternative| self.is_never_null(*alternative))
            })
    }

    /// Returns the schema of the items of a list.
    fn items_of(&mut self, id: SchemaId) -> Option<SchemaId> {
        let schema = self.at(id)?;
        if !schema.prefix_items.is_empty() {
            return None;
        }
        schema
            .items
            .or_else(|| parts(schema).find_map(|part| self.items_of(part)))
    }
}

/// Returns whether all types are among others. An integer is a number.
fn is_within(types: Types, others: Types) -> bool {
    match others.contains(Types::NUMBER) {
        true => others.contains(types.without(Types::INTEGER)),
        false => others.contains(types),
    }
}

/// Returns the schemas that a schema merges.
fn parts(schema: &Schema) -> impl Iterator<Item = SchemaId> + '_ {
    schema.reference.iter().chain(&schema.all_of).copied()
}
