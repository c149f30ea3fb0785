//! OpenAPI 3.2: the method `query`, custom methods, streams by `itemSchema`, `querystring`
//! parameters, and the device flow.

use super::rules::{Rules, Siblings};
use super::v3_0;
use super::version::Version;

pub(super) const RULES: Rules = Rules {
    version: Version::V3_2,
    methods: &[
        "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
    ],
    siblings: Siblings::Count,
    ..v3_0::RULES
};
