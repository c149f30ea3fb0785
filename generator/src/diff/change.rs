//! A change, and the report of all changes.

use std::collections::BTreeMap;

use super::rules::{Audience, Level, Rule};
use crate::fnv;
use crate::position::{Keys, Origin, escape, is_position, plain};

/// The argument that names the type of the user in place of the type of a schema.
const REPLACED_BY: &str = "replaced-by";
/// The argument of a change in an imported file: the path of the module that has its types.
const IMPORTED_FROM: &str = "imported-from";

/// What a change belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// The whole API.
    Api,
    /// An operation.
    Operation,
    /// A webhook or a callback.
    Webhook,
    /// A type.
    Type,
}

impl Subject {
    /// Returns `api`, `operation`, `webhook` or `type`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Api => "api",
            Self::Operation => "operation",
            Self::Webhook => "webhook",
            Self::Type => "type",
        }
    }
}

/// The place of a change.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// What the change belongs to.
    pub subject: Subject,
    /// The name: `GET /pets` for an operation, the schema or the Rust name for a type.
    pub name: String,
    /// The part: a property, a parameter, a status. Empty for the whole.
    pub member: String,
}

/// The effect of a change on one audience.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The level.
    pub level: Level,
    /// The reason, a sentence.
    pub reason: String,
}

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The rules: two if the value travels in requests and in responses.
    pub rules: Vec<&'static Rule>,
    /// The place.
    pub place: Place,
    /// The arguments: what changed, and its values before and after.
    pub arguments: Vec<(&'static str, String)>,
    /// The position in the old document, if the item exists there.
    pub old: Option<Origin>,
    /// The position in the new document, if the item exists there.
    pub new: Option<Origin>,
    /// The Rust item before.
    pub rust_old: Option<String>,
    /// The Rust item after.
    pub rust_new: Option<String>,
    /// The operations and webhooks whose messages contain the changed value.
    pub operations: Vec<String>,
    /// The effects, in the order of [`Audience::ALL`].
    pub outcomes: [Outcome; 4],
    /// The fingerprint: a hash of rules, place and arguments.
    pub fingerprint: String,
    /// The reason why the change is accepted.
    pub accepted: Option<String>,
    /// The levels of the rules, in the order of [`Audience::ALL`], if the configuration has others.
    pub rated: Option<[Level; 4]>,
    /// The key of `[names]` that keeps the old Rust name, and that name.
    pub keep: Option<(String, String)>,
}

impl Change {
    /// Returns the effect on an audience.
    #[must_use]
    pub const fn outcome(&self, audience: Audience) -> &Outcome {
        &self.outcomes[audience as usize]
    }

    /// Returns the level of the rules for an audience, whatever the configuration says.
    #[must_use]
    pub fn rated(&self, audience: Audience) -> Level {
        let rated = self.rated.map(|levels| levels[audience as usize]);
        rated.unwrap_or(self.outcome(audience).level)
    }

    /// Returns the codes of the rules, joined by `+`.
    #[must_use]
    pub fn code(&self) -> String {
        let ids: Vec<&str> = self.rules.iter().map(|rule| rule.id).collect();
        ids.join("+")
    }

    /// Returns whether the change is in a schema that has a type of the user, given by a key of
    /// `[types]` and the keys of both documents.
    fn is_in(&self, key: &str, keys: [&Keys; 2]) -> bool {
        let (is_type, name) = (self.place.subject == Subject::Type, escape(key));
        let position = match is_position(key) {
            true => key.to_owned(),
            false if is_type && self.place.name == key => return true,
            false => format!("/components/schemas/{name}"),
        };
        let places = [&self.old, &self.new].into_iter().zip(keys);
        places.into_iter().any(|(place, keys)| {
            let around = std::iter::successors(place.clone(), |at| {
                at.pointer.last().is_some().then(|| at.parent())
            });
            around.into_iter().any(|at| keys.is(&position, &at))
        })
    }

    /// Returns the change in one line, without its place.
    #[must_use]
    pub fn message(&self) -> String {
        let title = self.rules.first().map_or("", |rule| rule.title);
        let argument = |name: &str| {
            let mut all = self.arguments.iter();
            all.find(|(key, _)| *key == name).map(|(_, value)| value)
        };
        let mut text = title.to_owned();
        if let Some(name) = argument("name") {
            text.push_str(&format!(": `{name}`"));
        }
        match (argument("from"), argument("to")) {
            (Some(from), Some(to)) => text.push_str(&format!(": `{from}` to `{to}`")),
            (Some(from), None) => text.push_str(&format!(": was `{from}`")),
            (None, Some(to)) => text.push_str(&format!(": `{to}`")),
            (None, None) => {}
        }
        if let Some(ty) = argument(REPLACED_BY) {
            text.push_str(&format!(" (read as `{ty}`)"));
        }
        if let Some(module) = argument(IMPORTED_FROM) {
            text.push_str(&format!(" (imported from `{module}`)"));
        }
        text
    }

    /// Returns `true` if only a text changed.
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.rules.iter().any(|rule| rule.id.starts_with("D08"))
    }

    /// Returns `true` if the messages stay the same, and the Rust form alone changed.
    #[must_use]
    pub fn is_rust_only(&self) -> bool {
        self.rules.iter().all(|rule| rule.id.starts_with("D07"))
    }
}

/// All changes between two documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// The changes, by place.
    pub changes: Vec<Change>,
    /// The accepted changes of the configuration that do not occur: fingerprint and reason.
    pub expired: Vec<(String, String)>,
}

impl Report {
    /// Marks the accepted changes, given by fingerprint with a reason.
    pub fn accept(&mut self, accepted: &BTreeMap<String, String>) {
        for (fingerprint, reason) in accepted {
            let mut found = false;
            for change in &mut self.changes {
                if change.fingerprint == *fingerprint {
                    change.accepted = Some(reason.clone());
                    found = true;
                }
            }
            if !found {
                self.expired.push((fingerprint.clone(), reason.clone()));
            }
        }
    }

    /// Names the types of the user in the changes of the schemas that they replace. The keys are those of
    /// `[types]`. Fingerprints stay as they are.
    pub fn name_types(&mut self, types: &BTreeMap<String, String>, keys: [&Keys; 2]) {
        for change in &mut self.changes {
            if let Some((_, path)) = types.iter().find(|(key, _)| change.is_in(key, keys)) {
                change.arguments.push((REPLACED_BY, path.clone()));
            }
        }
    }

    /// Names the module of an imported file in the changes of its schemas, given the file as a key of
    /// `[imports]`. Fingerprints stay as they are.
    pub fn name_import(&mut self, file: &str, module: &str, keys: [&Keys; 2]) {
        for change in &mut self.changes {
            let mut places = [&change.old, &change.new].into_iter().zip(keys);
            let is_in = places.any(|(place, keys)| {
                let place = place.as_ref();
                place.is_some_and(|place| keys.file(place.file) == plain(file))
            });
            if is_in {
                change.arguments.push((IMPORTED_FROM, module.to_owned()));
            }
        }
    }

    /// Returns the number of changes with a level for an audience, accepted ones included.
    #[must_use]
    pub fn count(&self, audience: Audience, level: Level) -> usize {
        let all = self.changes.iter();
        all.filter(|change| change.outcome(audience).level == level)
            .count()
    }
}

/// Returns a hash as 16 hexadecimal digits. It does not depend on the version of Rust or of this crate.
pub(super) fn fingerprint<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    // A byte that is not in UTF-8 text separates the parts.
    let bytes = parts.flat_map(|part| part.bytes().chain([0xff]));
    format!("{:016x}", fnv::extend(fnv::EMPTY, bytes))
}
