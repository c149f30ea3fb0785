//! Diagnostic codes.

/// Severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// No code is generated.
    Error,
    /// Code is generated, and the document should be changed.
    Warning,
    /// A fact about the generated code that needs no change of the document.
    Note,
}

impl Severity {
    /// Returns `error`, `warning` or `note`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// A kind of problem. The meaning of an id never changes.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// `E0103`, `W0101`: the letter is the severity.
    pub id: &'static str,
    /// The problem in a few words.
    pub title: &'static str,
    /// What to write instead, unless a diagnostic has more specific help. Every warning has a help
    /// text.
    pub help: Option<&'static str>,
    /// The text of `bothends explain`: why it is a problem, and what to do.
    pub explanation: &'static str,
    /// Whether `--allow` accepts the code. The explanation then describes how generation continues.
    pub allowable: bool,
}

impl Code {
    /// Returns the severity before allowances.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        match self.id.as_bytes() {
            [b'W', ..] => Severity::Warning,
            [b'N', ..] => Severity::Note,
            _ => Severity::Error,
        }
    }
}
