//! What the types of an API do not show: keywords that are not checked, and bodies of XML.
//!
//! The values are compared as texts. A keyword that only excludes values makes a schema narrower where
//! it is added, and wider where it is removed; nothing is known about any other change.

use std::collections::BTreeMap;

use super::super::rules::{Direction, Raw};
use super::{Finder, Scope};
use crate::ir::{Holder, Uncompared};

/// The maximum number of characters of a value in a report.
const LONGEST: usize = 120;

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

impl<'a> Finder<'a> {
    /// Compares the parts of the documents that the types do not show.
    pub(super) fn uncompared(&mut self) {
        let mut holders: BTreeMap<At, Sides<'a>> = BTreeMap::new();
        let apis = [self.old, self.new];
        // The keyword `xml` has a meaning only where bodies are XML.
        let has_xml = apis.iter().all(|api| api.uncompared.iter().any(is_body));
        for (side, api) in apis.into_iter().enumerate() {
            let parts = api.uncompared.iter();
            for part in parts.filter(|part| has_xml || part.name != "xml") {
                if let Some(at) = self.at(&part.holder, side) {
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

    fn at(&self, holder: &Holder, side: usize) -> Option<At> {
        match holder {
            Holder::Schema(name) => Some(At::Schema(name.clone())),
            Holder::Operation(origin, response) => {
                let mut calls = self.calls.iter();
                let index = calls.position(|call| [call.old, call.new][side].origin == *origin)?;
                Some(At::Call(index, *response))
            }
            Holder::Other(start) => Some(At::Other(start.clone())),
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

    /// Compares the parts of one holder. A part may move within its holder.
    fn uncompared_parts(
        &mut self,
        scope: &Scope,
        mut old: Vec<&Uncompared>,
        mut new: Vec<&Uncompared>,
    ) {
        let same = |a: &Uncompared, b: &Uncompared| a.name == b.name && a.value == b.value;
        old.retain(|one| match new.iter().position(|other| same(one, other)) {
            Some(at) => {
                new.remove(at);
                false
            }
            None => true,
        });
        for one in old {
            let place = |other: &&Uncompared| {
                one.name == other.name && one.origin.pointer() == other.origin.pointer()
            };
            let named = |other: &&Uncompared| one.name == other.name;
            let partner = new.iter().position(place);
            let partner = partner.or_else(|| new.iter().position(named));
            let other = partner.map(|at| new.remove(at));
            self.changed_part(scope, Some(one), other);
        }
        for other in new {
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
            let value = value.filter(|value| !value.is_empty());
            value.map(|value| value.chars().take(LONGEST).collect::<String>())
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
