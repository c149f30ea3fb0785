//! Webhooks: their bodies, how they are enqueued, and how they are sent.

mod due;
mod emit;
mod forge;
pub mod keys;
mod paced;
mod pacer;
mod replay;
mod sender;
mod trigger;

pub use due::in_project;
pub use emit::{Payload, emit};
pub use keys::jwks;
pub use replay::{replay, replay_failed};
pub use trigger::{Setting, Trigger, Triggered, trigger};

pub(crate) use due::{LATEST, project_time};
pub(crate) use pacer::release;
pub(crate) use sender::shorten;

use crate::app::{App, Shared};
use crate::config::destinations;
use crate::store::StorageError;
use bothends_delivery::store::CircuitPolicy;
use bothends_delivery::{HttpSender, MetricsSnapshot, Policy, Worker};
use financial_data::webhooks::DELIVERY;
use sender::FaultySender;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// Sends webhooks until `shutdown` completes.
pub async fn run(app: Shared, shutdown: impl Future<Output = ()>) {
    let worker = match worker(&app) {
        Ok(worker) => worker,
        Err(error) => {
            tracing::error!(%error, "webhooks are not sent");
            return shutdown.await;
        }
    };
    // The keys are there before the first webhook is signed; without them, the worker would wait.
    if let Err(error) = keys::follow(&app).await {
        tracing::warn!(%error, "reading the signing keys");
    }
    // A second start in one process keeps the counters of the first.
    let _ = app.hooks.metrics.set(worker.metrics());
    tokio::select! {
        _ = worker.run(shutdown) => {}
        () = pacer::run(Arc::clone(&app)) => {}
    }
}

fn worker(app: &Shared) -> Result<Worker<paced::Paced, FaultySender>, StorageError> {
    let destinations = destinations(app.config.webhook_destinations.unwrap_or_default());
    let http = HttpSender::builder().destinations(destinations).build();
    let http = http.map_err(StorageError::new)?;
    Ok(Worker::builder(paced::Paced::new(Arc::clone(app)))
        .policy(policy())
        .keys(app.hooks.keys.clone())
        .sender(FaultySender::new(Arc::clone(app), http))
        .build())
}

/// Returns the rules of the document. The pauses are replaced by those of the project.
fn policy() -> Policy {
    Policy {
        // Tests that advance the clock expect retries at exact times.
        jitter: 0.0,
        // The document does not mention `Retry-After`.
        max_retry_after: Duration::ZERO,
        circuit: CircuitPolicy {
            // Off: the document knows no circuit breaker, and an open circuit would delay retries by
            // the clock of the system, where they have to follow the clock of the project.
            rounds: u32::MAX,
            ..CircuitPolicy::default()
        },
        ..Policy::from(DELIVERY)
    }
}

/// Returns the counters of the worker, once it runs.
pub fn metrics(app: &App) -> Option<MetricsSnapshot> {
    app.hooks.metrics.get().map(|metrics| metrics.snapshot())
}
