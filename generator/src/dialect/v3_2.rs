//! OpenAPI 3.2: the method `query`, methods of one's own, streams by `itemSchema`, `querystring`
//! parameters, and the device flow.

use super::context::Context;
use super::{Rules, Siblings, Version, v3_0};
use crate::resolve::Node;

pub(super) const RULES: Rules = Rules {
    version: Version::V3_2,
    methods: &[
        "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
    ],
    siblings: Siblings::Count,
    ..v3_0::RULES
};

/// `additionalOperations` of a path item: the method as written, and its operation.
pub(super) fn additional_operations<'t>(
    context: &mut Context<'t, '_>,
    item: &Node<'t>,
) -> Vec<(&'t str, Node<'t>)> {
    if context.rules.version < Version::V3_2 {
        return vec![];
    }
    context.entries(item, "additionalOperations").collect()
}
