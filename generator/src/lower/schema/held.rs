//! The items of lists, and the values of maps.

use crate::diagnostic::codes;
use crate::ir::{Prefix, Primitive, TypeRef};
use crate::model::{SchemaId, Types};

use crate::lower::schema::presence;
use crate::lower::schema::shape::{Additional, Shape};
use crate::lower::{At, Document, Lowering};

/// The maximum number of items in a tuple, which is the limit of std's trait impls.
pub(in crate::lower) const LONGEST_TUPLE: usize = 12;

impl Lowering<'_> {
    /// Returns the type of a list.
    pub(in crate::lower) fn array(&mut self, shape: &Shape, at: &At) -> TypeRef {
        let length = shape.prefix_items.len();
        if self.document.is_tuple(shape) {
            let parts = shape.prefix_items.clone();
            let parts = parts.into_iter().enumerate().map(|(index, part)| {
                let at = at.step(&format!("item {}", index + 1));
                presence::item_type(self.lower(part, &at))
            });
            return TypeRef::Tuple(parts.collect());
        }
        if length > LONGEST_TUPLE {
            let message = format!("`prefixItems` has more than {LONGEST_TUPLE} items");
            self.document
                .diagnostics
                .report(codes::LONG_TUPLE, &shape.origin, message)
                .help("use an object, or a list of one type");
        } else if length > 0 {
            return self.prefix(shape, at);
        }
        let item = match (shape.items, length) {
            // `items: false` forbids items, but not the list: an empty list is valid.
            (Some(items), 0) if !self.document.no_more_items(shape) => {
                presence::item_type(self.lower(items, &at.step("item")))
            }
            _ => TypeRef::Primitive(Primitive::Json),
        };
        TypeRef::Vec(Box::new(item))
    }

    /// Returns the type of a list that begins with items of individual types. Items up to
    /// `minItems` are always present, the following ones are optional, and further items have the
    /// type of `items`.
    fn prefix(&mut self, shape: &Shape, at: &At) -> TypeRef {
        let always = shape.constraints.min_items.unwrap_or(0);
        let most = shape.constraints.max_items.unwrap_or(u64::MAX);
        let mut prefix = Prefix {
            required: Vec::new(),
            optional: Vec::new(),
            rest: None,
        };
        for (index, part) in (0..most).zip(shape.prefix_items.clone()) {
            let at = at.step(&format!("item {}", index + 1));
            let required = index < always;
            let ty = presence::field_type(self.lower(part, &at), required);
            match required {
                true => prefix.required.push(ty),
                false => prefix.optional.push(ty),
            }
        }
        if most > shape.prefix_items.len() as u64 && !self.document.no_more_items(shape) {
            let rest = (shape.items).map(|items| self.lower(items, &at.step("item")));
            let any = TypeRef::Primitive(Primitive::Json);
            prefix.rest = Some(rest.map_or(any, presence::item_type));
        }
        TypeRef::Prefix(Box::new(prefix))
    }

    /// Returns the type of values that `additionalProperties` and `patternProperties` allow.
    pub(in crate::lower) fn additional(&mut self, shape: &Shape, at: &At) -> TypeRef {
        match self.document.additional_schema(shape) {
            Some(only) => presence::item_type(self.lower(only, &at.step("value"))),
            None => TypeRef::Primitive(Primitive::Json),
        }
    }
}

impl Document<'_> {
    /// Returns whether a list has a fixed number of items, each with its own schema.
    pub(in crate::lower) fn is_tuple(&self, shape: &Shape) -> bool {
        let length = shape.prefix_items.len() as u64;
        let fixed = shape.constraints.min_items == Some(length)
            && (shape.constraints.max_items == Some(length) || self.no_more_items(shape));
        (1..=LONGEST_TUPLE as u64).contains(&length) && fixed
    }

    pub(in crate::lower) fn no_more_items(&self, shape: &Shape) -> bool {
        shape
            .items
            .is_some_and(|items| self.schema(items).boolean == Some(false))
    }

    /// Returns the common schema of `additionalProperties` and `patternProperties`, if there is
    /// one.
    pub(in crate::lower) fn additional_schema(&mut self, shape: &Shape) -> Option<SchemaId> {
        let mut parts: Vec<SchemaId> = shape.patterns.iter().map(|(_, id)| *id).collect();
        if let Additional::Of(id) = shape.additional {
            parts.push(id);
        }
        let first = parts.first().copied();
        let any = shape.additional == Additional::Any;
        if let Some(first) = first
            && parts.iter().all(|part| self.is_same_scalar(first, *part))
        {
            parts.truncate(1);
        }
        if parts.len() + usize::from(any) > 1
            && let Some((_, first)) = shape.patterns.first()
            && self.reported_choices.insert(*first)
        {
            let origin = self.schema(*first).origin.clone();
            let message = "values of names under several patterns are not checked";
            self.diagnostics
                .report(codes::PATTERN_VALUES, &origin, message)
                .help("use one schema for all patterns, or check the values in the handler");
        }
        match parts[..] {
            [only] if !any => Some(only),
            _ => None,
        }
    }

    /// Returns whether two schemas are the same, or are scalars with the same constraints.
    fn is_same_scalar(&mut self, left: SchemaId, right: SchemaId) -> bool {
        if left == right {
            return true;
        }
        let (left, right) = (self.shape(left), self.shape(right));
        let scalar = |shape: &Shape| {
            let scalars = [Types::BOOLEAN, Types::INTEGER, Types::NUMBER, Types::STRING];
            scalars.contains(&shape.types)
                && shape.choices.is_empty()
                && shape.enumeration.is_none()
        };
        scalar(&left)
            && scalar(&right)
            && left.types == right.types
            && left.nullable == right.nullable
            && left.format == right.format
            && left.other_formats == right.other_formats
            && left.content_encoding == right.content_encoding
            && left.content_media_type == right.content_media_type
            && left.constraints == right.constraints
    }
}
