//! Differences between the dialects, as data for the readers.

use super::version::Version;

/// Rules for the common parts of all dialects.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) version: Version,
    /// HTTP methods that are keys of a path item.
    pub(super) methods: &'static [&'static str],
    /// The meaning of the keywords next to a schema's `$ref`.
    pub(super) siblings: Siblings,
    /// The paths of reusable schemas, responses and security schemes from the root.
    pub(super) schemas: &'static [&'static str],
    pub(super) responses: &'static [&'static str],
    pub(super) security_schemes: &'static [&'static str],
}

/// The meaning of the keywords next to a schema's `$ref`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Siblings {
    /// All keywords apply, together with the target of the reference.
    Count,
    /// The standard ignores the keywords. Annotations are kept, see [`super::v3_0`].
    Annotate,
}
