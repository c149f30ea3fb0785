//! `oneOf`, `anyOf`, several types, and schemas with extensions: enums of types.

use std::collections::HashSet;

use crate::ir::{Doc, Name, TypeId, TypeKind, TypeRef, Union, UnionVariant};
use crate::model::{Constraints, Schema, SchemaId, Types};
use crate::source::Value;

use crate::lower::schema::candidate::Candidate;
use crate::lower::schema::groups::{asks_for_names_only, only_constrains};
use crate::lower::schema::presence;
use crate::lower::schema::shape::{Choice, Shape};
use crate::lower::{Document, Lowering, Openness, TypeTable, schema};

/// All JSON types, in the order of the variants.
pub(in crate::lower) const TYPES: [(Types, &str); 6] = [
    (Types::OBJECT, "object"),
    (Types::ARRAY, "array"),
    (Types::STRING, "string"),
    (Types::INTEGER, "integer"),
    (Types::NUMBER, "number"),
    (Types::BOOLEAN, "boolean"),
];

impl Document<'_> {
    /// Removes choices without an effect on the Rust type: their constraints become rules. Records
    /// nulls among the others.
    pub(in crate::lower) fn drop_idle_choices(&mut self, shape: &mut Shape) {
        let types = shape.types;
        let around = match types.is_unstated() && shape.has_object_keywords() {
            true => Types::OBJECT,
            false => types,
        };
        for choice in std::mem::take(&mut shape.choices) {
            let (nulls, alternatives): (Vec<_>, Vec<_>) =
                (choice.alternatives.into_iter()).partition(|id| is_null(self.schema(*id)));
            shape.nullable |= !nulls.is_empty() && (types.is_unstated() || shape.nullable);
            let choice = Choice {
                alternatives,
                ..choice
            };
            let mut all = choice.alternatives.iter().map(|id| self.schema(*id));
            if !all.all(|schema| only_constrains(schema, around)) {
                shape.choices.push(choice);
            } else if !choice.alternatives.is_empty() {
                self.require_groups(&choice, shape);
            } else if around.is_unstated() {
                shape.types = Types::NULL;
            }
        }
    }

    /// Returns the only schema that a choice leaves, combined with the surrounding keywords.
    pub(in crate::lower) fn single_choice(
        &mut self,
        choice: &[SchemaId],
        shape: &Shape,
    ) -> Option<(SchemaId, bool)> {
        let [only] = choice else { return None };
        match self.around(shape) {
            None => Some((*only, false)),
            Some(base) => Some((self.alternative(base, *only, shape), false)),
        }
    }

    /// Returns the named schema that an alternative stands for, if any: variants and tags are named
    /// after it.
    pub(in crate::lower) fn stood_for(&self, written: SchemaId) -> SchemaId {
        let mut at = written;
        let mut seen = HashSet::from([written]);
        while self.schema(at).name.is_none() {
            match self.stands_for(at).filter(|target| seen.insert(*target)) {
                Some(target) => at = target,
                None => return written,
            }
        }
        at
    }

    /// Returns an alternative combined with the keywords around the choice, unless the alternative
    /// already composes them.
    pub(in crate::lower) fn alternative(
        &mut self,
        base: SchemaId,
        written: SchemaId,
        shape: &Shape,
    ) -> SchemaId {
        if self.cycle(written).is_some() && self.composes(written, &shape.composed) {
            return written;
        }
        if self.requires_all_of(written, base) {
            return written;
        }
        self.intersection(vec![base, written], &shape.origin)
    }

    /// Returns whether a base only lists required properties, and the alternative requires all of
    /// them itself. The combination is then the alternative itself, and not a second, equal type.
    fn requires_all_of(&mut self, alternative: SchemaId, base: SchemaId) -> bool {
        let stated = self.schema(base);
        let is_list = asks_for_names_only(stated)
            && only_constrains(stated, stated.types)
            && stated.discriminator.is_none();
        if !is_list {
            return false;
        }
        let (types, required) = (stated.types, stated.required.clone());
        let shape = self.shape(alternative);
        (types.is_unstated() || types == shape.types)
            && required.iter().all(|name| shape.required.contains(name))
    }

    /// Returns the keywords around the first choice of a shape as a schema.
    pub(in crate::lower) fn around(&mut self, shape: &Shape) -> Option<SchemaId> {
        let bare = shape.choices.len() <= 1
            && !shape.has_object_keywords()
            && shape.items.is_none()
            && shape.prefix_items.is_empty()
            && shape.enumeration.is_none()
            && shape.format.is_none()
            && shape.constraints == Constraints::default();
        if bare {
            // The variants repeat a declared type around a choice.
            return None;
        }
        let mut base = shape.to_schema(shape.types);
        for choice in shape.choices.iter().skip(1) {
            let mut part = Schema {
                origin: shape.origin.clone(),
                ..Schema::default()
            };
            *(if choice.any {
                &mut part.any_of
            } else {
                &mut part.one_of
            }) = choice.alternatives.clone();
            let part = self.add_schema(part);
            base.all_of.push(part);
        }
        let base = self.add_schema(base);
        if shape.composed.iter().any(|id| self.cycle(*id).is_some()) {
            self.covers.insert(base, shape.composed.clone());
        }
        Some(base)
    }
}

impl Lowering<'_> {
    /// Returns the type of a schema with `oneOf` or `anyOf`.
    pub(in crate::lower) fn choice(&mut self, shape: Shape, ty: TypeId) -> TypeKind {
        let Choice {
            alternatives: written,
            any,
        } = shape.choices.first().cloned().unwrap_or_default();
        let base = self.document.around(&shape);
        let mut candidates: Vec<Candidate> = written
            .into_iter()
            .map(|written| Candidate {
                schema: match base {
                    None => written,
                    Some(base) => self.document.alternative(base, written, &shape),
                },
                written,
                meant: self.document.stood_for(written),
            })
            .collect();
        if let Some(kind) = self.choice_of_values(&candidates, &shape, ty) {
            return kind;
        }
        let tags = self
            .document
            .tags(&candidates, shape.discriminator.as_ref(), &shape);
        let several = tags.is_none() && self.match_several(&mut candidates, any, &shape, ty);
        self.types.note_openness(&shape.extensions, ty);
        if let Some(tags) = &tags {
            self.document.keep_tags(&mut candidates, tags, &shape);
        }
        let mut kind = self.union(&candidates, tags, ty);
        if let TypeKind::Union(union) = &mut kind {
            union.several = several;
            if several {
                let note = "At least one alternative is set, and several may be at once.";
                self.types.defs[ty.0 as usize]
                    .doc
                    .notes
                    .push(note.to_owned());
            }
        }
        self.document.check_default(&mut kind, &candidates, &shape);
        kind
    }

    fn union(
        &mut self,
        candidates: &[Candidate],
        tags: Option<(String, Vec<Vec<String>>)>,
        ty: TypeId,
    ) -> TypeKind {
        let mut variants: Vec<UnionVariant> = Vec::with_capacity(candidates.len());
        let names = self
            .document
            .variant_names(candidates, tags.as_ref().map(|(_, tags)| tags));
        for (index, (candidate, name)) in candidates.iter().zip(names).enumerate() {
            let listed = tags
                .as_ref()
                .map(|(_, tags)| tags[index].clone())
                .unwrap_or_default();
            let lowered = self.lower(candidate.schema, &self.types.at_type(ty, &name.wire));
            let doc = match &lowered.ty {
                TypeRef::Named(_) => Doc::default(),
                _ => schema::doc_of(self.document.schema(candidate.written), false),
            };
            let value = presence::item_type(crate::lower::Lowered {
                nullable: false,
                ..lowered
            });
            if value == TypeRef::Named(ty) {
                continue; // A choice of itself adds nothing.
            }
            match variants.iter_mut().find(|known| known.ty == value) {
                Some(known) => known.tags.extend(listed),
                None => variants.push(UnionVariant {
                    name,
                    ty: value,
                    tags: listed,
                    takes_others: false,
                    doc,
                    rules: self.document.rules(candidate.schema),
                }),
            }
        }
        match &variants[..] {
            [] => TypeKind::Alias(TypeRef::Primitive(crate::ir::Primitive::Json)),
            [only] if tags.is_none() => TypeKind::Alias(only.ty.clone()),
            _ => TypeKind::Union(Union {
                tag: tags.map(|(property, _)| property),
                by_event: false,
                variants,
                several: false,
                fallback: None,
            }),
        }
    }

    /// Returns the type of a schema that lists several types.
    pub(in crate::lower) fn types_union(&mut self, shape: &Shape, ty: TypeId) -> TypeKind {
        let mut candidates = Vec::new();
        for (kind, _) in TYPES {
            // An integer is a number: one variant is sufficient.
            let covered = kind == Types::INTEGER && shape.types.contains(Types::NUMBER);
            if shape.types.contains(kind) && !covered {
                let schema = self.document.add_schema(shape.to_schema(kind));
                candidates.push(Candidate {
                    schema,
                    written: schema,
                    meant: schema,
                });
            }
        }
        self.union(&candidates, None, ty)
    }

    /// Returns the type of a schema with a discriminator that others extend by `allOf`.
    pub(in crate::lower) fn family(
        &mut self,
        id: SchemaId,
        shape: Shape,
        children: Vec<SchemaId>,
        ty: TypeId,
    ) -> TypeKind {
        let mut candidates: Vec<Candidate> = children
            .iter()
            .map(|id| Candidate {
                schema: *id,
                written: *id,
                meant: *id,
            })
            .collect();
        let tags = self
            .document
            .tags(&candidates, shape.discriminator.as_ref(), &shape);
        let Some((property, tags)) = tags else {
            return TypeKind::Object(self.object(&shape, ty));
        };
        self.types.note_openness(&shape.extensions, ty);
        // Values of the base itself are valid too.
        let own = self.document.own_tags(id, shape.discriminator.as_ref());
        let own: Vec<String> = own
            .into_iter()
            .filter(|tag| !tags.iter().flatten().any(|t| t == tag))
            .collect();
        let base = self.types.at_type(ty, "base");
        let doc = Doc {
            text: Some("What every variant has in common.".to_owned()),
            ..Doc::default()
        };
        let base = self.types.reserve(&base, &shape.origin, doc);
        let others = shape.discriminator.as_ref().and_then(|by| by.default) == Some(id);
        let mut kept = shape.clone();
        self.document.keep_own_tag(&mut kept, &own, others);
        let object = self.object(&kept, base);
        self.types.defs[base.0 as usize].kind = TypeKind::Object(object);
        let tags = (property, tags);
        self.document.keep_tags(&mut candidates, &tags, &shape);
        let mut kind = self.union(&candidates, Some(tags), ty);
        if !others {
            self.document.check_default(&mut kind, &candidates, &shape);
        }
        if let TypeKind::Union(union) = &mut kind
            && !own.is_empty()
        {
            union.variants.push(UnionVariant {
                name: Name::new("base"),
                ty: TypeRef::Named(base),
                tags: own,
                takes_others: others,
                doc: Doc::default(),
                rules: Vec::new(),
            });
        }
        kind
    }
}

impl TypeTable {
    /// Records whether the document permits unlisted tags (`x-bothends-extensible`).
    pub(in crate::lower) fn note_openness(&mut self, extensions: &[(String, Value)], ty: TypeId) {
        let stated = extensions.iter().find_map(|(key, value)| match value {
            Value::Bool(open) if key == "x-bothends-extensible" => Some(*open),
            _ => None,
        });
        match stated {
            Some(true) => self.openness.insert(ty, Openness::Open),
            Some(false) => self.openness.insert(ty, Openness::Closed),
            None => None,
        };
    }
}

fn is_null(schema: &Schema) -> bool {
    let null = |value: &Value| *value == Value::Null;
    schema.types == Types::NULL
        || schema.constant.as_ref().is_some_and(null)
        || schema
            .enumeration
            .as_deref()
            .is_some_and(|v| !v.is_empty() && v.iter().all(null))
}
