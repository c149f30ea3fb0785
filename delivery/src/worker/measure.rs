//! Histograms of attempts and deliveries, and the number of open deliveries, through the crate `metrics`.
//!
//! The values of labels are standard methods, statuses and kinds of ends: neither a receiver nor a
//! message can invent others.

use crate::delivery::AttemptEnd;
use crate::store::{Decision, DeliveryStore, Lease, Outcome};
use crate::time::Timestamp;
use http::Method;
use std::time::Duration;

/// What is measured of a lease beside its outcome.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    enqueued: Option<Timestamp>,
    /// The attempts that count, including this one.
    attempts: u32,
}

impl Measured {
    pub(super) fn new(lease: &Lease) -> Self {
        Self {
            enqueued: lease.enqueued,
            attempts: lease.tries.saturating_add(1),
        }
    }

    /// Records a delivery that is finished, once its outcome is committed.
    pub(super) fn finished(self, outcome: &Outcome) {
        let state = match outcome.verdict {
            Decision::Delivered => "delivered",
            Decision::Dead(reason) => reason.as_str(),
            Decision::Retry { .. } | Decision::Release { .. } => return,
        };
        recorder::attempts(state, self.attempts);
        let ended = outcome.attempt.as_ref().map(|attempt| attempt.ended);
        if let (Decision::Delivered, Some(enqueued), Some(ended)) =
            (outcome.verdict, self.enqueued, ended)
        {
            recorder::delivered(ended.since(enqueued));
        }
    }
}

/// Records an attempt that sent a request.
pub(super) fn attempted(method: &Method, took: Duration, status: Option<u16>, end: AttemptEnd) {
    recorder::attempted(method, took, status, end);
}

/// Reports the number of open deliveries while the worker runs.
pub(super) async fn depth(store: &impl DeliveryStore) {
    if !cfg!(feature = "metrics") {
        return std::future::pending().await;
    }
    loop {
        match store.depth().await {
            Ok(depth) => recorder::depth(depth),
            Err(error) => tracing::warn!(%error, "open deliveries were not counted"),
        }
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
}

#[cfg(feature = "metrics")]
mod recorder {
    use crate::delivery::AttemptEnd;
    use http::Method;
    use metrics::{Label, Unit, describe_gauge, describe_histogram, gauge, histogram};
    use std::sync::Once;
    use std::time::Duration;

    const ATTEMPT: &str = "http.client.request.duration";
    const DURATION: &str = "webhook.delivery.duration";
    const ATTEMPTS: &str = "webhook.delivery.attempts";
    const BACKLOG: &str = "webhook.delivery.backlog";

    fn describe() {
        static DESCRIBED: Once = Once::new();
        DESCRIBED.call_once(|| {
            describe_histogram!(ATTEMPT, Unit::Seconds, "Duration of HTTP client requests.");
            let text = "Time from the enqueue of a message to its delivery.";
            describe_histogram!(DURATION, Unit::Seconds, text);
            describe_histogram!(ATTEMPTS, Unit::Count, "Attempts of a finished delivery.");
            describe_gauge!(BACKLOG, Unit::Count, "Deliveries that are not finished.");
        });
    }

    pub(super) fn attempted(method: &Method, took: Duration, status: Option<u16>, end: AttemptEnd) {
        describe();
        let mut labels = vec![Label::from_static_parts(
            "http.request.method",
            known(method),
        )];
        match status.map(|status| status.to_string()) {
            Some(status) => {
                if status.as_str() >= "400" {
                    labels.push(Label::new("error.type", status.clone()));
                }
                labels.push(Label::new("http.response.status_code", status));
            }
            None => labels.push(Label::from_static_parts("error.type", end.as_str())),
        }
        histogram!(ATTEMPT, labels).record(took.as_secs_f64());
    }

    /// Returns a standard method. Any other is replaced, because messages can have any.
    fn known(method: &Method) -> &'static str {
        const KNOWN: [&str; 7] = ["POST", "PUT", "PATCH", "DELETE", "GET", "HEAD", "OPTIONS"];
        let known = KNOWN.into_iter().find(|known| *known == method.as_str());
        known.unwrap_or("_OTHER")
    }

    pub(super) fn attempts(state: &'static str, attempts: u32) {
        describe();
        histogram!(ATTEMPTS, "webhook.delivery.state" => state).record(attempts);
    }

    pub(super) fn delivered(took: Duration) {
        histogram!(DURATION).record(took.as_secs_f64());
    }

    pub(super) fn depth(depth: u64) {
        describe();
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        gauge!(BACKLOG).set(depth as f64);
    }
}

#[cfg(not(feature = "metrics"))]
mod recorder {
    use crate::delivery::AttemptEnd;
    use http::Method;
    use std::time::Duration;

    pub(super) const fn attempted(_: &Method, _: Duration, _: Option<u16>, _: AttemptEnd) {}
    pub(super) const fn attempts(_: &'static str, _: u32) {}
    pub(super) const fn delivered(_: Duration) {}
    pub(super) const fn depth(_: u64) {}
}
