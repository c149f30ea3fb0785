//! The catalogue of events, from the OpenAPI document.

use crate::model::{Product, Project};
use crate::store::StorageError;
use financial_data::webhooks::{SUBSCRIPTION, WebhookKind};
use serde::Serialize;
use serde_json::{Value, json};
use std::sync::OnceLock;

/// The OpenAPI document of the service.
const DOCUMENT: &str = include_str!("../../spec/financial-data.yaml");
/// The keyword of a reference.
const REF: &str = "$ref";
/// The deepest nesting of references, so that a recursive schema ends.
const DEEPEST: usize = 16;

/// A kind of event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventKind {
    /// The webhook of the OpenAPI document.
    pub kind: String,
    /// The name for people.
    pub summary: String,
    /// When the webhook is sent.
    pub description: String,
    /// The product that a client needs for the webhook.
    pub product: Option<String>,
    /// The JSON schema of the body, without references.
    pub schema: Value,
    /// An example of the body.
    pub example: Value,
}

impl EventKind {
    /// Returns `true` if the webhook is available to a project.
    pub fn is_available_to(&self, project: &Project) -> bool {
        is_available(&self.kind, project)
    }
}

/// Returns `true` if a kind of webhook is available to a project, because the kind needs no product
/// or the project has it.
pub(crate) fn is_available(kind: &str, project: &Project) -> bool {
    let product = SUBSCRIPTION.product_of(kind);
    let mut products = project.products.iter().copied().map(Product::as_str);
    product.is_none_or(|needed| products.any(|product| product == needed))
}

/// Returns all kinds of events, in the order of the document.
///
/// # Errors
/// Returns an error if the OpenAPI document, which is part of the program, cannot be read.
pub fn catalogue() -> Result<&'static [EventKind], StorageError> {
    static CATALOGUE: OnceLock<Result<Vec<EventKind>, StorageError>> = OnceLock::new();
    match CATALOGUE.get_or_init(read) {
        Ok(kinds) => Ok(kinds),
        Err(error) => Err(error.clone()),
    }
}

fn read() -> Result<Vec<EventKind>, StorageError> {
    let document: Value = serde_yaml::from_str(DOCUMENT).map_err(StorageError::new)?;
    let kinds = SUBSCRIPTION.kinds.iter();
    Ok(kinds.map(|kind| event_kind(&document, kind)).collect())
}

fn event_kind(document: &Value, kind: &str) -> EventKind {
    let webhook = &document["webhooks"][kind]["post"];
    let content = &webhook["requestBody"]["content"]["application/json"];
    let examples = content["examples"].as_object();
    let example = examples.and_then(|examples| examples.values().next());
    let text = |value: &Value| value.as_str().unwrap_or_default().trim_end().to_owned();
    EventKind {
        kind: kind.to_owned(),
        summary: text(&webhook["summary"]),
        description: text(&webhook["description"]),
        product: SUBSCRIPTION.product_of(kind).map(str::to_owned),
        schema: resolved(document, &content["schema"], DEEPEST),
        example: match example {
            Some(example) => example["value"].clone(),
            None => own_example(kind),
        },
    }
}

/// Returns an example of a kind for which the document has none.
fn own_example(kind: &str) -> Value {
    let customer = "7f0f7c8e-0a55-4a0c-9a3b-0c4d7f1f2b22";
    let payment = |last: &str| {
        json!({"data": {
            "payment_id": format!("9d3f1a10-2b7b-4f6e-8a4d-5d5d5d5d5d{last}"),
            "service": "domestic-single-payment",
            "user_id": "user-17",
            "event": "payment.success",
        }})
    };
    match kind.parse() {
        Ok(WebhookKind::SyncCompleted) => json!({"data": {
            "task_id": "0b6f9a52-5a2e-4c5e-9f39-6f1f3a1d7c12",
            "task_type": "refresh",
            "customer_id": customer,
            "status": "Completed",
            "result": "success",
        }}),
        Ok(WebhookKind::CustomersDeleted) => json!({"data": {
            "result": "success",
            "task_id": "0b6f9a52-5a2e-4c5e-9f39-6f1f3a1d7c14",
            "customer_id": customer,
        }}),
        Ok(WebhookKind::StandingOrderStatusUpdated) => payment("56"),
        Ok(WebhookKind::ScheduledPaymentStatusUpdated) => payment("57"),
        _ => json!({"data": {}}),
    }
}

/// Returns a schema with the referenced schemas in the places of the references.
fn resolved(document: &Value, schema: &Value, depth: usize) -> Value {
    match schema {
        Value::Object(members) => {
            let reference = members.get(REF).and_then(Value::as_str);
            let target =
                reference.and_then(|reference| document.pointer(reference.strip_prefix('#')?));
            let mut resolved_members = match target {
                Some(target) if depth > 0 => match resolved(document, target, depth - 1) {
                    Value::Object(members) => members,
                    _ => serde_json::Map::new(),
                },
                _ => serde_json::Map::new(),
            };
            // Keywords beside a reference apply as well (JSON Schema 2020-12).
            for (name, member) in members {
                if name != REF && !name.starts_with("x-") {
                    resolved_members.insert(name.clone(), resolved(document, member, depth));
                }
            }
            resolved_members.retain(|name, _| !name.starts_with("x-"));
            Value::Object(resolved_members)
        }
        Value::Array(items) => {
            let items = items.iter().map(|item| resolved(document, item, depth));
            Value::Array(items.collect())
        }
        _ => schema.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_schema_and_an_example_of_it() {
        let kinds = catalogue().expect("a catalogue");
        assert_eq!(kinds.len(), 8);
        for kind in kinds {
            assert!(!kind.summary.is_empty() && !kind.description.is_empty());
            let data = &kind.schema["properties"]["data"];
            let known = data["properties"].as_object().expect("properties");
            assert!(known.values().all(|schema| schema["type"] == "string"));
            assert!(!kind.schema.to_string().contains(REF), "{}", kind.schema);
            let example = kind.example["data"].as_object().expect("data");
            assert!(!example.is_empty());
            assert!(example.keys().all(|name| known.contains_key(name)));
        }
        let products: Vec<_> = kinds
            .iter()
            .filter_map(|kind| kind.product.as_deref())
            .collect();
        assert_eq!(
            products
                .iter()
                .filter(|product| **product == "payments")
                .count(),
            3
        );
        assert_eq!(
            products
                .iter()
                .filter(|product| **product == "connection")
                .count(),
            3
        );
    }
}
