//! What the dialects answer differently, as data that the readers ask.

use super::version::Version;

/// How a dialect reads what all dialects have.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) version: Version,
    /// HTTP methods that are keys of a path item.
    pub(super) methods: &'static [&'static str],
    /// What the keywords beside a schema's `$ref` mean.
    pub(super) siblings: Siblings,
    /// Where reusable schemas, responses and security schemes stand, from the root.
    pub(super) schemas: &'static [&'static str],
    pub(super) responses: &'static [&'static str],
    pub(super) security_schemes: &'static [&'static str],
}

/// What the keywords beside a schema's `$ref` mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Siblings {
    /// All of them count, together with what is referred to.
    Count,
    /// They are ignored by the standard; notes to the reader are kept, see [`super::v3_0`].
    Annotate,
}
