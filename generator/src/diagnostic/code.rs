//! What a diagnostic code is.

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is generated.
    Error,
    /// Told, and generated all the same.
    Warning,
}

impl Severity {
    /// `error` or `warning`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
        }
    }
}

/// A kind of problem. Its id never changes its meaning.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0103`, `W0101`: the letter is the severity.
    pub id: &'static str,
    /// The problem in a few words.
    pub title: &'static str,
    /// What `bothends explain` prints: why it is a problem, and what to do.
    pub explanation: &'static str,
    /// Whether `--allow` lets it pass; there is then a way to go on that is told in the
    /// explanation.
    pub allowable: bool,
}

impl Code {
    /// Error or warning, before allowances.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        if matches!(self.id.as_bytes(), [b'W', ..]) {
            Severity::Warning
        } else {
            Severity::Error
        }
    }
}
