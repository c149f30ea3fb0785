//! A flat view of a schema: its own keywords, and those of all parts of its `allOf`.

use std::collections::BTreeSet;

use indexmap::{IndexMap, IndexSet};

use crate::diagnostic::codes;
use crate::model::{Constraints, Discriminator, Schema, SchemaId, Types};
use crate::position::Origin;
use crate::source::Value;

use crate::lower::Document;

/// The maximum number of merged schemas and properties for a document. The largest known documents
/// need some 55,000.
const MOST_MERGED: usize = 1_000_000;

/// The treatment of undeclared properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::lower) enum Additional {
    #[default]
    Unstated,
    Any,
    Of(SchemaId),
    Refused,
}

/// A `oneOf` or an `anyOf`.
#[derive(Debug, Clone, Default)]
pub(in crate::lower) struct Choice {
    /// The alternatives.
    pub(in crate::lower) alternatives: Vec<SchemaId>,
    /// An `anyOf`: several alternatives may match at once.
    pub(in crate::lower) any: bool,
}

/// A schema with its `allOf` merged in.
#[derive(Debug, Clone, Default)]
pub(in crate::lower) struct Shape {
    pub(in crate::lower) origin: Origin,
    pub(in crate::lower) types: Types,
    pub(in crate::lower) nullable: bool,
    pub(in crate::lower) format: Option<String>,
    /// Formats of other parts, in addition to the one that determines the type.
    pub(in crate::lower) other_formats: Vec<String>,
    pub(in crate::lower) enumeration: Option<Vec<Value>>,
    pub(in crate::lower) is_const: bool,
    pub(in crate::lower) properties: IndexMap<String, SchemaId>,
    pub(in crate::lower) required: IndexSet<String>,
    /// The schemas that list required names, in the order in which they were merged.
    pub(in crate::lower) requiring: Vec<SchemaId>,
    /// The schemas with `additionalProperties: false`.
    pub(in crate::lower) closing: Vec<SchemaId>,
    pub(in crate::lower) additional: Additional,
    /// `patternProperties`: each pattern, and the schema of the matching values.
    pub(in crate::lower) patterns: Vec<(String, SchemaId)>,
    /// Schemas that apply under a condition.
    pub(in crate::lower) conditional: Vec<SchemaId>,
    pub(in crate::lower) items: Option<SchemaId>,
    pub(in crate::lower) prefix_items: Vec<SchemaId>,
    /// All `oneOf`s and `anyOf`s.
    pub(in crate::lower) choices: Vec<Choice>,
    pub(in crate::lower) discriminator: Option<Discriminator>,
    pub(in crate::lower) constraints: Constraints,
    pub(in crate::lower) content_encoding: Option<String>,
    pub(in crate::lower) content_media_type: Option<String>,
    pub(in crate::lower) content_schema: Option<SchemaId>,
    /// `x-` keys of the schema itself and of its parts. For a repeated name, the first is used.
    pub(in crate::lower) extensions: Vec<(String, Value)>,
    /// Whether a part accepts everything (`true`, `{}`) or nothing.
    pub(in crate::lower) boolean: Option<bool>,
    /// Whether two parts require different types.
    pub(in crate::lower) conflict: bool,
    /// The schemas of the document whose keywords are included.
    pub(in crate::lower) composed: BTreeSet<SchemaId>,
}

impl Shape {
    /// Returns whether any keyword implies that a value is an object.
    pub(in crate::lower) fn has_object_keywords(&self) -> bool {
        !self.properties.is_empty()
            || self.additional != Additional::Unstated
            || !self.patterns.is_empty()
            || !self.required.is_empty()
    }

    /// Returns whether an object may have undeclared properties.
    pub(in crate::lower) fn may_have_more(&self) -> bool {
        self.additional != Additional::Refused || !self.patterns.is_empty()
    }

    /// Returns whether an object requires an undeclared property.
    pub(in crate::lower) fn requires_more(&self) -> bool {
        let declared = |name: &String| self.properties.contains_key(name);
        self.may_have_more() && !self.required.iter().all(declared)
    }

    /// Returns a schema with the same constraints, for one set of types and without the choices.
    pub(in crate::lower) fn to_schema(&self, types: Types) -> Schema {
        let object = types.is_unstated() || types.contains(Types::OBJECT);
        let mut schema = Schema {
            origin: self.origin.clone(),
            types,
            items: self.items,
            prefix_items: self.prefix_items.clone(),
            discriminator: self.discriminator.clone(),
            constraints: self.constraints.clone(),
            enumeration: self.enumeration.clone(),
            ..Schema::default()
        };
        if object {
            schema.properties = self
                .properties
                .iter()
                .map(|(n, id)| (n.clone(), *id))
                .collect();
            schema.required = self.required.iter().cloned().collect();
            schema.pattern_properties.clone_from(&self.patterns);
            schema.additional_properties = match self.additional {
                Additional::Of(id) => Some(id),
                _ => None,
            };
            schema.unevaluated_properties = match self.additional {
                Additional::Refused => Some(false),
                _ => None,
            };
        } else {
            schema.format = self.format.clone();
            schema.content_encoding = self.content_encoding.clone();
        }
        schema
    }
}

/// The state of a walk through the parts of an `allOf`.
#[derive(Default)]
struct Walk {
    merged: BTreeSet<SchemaId>,
    /// The schema itself, and its inline parts.
    own: BTreeSet<SchemaId>,
    /// Schemas whose keywords are included in another merged schema.
    covered: BTreeSet<SchemaId>,
    /// For each choice of the shape, the schema that contains it.
    holders: Vec<SchemaId>,
    /// The schema that contains the discriminator.
    discriminates: Option<SchemaId>,
}

/// A pending step of a walk.
enum Step {
    /// Merge a schema: its parts first.
    Enter(SchemaId),
    /// Merge the keywords of a schema, after its parts.
    Own(SchemaId),
}

impl Document<'_> {
    /// Returns the merged view of a schema.
    pub(in crate::lower) fn shape(&mut self, id: SchemaId) -> Shape {
        let mut shape = Shape {
            origin: self.schema(id).origin.clone(),
            ..Shape::default()
        };
        let mut walk = Walk::default();
        walk.own
            .extend(Some(id).filter(|id| self.is_of_document(*id)));
        self.merge(id, &mut shape, &mut walk);
        self.resolve_choices(id, &mut shape, &mut walk);
        shape.composed = walk.merged;
        shape.composed.extend(walk.covered);
        shape.composed.retain(|id| self.is_of_document(*id));
        if shape.conflict {
            // No value is valid, so any value is accepted: client and server then agree at least.
            let origin = shape.origin;
            return Shape {
                origin,
                boolean: Some(true),
                ..Shape::default()
            };
        }
        self.add_conditional(&mut shape);
        shape
    }

    /// Removes the choices of its bases for which a schema itself is an alternative.
    ///
    /// A base lists the schemas that extend it (`Pet: {oneOf: [Cat, Dog]}`), and these schemas
    /// compose it (`Cat: {allOf: [Pet, …]}`). The other keywords of the base apply to a cat. The
    /// `oneOf` of the base requires a cat or a dog, which a cat satisfies. If there are choices in
    /// between (`Pet` is a `Mammal` or a `Bird`, `Mammal` is a `Cat` or a `Dog`), their other
    /// keywords apply too.
    fn resolve_choices(&mut self, id: SchemaId, shape: &mut Shape, walk: &mut Walk) {
        let mut at = 0;
        while at < shape.choices.len() {
            let holder = walk.holders[at];
            let mut taken = None;
            if walk.own.contains(&holder) {
                // A choice of the schema itself adds no constraint.
                let is_self = |alternative: &SchemaId| {
                    self.cycle(*alternative).is_some() && *alternative == id
                };
                shape.choices[at]
                    .alternatives
                    .retain(|alternative| !is_self(alternative));
            } else {
                taken = self.own_alternative(&shape.choices[at].alternatives, walk);
            }
            if taken.is_none() && !shape.choices[at].alternatives.is_empty() {
                at += 1;
                continue;
            }
            shape.choices.remove(at);
            walk.holders.remove(at);
            if walk.discriminates == Some(holder) {
                shape.discriminator = None;
                walk.discriminates = None;
            }
            if let Some(taken) = taken {
                self.merge(taken, shape, walk);
            }
        }
    }

    /// Returns the alternative of a choice that leads back to a schema from which the choice was
    /// reached.
    fn own_alternative(&self, choice: &[SchemaId], walk: &Walk) -> Option<SchemaId> {
        let known = |id: SchemaId| walk.merged.contains(&id) || walk.covered.contains(&id);
        let circular = |id: &SchemaId| self.cycle(*id).is_some();
        let first = choice.iter().copied().find(|id| circular(id) && known(*id));
        first.or_else(|| {
            let mut all = choice.iter().copied().filter(circular);
            all.find(|id| self.leads_back(*id, &known))
        })
    }

    fn is_of_document(&self, id: SchemaId) -> bool {
        (id.0 as usize) < self.cycles.len()
    }

    /// Counts merged schemas, and reports an excess: in a chain of `allOf`s each schema contains
    /// all parts of the next, so a document can expand to the square of its size.
    fn may_merge(&mut self, id: SchemaId) -> bool {
        let amount = 1 + self.schema(id).properties.len();
        self.charge(id, amount)
    }

    /// Takes an amount from the limit of merged schemas for a document. Returns `false` and reports
    /// once if the limit is exceeded.
    pub(in crate::lower) fn charge(&mut self, id: SchemaId, amount: usize) -> bool {
        let within = self.merged <= MOST_MERGED;
        self.merged = self.merged.saturating_add(amount);
        if self.merged <= MOST_MERGED {
            return true;
        }
        if within {
            let origin = self.schema(id).origin.clone();
            self.diagnostics
                .report(
                    codes::UNFOLDS_TOO_FAR,
                    &origin,
                    "the `allOf`s of the document have too many parts, or parts of parts",
                )
                .help("let fewer schemas be parts of one another");
        }
        false
    }

    /// Merges a schema and its parts. The steps are stored in a list, because chains of `allOf`s
    /// have any length.
    fn merge(&mut self, id: SchemaId, shape: &mut Shape, walk: &mut Walk) {
        let mut open = vec![Step::Enter(id)];
        while let Some(step) = open.pop() {
            match step {
                Step::Enter(id) => {
                    // A schema that occurs in several parts is merged once; otherwise parts of
                    // parts would grow without bound.
                    if !walk.merged.insert(id) || !self.may_merge(id) {
                        continue;
                    }
                    if let Some(covered) = self.covers.get(&id) {
                        walk.covered.extend(covered);
                    }
                    open.push(Step::Own(id));
                    let schema = self.schema(id);
                    let parts = schema.all_of.iter().rev().chain(&schema.reference);
                    open.extend(parts.clone().map(|part| Step::Enter(*part)));
                    if walk.own.contains(&id) {
                        let in_place = parts.copied().filter(|part| !self.is_named(*part));
                        walk.own
                            .extend(in_place.filter(|part| self.is_of_document(*part)));
                    }
                }
                Step::Own(id) => {
                    let schema = self.schema(id).clone();
                    if schema.discriminator.is_some() {
                        walk.discriminates = Some(id);
                    }
                    if !schema.required.is_empty() && self.is_of_document(id) {
                        shape.requiring.push(id);
                    }
                    let additional = schema.additional_properties;
                    if additional.is_some_and(|id| self.schema(id).boolean == Some(false)) {
                        shape.closing.push(id);
                    }
                    self.merge_own(schema, shape);
                    walk.holders.resize(shape.choices.len(), id);
                }
            }
        }
    }
}
