//! The version bump that a change requires.

use super::change::{Change, Report};
use super::rules::{Audience, Level};

/// The required bump of a version, by Cargo's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bump {
    /// Nothing changed.
    None,
    /// No public item changed.
    Patch,
    /// Public items were added, or values have another meaning.
    Minor,
    /// Programs that use the crate may no longer compile, or may fail.
    Major,
}

/// The changes that a version bump counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BumpScope {
    /// Changes of the generated crate.
    #[default]
    Rust,
    /// Changes of the messages.
    Wire,
    /// Changes of both.
    Both,
}

impl Report {
    /// Returns the required version bump of the generated crate, of the API on the wire, or of
    /// both.
    #[must_use]
    pub fn bump(&self, scope: BumpScope) -> Bump {
        let bumps = self.changes.iter().map(|change| match scope {
            BumpScope::Rust => Bump::of_rust(change),
            BumpScope::Wire => Bump::of_wire(change),
            BumpScope::Both => Bump::of_rust(change).max(Bump::of_wire(change)),
        });
        bumps.max().unwrap_or(Bump::None)
    }
}

impl Bump {
    fn of_rust(change: &Change) -> Self {
        match level(change, false) {
            Level::Breaking => Self::Major,
            Level::Attention => Self::Minor,
            Level::Safe if change.is_text() => Self::Patch,
            Level::Safe if change.rust_old != change.rust_new => Self::Minor,
            Level::Safe => Self::Patch,
        }
    }

    fn of_wire(change: &Change) -> Self {
        match level(change, true) {
            Level::Breaking => Self::Major,
            Level::Attention => Self::Minor,
            Level::Safe if change.is_text() => Self::Patch,
            Level::Safe if change.is_rust_only() => Self::None,
            Level::Safe => Self::Minor,
        }
    }

    /// Returns `none`, `patch`, `minor` or `major`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        }
    }
}

/// Returns the highest level on the wire, or in Rust.
fn level(change: &Change, wire: bool) -> Level {
    let audiences = Audience::ALL.into_iter();
    let audiences = audiences.filter(|audience| audience.is_wire() == wire);
    let levels = audiences.map(|audience| change.rated(audience));
    levels.max().unwrap_or(Level::Safe)
}
