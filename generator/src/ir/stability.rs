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

    /// The lowest level that promises clients and servers that they are not broken, unless the
    /// configuration has another one.
    pub const PROMISED: Self = Self::Beta;

    /// Returns the level with a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name() == name)
    }
}
