//! What the types of an API do not show: keywords that are not checked, and bodies of XML.
//!
//! The values are compared by hash. A keyword that only excludes values makes a schema narrower where
//! it is added, and wider where it is removed; nothing is known about any other change.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::Hash;

use super::super::rules::{Direction, Raw};
use super::bodies::without_charset;
use super::{Finder, Scope};
use crate::ir::{Holder, Uncompared};
use crate::position::Origin;

/// What contains a part, in both documents.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum At {
    /// A reusable schema.
    Schema(String),
    /// A paired operation, and whether the part belongs to its responses.
    Call(usize, bool),
    /// Another reusable part.
    Other(String),
}

/// The parts of one holder in both documents.
type Sides<'a> = [Vec<&'a Uncompared>; 2];

/// Returns whether a part is a body, whose name is a media type.
fn is_body(part: &Uncompared) -> bool {
    part.name.contains('/')
}

/// Returns the name by which a part is paired.
fn name(part: &Uncompared) -> String {
    match is_body(part) {
        true => without_charset(&part.name),
        false => part.name.clone(),
    }
}

/// Returns what contains a part, by the paired operations of its document.
fn at(holder: &Holder, calls: &HashMap<&Origin, usize>) -> Option<At> {
    match holder {
        Holder::Schema(name) => Some(At::Schema(name.clone())),
        Holder::Operation(origin, response) => Some(At::Call(*calls.get(origin)?, *response)),
        Holder::Other(start) => Some(At::Other(start.clone())),
    }
}

/// Pairs the parts that have the same key, and returns the pairs and the other parts of both sides.
fn unpaired<'a, K: Eq + Hash>(
    old: Vec<&'a Uncompared>,
    new: Vec<&'a Uncompared>,
    key: impl Fn(&'a Uncompared) -> K,
) -> (Vec<(&'a Uncompared, &'a Uncompared)>, Sides<'a>) {
    let mut by_key: HashMap<K, VecDeque<usize>> = HashMap::new();
    for (index, part) in new.iter().enumerate() {
        by_key.entry(key(part)).or_default().push_back(index);
    }
    let (mut pairs, mut rest, mut taken) = (Vec::new(), Vec::new(), vec![false; new.len()]);
    for part in old {
        match by_key.get_mut(&key(part)).and_then(VecDeque::pop_front) {
            Some(index) => {
                taken[index] = true;
                pairs.push((part, new[index]));
            }
            None => rest.push(part),
        }
    }
    let others = new.iter().zip(taken).filter(|(_, taken)| !taken);
    (pairs, [rest, others.map(|(part, _)| *part).collect()])
}

impl<'a> Finder<'a> {
    /// Compares the parts of the documents that the types do not show.
    pub(super) fn uncompared(&mut self) {
        let mut holders: BTreeMap<At, Sides<'a>> = BTreeMap::new();
        let apis = [self.old, self.new];
        // The keyword `xml` has a meaning only where bodies are XML.
        let has_xml = apis.iter().all(|api| api.uncompared.iter().any(is_body));
        for (side, api) in apis.into_iter().enumerate() {
            let calls = self.calls.iter().enumerate();
            let calls: HashMap<&Origin, usize> = calls
                .map(|(index, call)| (&[call.old, call.new][side].origin, index))
                .collect();
            let parts = api.uncompared.iter();
            for part in parts.filter(|part| has_xml || part.name != "xml") {
                if let Some(at) = at(&part.holder, &calls) {
                    holders.entry(at).or_default()[side].push(part);
                }
            }
        }
        for (at, [old, new]) in holders {
            let Some(scope) = self.scope_of(&at) else {
                continue;
            };
            self.uncompared_parts(&scope, old, new);
        }
    }

    /// Returns the scope of a holder that both documents have.
    fn scope_of(&mut self, at: &At) -> Option<Scope> {
        match at {
            At::Schema(name) => {
                let old = self.names.old_schemas.get(name.as_str()).copied()?;
                let new = self.names.new_schemas.get(name.as_str()).copied()?;
                Some(Scope::Pair(self.pair_of(old, new, None)))
            }
            At::Call(index, response) => {
                let direction = match response {
                    true => Direction::Response,
                    false => Direction::Request,
                };
                Some(Scope::Operation(*index, direction))
            }
            At::Other(_) => Some(Scope::Api),
        }
    }

    /// Compares the parts of one holder. A part may move within its holder. A body that only one document has is
    /// reported with its message, as a media type.
    fn uncompared_parts(&mut self, scope: &Scope, old: Vec<&Uncompared>, new: Vec<&Uncompared>) {
        let [old, new] = unpaired(old, new, |part| (name(part), part.hash)).1;
        let (moved, [old, new]) = unpaired(old, new, |part| (name(part), part.origin.pointer()));
        let (renamed, [old, new]) = unpaired(old, new, name);
        for (part, other) in moved.into_iter().chain(renamed) {
            self.changed_part(scope, Some(part), Some(other));
        }
        for part in old.into_iter().filter(|part| !is_body(part)) {
            self.changed_part(scope, Some(part), None);
        }
        for other in new.into_iter().filter(|part| !is_body(part)) {
            self.changed_part(scope, None, Some(other));
        }
    }

    fn changed_part(&mut self, scope: &Scope, old: Option<&Uncompared>, new: Option<&Uncompared>) {
        let excludes = old.or(new).is_some_and(|part| part.excludes) && *scope != Scope::Api;
        let raw = match (old, new) {
            (None, Some(_)) if excludes => Raw::ConstraintNarrowed,
            (Some(_), None) if excludes => Raw::ConstraintWidened,
            _ => Raw::KeywordChanged,
        };
        let name = old.or(new).map_or("", |part| part.name.as_str());
        let value = |part: Option<&Uncompared>| {
            let value = part.map(|part| part.value.as_str());
            value.filter(|value| !value.is_empty()).map(str::to_owned)
        };
        let (from, to) = (value(old), value(new));
        self.add(raw, scope.clone(), |mut found| {
            let values = [("from", from.clone()), ("to", to.clone())];
            let values = values
                .into_iter()
                .filter_map(|(key, value)| Some((key, value?)));
            found.arguments.push(("name", name.to_owned()));
            found.arguments.extend(values);
            found.at(old.map(|part| &part.origin), new.map(|part| &part.origin))
        });
    }
}
