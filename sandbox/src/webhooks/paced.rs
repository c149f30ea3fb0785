//! The delivery store as the worker sees it: retries wait for the clock of their project.

use super::due;
use crate::app::{App, Flight, Instead, Shared};
use crate::model::Activity;
use crate::model::{Millis, Project};
use crate::store::Delivery;
use bothends_delivery::store::{
    AttemptLog, Backlog, CircuitPolicy, ClaimRequest, Claimed, Decision, DeliveryFilter,
    EndpointStatus, Health, OperatorEvent, OperatorSettings, Outcome, Recorded, Reschedule,
};
use bothends_delivery::{
    Attempt, Delivery as Record, DeliveryId, DeliveryStore, Enqueued, Message, MessageId,
    StoreError, StoreErrorKind, Subscription, Timestamp,
};
use std::collections::HashMap;
use std::ops::RangeBounds;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The delivery store with the retries in the time of the projects. It also adds each attempt to
/// the log, because it alone sees the end of every attempt, also of one that timed out.
#[derive(Debug, Clone)]
pub(super) struct Paced {
    app: Shared,
    store: Delivery,
}

impl Paced {
    pub(super) fn new(app: Shared) -> Self {
        let store = app.store.delivery().clone();
        Self { app, store }
    }

    /// Reads the projects of attempts.
    async fn projects(
        &self,
        flights: impl Iterator<Item = &Flight>,
    ) -> Result<HashMap<String, Project>, StoreError> {
        let mut projects = HashMap::new();
        for flight in flights {
            if projects.contains_key(&flight.project) {
                continue;
            }
            let project = self.app.project(&flight.project).await;
            let project =
                project.map_err(|error| StoreError::because(StoreErrorKind::Unavailable, error))?;
            if let Some(project) = project {
                projects.insert(flight.project.clone(), project.value);
            }
        }
        Ok(projects)
    }

    /// Adds an attempt to the log.
    fn log(&self, flight: Flight, log: AttemptLog, next_retry: Option<Millis>) {
        let Some(mut sent) = flight.sent else { return };
        let took = log.ended.since(log.started);
        sent.microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        match flight.instead {
            Some(Instead::Lost) => sent.detail = "not sent: lost by an injected fault".to_owned(),
            Some(Instead::Delayed(_)) => {
                sent.detail = "not sent yet: delayed by an injected fault".to_owned();
            }
            None => (sent.status, sent.detail) = (log.status, log.detail),
        }
        sent.next_retry = next_retry;
        self.app.recorder.record(Activity::Webhook(Arc::new(sent)));
    }

    async fn claim_leases(&self, request: ClaimRequest) -> Result<Claimed, StoreError> {
        let claimed = self.store.claim(request).await?;
        for lease in &claimed.leases {
            let flight = Flight {
                project: lease.message.owner.clone(),
                tries: lease.tries,
                ..Flight::default()
            };
            let flights = &self.app.hooks.flights;
            flights.begin(lease.delivery, lease.generation, flight);
        }
        Ok(claimed)
    }

    async fn record_outcomes(
        &self,
        outcomes: Vec<Outcome>,
        circuit: CircuitPolicy,
    ) -> Result<Vec<Recorded>, StoreError> {
        let hooks = &self.app.hooks;
        let flights: Vec<Flight> = outcomes
            .iter()
            .map(|outcome| hooks.flights.get(outcome.delivery, outcome.generation))
            .map(Option::unwrap_or_default)
            .collect();
        let retried = outcomes
            .iter()
            .zip(&flights)
            .filter_map(|(outcome, flight)| {
                matches!(outcome.verdict, Decision::Retry { .. }).then_some(flight)
            });
        let projects = self.projects(retried).await?;
        let mut retries = Vec::with_capacity(outcomes.len());
        let mut paced = Vec::with_capacity(outcomes.len());
        for (outcome, flight) in outcomes.iter().zip(&flights) {
            let (outcome, retry) = pace(outcome.clone(), flight, &projects);
            paced.push(outcome);
            retries.push(retry);
        }
        // The worker calls again with the same outcomes after an error.
        let recorded = self.store.record(paced, circuit).await?;
        for (index, (outcome, flight)) in outcomes.into_iter().zip(flights).enumerate() {
            hooks.flights.end(outcome.delivery, outcome.generation);
            let applied = recorded.get(index) == Some(&Recorded::Applied);
            let retry = retries.get(index).copied().flatten().filter(|_| applied);
            if let Some(time) = retry {
                hooks.wait_for(&flight.project, time);
            }
            if let Some(log) = outcome.attempt {
                self.log(flight, log, retry);
            }
        }
        if retries.iter().any(Option::is_some) {
            hooks.pace.notify_one();
        }
        Ok(recorded)
    }
}

/// Returns the outcome with a pause that ends at a time of the project, and this time.
fn pace(
    mut outcome: Outcome,
    flight: &Flight,
    projects: &HashMap<String, Project>,
) -> (Outcome, Option<Millis>) {
    let Some(ended) = outcome.attempt.as_ref().map(|log| log.ended) else {
        // Nothing was sent, for example because the worker was suspended.
        return (outcome, None);
    };
    if let Some(Instead::Delayed(time)) = flight.instead {
        let pause = due::pause(ended, time);
        outcome.verdict = Decision::Release { pause };
        outcome.health = Health::Unknown;
        outcome.attempt = None;
        return (outcome, Some(time));
    }
    let Decision::Retry { .. } = outcome.verdict else {
        return (outcome, None);
    };
    // A project that was deleted meanwhile has no clock: the retry keeps the pause of the policy,
    // and ends because the subscription is gone.
    let Some(project) = projects.get(&flight.project) else {
        return (outcome, None);
    };
    let settings = &project.settings;
    let retry = flight.tries.saturating_add(1);
    let pause = due::backoff(settings.backoff_base, settings.backoff_cap, retry);
    let time = App::now(project).saturating_add(pause);
    outcome.verdict = Decision::Retry {
        pause: due::pause(ended, time),
    };
    (outcome, Some(time))
}

/// Implements methods of the trait by calling those of the store.
macro_rules! delegate {
    ($($name:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {
        impl DeliveryStore for Paced {
            $(async fn $name(&self, $($argument: $type),*) -> Result<$output, StoreError> {
                self.store.$name($($argument),*).await
            })*

            async fn claim(&self, request: ClaimRequest) -> Result<Claimed, StoreError> {
                self.claim_leases(request).await
            }

            async fn record(
                &self,
                outcomes: Vec<Outcome>,
                circuit: CircuitPolicy,
            ) -> Result<Vec<Recorded>, StoreError> {
                self.record_outcomes(outcomes, circuit).await
            }

            fn changes(&self) -> watch::Receiver<u64> {
                self.store.changes()
            }
        }
    };
}

delegate! {
    put_subscription(subscription: Subscription) -> ();
    subscription(id: &str) -> Option<Subscription>;
    subscriptions(owner: &str) -> Vec<Subscription>;
    owners(after: Option<&str>, limit: u32) -> Vec<String>;
    endpoints(owner: &str) -> Vec<EndpointStatus>;
    set_active(id: &str, active: bool) -> ();
    remove_subscription(id: &str) -> ();
    enqueue(message: Message) -> Enqueued;
    replay(delivery: DeliveryId) -> DeliveryId;
    replay_failed(owner: &str, since: Timestamp, limit: u32) -> Vec<DeliveryId>;
    delivery(id: DeliveryId) -> Option<Record>;
    deliveries(after: Option<DeliveryId>, limit: u32) -> Vec<Record>;
    deliveries_of(owner: &str, after: Option<DeliveryId>, limit: u32) -> Vec<Record>;
    latest_deliveries_of(owner: &str, before: Option<DeliveryId>, limit: u32) -> Vec<Record>;
    find_deliveries(owner: &str, filter: &DeliveryFilter, before: Option<DeliveryId>, limit: u32) -> Vec<Record>;
    backlog(owner: &str) -> Backlog;
    depth() -> u64;
    reschedule(owner: &str, due: impl RangeBounds<Timestamp> + Send, change: Reschedule) -> u64;
    attempts(delivery: DeliveryId) -> Vec<Attempt>;
    message(owner: &str, id: &MessageId) -> Option<Message>;
    set_operator(settings: OperatorSettings) -> ();
    operator() -> OperatorSettings;
    operator_events(after: Option<i64>, limit: u32) -> Vec<OperatorEvent>;
    prune(age: Duration, limit: u32) -> u64;
    repair_times(slack: Duration) -> u64;
    now() -> Timestamp;
}
