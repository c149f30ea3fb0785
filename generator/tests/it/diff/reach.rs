//! The directions in which the schemas of a document travel, read from its references alone.

use std::collections::BTreeSet;

use serde_json::Value;

/// The pointers of the schemas that requests contain, and of those that responses contain.
#[derive(Default)]
pub(crate) struct Reach {
    requests: BTreeSet<String>,
    responses: BTreeSet<String>,
}

const METHODS: [&str; 9] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
];

impl Reach {
    /// Follows the references of all operations.
    pub(crate) fn new(document: &Value) -> Self {
        let mut reach = Self::default();
        for section in ["paths", "webhooks"] {
            for item in document[section].as_object().into_iter().flatten() {
                reach.item(document, item.1);
            }
        }
        reach
    }

    /// Returns whether requests contain a schema, and whether responses do.
    pub(crate) fn directions(&self, pointer: &str) -> (bool, bool) {
        (
            self.requests.contains(pointer),
            self.responses.contains(pointer),
        )
    }

    fn item(&mut self, document: &Value, item: &Value) {
        let reference = item["$ref"].as_str().unwrap_or_default();
        let target = reference.strip_prefix('#');
        let item = target
            .and_then(|pointer| document.pointer(pointer))
            .unwrap_or(item);
        follow(document, &item["parameters"], &mut self.requests);
        for operation in METHODS.iter().filter_map(|method| item.get(*method)) {
            follow(document, &operation["parameters"], &mut self.requests);
            follow(document, &operation["requestBody"], &mut self.requests);
            follow(document, &operation["responses"], &mut self.responses);
            // The client of an API receives its callbacks, and their requests are still requests.
            for callback in operation["callbacks"].as_object().into_iter().flatten() {
                for item in callback.1.as_object().into_iter().flatten() {
                    self.item(document, item.1);
                }
            }
        }
    }
}

fn follow(document: &Value, value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            if let Some(Value::String(reference)) = object.get("$ref")
                && let Some(pointer) = reference.strip_prefix('#')
                && found.insert(pointer.to_owned())
                && let Some(target) = document.pointer(pointer)
            {
                follow(document, target, found);
            }
            object
                .values()
                .for_each(|inner| follow(document, inner, found));
        }
        Value::Array(all) => all.iter().for_each(|inner| follow(document, inner, found)),
        _ => {}
    }
}

/// Returns the operations of a document: method, path, pointer.
pub(crate) fn operations(document: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for method in METHODS.iter().filter(|method| item.get(**method).is_some()) {
            let escaped = path.replace('~', "~0").replace('/', "~1");
            let label = format!("{} {path}", method.to_uppercase());
            found.push((label, format!("/paths/{escaped}/{method}")));
        }
    }
    found
}
