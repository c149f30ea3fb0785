//! The selectors of a document, for `bothends list`.

use std::collections::BTreeMap;

use super::Selector;
use super::unmatched::schemas;
use crate::ir::{Api, Operation};

/// Returns a selector for each operation, webhook and callback, and its method and path or its
/// method.
#[must_use]
pub fn list_operations(api: &Api) -> Vec<(String, String)> {
    let operations = api.operations.iter().map(|operation| {
        let call = Selector::Call(operation.method.clone(), operation.path.clone()).to_string();
        match has_id(operation) {
            true => (operation.name.wire.clone(), call),
            false => (call, String::new()),
        }
    });
    let webhooks = api.webhooks.iter().map(|webhook| {
        let selector = Selector::Webhook(webhook.name.wire.clone());
        (selector.to_string(), webhook.method.clone())
    });
    operations.chain(webhooks).collect()
}

/// Returns whether the id of an operation is a selector of this operation. The words in place of a
/// missing `operationId` are separated by spaces.
fn has_id(operation: &Operation) -> bool {
    let id = &operation.name.wire;
    let is_id = Selector::parse(id).is_ok_and(|selector| matches!(selector, Selector::Id(_)));
    is_id && !id.contains(' ')
}

/// Returns a selector for each reusable schema.
#[must_use]
pub fn list_schemas(api: &Api) -> Vec<(String, String)> {
    let selectors = schemas(api).map(|name| Selector::Schema(name.to_owned()));
    selectors
        .map(|selector| (selector.to_string(), String::new()))
        .collect()
}

/// Returns a selector for each tag, and the number of its operations and webhooks.
#[must_use]
pub fn list_tags(api: &Api) -> Vec<(String, String)> {
    let all = || api.operations.iter().chain(&api.webhooks);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tag in all().flat_map(|operation| &operation.tags) {
        *counts.entry(tag).or_default() += 1;
    }
    // The tags of the document's list come first, in its order.
    let mut tags: Vec<&str> = api.tags.iter().map(|tag| tag.name.wire.as_str()).collect();
    tags.retain(|tag| counts.contains_key(tag));
    let others = counts.keys().copied().filter(|tag| !tags.contains(tag));
    let others: Vec<&str> = others.collect();
    tags.extend(others);
    let rows = tags.into_iter().map(|tag| {
        let count = counts.get(tag).copied().unwrap_or_default();
        let plural = if count == 1 { "" } else { "s" };
        let selector = Selector::Tag(tag.to_owned());
        (selector.to_string(), format!("{count} operation{plural}"))
    });
    rows.collect()
}
