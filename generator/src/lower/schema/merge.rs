//! The keywords of one schema, merged into the shape of an `allOf`.

use std::collections::HashSet;

use crate::diagnostic::codes;
use crate::model::{Schema, SchemaId, Types};
use crate::position::Origin;
use crate::source::Value;

use crate::lower::Document;
use crate::lower::schema::annotation::{has_object_keywords, is_annotation};
use crate::lower::schema::narrow::merge_constraints;
use crate::lower::schema::shape::{Additional, Choice, Shape};

impl Document<'_> {
    /// Merges the keywords of one schema. Every field of a schema is listed here, so that a new
    /// field does not compile until its treatment is decided.
    pub(in crate::lower) fn merge_own(&mut self, schema: Schema, shape: &mut Shape) {
        self.merge_types(&schema, shape);
        merge_enumeration(&schema, shape);
        let Schema {
            // Merged above.
            types: _,
            nullable: _,
            enumeration: _,
            constant: _,
            // Merged as parts, before the schema itself: `merge`.
            reference: _,
            all_of: _,
            // Read from the schema itself when its type is documented or named: `doc_of`,
            // `wanted_name`.
            name: _,
            suggested_name: _,
            instance: _,
            title: _,
            description: _,
            examples: _,
            deprecated: _,
            // Read when a property refers to the schema: `field`, `direction`.
            default: _,
            read_only: _,
            write_only: _,
            // Not checked (`W0110`).
            not: _,
            // The properties of all parts are merged before the others get a schema.
            unevaluated: _,
            origin,
            boolean,
            format,
            any_of,
            one_of,
            discriminator,
            properties,
            required,
            additional_properties,
            unevaluated_properties,
            pattern_properties,
            items,
            prefix_items,
            constraints,
            content_encoding,
            content_media_type,
            content_schema,
            conditional,
            extensions,
        } = schema;
        if let Some(format) = format
            && let Some(other) = shape.format.replace(format)
        {
            shape.other_formats.push(other);
        }
        shape.content_encoding = content_encoding.or(shape.content_encoding.take());
        shape.content_media_type = content_media_type.or(shape.content_media_type.take());
        shape.content_schema = content_schema.or(shape.content_schema);
        shape.boolean = boolean.or(shape.boolean);
        self.merge_properties(properties, &origin, shape);
        let closed = additional_properties.map(|id| self.schema(id).boolean);
        if closed != Some(Some(false)) {
            shape.conditional.extend(conditional);
        }
        shape.required.extend(required);
        self.merge_additional(additional_properties, unevaluated_properties, shape);
        for pattern in pattern_properties {
            if !shape.patterns.contains(&pattern) {
                shape.patterns.push(pattern);
            }
        }
        shape.items = match (shape.items, items) {
            (Some(a), Some(b)) if a != b => Some(self.intersection(vec![a, b], &origin)),
            (a, b) => b.or(a),
        };
        if !prefix_items.is_empty() {
            shape.prefix_items = prefix_items;
        }
        shape.choices.extend(
            [(one_of, false), (any_of, true)]
                .into_iter()
                .filter(|(alternatives, _)| !alternatives.is_empty())
                .map(|(alternatives, any)| Choice { alternatives, any }),
        );
        shape.discriminator = discriminator.or(shape.discriminator.take());
        merge_constraints(constraints, &mut shape.constraints);
        for (key, value) in extensions {
            shape.extensions.retain(|(known, _)| *known != key);
            shape.extensions.push((key, value));
        }
    }

    fn merge_properties(
        &mut self,
        properties: Vec<(String, SchemaId)>,
        origin: &Origin,
        shape: &mut Shape,
    ) {
        for (name, property) in properties {
            let merged = match shape.properties.get(&name) {
                Some(known) if *known != property => {
                    self.intersection(vec![*known, property], origin)
                }
                _ => property,
            };
            shape.properties.insert(name, merged);
        }
    }

    fn merge_types(&mut self, schema: &Schema, shape: &mut Shape) {
        let first = shape.types.is_unstated();
        let stated = schema.types.without(Types::NULL);
        let null = schema.nullable || schema.types.contains(Types::NULL);
        if !schema.types.is_unstated() {
            let known = shape.types.without(Types::NULL);
            let both = intersect(known, stated);
            if first {
                shape.types = stated;
                shape.nullable = shape.nullable || null;
            } else if both.is_unstated() && !known.is_unstated() && !stated.is_unstated() {
                let idle = stated == Types::OBJECT && !has_object_keywords(schema);
                let message = if idle {
                    "`type: object` contradicts the other type of this `allOf`"
                } else {
                    "no value is valid: the parts of an `allOf` require different types"
                };
                self.diagnostics
                    .report(codes::NEVER, &schema.origin, message)
                    .help("correct one of the types");
                shape.conflict |= !idle;
            } else {
                shape.types = if both.is_unstated() {
                    known.union(stated)
                } else {
                    both
                };
                shape.nullable = schema.nullable || (shape.nullable && null);
            }
            if schema.types == Types::NULL && first {
                shape.types = Types::NULL;
            }
        } else if schema.nullable {
            shape.nullable = true;
        }
    }

    fn merge_additional(
        &mut self,
        stated: Option<SchemaId>,
        unevaluated: Option<bool>,
        shape: &mut Shape,
    ) {
        let own = match stated {
            None if unevaluated == Some(false) => Additional::Refused,
            None => return,
            Some(id) => {
                let schema = self.schema(id);
                match schema.boolean {
                    Some(false) => Additional::Refused,
                    Some(true) => Additional::Any,
                    None if is_annotation(schema) => Additional::Any,
                    None => Additional::Of(id),
                }
            }
        };
        shape.additional = match (shape.additional, own) {
            (Additional::Unstated | Additional::Any, own) => own,
            (known, Additional::Any) => known,
            (Additional::Refused, _) | (_, Additional::Refused) => Additional::Refused,
            (_, own) => own,
        };
    }
}

fn intersect(a: Types, b: Types) -> Types {
    let mut both = Types(a.0 & b.0);
    let integer = |x: Types, y: Types| x.contains(Types::INTEGER) && y.contains(Types::NUMBER);
    if integer(a, b) || integer(b, a) {
        both = both.union(Types::INTEGER);
    }
    both
}

fn merge_enumeration(schema: &Schema, shape: &mut Shape) {
    let own = match (&schema.constant, &schema.enumeration) {
        (Some(constant), _) => Some(vec![constant.clone()]),
        (None, Some(values)) => Some(values.clone()),
        (None, None) => return,
    };
    shape.is_const = shape.is_const || schema.constant.is_some();
    shape.enumeration = match (shape.enumeration.take(), own) {
        (Some(known), Some(own)) => {
            let listed: HashSet<String> = own.iter().map(Value::to_json).collect();
            let both = known.into_iter().filter(|v| listed.contains(&v.to_json()));
            let both: Vec<Value> = both.collect();
            Some(if both.is_empty() { own } else { both })
        }
        (_, own) => own,
    };
}
