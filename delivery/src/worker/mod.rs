//! Takes what is due, sends it, and writes down what came of it.

mod attempt;
mod flight;
mod metrics;
mod run;
mod signal;

pub use metrics::{Metrics, Snapshot};
pub use signal::terminated;

use crate::policy::Policy;
use crate::send::{BuildError, Destinations, HttpSender, HttpSenderBuilder};
use crate::signing::KeyRing;
use crate::store::DeliveryStore;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Takes what is due, sends it, and writes down what came of it, until it is told to stop.
///
/// Any number of workers can share a store: in one process, and where the store is PostgreSQL, on
/// many machines.
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
    keys: Arc<KeyRing>,
    concurrency: usize,
    lease: Duration,
    poll: Duration,
    grace: Duration,
    retention: Option<Duration>,
    seed: Option<u64>,
}

impl<S: DeliveryStore> Worker<S> {
    /// Begins a worker for this store.
    pub fn builder(store: S) -> WorkerBuilder<S, HttpSenderBuilder> {
        WorkerBuilder {
            store,
            sender: HttpSender::builder(),
            lease: None,
            settings: Settings {
                policy: Arc::default(),
                keys: Arc::default(),
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
    /// What it has done so far; it can be looked at while it runs.
    pub fn metrics(&self) -> Arc<Metrics> {
        Arc::clone(&self.metrics)
    }
}

/// Makes a [`Worker`].
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
    /// Which addresses may be sent to; those of the public internet, unless this says otherwise.
    pub fn destinations(self, destinations: Destinations) -> Self {
        let sender = self.sender.destinations(destinations);
        Self { sender, ..self }
    }

    /// The worker, sending over HTTP.
    ///
    /// # Errors
    /// Where TLS cannot be set up.
    pub fn build(self) -> Result<Worker<S>, BuildError> {
        let sender = self.sender.clone().build()?;
        Ok(self.sender(sender).build())
    }

    /// Sends in this way.
    pub fn sender<N: crate::send::Sender>(self, sender: N) -> WorkerBuilder<S, Ready<N>> {
        WorkerBuilder {
            store: self.store,
            sender: Ready(sender),
            lease: self.lease,
            settings: self.settings,
        }
    }
}

/// A sender that was made already.
#[derive(Debug)]
pub struct Ready<N>(N);

impl<S: DeliveryStore, N: crate::send::Sender> WorkerBuilder<S, Ready<N>> {
    /// The worker.
    pub fn build(self) -> Worker<S, N> {
        let Self {
            store,
            sender: Ready(sender),
            lease,
            mut settings,
        } = self;
        // A lease outlasts the request and the writing down, or everything would be sent twice.
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
    /// When something is sent again, and when it is given up.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.settings.policy = Arc::new(policy);
        self
    }

    /// The keys for subscriptions that are signed by key.
    pub fn keys(mut self, keys: KeyRing) -> Self {
        self.settings.keys = Arc::new(keys);
        self
    }

    /// How many requests are under way at once, to all endpoints together. At most half of them go to
    /// endpoints that are slow, and at most a quarter to those that failed last. An endpoint that has not
    /// answered any request yet gets one at a time.
    pub fn concurrency(mut self, concurrency: usize) -> Self {
        self.settings.concurrency = concurrency.clamp(1, 1 << 16);
        self
    }

    /// How long a delivery is this worker's; three times the timeout of a request, unless this says
    /// otherwise, and never less than that timeout and a second.
    pub fn lease(self, lease: Duration) -> Self {
        Self {
            lease: Some(lease),
            ..self
        }
    }

    /// How often it looks for itself, when nothing tells it that there is something.
    pub fn poll(mut self, poll: Duration) -> Self {
        self.settings.poll = poll;
        self
    }

    /// How long it finishes what is under way when it is told to stop. What is not finished then
    /// is sent again by whoever comes next.
    pub fn grace(mut self, grace: Duration) -> Self {
        self.settings.grace = grace;
        self
    }

    /// How long finished deliveries and their attempts are kept; thirty days, unless this says
    /// otherwise, and for ever by `None`.
    pub fn retention(mut self, retention: Option<Duration>) -> Self {
        self.settings.retention = retention;
        self
    }

    /// Draws jitter from this seed.
    pub fn seed(mut self, seed: u64) -> Self {
        self.settings.seed = Some(seed);
        self
    }
}
