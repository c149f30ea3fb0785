//! Collections of errors.

use super::words;
use crate::values::WireError;
use serde::de;
use std::fmt;

/// Limit for the number of errors of one value.
pub(crate) const MOST: usize = 100;

/// The separator of errors in a text.
const NEXT: &str = "\u{3}";

/// All errors of a value. Its text is parsed again by `custom`, because errors can be passed
/// through a union or a table only as a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FieldErrors(Vec<WireError>);

impl FieldErrors {
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

    pub(crate) fn into_errors(self) -> Vec<WireError> {
        self.0
    }

    pub(super) fn within(mut self, step: &str) -> Self {
        self.0 = self.0.into_iter().map(|error| error.within(step)).collect();
        self
    }

    /// Removes errors that report skipped fields as missing.
    pub(super) fn without_missing(&mut self, is_left_out: impl Fn(&str) -> bool) {
        let missing = |error: &WireError| match &error.path[..] {
            [only] => error.message == words::REQUIRED && is_left_out(only),
            _ => false,
        };
        self.0.retain(|error| !missing(error));
    }

    /// Adds errors that are not already contained.
    pub(super) fn add(&mut self, more: Self) {
        for error in more.0 {
            if self.0.len() < MOST && !self.0.contains(&error) {
                self.0.push(error);
            }
        }
    }

    /// Truncates the errors, and appends one that states that there are more.
    pub(super) fn cut(&mut self, more: WireError) {
        self.0.truncate(MOST);
        self.0.push(more);
    }
}

impl From<WireError> for FieldErrors {
    fn from(error: WireError) -> Self {
        Self(vec![error])
    }
}

/// Joins the texts of errors to the text of one.
pub(crate) fn join<E: fmt::Display>(errors: &[E]) -> String {
    let texts: Vec<String> = errors.iter().take(MOST).map(ToString::to_string).collect();
    texts.join(NEXT)
}

impl fmt::Display for FieldErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str(NEXT)?;
            }
            f.write_str(&error.to_text())?;
        }
        Ok(())
    }
}

impl std::error::Error for FieldErrors {}

impl de::Error for FieldErrors {
    fn custom<T: fmt::Display>(message: T) -> Self {
        let text = message.to_string();
        // An empty text is no error: all errors have been reported before.
        let parts = text.split(NEXT).filter(|part| !part.is_empty());
        Self(parts.map(WireError::custom).collect())
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        WireError::new(words::must_be(found, &expected.to_string())).into()
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        WireError::new(words::must_be(found, &expected.to_string())).into()
    }

    fn invalid_length(_: usize, expected: &dyn de::Expected) -> Self {
        let found = de::Unexpected::Seq;
        WireError::new(words::must_be(found, &expected.to_string())).into()
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Self {
        WireError::new(words::one_of(known)).into()
    }

    fn missing_field(field: &'static str) -> Self {
        WireError::missing_field(field).into()
    }

    fn duplicate_field(field: &'static str) -> Self {
        WireError::duplicate_field(field).into()
    }

    fn unknown_field(field: &str, known: &'static [&'static str]) -> Self {
        WireError::unknown_field(field, known).into()
    }
}
