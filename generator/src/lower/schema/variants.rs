//! Names of the variants of unions.

use std::collections::{BTreeSet, HashMap};

use crate::ir::Name;
use crate::model::Types;

use crate::lower::schema::candidate::Candidate;
use crate::lower::schema::enums;
use crate::lower::schema::shape::Shape;
use crate::lower::schema::union::TYPES;
use crate::lower::{Document, schema};

impl Document<'_> {
    /// Returns the words for the variants. Without tags, those with equal words have the first name of
    /// the alphabet that they require and no other alternative requires.
    pub(in crate::lower) fn variant_names(
        &mut self,
        candidates: &[Candidate],
        tags: Option<&Vec<Vec<String>>>,
    ) -> Vec<Name> {
        let mut names = Vec::with_capacity(candidates.len());
        for (index, candidate) in candidates.iter().enumerate() {
            let tags = tags.and_then(|tags| tags.get(index));
            names.push(self.variant_name(candidate, tags.map_or(&[], Vec::as_slice)));
        }
        let mut counts: HashMap<String, usize> = HashMap::new();
        for name in &names {
            *counts.entry(name.wire.clone()).or_default() += 1;
        }
        if tags.is_some() || counts.len() == names.len() {
            return names;
        }
        let mut required: Vec<BTreeSet<String>> = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let shape = self.shape(candidate.schema);
            required.push(shape.required.into_iter().collect());
        }
        let mut holders: HashMap<&str, usize> = HashMap::new();
        for name in required.iter().flatten() {
            *holders.entry(name).or_default() += 1;
        }
        for (name, required) in names.iter_mut().zip(&required) {
            let own = required.iter().find(|property| {
                holders.get(property.as_str()) == Some(&1)
                    && !counts.contains_key(property.as_str())
            });
            if let Some(own) = own.filter(|_| counts.get(&name.wire) != Some(&1)) {
                name.wire.clone_from(own);
            }
        }
        names
    }

    /// Returns the words for a variant: the component, the title, the tag, or else its type.
    fn variant_name(&mut self, candidate: &Candidate, tags: &[String]) -> Name {
        let schema = self.schema(candidate.meant);
        let wanted = schema::wanted_name(schema).filter(|_| schema.name.is_none());
        let title = schema
            .title
            .as_deref()
            .filter(|title| enums::is_short(title));
        let named = schema.name.clone().or_else(|| title.map(str::to_owned));
        let words = named.or_else(|| tags.first().cloned()).unwrap_or_else(|| {
            let shape = self.shape(candidate.schema);
            self.type_words(&shape)
        });
        Name {
            wanted,
            ..Name::new(words)
        }
    }

    fn type_words(&mut self, shape: &Shape) -> String {
        if let Some([only]) = shape.enumeration.as_deref() {
            return enums::value_words(only);
        }
        if shape.types == Types::ARRAY
            && let Some(items) = shape.items
        {
            let schema = self.schema(items);
            let item = match (&schema.name, &schema.title) {
                (Some(name), _) => name.clone(),
                (None, Some(title)) if enums::is_short(title) => title.clone(),
                _ => {
                    let shape = self.shape(items);
                    TYPES
                        .iter()
                        .find(|(ty, _)| *ty == shape.types)
                        .map_or_else(String::new, |(_, word)| (*word).to_owned())
                }
            };
            return format!("{item} list");
        }
        if shape.enumeration.is_some() && shape.types == Types::STRING {
            return "value".to_owned();
        }
        let stated = TYPES.iter().find(|(ty, _)| *ty == shape.types);
        match (stated, &shape.format) {
            (Some((Types::STRING, _)), Some(format)) => format.clone(),
            (Some((_, word)), _) => (*word).to_owned(),
            (None, _) if !shape.properties.is_empty() => "object".to_owned(),
            (None, _) => "any".to_owned(),
        }
    }
}
