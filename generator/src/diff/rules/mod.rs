//! The rules of the comparison: a table with the effects of each raw difference.
//!
//! The engine finds raw differences and looks them up here. It never decides about an effect.

mod flows;
mod messages;
#[cfg(test)]
pub(super) mod mirrors;

mod operations;
mod raw;
mod security;
mod surface;
#[cfg(test)]
mod tests;

pub use raw::Raw;

/// How a change affects an audience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Existing programs continue to work, or the document told them to expect the change.
    Safe,
    /// Existing programs continue to run and may have to be looked at: an enum or a union grows, and
    /// existing readers keep the new value as unknown; the order of variants decides what is read;
    /// or the change is one of a keyword that is not compared.
    Attention,
    /// Existing programs fail.
    Breaking,
}

impl Level {
    /// Returns `safe`, `attention` or `breaking`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Attention => "attention",
            Self::Breaking => "breaking",
        }
    }
}

/// The programs that a change may affect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Audience {
    /// Clients of the old document, and senders of its webhooks, on the wire.
    WireClients,
    /// Servers of the old document, and receivers of its webhooks, on the wire.
    WireServers,
    /// Rust code that calls the generated crate.
    RustCallers,
    /// Rust code that implements the traits of the generated crate.
    RustImplementers,
}

impl Audience {
    /// All audiences, in the order of [`Rule::effects`].
    pub const ALL: [Self; 4] = [
        Self::WireClients,
        Self::WireServers,
        Self::RustCallers,
        Self::RustImplementers,
    ];

    /// Returns the name on the command line, such as `wire-clients`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WireClients => "wire-clients",
            Self::WireServers => "wire-servers",
            Self::RustCallers => "rust-callers",
            Self::RustImplementers => "rust-implementers",
        }
    }

    /// Returns `true` if the audience sees messages, and not the generated crate.
    #[must_use]
    pub const fn is_wire(self) -> bool {
        matches!(self, Self::WireClients | Self::WireServers)
    }
}

/// The messages in which a changed value travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// Requests of operations, and webhooks.
    Request,
    /// Responses of operations, and responses to webhooks.
    Response,
    /// Independent of a direction.
    Any,
}

impl Direction {
    /// Returns `request`, `response` or `any`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Response => "response",
            Self::Any => "any",
        }
    }
}

/// The effect of a difference on one audience.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effect {
    /// The level.
    pub level: Level,
    /// The reason, a sentence. `{writers}` and `{readers}` stand for clients and servers.
    pub reason: &'static str,
    /// Whether Rust code compiles only because of `#[non_exhaustive]`, which has no effect in the
    /// crate that contains the generated code.
    pub guarded: bool,
}

impl Effect {
    /// Returns the effect of a change that `#[non_exhaustive]` keeps from breaking other crates.
    const fn guarded(self) -> Self {
        Self {
            guarded: true,
            ..self
        }
    }
}

/// Where Rust code uses what is generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rust {
    /// In other crates: the generated code is a crate.
    #[default]
    Crate,
    /// In the crate that contains the generated code as a module: from a build script, or with
    /// `module = true`. There, `#[non_exhaustive]` has no effect.
    Module,
}

/// A rule: a raw difference in one direction, and its effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule {
    /// The code, such as `D0401`. The meaning of a code never changes.
    pub id: &'static str,
    /// The difference in a few words.
    pub title: &'static str,
    /// The raw difference.
    pub raw: Raw,
    /// The direction.
    pub direction: Direction,
    /// The effects, in the order of [`Audience::ALL`].
    pub effects: [Effect; 4],
}

impl Rule {
    /// Returns the level for an audience.
    #[must_use]
    pub const fn level(&self, audience: Audience) -> Level {
        self.effects[audience as usize].level
    }

    /// Returns the level for an audience, for the place of generated code.
    #[must_use]
    pub const fn level_in(&self, audience: Audience, rust: Rust) -> Level {
        match (rust, self.effects[audience as usize].guarded) {
            (Rust::Module, true) => Level::Breaking,
            _ => self.level(audience),
        }
    }

    /// Returns the reason for an audience, for the place of generated code.
    #[must_use]
    pub fn reason_in(&self, audience: Audience, rust: Rust) -> String {
        match (rust, self.effects[audience as usize].guarded) {
            (Rust::Module, true) => format!("{} {IN_CRATE}", self.reason(audience)),
            _ => self.reason(audience),
        }
    }

    /// Returns the reason for an audience, with the names of both sides.
    #[must_use]
    pub fn reason(&self, audience: Audience) -> String {
        let (writers, readers) = match self.direction {
            Direction::Response => ("servers", "clients"),
            Direction::Request | Direction::Any => ("clients", "servers"),
        };
        let text = self.effects[audience as usize].reason;
        let text = text.replace("{writers}", writers);
        text.replace("{readers}", readers)
    }
}

/// What a guarded effect means in the crate that contains the generated code.
const IN_CRATE: &str = "In the crate of the generated module, `#[non_exhaustive]` has no effect: code that lists all \
     fields or variants no longer compiles.";

const fn safe(reason: &'static str) -> Effect {
    Effect {
        level: Level::Safe,
        reason,
        guarded: false,
    }
}

const fn attention(reason: &'static str) -> Effect {
    Effect {
        level: Level::Attention,
        reason,
        guarded: false,
    }
}

const fn breaking(reason: &'static str) -> Effect {
    Effect {
        level: Level::Breaking,
        reason,
        guarded: false,
    }
}

/// The effects of a difference of values on those who write and on those who read them.
struct Sides {
    /// Programs of the old document that write such values.
    writers: Effect,
    /// Programs of the old document that read such values.
    readers: Effect,
    /// Rust code that constructs such values.
    constructs: Effect,
    /// Rust code that reads such values.
    reads: Effect,
}

/// Returns the rules of a difference for requests and for responses: clients write requests and
/// read responses.
const fn flow(raw: Raw, ids: [&'static str; 2], title: &'static str, sides: &Sides) -> [Rule; 2] {
    [
        Rule {
            id: ids[0],
            title,
            raw,
            direction: Direction::Request,
            effects: [sides.writers, sides.readers, sides.constructs, sides.reads],
        },
        Rule {
            id: ids[1],
            title,
            raw,
            direction: Direction::Response,
            effects: [sides.readers, sides.writers, sides.reads, sides.constructs],
        },
    ]
}

const fn rule(
    raw: Raw,
    id: &'static str,
    direction: Direction,
    title: &'static str,
    effects: [Effect; 4],
) -> Rule {
    Rule {
        id,
        title,
        raw,
        direction,
        effects,
    }
}

/// Returns all rules, by code.
#[must_use]
pub fn all() -> Vec<&'static Rule> {
    let flows = flows::TABLE.iter().flatten();
    let flows = flows.chain(messages::FLOWS.iter().chain(surface::FLOWS).flatten());
    let single = operations::TABLE.iter().chain(messages::TABLE);
    let single = single.chain(security::TABLE).chain(surface::TABLE);
    let mut all: Vec<&Rule> = flows.chain(flows::SINGLE).chain(single).collect();
    all.sort_by_key(|rule| rule.id);
    all
}

/// Returns the rule of a difference in a direction, or in any direction.
#[must_use]
pub fn find(raw: Raw, direction: Direction) -> Option<&'static Rule> {
    static ALL: std::sync::LazyLock<std::collections::HashMap<(Raw, Direction), &'static Rule>> =
        std::sync::LazyLock::new(|| {
            let rows = all().into_iter();
            rows.map(|rule| ((rule.raw, rule.direction), rule))
                .collect()
        });
    let exact = ALL.get(&(raw, direction));
    exact.or_else(|| ALL.get(&(raw, Direction::Any))).copied()
}

/// Returns the rule with a code, in either case.
#[must_use]
pub fn by_id(id: &str) -> Option<&'static Rule> {
    all()
        .into_iter()
        .find(|rule| rule.id.eq_ignore_ascii_case(id))
}
