//! OpenAPI 3.1: schemas are JSON Schema 2020-12, so siblings of a `$ref` apply.

use super::rules::{Rules, Siblings};
use super::v3_0;
use super::version::Version;

pub(super) const RULES: Rules = Rules {
    version: Version::V3_1,
    siblings: Siblings::Count,
    ..v3_0::RULES
};
