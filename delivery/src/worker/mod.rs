//! Workers that claim due deliveries, send them, and record the outcomes.

mod attempt;
mod flight;
mod measure;
mod metrics;
mod run;
mod signal;

pub use metrics::{Metrics, MetricsSnapshot};
pub use signal::shutdown_signal;

use crate::policy::Policy;
use crate::send::{BuildError, Destinations, HttpSender, HttpSenderBuilder};
use crate::signing::SharedKeyRing;
use crate::store::DeliveryStore;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A worker that claims due deliveries, sends them, and records the outcomes until its shutdown.
///
/// Any number of workers can share a store, in one process and, with PostgreSQL, on several
/// machines.
pub struct Worker<S, N = HttpSender> {
    store: S,
    sender: Arc<N>,
    settings: Settings,
    metrics: Arc<Metrics>,
}

impl<S: fmt::Debug, N> fmt::Debug for Worker<S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("store", &self.store)
            .field("policy", &self.settings.policy)
            .finish_non_exhaustive()
    }
}

#[derive(Clone)]
struct Settings {
    policy: Arc<Policy>,
    keys: SharedKeyRing,
    concurrency: usize,
    lease: Duration,
    poll: Duration,
    grace: Duration,
    retention: Option<Duration>,
    seed: Option<u64>,
}

impl<S: DeliveryStore> Worker<S> {
    /// Returns a builder for a worker of this store.
    pub fn builder(store: S) -> WorkerBuilder<S, HttpSenderBuilder> {
        WorkerBuilder {
            store,
            sender: HttpSender::builder(),
            lease: None,
            settings: Settings {
                policy: Arc::default(),
                keys: SharedKeyRing::new(),
                concurrency: 256,
                lease: Duration::ZERO,
                poll: Duration::from_secs(1),
                grace: Duration::from_secs(20),
                retention: Some(Duration::from_secs(30 * 24 * 60 * 60)),
                seed: None,
            },
        }
    }
}

impl<S, N> Worker<S, N> {
    /// Returns the metrics of the worker, which can be read while the worker runs.
    pub fn metrics(&self) -> Arc<Metrics> {
        Arc::clone(&self.metrics)
    }
}

/// A builder for a [`Worker`].
#[must_use]
pub struct WorkerBuilder<S, N> {
    store: S,
    sender: N,
    lease: Option<Duration>,
    settings: Settings,
}

impl<S: fmt::Debug, N> fmt::Debug for WorkerBuilder<S, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerBuilder")
            .field("store", &self.store)
            .finish_non_exhaustive()
    }
}

impl<S: DeliveryStore> WorkerBuilder<S, HttpSenderBuilder> {
    /// Sets the allowed destinations. The default is the public internet.
    pub fn destinations(self, destinations: Destinations) -> Self {
        let sender = self.sender.destinations(destinations);
        Self { sender, ..self }
    }

    /// Builds a worker that sends over HTTP.
    ///
    /// # Errors
    /// Returns an error if TLS cannot be configured.
    pub fn build(self) -> Result<Worker<S>, BuildError> {
        let sender = self.sender.clone().build()?;
        Ok(self.sender(sender).build())
    }

    /// Sets the sender.
    pub fn sender<N: crate::send::Sender>(self, sender: N) -> WorkerBuilder<S, Ready<N>> {
        WorkerBuilder {
            store: self.store,
            sender: Ready(sender),
            lease: self.lease,
            settings: self.settings,
        }
    }
}

/// A marker for a builder whose sender is set.
#[derive(Debug)]
pub struct Ready<N>(N);

impl<S: DeliveryStore, N: crate::send::Sender> WorkerBuilder<S, Ready<N>> {
    /// Builds the worker.
    pub fn build(self) -> Worker<S, N> {
        let Self {
            store,
            sender: Ready(sender),
            lease,
            mut settings,
        } = self;
        // A lease must outlast the request and the recording of its outcome; otherwise every
        // request would be sent twice.
        let least = settings.policy.timeout + Duration::from_secs(1);
        settings.lease = lease.unwrap_or(settings.policy.timeout * 3).max(least);
        Worker {
            store,
            sender: Arc::new(sender),
            settings,
            metrics: Arc::default(),
        }
    }
}

impl<S, N> WorkerBuilder<S, N> {
    /// Sets the retry policy.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.settings.policy = Arc::new(policy);
        self
    }

    /// Sets the keys for subscriptions with [`Signing::Key`](crate::Signing::Key): a
    /// [`KeyRing`](crate::KeyRing), or a [`SharedKeyRing`] that can be replaced while the worker
    /// runs.
    pub fn keys(mut self, keys: impl Into<SharedKeyRing>) -> Self {
        self.settings.keys = keys.into();
        self
    }

    /// Sets the maximum number of concurrent requests to all endpoints, from 1 to 65,536. The default
    /// is 256.
    ///
    /// At most half of the requests are sent to slow endpoints, and at most a quarter to endpoints
    /// whose last attempt failed. An endpoint without any response so far receives one request at a
    /// time.
    pub fn concurrency(mut self, concurrency: usize) -> Self {
        self.settings.concurrency = concurrency.clamp(1, 1 << 16);
        self
    }

    /// Sets the duration of a lease. The default is three times the request timeout. The minimum is
    /// the request timeout plus one second.
    pub fn lease(self, lease: Duration) -> Self {
        Self {
            lease: Some(lease),
            ..self
        }
    }

    /// Sets the interval between polls of the store, if the store reports no changes. The default
    /// is one second.
    pub fn poll(mut self, poll: Duration) -> Self {
        self.settings.poll = poll;
        self
    }

    /// Sets the grace period for requests in progress at shutdown. The default is 20 seconds.
    /// Requests not finished by then are sent again after their lease expires.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.settings.grace = grace;
        self
    }

    /// Sets how long finished deliveries and their attempts are kept. The default is thirty days.
    /// `None` keeps them forever.
    pub fn retention(mut self, retention: Option<Duration>) -> Self {
        self.settings.retention = retention;
        self
    }

    /// Sets the seed of the jitter.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = Some(seed);
        self
    }
}
