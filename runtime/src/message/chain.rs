//! An error with its sources.

use std::error::Error;
use std::fmt;
use std::iter::successors;

/// Returns an error, its source, the source of that, and so on.
pub(crate) fn chain<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    successors(Some(error), |error| (*error).source())
}

/// An error and its sources, in one line: `the body ended early: connection reset`.
#[cfg(feature = "server")]
pub(crate) struct Chain<'a>(pub(crate) &'a (dyn Error + 'static));

#[cfg(feature = "server")]
impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        sources(f, self.0.source())
    }
}

/// Writes `: ` and a text for each source.
pub(crate) fn sources(
    f: &mut fmt::Formatter<'_>,
    source: Option<&(dyn Error + 'static)>,
) -> fmt::Result {
    source.map_or(Ok(()), |source| {
        chain(source).try_for_each(|error| write!(f, ": {error}"))
    })
}
