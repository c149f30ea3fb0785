//! Detection of values that match several alternatives of a choice.
//!
//! Two schemas exclude each other if they have no common value: by their JSON types, by listed
//! values, by a property that one of them requires and whose values differ, or because one of them
//! is closed and the other requires a property that the closed one does not have. In all other
//! cases the schemas may overlap.

use std::collections::{HashMap, HashSet};

use crate::diagnostic::codes;
use crate::ir::{Api, TypeId};
use crate::model::{Schema, SchemaId, Types};
use crate::position::Origin;
use crate::source::Value;

use crate::lower::schema::candidate::Candidate;
use crate::lower::schema::class::infer;
use crate::lower::schema::shape::{Additional, Choice, Shape};
use crate::lower::{Document, Lowering};

/// The maximum depth of choices within alternatives.
const DEEPEST: usize = 4;
/// The maximum number of comparisons for a document: alternatives and their properties, and pairs
/// of alternatives. Beyond the limit, alternatives count as overlapping, which is always safe.
const MOST: usize = 1_000_000;
/// The cost of an alternative, or of a property, relative to a pair.
const LOOK: usize = 20;

/// The known facts about the values of a schema.
struct Look {
    own: Facts,
    /// The alternatives of the first choice in the schema: every value matches one of them too.
    alternatives: Vec<Look>,
    /// Whether the schema was not analyzed, because the limit was reached.
    unknown: bool,
}

/// The facts of a schema without its choices.
struct Facts {
    scalar: Scalar,
    required: HashSet<String>,
    properties: HashMap<String, Scalar>,
    /// Whether other properties are forbidden.
    closed: bool,
}

/// The types and the listed values of a schema.
struct Scalar {
    types: Types,
    /// The listed values as JSON.
    values: Option<HashSet<String>>,
}

impl Lowering<'_> {
    /// Returns whether one value may match several alternatives of a choice, and all of those are
    /// objects. The type then has a field for each of them. Objects among other alternatives are
    /// combined into one alternative.
    ///
    /// For a `oneOf` such a value is invalid: the choice is recorded, and reported with the types
    /// of requests.
    pub(in crate::lower) fn match_several(
        &mut self,
        candidates: &mut Vec<Candidate>,
        any: bool,
        shape: &Shape,
        ty: TypeId,
    ) -> bool {
        if candidates.len() < 2 {
            return false;
        }
        let looks: Vec<Look> = candidates
            .iter()
            .map(|candidate| self.document.look(candidate.schema, DEEPEST))
            .collect();
        if !any {
            if self.document.overlap(&looks.iter().collect::<Vec<_>>()) {
                self.types.ambiguous.push((ty, shape.origin.clone()));
            }
            return false;
        }
        let is_object = |look: &Look| look.is_object();
        let objects: Vec<&Look> = looks.iter().filter(|look| is_object(look)).collect();
        if objects.len() < 2 || !self.document.overlap(&objects) {
            return false;
        }
        if objects.len() == candidates.len() {
            return true;
        }
        let mut at = looks.iter().map(is_object);
        let (objects, mut others): (Vec<_>, Vec<_>) = std::mem::take(candidates)
            .into_iter()
            .enumerate()
            .partition(|_| at.next().unwrap_or_default());
        let place = objects.first().map_or(0, |(place, _)| *place);
        let together = self.document.add_schema(Schema {
            origin: shape.origin.clone(),
            types: Types::OBJECT,
            any_of: objects.iter().map(|(_, object)| object.schema).collect(),
            ..Schema::default()
        });
        let together = Candidate {
            schema: together,
            written: together,
            meant: together,
        };
        others.push((place, together));
        others.sort_by_key(|(place, _)| *place);
        candidates.extend(others.into_iter().map(|(_, candidate)| candidate));
        false
    }

    /// Reports overlapping alternatives of a `oneOf`, once for the document, because such documents
    /// usually have many of them.
    pub(in crate::lower) fn report_ambiguous(&mut self, api: &Api) {
        let asked = |(ty, _): &&(TypeId, Origin)| api.types[ty.0 as usize].input;
        let mut found = self.types.ambiguous.iter().filter(asked);
        let Some((_, origin)) = found.next() else {
            return;
        };
        let more = found.count();
        let more = match more {
            0 => String::new(),
            1 => ", and of 1 more".to_owned(),
            _ => format!(", and of {more} more"),
        };
        self.document.diagnostics
            .report(
                codes::ALTERNATIVES_OVERLAP,
                origin,
                format!("alternatives of this `oneOf` overlap{more}: that only one matches is not checked"),
            )
            .help("add a property that each alternative requires, with a `const` of its own");
    }
}

impl Document<'_> {
    /// Returns whether two of these alternatives may have a common value.
    fn overlap(&mut self, looks: &[&Look]) -> bool {
        looks.iter().enumerate().any(|(index, look)| {
            let may = self.may_compare(looks.len() - index);
            let mut others = looks.iter().skip(index + 1);
            !may || others.any(|other| !look.excludes(other))
        })
    }

    /// Takes an amount from the limit for comparisons.
    fn may_compare(&mut self, amount: usize) -> bool {
        self.compared = self.compared.saturating_add(amount);
        self.compared <= MOST
    }

    fn look(&mut self, id: SchemaId, depth: usize) -> Look {
        if !self.may_compare(LOOK) {
            return Look::anything();
        }
        let shape = self.shape(id);
        let choice: &[SchemaId] = match &shape.choices[..] {
            [Choice { alternatives, .. }, ..] if depth > 0 => alternatives,
            _ => &[],
        };
        let alternatives: Vec<Look> = (choice.iter())
            .map(|id| self.look(*id, depth - 1))
            .collect();
        let mut properties = HashMap::with_capacity(shape.properties.len());
        for (name, property) in &shape.properties {
            if !self.may_compare(LOOK) {
                break;
            }
            let scalar = Scalar::new(&self.shape(*property));
            properties.insert(name.clone(), scalar);
        }
        Look {
            own: Facts {
                scalar: Scalar::new(&shape),
                required: shape.required.iter().cloned().collect(),
                closed: shape.additional == Additional::Refused
                    && shape.patterns.is_empty()
                    && properties.len() == shape.properties.len(),
                properties,
            },
            alternatives,
            unknown: false,
        }
    }
}

impl Look {
    /// Returns the facts of a schema that is not analyzed: any value may be valid.
    fn anything() -> Self {
        Self {
            own: Facts {
                scalar: Scalar {
                    types: Types::UNSTATED,
                    values: None,
                },
                required: HashSet::new(),
                properties: HashMap::new(),
                closed: false,
            },
            alternatives: Vec::new(),
            unknown: true,
        }
    }

    /// Returns whether every value is an object, as far as known. A field in a struct accepts any
    /// object.
    fn is_object(&self) -> bool {
        let types = self.own.scalar.types;
        self.unknown
            || types == Types::OBJECT
            || (types.is_unstated()
                && !self.alternatives.is_empty()
                && self.alternatives.iter().all(Self::is_object))
    }

    /// Returns whether the two have no common value.
    fn excludes(&self, other: &Self) -> bool {
        let each = |all: &[Self], look: &Self| {
            !all.is_empty() && all.iter().all(|each| each.excludes(look))
        };
        self.own.excludes(&other.own)
            || each(&self.alternatives, other)
            || each(&other.alternatives, self)
    }
}

impl Facts {
    fn excludes(&self, other: &Self) -> bool {
        self.scalar.excludes(&other.scalar)
            || self.leaves_out(other)
            || other.leaves_out(self)
            || self.differs_from(other)
            || other.differs_from(self)
    }

    /// Returns whether this schema is closed, and the other requires a property that it does not
    /// have.
    fn leaves_out(&self, other: &Self) -> bool {
        let mut required = other.required.iter();
        self.closed && required.any(|name| !self.properties.contains_key(name))
    }

    /// Returns whether this schema requires a property whose values always differ from the other's.
    fn differs_from(&self, other: &Self) -> bool {
        let both = |name: &String| self.properties.get(name).zip(other.properties.get(name));
        let mut required = self.required.iter().filter_map(both);
        required.any(|(own, other)| own.excludes(other))
    }
}

impl Scalar {
    fn new(shape: &Shape) -> Self {
        let scalars = |value: &Value| !matches!(value, Value::Array(_) | Value::Object(_));
        let values = shape.enumeration.as_ref();
        let values = values.filter(|values| values.iter().all(scalars));
        let types = match values {
            Some(values) => values
                .iter()
                .map(type_of)
                .fold(Types::UNSTATED, Types::union),
            None => infer(shape).without(Types::NULL),
        };
        Self {
            types,
            values: values.map(|values| values.iter().map(Value::to_json).collect()),
        }
    }

    fn excludes(&self, other: &Self) -> bool {
        let numbers = |types: Types| match types.contains(Types::INTEGER) {
            true => types.union(Types::NUMBER),
            false => types,
        };
        let (left, right) = (numbers(self.types), numbers(other.types));
        let typed = !left.is_unstated() && !right.is_unstated() && left.0 & right.0 == 0;
        let listed = match (&self.values, &other.values) {
            (Some(left), Some(right)) => left.is_disjoint(right),
            _ => false,
        };
        typed || listed
    }
}

fn type_of(value: &Value) -> Types {
    match value {
        Value::Null => Types::NULL,
        Value::Bool(_) => Types::BOOLEAN,
        Value::Number(_) => Types::NUMBER,
        Value::String(_) => Types::STRING,
        Value::Array(_) => Types::ARRAY,
        Value::Object(_) => Types::OBJECT,
    }
}
