//! OpenAPI 3.0.
//!
//! The standard ignores siblings of a `$ref`. A description, a default or `nullable` next to the
//! `$ref` of a property can only apply to that property, and is kept. Siblings that would change
//! the type of the target are ignored and reported.

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

/// Returns whether a keyword next to a `$ref` is kept as an annotation of its location.
pub(super) fn annotates(key: &str) -> bool {
    matches!(
        key,
        "description" | "deprecated" | "readOnly" | "writeOnly" | "default" | "nullable"
    ) || is_extension(key)
}

/// Returns whether a keyword next to a `$ref` would change the type if it were applied.
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
