//! The level of an operation.

/// What a document promises about changes of an operation, from the least on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stability {
    /// `draft`
    Draft,
    /// `alpha`
    Alpha,
    /// `beta`
    Beta,
    /// `stable`, or no level.
    #[default]
    Stable,
}

impl Stability {
    /// All levels.
    pub const ALL: [Self; 4] = [Self::Draft, Self::Alpha, Self::Beta, Self::Stable];

    /// Returns the value in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Alpha => "alpha",
            Self::Beta => "beta",
            Self::Stable => "stable",
        }
    }

    /// Returns `true` if clients must expect changes that break them.
    #[must_use]
    pub const fn is_provisional(self) -> bool {
        matches!(self, Self::Draft | Self::Alpha)
    }
}
