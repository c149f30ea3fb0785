//! The values of one name, before they are decoded.

use std::borrow::Cow;
use std::ops::Deref;

/// The values of one name, still encoded. A single one, as most are, is not allocated.
pub(super) enum RawValues<'a> {
    One([Cow<'a, str>; 1]),
    Any(Vec<Cow<'a, str>>),
}

impl RawValues<'_> {
    /// Removes values that are equal to the one before.
    pub(super) fn without_repetition(mut self) -> Self {
        if let Self::Any(values) = &mut self {
            values.dedup();
        }
        self
    }
}

impl<'a> FromIterator<Cow<'a, str>> for RawValues<'a> {
    fn from_iter<I: IntoIterator<Item = Cow<'a, str>>>(values: I) -> Self {
        let mut values = values.into_iter();
        match (values.next(), values.next()) {
            (Some(value), None) => Self::One([value]),
            (first, second) => Self::Any(first.into_iter().chain(second).chain(values).collect()),
        }
    }
}

impl<'a> Deref for RawValues<'a> {
    type Target = [Cow<'a, str>];

    fn deref(&self) -> &Self::Target {
        match self {
            Self::One(values) => values,
            Self::Any(values) => values,
        }
    }
}
