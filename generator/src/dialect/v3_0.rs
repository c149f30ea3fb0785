//! OpenAPI 3.0.
//!
//! The standard ignores what stands beside a `$ref`. Still, a description, a default or
//! `nullable` beside the `$ref` of a property can only mean that property, and is kept; what
//! would change the type of what is referred to does not count, and that is told.

use super::extension::is_extension;
use super::rules::{Rules, Siblings};
use super::version::Version;

pub(super) const METHODS: &[&str] = &[
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

pub(super) const RULES: Rules = Rules {
    version: Version::V3_0,
    methods: METHODS,
    siblings: Siblings::Annotate,
    schemas: &["components", "schemas"],
    responses: &["components", "responses"],
    security_schemes: &["components", "securitySchemes"],
};

/// Whether a keyword beside a `$ref` is kept as a note on the place it stands at.
pub(super) fn annotates(key: &str) -> bool {
    matches!(
        key,
        "description" | "deprecated" | "readOnly" | "writeOnly" | "default" | "nullable"
    ) || is_extension(key)
}

/// Whether a keyword beside a `$ref` would change the type, if it counted.
pub(super) fn would_change_type(key: &str) -> bool {
    matches!(
        key,
        "allOf"
            | "anyOf"
            | "oneOf"
            | "properties"
            | "additionalProperties"
            | "items"
            | "enum"
            | "required"
    )
}
