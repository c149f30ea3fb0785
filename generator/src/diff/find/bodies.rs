//! Bodies of requests and responses: media types and their content.

use super::super::rules::{Direction, Raw};
use super::slot::{Kind, Slot};
use super::typed::Typed;
use super::{Call, Finder, Scope};
use crate::ir::{Media, Name, Part, PartShape, Payload, Writer};
use crate::position::Origin;

/// A way to find the media type that belongs to another one.
type Matcher<'w> = &'w dyn Fn(&Media, &Media) -> bool;

/// A body, its place and its position.
pub(super) struct At<'b> {
    pub(super) payload: &'b Payload,
    pub(super) left_out: &'b [String],
    pub(super) origin: &'b Origin,
    pub(super) rust: String,
}

impl<'a> Finder<'a> {
    /// Compares the request bodies of a paired operation.
    pub(super) fn request_body(&mut self, index: usize) {
        let Call { old, new, .. } = self.calls[index];
        let scope = Scope::Operation(index, Direction::Request);
        let rust = |base: &str, name: &Name| format!("{base}Request::{}", name.rust);
        match (&old.body, &new.body) {
            (None, None) => {}
            (Some(body), None) => {
                let raw = match body.optional {
                    true => Raw::BodyRemoved,
                    false => Raw::RequiredBodyRemoved,
                };
                self.add(raw, scope, |mut found| {
                    found.member = "body".to_owned();
                    found
                        .at(Some(&old.origin), Some(&new.origin))
                        .rust(Some(rust(&old.base, &body.name)), None)
                });
            }
            (None, Some(body)) => {
                let raw = match body.optional {
                    true => Raw::BodyAdded,
                    false => Raw::RequiredBodyAdded,
                };
                self.add(raw, scope, |mut found| {
                    found.member = "body".to_owned();
                    found
                        .at(Some(&old.origin), Some(&new.origin))
                        .rust(None, Some(rust(&new.base, &body.name)))
                });
            }
            (Some(a), Some(b)) => {
                let side = |body: &'a crate::ir::Body, operation: &'a crate::ir::Operation| At {
                    payload: &body.payload,
                    left_out: &body.left_out,
                    origin: &operation.origin,
                    rust: rust(&operation.base, &body.name),
                };
                let (x, y) = (side(a, old), side(b, new));
                let raw = match (a.optional, b.optional) {
                    (true, false) => Some(Raw::BodyRequired),
                    (false, true) => Some(Raw::BodyOptional),
                    _ => None,
                };
                if let Some(raw) = raw {
                    self.note(&slot(&scope, "body", &x, &y), raw);
                }
                self.payloads(&scope, "body", &x, &y);
            }
        }
    }

    /// Compares the content of two bodies.
    pub(super) fn payloads(&mut self, scope: &Scope, member: &str, old: &At<'_>, new: &At<'_>) {
        let slot = slot(scope, member, old, new);
        self.left_out(&slot, Raw::LeftOutMediaRemoved, old, new);
        self.left_out(&slot, Raw::LeftOutMediaAdded, new, old);
        let (a, b) = (old.payload.media(), new.payload.media());
        let shared = |left: &Media, right: &Media| {
            left.names()
                .any(|name| right.names().any(|other| other == name))
        };
        let before = self.found.len();
        let same = |left: &Media, right: &Media| {
            without_charset(&left.name) == without_charset(&right.name)
        };
        let matchers: [Matcher<'_>; 2] = [&same, &shared];
        let mut partners: Vec<Option<usize>> = vec![None; a.len()];
        for matches in matchers {
            for (index, media) in a.iter().enumerate() {
                if partners[index].is_none() {
                    let free = |at: &usize| !partners.contains(&Some(*at));
                    partners[index] = (0..b.len()).find(|at| free(at) && matches(media, b[*at]));
                }
            }
        }
        for (media, partner) in a.iter().zip(&partners) {
            match partner {
                Some(index) => self.media(&slot, media, b[*index]),
                None => {
                    for name in media.names() {
                        self.media_name(&slot, Raw::MediaRemoved, name);
                    }
                }
            }
        }
        for (index, other) in b.iter().enumerate() {
            if !partners.contains(&Some(index)) {
                for name in other.names() {
                    self.media_name(&slot, Raw::MediaAdded, name);
                }
            }
        }
        let shape = |payload: &Payload| matches!(payload, Payload::Many(..));
        if shape(old.payload) != shape(new.payload) {
            self.note(&slot, Raw::RustTypeChanged);
        } else if let (Some(x), Some(y)) = (old.payload.name(), new.payload.name())
            && x.rust != y.rust
            && self.found.len() == before
            && self.is_same_base(scope)
        {
            self.note(&slot, Raw::RustTypeChanged);
        }
    }

    /// Reports the media types without code that only one of two bodies has.
    fn left_out(&mut self, slot: &Slot, raw: Raw, body: &At<'_>, other: &At<'_>) {
        let media = other.payload.media();
        let coded = media.iter().flat_map(|media| media.names());
        let others = other.left_out.iter().map(String::as_str).chain(coded);
        let others: Vec<String> = others.map(without_charset).collect();
        for name in body.left_out {
            if !others.contains(&without_charset(name)) {
                self.media_name(slot, raw, name);
            }
        }
    }

    /// Returns whether the types of an operation have the same names in both crates.
    fn is_same_base(&self, scope: &Scope) -> bool {
        match scope {
            Scope::Operation(index, _) => {
                let call = self.calls[*index];
                call.old.base == call.new.base
            }
            _ => true,
        }
    }

    fn media_name(&mut self, slot: &Slot, raw: Raw, name: &str) {
        self.add(raw, slot.scope.clone(), |mut found| {
            found.member.clone_from(&slot.member);
            found
                .arg("name", name)
                .at(slot.old.as_ref(), slot.new.as_ref())
                .rust(slot.rust_old.clone(), slot.rust_new.clone())
        });
    }

    fn media(&mut self, slot: &Slot, old: &Media, new: &Media) {
        for (these, those, raw) in [(old, new, Raw::MediaRemoved), (new, old, Raw::MediaAdded)] {
            for name in these.names() {
                let same = |other: &str| without_charset(other) == without_charset(name);
                if !those.names().any(same) {
                    self.media_name(slot, raw, name);
                }
            }
        }
        if old.codec != new.codec {
            let codec = |media: &Media| format!("{:?}", media.codec).to_lowercase();
            self.add(Raw::CodecChanged, slot.scope.clone(), |mut found| {
                found.member.clone_from(&slot.member);
                found
                    .arg("from", codec(old))
                    .arg("to", codec(new))
                    .at(slot.old.as_ref(), slot.new.as_ref())
                    .rust(slot.rust_old.clone(), slot.rust_new.clone())
            });
        }
        for part in &old.parts {
            if new.parts.iter().any(|other| same_part(other, part)) {
                continue;
            }
            self.part(slot, &part.name);
        }
        for part in &new.parts {
            if !old.parts.iter().any(|other| other.name == part.name) {
                self.part(slot, &part.name);
            }
        }
        if old.end != new.end {
            self.note(slot, Raw::StreamEndChanged);
        }
        self.slot(
            slot,
            Typed::new(&old.ty, &old.rules),
            Typed::new(&new.ty, &new.rules),
        );
    }

    /// Reports the serialization of a part of a form. Parts that only one document has are
    /// properties, which are compared with their type.
    fn part(&mut self, slot: &Slot, name: &str) {
        self.add(Raw::PartChanged, slot.scope.clone(), |mut found| {
            found.member.clone_from(&slot.member);
            found
                .arg("name", name)
                .at(slot.old.as_ref(), slot.new.as_ref())
        });
    }
}

/// Returns a media type without a `charset` of UTF-8, which texts have anyway.
pub(super) fn without_charset(name: &str) -> String {
    let parameters = name.split(';').map(str::trim);
    let parameters = parameters.filter(|parameter| {
        !parameter
            .replace('"', "")
            .eq_ignore_ascii_case("charset=utf-8")
    });
    parameters.collect::<Vec<_>>().join("; ")
}

/// Returns whether two parts are serialized in the same way. The order of properties has no meaning.
fn same_part(left: &Part, right: &Part) -> bool {
    let sorted = |part: &Part| {
        let mut part = part.clone();
        if let PartShape::Object(names) = &mut part.shape {
            names.sort();
        }
        part
    };
    left.name == right.name && sorted(left) == sorted(right)
}

fn slot(scope: &Scope, member: &str, old: &At<'_>, new: &At<'_>) -> Slot {
    Slot {
        scope: scope.clone(),
        member: member.to_owned(),
        old: Some(old.origin.clone()),
        new: Some(new.origin.clone()),
        kind: Kind::Value,
        writer: Writer::Both,
        rust_old: Some(old.rust.clone()),
        rust_new: Some(new.rust.clone()),
    }
}
