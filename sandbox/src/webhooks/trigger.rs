//! Test events: any kind, with the example body or another.

use crate::app::App;
use crate::catalogue::{catalogue, is_available};
use crate::ids;
use crate::model::{Event, Project};
use crate::request_error::RequestError;
use crate::store::{Changes, StorageError};
use bothends_delivery::{DeliveryStore, Message, MessageId};
use financial_data::types::{
    AggregationWebhook, CustomerManagementWebhook, IngestionWebhook, PaymentWebhook,
};
use financial_data::webhooks::WebhookKind;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::str::FromStr;

/// A test event.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trigger {
    /// The body; the example of the kind by default.
    pub body: Option<Value>,
    /// Fields that are set in the `data` of the body.
    pub set: Vec<Setting>,
    /// The id of the message; a new one by default. A second message of the project with the same
    /// id is not sent.
    pub message_id: Option<String>,
}

/// A field that is set, written `field=value` for a string and `field:=json` for any other value.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// The field in `data`.
    pub field: String,
    /// The value.
    pub value: Value,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((field, value)) = text.split_once('=') else {
            return Err(format!(
                "`{text}` is not of the form field=value or field:=json"
            ));
        };
        let (field, value) = match field.strip_suffix(':') {
            Some(field) => {
                let value = serde_json::from_str(value);
                let value = value.map_err(|error| format!("the value of `{field}`: {error}"))?;
                (field, value)
            }
            None => (field, Value::from(value)),
        };
        if field.is_empty() {
            return Err(format!("`{text}` names no field"));
        }
        Ok(Self {
            field: field.to_owned(),
            value,
        })
    }
}

/// An event that was triggered.
#[derive(Debug, Clone, PartialEq)]
pub struct Triggered {
    /// The event.
    pub event: Event,
    /// The number of active subscriptions of the project that receive the event.
    pub receivers: usize,
}

/// Sends an event of a kind to the subscriptions of a project. The body has to fit the generated
/// type of the kind; it may have further fields, as later versions of the service may.
///
/// # Errors
/// Returns an error if the kind is unknown or not available to the project, if the body does not
/// fit the kind, or for an error of the database.
pub async fn trigger(
    app: &App,
    project: &Project,
    kind: &str,
    trigger: Trigger,
) -> Result<Triggered, RequestError> {
    let kinds = catalogue()?;
    let Some(known) = kinds.iter().find(|known| known.kind == kind) else {
        let known: Vec<&str> = kinds.iter().map(|known| known.kind.as_str()).collect();
        let message = format!(
            "no webhook `{kind}`; the webhooks are `{}`",
            known.join("`, `")
        );
        return Err(RequestError::invalid("kind", message));
    };
    if !is_available(kind, project) {
        let product = known.product.as_deref().unwrap_or_default();
        let message = format!("`{kind}` is only for clients of the product `{product}`");
        return Err(RequestError::invalid("kind", message));
    }
    let mut body = trigger.body.unwrap_or_else(|| known.example.clone());
    for setting in trigger.set {
        let Some(data) = body.get_mut("data").and_then(Value::as_object_mut) else {
            return Err(RequestError::invalid("body", "has no object `data`"));
        };
        data.insert(setting.field, setting.value);
    }
    check(kind, &body)?;
    let message_id = trigger.message_id;
    let message_id = message_id.unwrap_or_else(|| format!("trigger:{}", ids::fresh()));
    let event = Event {
        project: project.id.clone(),
        id: ids::ordered(),
        kind: kind.to_owned(),
        body,
        message_id,
        cause: "console".to_owned(),
        at: App::now(project),
    };
    send(app, &event).await?;
    let subscriptions = app.store.delivery().subscriptions(&project.id).await?;
    let receivers = subscriptions
        .iter()
        .filter(|subscription| subscription.is_active() && subscription.url_for(kind).is_some());
    Ok(Triggered {
        receivers: receivers.count(),
        event,
    })
}

/// Stores an event, and enqueues its webhook.
async fn send(app: &App, event: &Event) -> Result<(), RequestError> {
    let id = MessageId::new(event.message_id.as_str());
    let id = id.map_err(|error| RequestError::invalid("message_id", error.to_string()))?;
    // A webhook of the document is a `POST` with JSON, as is a new message.
    let body = serde_json::to_vec(&event.body).map_err(StorageError::new)?;
    let message = Message::new(event.kind.as_str(), body)
        .id(id)
        .owner(&event.project);
    let mut changes = Changes::new();
    changes.insert(event).enqueue(message);
    Ok(app.store.commit(changes).await?)
}

/// Checks that a body fits a kind.
pub(super) fn check(kind: &str, body: &Value) -> Result<(), RequestError> {
    let kind: WebhookKind = kind
        .parse()
        .map_err(|_| RequestError::invalid("kind", "is unknown"))?;
    match kind {
        WebhookKind::ConnectionCompleted
        | WebhookKind::RefreshCompleted
        | WebhookKind::SyncCompleted => fits::<AggregationWebhook>(body),
        WebhookKind::CustomersDeleted => fits::<CustomerManagementWebhook>(body),
        WebhookKind::SinglePaymentStatusUpdated
        | WebhookKind::StandingOrderStatusUpdated
        | WebhookKind::ScheduledPaymentStatusUpdated => fits::<PaymentWebhook>(body),
        WebhookKind::IngestionSucceeded => fits::<IngestionWebhook>(body),
        _ => Err(RequestError::invalid("kind", "is unknown")),
    }
}

fn fits<T: DeserializeOwned>(body: &Value) -> Result<(), RequestError> {
    // From the text, as a receiver does it, so that the error names the place.
    match serde_json::from_str::<T>(&body.to_string()) {
        Ok(_) => Ok(()),
        Err(error) => Err(RequestError::invalid("body", error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_setting_is_a_string_or_json() {
        let set = |text: &str| text.parse::<Setting>().map(|set| (set.field, set.value));
        assert_eq!(set("a=b=c"), Ok(("a".to_owned(), json!("b=c"))));
        assert_eq!(set("a=true"), Ok(("a".to_owned(), json!("true"))));
        assert_eq!(set("a:=true"), Ok(("a".to_owned(), json!(true))));
        assert_eq!(set("a="), Ok(("a".to_owned(), json!(""))));
        for wrong in ["a", "=b", "a:=b", ":=1"] {
            set(wrong).expect_err(wrong);
        }
    }

    #[test]
    fn every_example_fits_its_kind() {
        for kind in catalogue().expect("a catalogue") {
            check(&kind.kind, &kind.example).expect("a valid example");
        }
    }

    #[test]
    fn a_body_fits_its_kind_and_may_have_further_fields() {
        let refresh = |body| check("refreshCompleted", &body);
        refresh(json!({"data": {"status": "Completed", "new_field": [1]}})).expect("a body");
        refresh(json!({"data": {"status": 7}})).expect_err("a number");
        refresh(json!({"status": "Completed"})).expect_err("no `data`");
        let payment = |body| check("singlePaymentStatusUpdated", &body);
        payment(json!({"data": {"payment_id": "p"}})).expect_err("no event");
        payment(json!({"data": {"event": "payment.failed"}})).expect("an unknown event");
    }
}
