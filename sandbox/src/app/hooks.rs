//! What the sending of webhooks shares within an instance. Everything that matters is in the store;
//! this can be lost at any moment.

use crate::model::{Millis, SentWebhook};
use bothends_delivery::{DeliveryId, Metrics, SharedKeyRing};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::sync::Notify;

/// The state of an instance that sends webhooks.
#[derive(Debug, Default)]
pub struct SendingState {
    /// The keys that sign.
    pub(crate) keys: SharedKeyRing,
    /// The attempts in progress.
    pub(crate) flights: Flights,
    /// The projects with waiting retries, with the project's time of the first.
    waiting: Mutex<HashMap<String, Millis>>,
    /// Wakes the pacer, when a retry was recorded or a clock was changed.
    pub(crate) pace: Notify,
    /// Wakes the held requests of the receiver, when a listener has responded to one.
    pub(crate) responses: Notify,
    /// The counters of the worker.
    pub(crate) metrics: OnceLock<Arc<Metrics>>,
}

impl SendingState {
    /// Notes that a project has a retry that waits for this time of the project.
    pub(crate) fn wait_for(&self, project: &str, time: Millis) {
        let mut waiting = self.waiting();
        waiting
            .entry(project.to_owned())
            .and_modify(|first| *first = time.min(*first))
            .or_insert(time);
    }

    /// Returns the projects with waiting retries, and forgets them.
    pub(crate) fn take_waiting(&self) -> HashMap<String, Millis> {
        std::mem::take(&mut *self.waiting())
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, HashMap<String, Millis>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The attempts of the worker that are in progress.
#[derive(Debug, Default)]
pub(crate) struct Flights(Mutex<HashMap<(DeliveryId, u32), Flight>>);

/// An attempt in progress.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flight {
    /// The owner of the message, which is the project.
    pub(crate) project: String,
    /// The number of earlier attempts that count.
    pub(crate) tries: u32,
    /// The request, once it is sent.
    pub(crate) sent: Option<SentWebhook>,
    /// What happens instead of an attempt.
    pub(crate) instead: Option<Instead>,
}

/// What an injected fault makes of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instead {
    /// The request is not sent, and counts as delivered.
    Lost,
    /// The request is sent at this time of the project.
    Delayed(Millis),
}

impl Flights {
    pub(crate) fn begin(&self, delivery: DeliveryId, attempt: u32, flight: Flight) {
        self.all().insert((delivery, attempt), flight);
    }

    /// Changes the flight of an attempt.
    pub(crate) fn change(
        &self,
        delivery: DeliveryId,
        attempt: u32,
        change: impl FnOnce(&mut Flight),
    ) {
        if let Some(flight) = self.all().get_mut(&(delivery, attempt)) {
            change(flight);
        }
    }

    pub(crate) fn get(&self, delivery: DeliveryId, attempt: u32) -> Option<Flight> {
        self.all().get(&(delivery, attempt)).cloned()
    }

    pub(crate) fn end(&self, delivery: DeliveryId, attempt: u32) -> Option<Flight> {
        self.all().remove(&(delivery, attempt))
    }

    fn all(&self) -> std::sync::MutexGuard<'_, HashMap<(DeliveryId, u32), Flight>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
