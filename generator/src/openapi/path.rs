//! Paths and webhooks: path items with their operations.

use indexmap::IndexMap;

use super::bundle::Bundle;
use super::shared::Put as _;
use super::{Json, Map};
use crate::model::Operation;

/// The methods of OpenAPI 3.0.
const METHODS: &[&str] = &[
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

impl Bundle<'_> {
    /// Returns all path items by path, in the order of their first operations.
    pub(super) fn paths(&mut self) -> IndexMap<String, Json> {
        let model = self.model;
        let mut by_path: IndexMap<&str, Vec<&Operation>> = IndexMap::new();
        for operation in &model.operations {
            by_path.entry(&operation.path).or_default().push(operation);
        }
        let mut items = IndexMap::new();
        for (path, mut operations) in by_path {
            // The order in which the types store the operations, so that components are created in
            // the order in which a reader of the bundle sees them.
            operations.sort_by_key(|operation| {
                let is_it = |method: &&str| method.eq_ignore_ascii_case(&operation.method);
                METHODS.iter().position(is_it).unwrap_or(METHODS.len())
            });
            let mut item = Map::new();
            for operation in operations {
                let object = self.operation(operation);
                put(&mut item, &operation.method, object);
            }
            items.insert(path.to_owned(), item.into());
        }
        items
    }

    /// Returns the webhooks by name.
    pub(super) fn webhooks(&mut self) -> Map {
        let model = self.model;
        let mut items: IndexMap<String, Map> = IndexMap::new();
        for webhook in &model.webhooks {
            let object = self.operation(&webhook.operation);
            let item = items.entry(webhook.name.clone()).or_default();
            put(item, &webhook.operation.method, object);
        }
        items
            .into_iter()
            .map(|(name, item)| (name, item.into()))
            .collect()
    }
}

/// Adds an operation to its path item.
pub(super) fn put(item: &mut Map, method: &str, operation: Json) {
    let key = method.to_ascii_lowercase();
    if METHODS.contains(&key.as_str()) {
        item.put(&key, operation);
        return;
    }
    let additional = item
        .entry("x-additionalOperations")
        .or_insert_with(|| Map::new().into());
    additional[method] = operation;
}
