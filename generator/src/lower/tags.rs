//! What tells the variants of a union apart: a property, and its values in each.

use std::collections::HashSet;

use crate::diagnostic::codes;
use crate::ir::TypeKind;
use crate::model::{Discriminator, SchemaId};
use crate::source::Value;

use super::Lowering;
use super::shape::Shape;
use super::union::Candidate;

impl Lowering<'_> {
    pub(super) fn own_tags(
        &self,
        id: SchemaId,
        discriminator: Option<&Discriminator>,
    ) -> Vec<String> {
        let mapped: Vec<String> = discriminator
            .iter()
            .flat_map(|d| &d.mapping)
            .filter(|(_, target)| *target == Some(id))
            .map(|(tag, _)| tag.clone())
            .collect();
        if mapped.is_empty() {
            self.component_name(id).into_iter().collect()
        } else {
            mapped
        }
    }

    fn component_name(&self, id: SchemaId) -> Option<String> {
        self.schema(id).name.clone()
    }

    /// What tells the variants apart: a property, and its values for each variant.
    pub(super) fn tags(
        &mut self,
        candidates: &[Candidate],
        discriminator: Option<&Discriminator>,
        shape: &Shape,
    ) -> Option<(String, Vec<Vec<String>>)> {
        if let Some(discriminator) = discriminator {
            let tags: Vec<_> = candidates
                .iter()
                .map(|c| self.explicit_tags(c, discriminator))
                .collect();
            if are_distinct(&tags) && candidates.iter().all(|c| self.may_be_tagged(c.schema)) {
                return Some((discriminator.property.clone(), tags));
            }
            self.diagnostics
                .report(
                    codes::DISCRIMINATOR_UNUSABLE,
                    &shape.origin,
                    format!(
                        "`{}` does not tell the variants apart; they are told apart by their content",
                        discriminator.property
                    ),
                )
                .help("give each variant a value of its own in `mapping`");
        }
        self.implicit_tags(candidates)
    }

    /// Lets the variant that `defaultMapping` names take what no other does.
    pub(super) fn settle_default(
        &mut self,
        kind: &mut TypeKind,
        candidates: &[Candidate],
        shape: &Shape,
    ) {
        let (TypeKind::Union(union), Some(by)) = (kind, &shape.discriminator) else {
            return;
        };
        let by_tag = union.tag.as_ref() == Some(&by.property);
        let Some(default) = by.default.filter(|_| by_tag) else {
            return;
        };
        let named = candidates.iter().find(|of| of.meant == default);
        let tags = named
            .map(|of| self.explicit_tags(of, by))
            .unwrap_or_default();
        let mut variants = union.variants.iter_mut();
        match variants.find(|of| of.tags.iter().any(|tag| tags.contains(tag))) {
            Some(variant) => variant.takes_others = true,
            None => {
                let message = "`defaultMapping` names none of the variants; it is ignored";
                self.diagnostics
                    .report(codes::IGNORED, &shape.origin, message)
                    .help("add the schema to the `oneOf` or `anyOf`");
            }
        }
    }

    fn explicit_tags(&mut self, candidate: &Candidate, by: &Discriminator) -> Vec<String> {
        let written = candidate.meant;
        let mapped = by
            .mapping
            .iter()
            .filter(|(_, target)| *target == Some(written));
        let mapped: Vec<String> = mapped.map(|(tag, _)| tag.clone()).collect();
        if !mapped.is_empty() {
            return mapped;
        }
        let stated = self
            .schema(written)
            .extensions
            .iter()
            .find_map(|(key, value)| match value {
                Value::String(tag) if key == "x-ms-discriminator-value" => Some(tag.clone()),
                _ => None,
            });
        if let Some(tag) = stated {
            return vec![tag];
        }
        let values = self
            .tag_values(candidate.schema, &by.property)
            .unwrap_or_default();
        if values.len() == 1 || (self.component_name(written).is_none() && !values.is_empty()) {
            return values;
        }
        self.component_name(written)
            .map_or(values, |name| vec![name])
    }

    /// A property that every variant requires, with other values in each.
    fn implicit_tags(&mut self, candidates: &[Candidate]) -> Option<(String, Vec<Vec<String>>)> {
        if candidates.len() < 2 {
            return None;
        }
        let first = self.shape(candidates.first()?.schema);
        for property in first.properties.keys() {
            let tags: Option<Vec<Vec<String>>> = candidates
                .iter()
                .map(|c| {
                    let shape = self.shape(c.schema);
                    if !shape.choices.is_empty() || !shape.required.contains(property) {
                        return None;
                    }
                    self.tag_values(c.schema, property)
                })
                .collect();
            if let Some(tags) = tags.filter(|tags| are_distinct(tags)) {
                return Some((property.clone(), tags));
            }
        }
        None
    }

    /// The values a property may have in a schema, when they are listed strings. Each alternative
    /// is looked at once.
    fn tag_values(&mut self, id: SchemaId, property: &str) -> Option<Vec<String>> {
        let mut found = Vec::new();
        let mut seen = HashSet::from([id]);
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let shape = self.shape(id);
            if let Some(property) = shape.properties.get(property) {
                for value in self.shape(*property).enumeration? {
                    match value {
                        Value::String(text) => found.push(text),
                        _ => return None,
                    }
                }
                continue;
            }
            let choices: Vec<SchemaId> = shape
                .choices
                .into_iter()
                .flat_map(|choice| choice.of)
                .collect();
            if choices.is_empty() {
                return None;
            }
            open.extend(choices.into_iter().rev().filter(|id| seen.insert(*id)));
        }
        Some(found)
    }

    fn may_be_tagged(&mut self, id: SchemaId) -> bool {
        let shape = self.shape(id);
        Self::is_object(&shape)
            || shape.has_object_keywords()
            || (!shape.choices.is_empty()
                && (shape.choices.iter().flat_map(|choice| &choice.of))
                    .all(|id| Self::is_object(&self.shape(*id))))
    }
}

fn are_distinct(tags: &[Vec<String>]) -> bool {
    let mut all: Vec<&String> = tags.iter().flatten().collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    all.len() == count && tags.iter().all(|tags| !tags.is_empty())
}
