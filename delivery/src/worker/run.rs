//! The three loops of a worker: claim, record and prune.

use super::attempt::Attempts;
use super::flight::{Flights, Slot};
use super::{Metrics, MetricsSnapshot, Settings, Worker, measure};
use crate::StoreError;
use crate::send::Sender;
use crate::store::{ClaimRequest, Decision, DeliveryStore, Isolation, Outcome, Recorded};
use std::future::Future;
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::time::Instant;

/// The maximum number of outcomes recorded at once.
const BATCH: usize = 256;
/// The first and the longest pause after an error of the store.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// The distance into the future from which a stored time is treated as the result of a wrong clock.
const SLACK: Duration = Duration::from_secs(60);
/// The interval between prunes, and the maximum number of deliveries deleted at once.
const PRUNING: (Duration, u32) = (Duration::from_secs(60), 500);

/// The outcome of a lease, with the slot that is released after recording.
type Ended = (Outcome, Slot);

impl<S: DeliveryStore, N: Sender> Worker<S, N> {
    /// Runs the worker until `shutdown` completes. The worker then claims no further deliveries,
    /// completes the requests in progress within the grace period, records their outcomes, and
    /// returns the metrics.
    ///
    /// If the future is dropped instead, requests in progress are sent again after their leases
    /// expire.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> MetricsSnapshot {
        let Self {
            store,
            sender,
            settings,
            metrics,
        } = self;
        let (ended, endings) = mpsc::channel(settings.concurrency);
        let claimer = Claimer {
            slots: Arc::new(Semaphore::new(settings.concurrency)),
            suspects: Arc::new(Semaphore::new(settings.concurrency.div_ceil(4))),
            flights: Arc::default(),
            isolated: AtomicBool::new(false),
            freed: Arc::new(Notify::new()),
            ended,
            attempts: Arc::new(Attempts {
                sender,
                policy: Arc::clone(&settings.policy),
                keys: settings.keys.clone(),
                rng: Mutex::new(
                    settings
                        .seed
                        .map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed),
                ),
                metrics: Arc::clone(&metrics),
            }),
            store: store.clone(),
            settings: settings.clone(),
            metrics: Arc::clone(&metrics),
        };
        let recorder = Recorder {
            store: store.clone(),
            settings: settings.clone(),
            metrics: Arc::clone(&metrics),
            freed: Arc::clone(&claimer.freed),
        };
        let grace = settings.grace;
        let work = async {
            claimer.run(shutdown).await;
            // The recorder ends after the last attempt has ended and dropped its sender.
            drop(claimer);
        };
        let mut recording = pin!(recorder.run(endings));
        let deleting = forget(&store, &settings, &metrics);
        let counting = measure::depth(&store);
        tokio::select! {
            () = work => {
                if tokio::time::timeout(grace, recording).await.is_err() {
                    tracing::warn!("stopped with requests under way; they are sent again");
                }
            }
            () = &mut recording => {}
            () = deleting => {}
            () = counting => {}
        }
        metrics.snapshot()
    }
}

struct Claimer<S, N> {
    store: S,
    settings: Settings,
    attempts: Arc<Attempts<N>>,
    metrics: Arc<Metrics>,
    slots: Arc<Semaphore>,
    suspects: Arc<Semaphore>,
    flights: Arc<Flights>,
    /// Whether the worker must record all outcomes before it claims again, because its leases
    /// require isolation.
    isolated: AtomicBool,
    freed: Arc<Notify>,
    ended: mpsc::Sender<Ended>,
}

impl<S: DeliveryStore, N: Sender> Claimer<S, N> {
    async fn run(&self, shutdown: impl Future<Output = ()>) {
        let mut shutdown = pin!(shutdown);
        let mut changes = self.store.changes();
        let mut pause = PAUSES.0;
        if let Err(error) = self.store.repair_times(SLACK).await {
            tracing::warn!(%error, "looking for deliveries from the future");
        }
        loop {
            // Changes after this line are either seen by this claim or wake the `select!` below.
            changes.borrow_and_update();
            let mut freed = pin!(self.freed.notified());
            freed.as_mut().enable();
            let wait = match self.claim().await {
                Ok(wait) => {
                    pause = PAUSES.0;
                    wait
                }
                Err(error) => {
                    tracing::warn!(%error, "claiming");
                    self.metrics.store_errors.add(1);
                    tokio::select! {
                        () = tokio::time::sleep(pause) => {}
                        () = &mut shutdown => return,
                    }
                    pause = (pause * 2).min(PAUSES.1);
                    continue;
                }
            };
            tokio::select! {
                biased;
                () = &mut shutdown => return,
                () = freed => {}
                Ok(()) = changes.changed() => {}
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Claims deliveries for all free slots, and starts to send them. Returns the duration until
    /// the next claim.
    async fn claim(&self) -> Result<Duration, StoreError> {
        let limit = self.slots.available_permits();
        let idle = self.flights.is_empty();
        let alone = self.isolated.load(Ordering::Relaxed) && !idle;
        if limit == 0 || alone {
            return Ok(self.settings.poll);
        }
        let policy = &self.settings.policy;
        let slowness = self.flights.slowness(policy.circuit.slow);
        let request = ClaimRequest {
            lease: self.settings.lease,
            limit,
            slots: self.settings.concurrency,
            idle,
            suspect_limit: self.suspects.available_permits(),
            slow_limit: (self.settings.concurrency.div_ceil(2)).saturating_sub(slowness.slots),
            probe_limit: 1,
            unresponsive: slowness.unresponsive,
            lost: policy.lost,
        };
        // The lease starts after this moment.
        let asked = Instant::now();
        let claimed = self.store.claim(request).await?;
        let isolated = claimed.isolation != Isolation::None;
        self.isolated.store(isolated, Ordering::Relaxed);
        let full = claimed.leases.len() == limit;
        for lease in claimed.leases {
            // The permits were available, and only this task acquires them.
            let Ok(slot) = Arc::clone(&self.slots).try_acquire_owned() else {
                break;
            };
            let suspect = (lease.epoch > 0 || lease.lost > 0)
                .then(|| Arc::clone(&self.suspects).try_acquire_owned().ok())
                .flatten();
            let slot = self.flights.begin(&lease, slot, suspect);
            let attempts = Arc::clone(&self.attempts);
            let ended = self.ended.clone();
            self.metrics.in_flight.add(1);
            tokio::spawn(async move {
                let outcome = attempts.make(lease, asked).await;
                // An error means that the recorder has stopped: the lease expires.
                let _ = ended.send((outcome, slot)).await;
            });
        }
        let next = claimed.next.map(|next| next.since(claimed.now));
        let next = next.unwrap_or(self.settings.poll).min(self.settings.poll);
        Ok(if full {
            Duration::ZERO
        } else {
            next.max(Duration::from_millis(1))
        })
    }
}

struct Recorder<S> {
    store: S,
    settings: Settings,
    metrics: Arc<Metrics>,
    freed: Arc<Notify>,
}

impl<S: DeliveryStore> Recorder<S> {
    async fn run(&self, mut endings: mpsc::Receiver<Ended>) {
        let mut batch = Vec::with_capacity(BATCH);
        while endings.recv_many(&mut batch, BATCH).await > 0 {
            let (outcomes, slots): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
            self.record(outcomes, &slots).await;
            drop(slots);
            self.freed.notify_waiters();
        }
    }

    /// Records outcomes, and retries until the store is available. If a lease has ended by then,
    /// the store discards its outcome.
    async fn record(&self, outcomes: Vec<Outcome>, slots: &[Slot]) {
        let mut pause = PAUSES.0;
        loop {
            let circuit = self.settings.policy.circuit;
            let recording = self.store.record(outcomes.clone(), circuit);
            match recording.await {
                Ok(recorded) => {
                    self.metrics.in_flight.sub(outcomes.len() as u64);
                    for ((outcome, recorded), slot) in outcomes.iter().zip(recorded).zip(slots) {
                        self.count(outcome, recorded);
                        if recorded == Recorded::Applied {
                            slot.measured.finished(outcome);
                        }
                    }
                    return;
                }
                Err(error) => {
                    tracing::warn!(%error, outcomes = outcomes.len(), "recording");
                    self.metrics.store_errors.add(1);
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(PAUSES.1);
                }
            }
        }
    }

    fn count(&self, outcome: &Outcome, recorded: Recorded) {
        let counter = match (recorded, outcome.verdict) {
            (Recorded::Fenced, _) => &self.metrics.fenced,
            (_, Decision::Delivered) => &self.metrics.delivered,
            (_, Decision::Retry { .. }) => &self.metrics.retried,
            (_, Decision::Release { .. }) => &self.metrics.released,
            (_, Decision::Dead(reason)) => {
                tracing::info!(delivery = outcome.delivery.0, %reason, "delivery failed permanently");
                &self.metrics.dead
            }
        };
        counter.add(1);
    }
}

/// Prunes finished deliveries while the worker runs.
async fn forget<S: DeliveryStore>(store: &S, settings: &Settings, metrics: &Metrics) {
    let Some(retention) = settings.retention else {
        return std::future::pending().await;
    };
    loop {
        match store.prune(retention, PRUNING.1).await {
            Ok(pruned) => {
                metrics.pruned.add(pruned);
                if pruned == u64::from(PRUNING.1) {
                    continue;
                }
            }
            Err(error) => tracing::warn!(%error, "old rows were not deleted"),
        }
        tokio::time::sleep(PRUNING.0).await;
    }
}
