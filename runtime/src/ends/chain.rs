//! An error with its sources, as one text.

use std::error::Error;
use std::fmt;

/// An error and its sources, in one line: `the body broke off: connection reset`.
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
    mut source: Option<&(dyn Error + 'static)>,
) -> fmt::Result {
    while let Some(error) = source {
        write!(f, ": {error}")?;
        source = error.source();
    }
    Ok(())
}
