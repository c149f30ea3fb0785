//! The version bump that a change of the generated crate requires.

use super::change::Report;
use super::rules::{Audience, Level};

/// The required bump of the version of the generated crate, by Cargo's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bump {
    /// The generated code is the same.
    None,
    /// No public item changed.
    Patch,
    /// Public items were added, or values have another meaning.
    Minor,
    /// Code that uses the crate may no longer compile.
    Major,
}

impl Bump {
    /// Returns the bump for a report.
    #[must_use]
    pub(super) fn of(report: &Report) -> Self {
        let mut bump = Self::None;
        for change in &report.changes {
            let rust = change.outcomes.iter().zip(Audience::ALL);
            let rust = rust.filter(|(_, audience)| !audience.is_wire());
            let level = rust.map(|(outcome, _)| outcome.level).max();
            bump = bump.max(match level {
                Some(Level::Breaking) => Self::Major,
                Some(Level::Attention) => Self::Minor,
                _ if change.is_text() => Self::Patch,
                _ if change.rust_old != change.rust_new => Self::Minor,
                _ => Self::Patch,
            });
        }
        bump
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
