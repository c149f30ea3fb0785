//! Links of responses, by name.

use super::super::rules::Raw;
use super::{Call, Finder, Scope};
use crate::ir::{Api, Link, Operation};
use crate::names::constant;

impl Finder<'_> {
    /// Compares the links that clients can follow.
    pub(super) fn links(&mut self, call: &Call<'_>, scope: &Scope) {
        let (old, new) = (numbered(call.old), numbered(call.new));
        let partner = |links: &[(usize, &Link)], (number, link): (usize, &Link)| {
            let is_same = |(other, candidate): &&(usize, &Link)| {
                *other == number && candidate.name.wire == link.name.wire
            };
            links.iter().find(is_same).map(|(_, link)| (*link).clone())
        };
        for link in &old {
            let raw = match partner(&new, *link) {
                None => Raw::LinkRemoved,
                Some(other) if self.target(self.old, link.1) != self.target(self.new, &other) => {
                    Raw::LinkTargetChanged
                }
                Some(other) if link.1.call.from != other.call.from => Raw::LinkValuesChanged,
                Some(_) => continue,
            };
            self.note_link(raw, call, scope, link.1);
        }
        for link in &new {
            if partner(&old, *link).is_none() {
                self.note_link(Raw::LinkAdded, call, scope, link.1);
            }
        }
    }

    /// Returns what the type of a link's constant contains: the operation to which it leads, and whether
    /// values are in the request.
    fn target<'a>(&self, api: &'a Api, link: &Link) -> (Option<&'a str>, bool) {
        let target = api.operations.get(link.call.operation);
        (
            target.map(|target| target.name.wire.as_str()),
            link.needs_request(),
        )
    }

    fn note_link(&mut self, raw: Raw, call: &Call<'_>, scope: &Scope, link: &Link) {
        let rust = format!("client::{}_LINK", constant(&link.name.rust));
        let origins = (&call.old.origin, &call.new.origin);
        self.add(raw, scope.clone(), |mut found| {
            found.member = format!("link {}", link.name.wire);
            let rust = |is_there: bool| is_there.then(|| rust.clone());
            found
                .at(Some(origins.0), Some(origins.1))
                .rust(rust(raw != Raw::LinkAdded), rust(raw != Raw::LinkRemoved))
        });
    }
}

/// Returns the links of an operation, each with the number of those before it with the same name.
fn numbered(operation: &Operation) -> Vec<(usize, &Link)> {
    let links = &operation.links;
    let before = |index: usize| {
        let name = &links[index].name.wire;
        links[..index]
            .iter()
            .filter(|link| link.name.wire == *name)
            .count()
    };
    (0..links.len())
        .map(|index| (before(index), &links[index]))
        .collect()
}
