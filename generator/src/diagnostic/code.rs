//! What a diagnostic code is.

use super::Severity;

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
