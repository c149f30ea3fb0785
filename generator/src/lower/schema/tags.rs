//! Tags of unions: a property, and its values for each variant.

use std::collections::HashSet;

use crate::diagnostic::codes;
use crate::ir::TypeKind;
use crate::model::{Discriminator, SchemaId, Types};
use crate::source::Value;

use crate::lower::Document;
use crate::lower::schema::candidate::Candidate;
use crate::lower::schema::shape::Shape;

impl Document<'_> {
    pub(in crate::lower) fn own_tags(
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

    /// Returns the property that distinguishes the variants, and its values for each variant.
    pub(in crate::lower) fn tags(
        &mut self,
        candidates: &[Candidate],
        discriminator: Option<&Discriminator>,
        shape: &Shape,
    ) -> Option<(String, Vec<Vec<String>>)> {
        if let Some(discriminator) = discriminator {
            let claims = self.claims(candidates, discriminator);
            let tags: Vec<_> = claims.iter().map(|claim| claim.tags.clone()).collect();
            let distinct =
                are_distinct(&tags) && candidates.iter().all(|c| self.may_be_tagged(c.schema));
            let texts = claims.iter().all(|claim| claim.is_text);
            if !distinct || !texts {
                self.report_unusable(texts, discriminator, shape);
            } else if !self.report_shared(&claims, discriminator, shape) {
                return Some((discriminator.property.clone(), tags));
            }
        }
        self.implicit_tags(candidates)
    }

    fn report_unusable(&mut self, texts: bool, by: &Discriminator, shape: &Shape) {
        let (why, help) = match texts {
            true => (
                "does not distinguish the variants",
                "give each variant a value of its own in `mapping`",
            ),
            false => (
                "is not a string in every variant",
                "give the property string values: a discriminator compares strings only",
            ),
        };
        let message = format!(
            "`{}` {why}; the variants are distinguished by their content",
            by.property
        );
        self.diagnostics
            .report(codes::DISCRIMINATOR_UNUSABLE, &shape.origin, message)
            .help(help);
    }

    /// Reports values that several variants list, and that therefore select no variant. Returns
    /// `true` if the content must decide, which is the case if the document does not assign values
    /// to every variant.
    fn report_shared(&mut self, claims: &[Claim], by: &Discriminator, shape: &Shape) -> bool {
        // A list that all variants share comes from their base, and does not distinguish them.
        if claims.windows(2).all(|two| two[0].listed == two[1].listed) {
            return false;
        }
        let mut shared: Vec<&str> = Vec::new();
        for value in claims.iter().flat_map(|claim| &claim.listed) {
            let lists = |claim: &&Claim| claim.listed.contains(value);
            let leads = claims.iter().any(|claim| claim.tags.contains(value));
            if !leads
                && claims.iter().filter(lists).count() > 1
                && !shared.contains(&value.as_str())
            {
                shared.push(value);
            }
        }
        if shared.is_empty() {
            return false;
        }
        let by_content = claims.iter().any(|claim| claim.stated.is_empty());
        let outcome = match by_content {
            true => "the variants are distinguished by their content",
            false => "the value selects no variant",
        };
        let message = format!(
            "several variants list `{}` for `{}`; {outcome}",
            shared.join("`, `"),
            by.property
        );
        self.diagnostics
            .report(codes::SHARED_TAG, &shape.origin, message)
            .help("assign each value to one variant in `mapping`");
        by_content
    }

    /// Assigns all other values to the variant that `defaultMapping` names.
    pub(in crate::lower) fn check_default(
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
        let named = candidates
            .iter()
            .position(|candidate| candidate.meant == default);
        let tags = named
            .and_then(|index| self.claims(candidates, by).into_iter().nth(index))
            .map(|claim| claim.tags)
            .unwrap_or_default();
        let mut variants = union.variants.iter_mut();
        match variants.find(|variant| variant.tags.iter().any(|tag| tags.contains(tag))) {
            Some(variant) => variant.takes_others = true,
            None => {
                let message = "`defaultMapping` does not name a variant; it is ignored";
                self.diagnostics
                    .report(codes::IGNORED, &shape.origin, message)
                    .help("add the schema to the `oneOf` or `anyOf`");
            }
        }
    }

    /// Returns the discriminator values of each variant.
    ///
    /// Explicit values have precedence: `mapping`, or `x-ms-discriminator-value`. In addition, a
    /// variant has the values that it alone lists for the property (`enum`, `const`), since no
    /// other value is valid for it. A variant without such values has the name of its schema
    /// (OpenAPI 3.1.1, section 4.8.25). If variants share a list, each has its name, or the
    /// remaining value.
    fn claims(&mut self, candidates: &[Candidate], by: &Discriminator) -> Vec<Claim> {
        let mut claims: Vec<Claim> = candidates
            .iter()
            .map(|candidate| {
                let (listed, is_text) = match self.listed(candidate, &by.property) {
                    Listed::Values(values) => (values, true),
                    Listed::Anything => (Vec::new(), true),
                    Listed::NotText => (Vec::new(), false),
                };
                Claim {
                    stated: self.stated_tags(candidate.meant, by),
                    listed,
                    is_text,
                    tags: Vec::new(),
                }
            })
            .collect();
        for (index, candidate) in candidates.iter().enumerate() {
            let name = self.component_name(candidate.meant);
            claims[index].tags = tags_of(&claims, index, name);
        }
        claims
    }

    /// Returns the values of a schema in `mapping`, or else in `x-ms-discriminator-value`.
    pub(in crate::lower) fn stated_tags(&self, meant: SchemaId, by: &Discriminator) -> Vec<String> {
        let mapped = by
            .mapping
            .iter()
            .filter(|(_, target)| *target == Some(meant));
        let mapped: Vec<String> = mapped.map(|(tag, _)| tag.clone()).collect();
        if !mapped.is_empty() {
            return mapped;
        }
        let extensions = self.schema(meant).extensions.iter();
        let stated = extensions.filter_map(|(key, value)| match value {
            Value::String(tag) if key == "x-ms-discriminator-value" => Some(tag.clone()),
            _ => None,
        });
        stated.take(1).collect()
    }

    /// Returns the values that a variant lists for a property. For a union, those of its variants.
    fn listed(&mut self, candidate: &Candidate, property: &str) -> Listed {
        let mut found = Vec::new();
        let mut seen = HashSet::from([candidate.schema, candidate.meant]);
        // Each with the fallback for a schema that lists no values. The first has no fallback.
        let mut open = vec![(candidate.schema, candidate.meant, None)];
        while let Some((id, meant, otherwise)) = open.pop() {
            let shape = self.shape(id);
            let own = self.schema(meant).discriminator.as_ref();
            let by = own.or_else(|| self.own_discriminator(meant)).cloned();
            let by = by.filter(|by| by.property == property);
            let mut inner: Vec<SchemaId> = shape
                .choices
                .into_iter()
                .flat_map(|choice| choice.alternatives)
                .collect();
            if by.is_some() && inner.is_empty() {
                inner.extend(self.children.get(&meant).into_iter().flatten());
            }
            let own = shape.properties.get(property).copied();
            if let (Some(own), true) = (own, by.is_none() || inner.is_empty()) {
                match self.texts_of(own) {
                    Listed::Values(values) => found.extend(values),
                    Listed::Anything => match otherwise {
                        Some(values) => found.extend(values),
                        None => return Listed::Anything,
                    },
                    Listed::NotText => return Listed::NotText,
                }
                continue;
            }
            if inner.is_empty() {
                match otherwise {
                    Some(values) => found.extend(values),
                    None => return Listed::Anything,
                }
                continue;
            }
            for id in inner.into_iter().rev().filter(|id| seen.insert(*id)) {
                let meant = self.stood_for(id);
                let stated = by.as_ref().map(|by| self.stated_tags(meant, by));
                let otherwise = match stated {
                    Some(stated) if !stated.is_empty() => {
                        found.extend(stated);
                        Some(Vec::new())
                    }
                    Some(_) => self.component_name(meant).map(|name| vec![name]),
                    None => None,
                };
                open.push((id, meant, otherwise));
            }
        }
        let mut once = HashSet::new();
        found.retain(|value| once.insert(value.clone()));
        Listed::Values(found)
    }

    /// Returns the values that the schema of a property lists.
    pub(in crate::lower) fn texts_of(&mut self, property: SchemaId) -> Listed {
        let shape = self.shape(property);
        let Some(values) = shape.enumeration else {
            let types = shape.types.without(Types::NULL);
            return match types.is_unstated() || types.contains(Types::STRING) {
                true => Listed::Anything,
                false => Listed::NotText,
            };
        };
        let texts = values.into_iter().filter(|value| *value != Value::Null);
        let texts = texts.map(|value| match value {
            Value::String(text) => Some(text),
            _ => None,
        });
        match texts.collect::<Option<Vec<String>>>() {
            Some(texts) => Listed::Values(texts),
            None => Listed::NotText,
        }
    }

    /// Returns a property that every variant requires, with different values in each.
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

    /// Returns the values of a property in a schema, if they are listed strings. Each alternative
    /// is visited once.
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
                .flat_map(|choice| choice.alternatives)
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
                && (shape.choices.iter().flat_map(|choice| &choice.alternatives))
                    .all(|id| Self::is_object(&self.shape(*id))))
    }
}

/// The claim of a variant to values of a discriminator.
struct Claim {
    /// Values that the discriminator assigns.
    stated: Vec<String>,
    /// Values that the schema lists. Empty if any string is valid.
    listed: Vec<String>,
    /// Whether the property is a string.
    is_text: bool,
    /// The resulting values.
    tags: Vec<String>,
}

/// The values that a schema lists for a property.
pub(in crate::lower) enum Listed {
    /// Listed strings.
    Values(Vec<String>),
    /// Any string, or no constraint.
    Anything,
    /// Values of another type, to which a discriminator does not apply.
    NotText,
}

/// Returns the values of one variant, given the claims of all.
fn tags_of(claims: &[Claim], index: usize, name: Option<String>) -> Vec<String> {
    let claim = &claims[index];
    let others = || claims.iter().enumerate().filter(|(at, _)| *at != index);
    let stated = |value: &&String| others().any(|(_, other)| other.stated.contains(value));
    let own = || claim.listed.iter().filter(|value| !stated(value));
    let alone = own().filter(|value| others().all(|(_, other)| !other.listed.contains(value)));
    let mut tags = claim.stated.clone();
    tags.extend(alone.filter(|value| !claim.stated.contains(value)).cloned());
    if !tags.is_empty() {
        return tags;
    }
    match name {
        Some(name) if claim.listed.is_empty() || claim.listed.contains(&name) => vec![name],
        _ => {
            let unclaimed = || others().filter(|(_, other)| other.stated.is_empty());
            let left =
                own().filter(|value| unclaimed().all(|(_, other)| !other.listed.contains(value)));
            left.cloned().collect()
        }
    }
}

fn are_distinct(tags: &[Vec<String>]) -> bool {
    let mut all: Vec<&String> = tags.iter().flatten().collect();
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    all.len() == count && tags.iter().all(|tags| !tags.is_empty())
}
