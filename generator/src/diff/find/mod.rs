//! Raw differences between two APIs.

mod announced;
mod api;
mod arguments;
mod bodies;
mod choices;
mod constant;
mod constraints;
mod describe;
mod errors;
mod items;
mod links;
mod objects;
mod operations;
mod params;
mod places;
mod required;
mod responses;
mod same;
mod security;
mod servers;
mod slot;
mod surface;
mod typed;
mod types;
mod uncompared;

pub(super) use operations::label;

use std::collections::{HashMap, HashSet};

use super::pair::{self, Paired};
use super::rules::{Direction, Raw};
use super::{Day, Options, Subject};
use crate::ir::{Api, Module, Name, Operation, Stability, TypeDef, TypeId, Writer};
use crate::position::Origin;

/// Where a difference was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Scope {
    /// The whole API.
    Api,
    /// A paired operation, and the direction of the message.
    Operation(usize, Direction),
    /// An item that only one of the APIs has.
    Alone(Subject, String),
    /// A pair of types.
    Pair(usize),
}

/// A raw difference with its place.
#[derive(Debug, Clone)]
pub(super) struct Difference {
    /// The difference in requests, and in responses.
    pub(super) raws: [Raw; 2],
    pub(super) scope: Scope,
    pub(super) member: String,
    /// The side whose messages differ.
    pub(super) written_by: Writer,
    pub(super) old: Option<Origin>,
    pub(super) new: Option<Origin>,
    pub(super) arguments: Vec<(&'static str, String)>,
    pub(super) rust_old: Option<String>,
    pub(super) rust_new: Option<String>,
    /// The key of `[names]` and the name that keep the old Rust name.
    pub(super) keep: Option<(String, String)>,
    /// The level of an operation that only the old document has.
    pub(super) stability: Stability,
    /// The announced day of a removal, which has passed.
    pub(super) announced: Option<Day>,
    /// The number of days until an announced removal.
    pub(super) notice: Option<i64>,
}

impl Difference {
    pub(super) fn arg(mut self, key: &'static str, value: impl Into<String>) -> Self {
        self.arguments.push((key, value.into()));
        self
    }

    pub(super) fn at(mut self, old: Option<&Origin>, new: Option<&Origin>) -> Self {
        self.old = old.cloned();
        self.new = new.cloned();
        self
    }

    pub(super) fn rust(mut self, old: Option<String>, new: Option<String>) -> Self {
        self.rust_old = old;
        self.rust_new = new;
        self
    }

    pub(super) const fn lone(mut self, stability: Stability) -> Self {
        self.stability = stability;
        self
    }

    pub(super) fn keep(mut self, key: impl Into<String>, name: &Name) -> Self {
        let name = name.rust.strip_prefix("r#").unwrap_or(&name.rust);
        self.keep = Some((key.into(), name.to_owned()));
        self
    }
}

/// A user of a pair of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum User {
    /// A pair whose types contain the type, in the messages that one side writes or in all.
    Pair(usize, Writer),
    Operation(usize, Direction),
}

/// A type of both APIs.
#[derive(Debug)]
pub(super) struct Pair {
    pub(super) old: TypeId,
    pub(super) new: TypeId,
    pub(super) users: HashSet<User>,
    /// Whether the new type is a renamed or inlined form of the old one.
    pub(super) renames: bool,
    /// Whether the new type is another item than the old one, which has its place.
    pub(super) swapped: bool,
}

/// A paired operation or webhook.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) old: &'a Operation,
    pub(super) new: &'a Operation,
    pub(super) webhook: bool,
}

/// Collects differences.
pub(super) struct Finder<'a> {
    pub(super) old: &'a Api,
    pub(super) new: &'a Api,
    pub(super) options: &'a Options,
    pub(super) pairs: Vec<Pair>,
    index: HashMap<(TypeId, TypeId), usize>,
    pub(super) calls: Vec<Call<'a>>,
    pub(super) found: Vec<Difference>,
    names: Names<'a>,
}

/// Lookups of both APIs.
struct Names<'a> {
    old_schemas: HashMap<&'a str, TypeId>,
    new_schemas: HashMap<&'a str, TypeId>,
    new_rust: HashMap<(String, &'a str), TypeId>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(old: &'a Api, new: &'a Api, options: &'a Options) -> Self {
        let new_rust = ids(new).map(|id| {
            let def = new.type_def(id);
            ((module_of(new, def.module), def.name.rust.as_str()), id)
        });
        Self {
            old,
            new,
            options,
            pairs: Vec::new(),
            index: HashMap::new(),
            calls: Vec::new(),
            found: Vec::new(),
            names: Names {
                old_schemas: schemas(old),
                new_schemas: schemas(new),
                new_rust: new_rust.collect(),
            },
        }
    }

    /// Finds all differences.
    pub(super) fn run(&mut self) {
        let operations = pair::operations(self.old, self.new);
        let webhooks = pair::webhooks(self.old, self.new);
        self.alone(&operations, &webhooks);
        let call = |pair: &Paired, webhook| match webhook {
            false => (
                &self.old.operations[pair.old],
                &self.new.operations[pair.new],
            ),
            true => (&self.old.webhooks[pair.old], &self.new.webhooks[pair.new]),
        };
        let paired = operations
            .both
            .iter()
            .map(|pair| (call(pair, false), false));
        let paired = paired.chain(webhooks.both.iter().map(|pair| (call(pair, true), true)));
        let calls = paired.map(|((old, new), webhook)| Call { old, new, webhook });
        self.calls = calls.collect();
        self.api();
        for index in 0..self.calls.len() {
            self.operation(index);
        }
        self.errors();
        self.uncompared();
        self.reusable_types();
        let compared = self.all_pairs(0);
        self.unused_types();
        self.all_pairs(compared);
        self.lone_types();
        self.places();
        self.surface();
        self.items();
    }

    /// Compares the pairs from an index on, and those that they add. Returns the number of pairs.
    fn all_pairs(&mut self, from: usize) -> usize {
        let mut next = from;
        while next < self.pairs.len() {
            self.pair(next);
            next += 1;
        }
        next
    }

    /// Adds a difference that is the same in both directions.
    pub(super) fn add(
        &mut self,
        raw: Raw,
        scope: Scope,
        difference: impl Fn(Difference) -> Difference,
    ) {
        self.add_both([raw, raw], scope, difference);
    }

    /// Adds a difference of requests and responses.
    pub(super) fn add_both(
        &mut self,
        raws: [Raw; 2],
        scope: Scope,
        difference: impl Fn(Difference) -> Difference,
    ) {
        let empty = Difference {
            raws,
            scope,
            member: String::new(),
            written_by: Writer::Both,
            old: None,
            new: None,
            arguments: Vec::new(),
            rust_old: None,
            rust_new: None,
            keep: None,
            stability: Stability::default(),
            announced: None,
            notice: None,
        };
        let found = difference(empty);
        let known = self.found.iter().rev().take(64).any(|earlier| {
            earlier.raws == found.raws
                && earlier.scope == found.scope
                && earlier.member == found.member
                && earlier.written_by == found.written_by
                && earlier.arguments == found.arguments
        });
        if !known {
            self.found.push(found);
        }
    }

    /// Returns the pair of two types, which is compared later.
    fn pair_of(&mut self, old: TypeId, new: TypeId, user: Option<User>) -> usize {
        let pairs = &mut self.pairs;
        let index = *self.index.entry((old, new)).or_insert_with(|| {
            pairs.push(Pair {
                old,
                new,
                users: HashSet::new(),
                renames: false,
                swapped: false,
            });
            pairs.len() - 1
        });
        self.pairs[index].users.extend(user);
        index
    }

    /// Returns the user of a pair that is found in a slot.
    const fn user(slot: &slot::Slot) -> Option<User> {
        match &slot.scope {
            Scope::Operation(index, direction) => Some(User::Operation(*index, *direction)),
            Scope::Pair(index) => Some(User::Pair(*index, slot.writer)),
            Scope::Api | Scope::Alone(..) => None,
        }
    }
}

/// Returns the reusable schemas of an API by name.
fn schemas(api: &Api) -> HashMap<&str, TypeId> {
    let named = ids(api).filter(|id| api.type_def(*id).parent.is_none());
    named
        .map(|id| (api.type_def(id).name.wire.as_str(), id))
        .collect()
}

fn ids(api: &Api) -> impl Iterator<Item = TypeId> + use<> {
    let count = u32::try_from(api.types.len()).unwrap_or(u32::MAX);
    (0..count).map(TypeId)
}

/// Returns the path of a module in the generated crate.
pub(super) fn module_of(api: &Api, module: Module) -> String {
    match module {
        Module::Types => "types".to_owned(),
        Module::Tag(tag) => {
            let name = api.tags.get(tag).map_or("", |tag| tag.name.rust.as_str());
            format!("operations::{name}")
        }
        Module::Webhooks => "webhooks".to_owned(),
    }
}

/// Returns the path of a type in the generated crate.
pub(super) fn path_of(api: &Api, def: &TypeDef) -> String {
    format!("{}::{}", module_of(api, def.module), def.name.rust)
}

/// Returns the path of a member of a type.
fn member_of(api: &Api, def: &TypeDef, member: &Name) -> String {
    format!("{}::{}", path_of(api, def), member.rust)
}
