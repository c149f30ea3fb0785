//! Collections of errors.

use crate::values::words;
use crate::values::{Leniencies, WireError};

/// Limit for the number of errors of one value.
pub(crate) const MOST: usize = 100;

/// All errors of a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FieldErrors(Vec<WireError>);

impl FieldErrors {
    pub(in crate::values) const fn new(errors: Vec<WireError>) -> Self {
        Self(errors)
    }

    pub(crate) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the only error is that the value is absent.
    pub(crate) fn is_absent(&self) -> bool {
        matches!(&self.0[..], [only] if only.absent)
    }

    /// Returns whether all errors are inside of the value.
    pub(crate) fn are_within(&self) -> bool {
        self.0.iter().all(|error| !error.path.is_empty())
    }

    /// Returns the leniencies that together accept the value; `None` if an error remains.
    pub(crate) fn leniencies(&self) -> Option<Leniencies> {
        let start = Some(Leniencies::default()).filter(|_| !self.0.is_empty());
        self.0.iter().fold(start, |all, error| {
            all.zip(error.leniency)
                .map(|(all, leniency)| all.with(leniency))
        })
    }

    #[cfg(feature = "check-responses")]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &WireError> {
        self.0.iter()
    }

    pub(crate) fn into_errors(self) -> Vec<WireError> {
        self.0
    }

    /// Adds errors that are not already contained.
    pub(in crate::values) fn add(&mut self, more: Self) {
        for error in more.0 {
            if self.0.len() < MOST && !self.0.contains(&error) {
                self.0.push(error);
            }
        }
    }

    /// Truncates the errors, and appends one that states that there are more.
    pub(in crate::values) fn cut(&mut self, more: WireError) {
        self.0.truncate(MOST);
        self.0.push(more);
    }

    /// Returns the errors in one line.
    pub(crate) fn in_words(&self) -> String {
        let mut out = String::new();
        for error in &self.0 {
            let mark = if out.is_empty() { "" } else { "; " };
            let field = error.field("");
            let colon = if field.is_empty() { "" } else { ": " };
            out.extend([mark, &field, colon, &error.message]);
        }
        out
    }
}

impl From<WireError> for FieldErrors {
    fn from(error: WireError) -> Self {
        Self(vec![error])
    }
}

/// Returns whether an error states that a property is missing, which `is_left_out` decides by its
/// name.
pub(in crate::values) fn is_missing(error: &WireError, is_left_out: impl Fn(&str) -> bool) -> bool {
    match &error.path[..] {
        [only] => error.message == words::REQUIRED && is_left_out(only),
        _ => false,
    }
}
