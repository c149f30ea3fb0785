//! Counters for operators. They are fed by the log of calls and webhooks, so that both always agree.

use crate::model::Activity;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The upper bounds of the buckets of durations, in seconds.
const BUCKETS: [f64; 11] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 10.0,
];

/// The operation and status of a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct CallLabels {
    operation: Cow<'static, str>,
    status: String,
}

/// The kind and result of a request with a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct WebhookLabels {
    kind: String,
    status: String,
}

/// The metrics of the process. Clones share them.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    registry: Registry,
    calls: Family<CallLabels, Counter>,
    call_seconds: Histogram,
    webhooks: Family<WebhookLabels, Counter>,
    webhook_seconds: Histogram,
    received: Counter,
    dropped: Counter,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("sandbox");
        let calls = Family::<CallLabels, Counter>::default();
        let webhooks = Family::<WebhookLabels, Counter>::default();
        let call_seconds = Histogram::new(BUCKETS);
        let webhook_seconds = Histogram::new(BUCKETS);
        let (received, dropped) = (Counter::default(), Counter::default());
        registry.register("api_requests", "Calls of the API", calls.clone());
        let help = "Durations of calls of the API";
        registry.register_with_unit("api_request", help, Unit::Seconds, call_seconds.clone());
        registry.register(
            "webhook_attempts",
            "Requests with webhooks",
            webhooks.clone(),
        );
        let help = "Durations of requests with webhooks";
        registry.register_with_unit("webhook", help, Unit::Seconds, webhook_seconds.clone());
        let help = "Webhooks that the receiver of the sandbox has received";
        registry.register("webhooks_received", help, received.clone());
        let help = "Entries of the log that were dropped because the database was too slow";
        registry.register("log_entries_dropped", help, dropped.clone());
        Self(Arc::new(Inner {
            registry,
            calls,
            call_seconds,
            webhooks,
            webhook_seconds,
            received,
            dropped,
        }))
    }
}

impl Metrics {
    /// Counts an entry of the log.
    pub(crate) fn observe(&self, activity: &Activity) {
        let status = |status: Option<u16>| {
            status.map_or_else(|| "none".to_owned(), |status| status.to_string())
        };
        match activity {
            Activity::Call(call) => {
                // Labels have values of the document only: what clients send must not grow the
                // memory.
                let operation = call.operation.clone().unwrap_or(Cow::Borrowed("other"));
                let labels = CallLabels {
                    operation,
                    status: status(call.status),
                };
                self.0.calls.get_or_create(&labels).inc();
                self.0.call_seconds.observe(call.microseconds as f64 / 1e6);
            }
            Activity::Webhook(sent) => {
                let labels = WebhookLabels {
                    kind: sent.kind.clone(),
                    status: status(sent.status),
                };
                self.0.webhooks.get_or_create(&labels).inc();
                self.0
                    .webhook_seconds
                    .observe(sent.microseconds as f64 / 1e6);
            }
            Activity::Received(_) => {
                self.0.received.inc();
            }
        }
    }

    /// Counts an entry that was dropped.
    pub(crate) fn dropped(&self) {
        self.0.dropped.inc();
    }

    /// Returns the text for Prometheus.
    pub(crate) fn render(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        encode(&mut text, &self.0.registry)?;
        Ok(text)
    }
}
