//! The Rust types of equal inline types: several places have one type, which the alias of each place names.

use std::collections::{BTreeMap, BTreeSet};

use super::super::rules::{Direction, Raw};
use super::{Finder, Scope, path_of};
use crate::ir::{Api, HeaderSet, Operation, Parent, TypeDef, TypeId};

/// A place of both documents, and the path of its type in each.
struct Place {
    scope: Scope,
    alias: String,
    types: [String; 2],
    /// Whether the type of the old code is one of several places.
    was_shared: bool,
}

impl Finder<'_> {
    /// Reports the places whose alias names another type than before.
    ///
    /// Code that mentions the alias of a place survives, unless it relies on two places having one type, or on
    /// their having two: implementations of a trait for both conflict.
    pub(super) fn places(&mut self) {
        let places: Vec<Place> = self.inline_places().chain(self.header_places()).collect();
        // The old types of the places with each new type.
        let mut joined: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for Place {
            types: [from, to], ..
        } in &places
        {
            joined.entry(to).or_default().insert(from);
        }
        let changed = places
            .iter()
            .filter(|place| place.types[0] != place.types[1]);
        let changed: Vec<(&Place, Raw)> = changed
            .map(|place| {
                let [_, to] = &place.types;
                let is_alone = joined.get(to.as_str()).is_none_or(|types| types.len() == 1);
                match is_alone && !place.was_shared {
                    true => (place, Raw::PlaceJoined),
                    false => (place, Raw::PlaceChanged),
                }
            })
            .collect();
        for (place, raw) in changed {
            let [from, to] = &place.types;
            self.add(raw, place.scope.clone(), |found| {
                let found = found.arg("from", from.as_str()).arg("to", to.as_str());
                found.rust(Some(place.alias.clone()), Some(to.clone()))
            });
        }
    }

    /// Returns the inline types of both documents that keep their names.
    fn inline_places(&self) -> impl Iterator<Item = Place> + '_ {
        let pairs = self.pairs.iter().enumerate();
        pairs.filter_map(|(index, pair)| {
            let ids = [pair.old, pair.new];
            let [old, new] = [self.old.type_def(pair.old), self.new.type_def(pair.new)];
            let paths = [path_of(self.old, old), path_of(self.new, new)];
            if old.parent.is_none() || new.parent.is_none() || paths[0] != paths[1] {
                return None;
            }
            let apis = [self.old, self.new];
            let targets = [0, 1].map(|side| apis[side].shared.get(&ids[side]).copied());
            // Another name of a type that the document names is reported there.
            let is_pair = match targets {
                [Some(old), Some(new)] => self.index.contains_key(&(old, new)),
                _ => false,
            };
            let types = [0, 1].map(|side| type_of(apis[side], ids[side]));
            (!is_pair).then(|| Place {
                scope: Scope::Pair(index),
                alias: paths[0].clone(),
                was_shared: types[0] != paths[0],
                types,
            })
        })
    }

    /// Returns the headers of responses of both documents.
    fn header_places(&self) -> impl Iterator<Item = Place> + '_ {
        let calls = self.calls.iter().enumerate();
        calls.filter_map(|(index, call)| {
            let (old, new) = (call.old, call.new);
            let has_headers = !old.success_headers.is_empty() && !new.success_headers.is_empty();
            if !has_headers || old.base != new.base {
                return None;
            }
            let alias = format!("{}ResponseHeaders", old.base);
            let set = |api: &Api, operation: &Operation| {
                let set = operation
                    .header_set
                    .and_then(|set| api.header_sets.get(set));
                set.map(|set: &HeaderSet| format!("types::{}", set.name.rust))
            };
            let own = |set: Option<String>| set.unwrap_or_else(|| alias.clone());
            let types = [set(self.old, old), set(self.new, new)];
            Some(Place {
                scope: Scope::Operation(index, Direction::Response),
                was_shared: types[0].is_some(),
                types: types.map(own),
                alias,
            })
        })
    }
}

/// Returns the path of the type of a place.
fn type_of(api: &Api, id: TypeId) -> String {
    let target = api.shared.get(&id).copied().unwrap_or(id);
    path_of(api, api.type_def(target))
}

/// Returns whether a type stands for several places, and for none of its own.
pub(super) const fn is_shared(def: &TypeDef) -> bool {
    matches!(def.parent, Some(Parent::Shared(_)))
}
