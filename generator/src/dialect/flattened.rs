//! The number of properties and of combinations that all schemas have once their `allOf`s are merged.
//!
//! In a chain of `allOf`s each schema has all properties of the next ones, so a document can expand to
//! the square of its size. In an `allOf` of `oneOf`s, each combination of alternatives is a type. Both
//! are counted before any schema is merged.

use super::context::Context;
use crate::diagnostic::codes;
use crate::model::{Schema, SchemaId};

/// The maximum number of properties that schemas have by their `allOf`s.
const MOST: usize = 300_000;
/// The maximum number of schemas that are visited to count properties that schemas share.
const STEPS: usize = 10 * MOST;
/// The maximum number of combinations that one schema has by the choices in its `allOf`s.
const MOST_COMBINED: usize = 1 << 18;

impl Context<'_, '_> {
    /// Reports an excess of properties at the schema with the most of them, and an excess of
    /// combinations at the first schema that has it.
    pub(super) fn report_flattened(&mut self) {
        let combined = combinations(&self.schemas.list);
        if let Some(first) = combined.iter().position(|count| *count > MOST_COMBINED) {
            let origin = self.schemas.list[first].origin.clone();
            let message = format!(
                "the choices in the `allOf` of this schema have more than {MOST_COMBINED} combinations"
            );
            self.report(codes::UNFOLDS_TOO_FAR, &origin, message)
                .help("let fewer choices be parts of one schema");
            return;
        }
        let Some(largest) = excess(&self.schemas.list, MOST) else {
            return;
        };
        let origin = self.schemas.list[largest].origin.clone();
        let message = format!(
            "the `allOf`s of the document give its schemas more than {MOST} properties, and this schema the most"
        );
        self.report(codes::UNFOLDS_TOO_FAR, &origin, message)
            .help("let fewer schemas be parts of one another");
    }
}

/// Returns the schema with the most properties, if all schemas together have more than `most`
/// properties by their `allOf`s.
fn excess(schemas: &[Schema], most: usize) -> Option<usize> {
    let counts = upper_bounds(schemas);
    let composed = |index: &usize| !is_alone(&schemas[*index]);
    let total = (0..schemas.len()).filter(composed);
    let total = total.fold(0, |total: usize, index| total.saturating_add(counts[index]));
    if total <= most {
        return None;
    }
    // A part that is reached twice was counted twice. Its properties are merged once.
    let mut visited = vec![usize::MAX; schemas.len()];
    let (mut total, mut steps, mut largest) = (0, 0, (0, 0));
    let mut open = Vec::new();
    for root in (0..schemas.len()).filter(composed) {
        let mut own = 0;
        open.push(root);
        while let Some(index) = open.pop() {
            if counts[index] == 0 || std::mem::replace(&mut visited[index], root) == root {
                continue;
            }
            steps += 1;
            own += schemas[index].properties.len();
            open.extend(parts(&schemas[index]));
        }
        total += own;
        largest = largest.max((own, root));
        if steps > STEPS {
            return None;
        }
        if total > most {
            return Some(largest.1);
        }
    }
    None
}

/// Returns the properties of each schema and its parts, where a part counts as often as it is reached.
fn upper_bounds(schemas: &[Schema]) -> Vec<usize> {
    let own = |index: usize| schemas[index].properties.len();
    folded(schemas, 0, own, usize::saturating_add)
}

/// Returns the combinations of the alternatives in each schema and its parts.
fn combinations(schemas: &[Schema]) -> Vec<usize> {
    let own = |index: usize| {
        // Values, and alternatives that only require properties, are no types. An alternative that
        // has the schema as a part is one of its children.
        let is_type = |id: &&SchemaId| {
            schemas.get(id.0 as usize).is_some_and(|schema| {
                let is_child = parts(schema).any(|part| part == index);
                !(is_child || schema.properties.is_empty() && is_alone(schema))
            })
        };
        let alternatives = |ids: &[SchemaId]| ids.iter().filter(is_type).count().max(1);
        let Schema { one_of, any_of, .. } = &schemas[index];
        alternatives(one_of).saturating_mul(alternatives(any_of))
    };
    folded(schemas, 1, own, usize::saturating_mul)
}

/// Returns the value of each schema, combined with those of its parts as often as they are reached. A
/// part that leads back counts as `none`.
fn folded(
    schemas: &[Schema],
    none: usize,
    own: impl Fn(usize) -> usize,
    combine: impl Fn(usize, usize) -> usize,
) -> Vec<usize> {
    let mut counts: Vec<Option<usize>> = vec![None; schemas.len()];
    let mut open = Vec::new();
    for root in 0..schemas.len() {
        open.push((root, false));
        while let Some((index, ready)) = open.pop() {
            if ready {
                let of_parts = parts(&schemas[index]).filter_map(|part| counts[part]);
                counts[index] = Some(of_parts.fold(own(index), &combine));
            } else if counts[index].is_none() {
                counts[index] = Some(none);
                open.push((index, true));
                let new = parts(&schemas[index]).filter(|part| counts[*part].is_none());
                open.extend(new.map(|part| (part, false)));
            }
        }
    }
    counts.into_iter().map(Option::unwrap_or_default).collect()
}

fn is_alone(schema: &Schema) -> bool {
    schema.all_of.is_empty() && schema.reference.is_none()
}

/// Returns the indices of the schemas that are merged into a schema.
fn parts(schema: &Schema) -> impl Iterator<Item = usize> {
    let all = schema.all_of.iter().chain(&schema.reference);
    all.map(|SchemaId(index)| *index as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Schemas with this many properties and these parts.
    fn schemas(all: &[(usize, &[u32])]) -> Vec<Schema> {
        let schema_of = |(properties, parts): &(usize, &[u32])| Schema {
            properties: (0..*properties)
                .map(|index| (index.to_string(), SchemaId(0)))
                .collect(),
            all_of: parts.iter().copied().map(SchemaId).collect(),
            ..Schema::default()
        };
        all.iter().map(schema_of).collect()
    }

    #[test]
    fn properties_of_parts_count_for_each_schema_that_has_them() {
        let chain = schemas(&[(1, &[1]), (1, &[2]), (1, &[])]);
        assert_eq!(upper_bounds(&chain), [3, 2, 1]);
        assert_eq!(excess(&chain, 5), None);
        assert_eq!(excess(&chain, 4), Some(0));
    }

    #[test]
    fn a_part_that_is_reached_twice_counts_once() {
        let diamond = schemas(&[(0, &[1, 2]), (0, &[3]), (0, &[3]), (4, &[])]);
        assert_eq!(upper_bounds(&diamond)[0], 8);
        assert_eq!(excess(&diamond, 12), None);
        assert!(excess(&diamond, 11).is_some());
    }

    #[test]
    fn combinations_multiply_along_all_parts() {
        let mut all = schemas(&[(1, &[]), (1, &[]), (0, &[]), (0, &[]), (0, &[2, 3])]);
        for choice in [2, 3] {
            all[choice].one_of = vec![SchemaId(0), SchemaId(1)];
        }
        assert_eq!(combinations(&all), [1, 1, 2, 2, 4]);
    }

    #[test]
    fn alternatives_without_a_type_do_not_multiply() {
        let mut all = schemas(&[(0, &[]), (0, &[]), (0, &[])]);
        all[2].any_of = vec![SchemaId(0), SchemaId(1)];
        assert_eq!(combinations(&all)[2], 1);
    }

    #[test]
    fn cycles_end() {
        let cycle = schemas(&[(1, &[1]), (1, &[0])]);
        assert_eq!(excess(&cycle, 4), None);
        assert!(excess(&cycle, 2).is_some());
    }
}
