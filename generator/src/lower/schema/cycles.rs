//! Recursive composition: cycles of `allOf`, `oneOf` and `anyOf`, and their treatment before any
//! schema is lowered.
//!
//! There are three kinds of cycles:
//!
//! - `allOf` alone (a `$ref` with siblings counts as one): no schema of the cycle is defined by
//!   itself, so the part that closes the cycle is reported and removed.
//! - Choices alone: all schemas of the cycle accept the same values, so each gets the alternatives
//!   of all of them, without the cycle.
//! - Both: a base with a `oneOf` of the schemas that extend it by `allOf`. This is the common form
//!   of polymorphism. Such cycles are numbered here, and `shape` does not apply the choice to a
//!   schema that is one of its alternatives.
//!
//! All graph walks have explicit stacks, because a document may contain chains of any length.

use std::collections::{BTreeSet, HashSet};

use crate::diagnostic::{Change, Diagnostics, codes};
use crate::ir::{Primitive, TypeDef, TypeKind, TypeRef};
use crate::model::{Model, Schema, SchemaId};

use crate::lower::Document;
use crate::lower::passes::graph::components;
use crate::lower::schema::annotation::is_annotation;

/// The number of a schema's cycle; `None` for schemas outside of cycles.
pub(in crate::lower) type Cycle = Option<u32>;

/// Removes meaningless cycles, and numbers the others.
pub(in crate::lower) fn number(model: &mut Model, diagnostics: &mut Diagnostics) -> Vec<Cycle> {
    cut_all_of(model, diagnostics);
    flatten_choices(model, diagnostics);
    let edges = |index: usize| {
        let schema = &model.schemas[index];
        let parts = parts(schema).chain(&schema.one_of).chain(&schema.any_of);
        parts.map(|id| id.0 as usize).collect()
    };
    let mut cycles = vec![None; model.schemas.len()];
    for (number, members) in (0..).zip(components(model.schemas.len(), edges)) {
        for member in members {
            cycles[member] = Some(number);
        }
    }
    cycles
}

/// Returns, for each schema, whether it contains itself at any depth: as a part, an alternative, a
/// property or an item.
pub(in crate::lower) fn recursive(model: &Model) -> Vec<bool> {
    let edges = |index: usize| {
        let schema = &model.schemas[index];
        let members = schema.properties.iter().chain(&schema.pattern_properties);
        let inner = [
            schema.additional_properties,
            schema.items,
            schema.content_schema,
        ];
        let all = parts(schema)
            .chain(&schema.one_of)
            .chain(&schema.any_of)
            .chain(&schema.prefix_items)
            .chain(&schema.conditional)
            .chain(members.map(|(_, id)| id))
            .copied();
        let all = all.chain(inner.into_iter().flatten());
        all.map(|id| id.0 as usize).collect()
    };
    let mut recursive = vec![false; model.schemas.len()];
    for index in components(model.schemas.len(), edges).into_iter().flatten() {
        recursive[index] = true;
    }
    recursive
}

/// Returns the schemas that compose a schema: the target of its `$ref`, and the parts of its
/// `allOf`.
fn parts(schema: &Schema) -> impl Iterator<Item = &SchemaId> {
    schema.reference.iter().chain(&schema.all_of)
}

/// Reports each cycle of `allOf`s, and removes the part that closes it.
fn cut_all_of(model: &mut Model, diagnostics: &mut Diagnostics) {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        OnPath,
        Done,
    }
    let list = |model: &Model, index: usize| -> Vec<SchemaId> {
        parts(&model.schemas[index]).copied().collect()
    };
    let mut state = vec![State::New; model.schemas.len()];
    for start in 0..model.schemas.len() {
        if state[start] != State::New {
            continue;
        }
        state[start] = State::OnPath;
        let mut path = vec![(start, 0_usize, list(model, start))];
        while let Some((node, next, targets)) = path.last_mut() {
            let (node, Some(target)) = (*node, targets.get(*next).copied()) else {
                state[*node] = State::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let index = target.0 as usize;
            match state[index] {
                State::Done => {}
                State::New => {
                    state[index] = State::OnPath;
                    path.push((index, 0, list(model, index)));
                }
                State::OnPath => {
                    let around = path.iter().skip_while(|(on_path, ..)| *on_path != index);
                    let around: Vec<usize> = around.skip(1).map(|(on_path, ..)| *on_path).collect();
                    report_all_of_cycle(model, index, &around, diagnostics);
                    let schema = &mut model.schemas[node];
                    schema.all_of.retain(|part| *part != target);
                    schema.reference = schema.reference.filter(|part| *part != target);
                }
            }
        }
    }
}

fn report_all_of_cycle(
    model: &Model,
    first: usize,
    around: &[usize],
    diagnostics: &mut Diagnostics,
) {
    /// The maximum number of names in a message.
    const NAMES: usize = 5;
    let schema = &model.schemas[first];
    let names = around.iter().map(|index| &model.schemas[*index]);
    let names = names.filter_map(|schema| schema.name.as_ref());
    let mut names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    if names.len() > NAMES {
        let more = names.len() - NAMES;
        names.truncate(NAMES);
        names.push(format!("{more} more"));
    }
    let message = if names.is_empty() {
        "circular `allOf`; the part is left out".to_owned()
    } else {
        let names = names.join(", ");
        format!("circular `allOf` through {names}; the part is left out")
    };
    let help = if around.is_empty() {
        "remove the schema from its own `allOf`"
    } else {
        "move the shared part into a schema of its own, and compose it in each"
    };
    diagnostics
        .report(codes::ALL_OF_CYCLE, &schema.origin, message)
        .help(help);
    let own = |part: &SchemaId| part.0 as usize == first;
    if let (true, Some(index)) = (around.is_empty(), schema.all_of.iter().position(own)) {
        let list = schema.origin.child("allOf");
        let place = match schema.all_of.len() {
            1 => list,
            _ => list.item(index),
        };
        let name = schema.name.as_deref().unwrap_or("the schema");
        let description = format!("`{name}` is a part of its own `allOf`, which has no effect");
        diagnostics.propose(&place, Change::Remove, description);
    }
}

/// Returns whether a schema consists of a single choice.
fn is_bare_choice(schema: &Schema) -> bool {
    schema.one_of.is_empty() != schema.any_of.is_empty() && {
        let mut around = schema.clone();
        around.one_of.clear();
        around.any_of.clear();
        is_annotation(&around)
    }
}

/// Returns the schema for which a schema is another name: it consists of a single `$ref`, or of an
/// `allOf` with a single part.
fn is_bare_wrapper(schema: &Schema) -> Option<SchemaId> {
    let mut all = parts(schema);
    let (only, None) = (all.next().copied()?, all.next()) else {
        return None;
    };
    let mut around = schema.clone();
    around.reference = None;
    around.all_of.clear();
    is_annotation(&around).then_some(only)
}

/// Merges choices that are alternatives of one another into one choice with the alternatives of all
/// of them. Each of these choices accepts the values of the others, so no value is lost.
fn flatten_choices(model: &mut Model, diagnostics: &mut Diagnostics) {
    let edges: Vec<Vec<usize>> = model.schemas.iter().map(choice_edges).collect();
    for members in components(model.schemas.len(), |index| edges[index].clone()) {
        let inside: HashSet<usize> = members.iter().copied().collect();
        let schemas = members.iter().map(|index| (*index, &model.schemas[*index]));
        let choices = schemas.filter(|(_, schema)| is_bare_choice(schema));
        let choices: Vec<(usize, bool)> = choices
            .map(|(index, schema)| (index, schema.name.is_some()))
            .collect();
        let named = choices.iter().find(|(_, is_named)| *is_named);
        // A cycle of wrappers alone has already been removed.
        let Some((first, _)) = named.or(choices.first()).copied() else {
            continue;
        };
        let mut alternatives = Vec::new();
        let mut seen = HashSet::new();
        for (index, _) in &choices {
            let schema = &model.schemas[*index];
            let all = schema.one_of.iter().chain(&schema.any_of).copied();
            let outside = all.filter(|id| !inside.contains(&(id.0 as usize)));
            alternatives.extend(outside.filter(|id| seen.insert(*id)));
        }
        if alternatives.is_empty() {
            report_endless(&model.schemas[first].origin, diagnostics);
        }
        for (index, _) in choices {
            let schema = &mut model.schemas[index];
            schema.any_of.clear();
            schema.one_of.clear();
            if index == first {
                schema.any_of = std::mem::take(&mut alternatives);
            } else {
                schema.reference = u32::try_from(first).ok().map(SchemaId);
            }
        }
    }
}

fn choice_edges(schema: &Schema) -> Vec<usize> {
    let parts: Vec<SchemaId> = if is_bare_choice(schema) {
        schema
            .one_of
            .iter()
            .chain(&schema.any_of)
            .copied()
            .collect()
    } else {
        is_bare_wrapper(schema).into_iter().collect()
    };
    parts.into_iter().map(|id| id.0 as usize).collect()
}

fn report_endless(origin: &crate::position::Origin, diagnostics: &mut Diagnostics) {
    diagnostics
        .report(
            codes::ENDLESS_SCHEMA,
            origin,
            "schema consists of itself only; it accepts any JSON value",
        )
        .help("give it a name under `components/schemas`, or break the cycle");
}

/// Reports types that only contain each other, and makes the first type of each cycle any JSON
/// value: a deserializer for such a type would not terminate.
pub(in crate::lower) fn check_types(types: &mut [TypeDef], diagnostics: &mut Diagnostics) {
    loop {
        let cycles = components(types.len(), |index| same_value(&types[index].kind));
        for members in &cycles {
            let def = &mut types[members[0]];
            report_endless(&def.origin, diagnostics);
            def.kind = TypeKind::Alias(TypeRef::Primitive(Primitive::Json));
        }
        if cycles.is_empty() {
            return;
        }
    }
}

/// Returns the types that are deserialized from the same value as this type.
fn same_value(kind: &TypeKind) -> Vec<usize> {
    fn target(ty: &TypeRef) -> Option<usize> {
        match ty {
            TypeRef::Named(id) => Some(id.0 as usize),
            TypeRef::Option(ty) | TypeRef::Nullable(ty) | TypeRef::Boxed(ty) => target(ty),
            _ => None,
        }
    }
    match kind {
        TypeKind::Union(union) => union
            .variants
            .iter()
            .filter_map(|variant| target(&variant.ty))
            .collect(),
        TypeKind::Newtype(ty, _) | TypeKind::Alias(ty) => target(ty).into_iter().collect(),
        _ => Vec::new(),
    }
}

impl Document<'_> {
    /// Returns the cycle of a schema. Synthetic schemas have no cycle.
    pub(in crate::lower) fn cycle(&self, id: SchemaId) -> Cycle {
        self.cycles.get(id.0 as usize).copied().flatten()
    }

    /// Returns whether an alternative is one of `goals`, or a choice of one of them, directly or
    /// indirectly. Inline parts of an `allOf` are searched for choices too; parts with names are
    /// bases, which do not define the kind of an alternative.
    pub(in crate::lower) fn leads_back(
        &self,
        start: SchemaId,
        goals: &dyn Fn(SchemaId) -> bool,
    ) -> bool {
        self.reaches(start, goals, &|id| match self.stands_for(id) {
            Some(target) => vec![(target, true)],
            None => {
                let parts = parts(self.schema(id)).filter(|part| !self.is_named(**part));
                parts.map(|part| (*part, false)).collect()
            }
        })
    }

    /// Returns whether a wrapper is an alternative of the schema that it wraps.
    pub(in crate::lower) fn is_alternative_of(&self, wrapper: SchemaId, target: SchemaId) -> bool {
        self.reaches(target, &|goal| goal == wrapper, &|id| {
            self.wraps(id)
                .map(|target| (target, true))
                .into_iter()
                .collect()
        })
    }

    /// Walks from alternative to alternative. `more` returns the other schemas that a schema leads
    /// to, each with whether it is an alternative.
    fn reaches(
        &self,
        start: SchemaId,
        goals: &dyn Fn(SchemaId) -> bool,
        more: &dyn Fn(SchemaId) -> Vec<(SchemaId, bool)>,
    ) -> bool {
        let mut open = vec![(start, true)];
        let mut seen = HashSet::new();
        while let Some((id, is_alternative)) = open.pop() {
            if is_alternative && goals(id) {
                return true;
            }
            if self.cycle(id).is_none() || !seen.insert((id, is_alternative)) {
                continue;
            }
            let schema = self.schema(id);
            let choices = schema.one_of.iter().chain(&schema.any_of);
            open.extend(choices.map(|id| (*id, true)));
            let more = more(id).into_iter();
            open.extend(more.map(|(id, is_branch)| (id, is_branch && is_alternative)));
        }
        false
    }

    /// Returns whether a schema composes all of these schemas, or each of its alternatives does.
    pub(in crate::lower) fn composes(&mut self, id: SchemaId, needed: &BTreeSet<SchemaId>) -> bool {
        let mut open = vec![(id, needed.clone())];
        let mut seen = HashSet::from([id]);
        while let Some((id, mut needed)) = open.pop() {
            let shape = self.shape(id);
            needed.retain(|needed| !shape.composed.contains(needed));
            if needed.is_empty() {
                continue;
            }
            let [choice] = &shape.choices[..] else {
                return false;
            };
            for alternative in &choice.alternatives {
                // A schema that was already visited closes a cycle without composing the needed
                // schemas.
                if self.cycle(*alternative).is_none() || !seen.insert(*alternative) {
                    return false;
                }
                open.push((*alternative, needed.clone()));
            }
        }
        true
    }
}
