//! Events for operators.

use super::DeliveryStore;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use super::{Decision, Outcome};
use crate::delivery::{DeadReason, DeliveryId, EndpointId};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
use crate::{Message, MessageId};
use crate::{StoreError, Timestamp};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::time::Duration;

/// What a store reports to operators, in events that it records together with their causes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorSettings {
    /// The owner whose subscriptions receive the events as webhooks. `None`, the default, sends none.
    ///
    /// Nothing is reported of this owner's messages and subscriptions, so that no event causes others.
    pub owner: Option<String>,
    /// The number of failing rounds in a row after which an endpoint is reported as
    /// [failing](OperatorEventKind::EndpointFailing). 3 by default, 0 reports none.
    pub failures: u32,
}

impl Default for OperatorSettings {
    fn default() -> Self {
        Self {
            owner: None,
            failures: 3,
        }
    }
}

/// An event for operators. As JSON, it is the body of its webhook, with times in milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperatorEvent {
    /// The number of the event: later events have larger numbers. It is not part of the JSON.
    #[serde(skip)]
    pub id: i64,
    /// The time of the event.
    pub at: Timestamp,
    /// The owner of the subscription.
    pub owner: String,
    /// The subscription.
    pub subscription: String,
    /// The endpoint.
    pub endpoint: EndpointId,
    /// What has happened.
    #[serde(flatten)]
    pub what: OperatorEventKind,
}

/// What has happened. As JSON, `type` is the kind of the webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
#[non_exhaustive]
pub enum OperatorEventKind {
    /// A delivery failed for good. Deliveries of a subscription that was removed are not reported.
    #[serde(rename = "operator.delivery.failed")]
    DeliveryFailed {
        /// The delivery.
        delivery: DeliveryId,
        /// The id of the message.
        message: String,
        /// The kind of the message.
        kind: String,
        /// The reason.
        reason: DeadReason,
        /// The number of attempts that count towards the limit of the policy.
        attempts: u32,
    },
    /// As many rounds of attempts failed in a row as the [settings](OperatorSettings::failures) state.
    #[serde(rename = "operator.endpoint.failing")]
    EndpointFailing {
        /// The number of failing rounds in a row.
        failures: u32,
    },
    /// The circuit of an endpoint opened: the endpoint gets no requests for some time, and then single ones.
    /// The event is not repeated until a request has succeeded.
    #[serde(rename = "operator.endpoint.paused")]
    EndpointPaused {
        /// The number of failing rounds in a row.
        failures: u32,
        /// The time at which the circuit closes for a request.
        until: Timestamp,
    },
}

impl OperatorEventKind {
    /// Returns the kind of the event's webhook.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::DeliveryFailed { .. } => "operator.delivery.failed",
            Self::EndpointFailing { .. } => "operator.endpoint.failing",
            Self::EndpointPaused { .. } => "operator.endpoint.paused",
        }
    }
}

/// A delivery that failed, with the columns that its event needs.
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) struct Failed {
    pub(crate) delivery: i64,
    pub(crate) owner: String,
    pub(crate) message: String,
    pub(crate) kind: String,
    pub(crate) subscription: String,
    pub(crate) endpoint: i64,
    pub(crate) attempts: u32,
    pub(crate) reason: DeadReason,
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl Failed {
    pub(crate) fn event(self, at: Timestamp) -> OperatorEvent {
        OperatorEvent {
            id: 0,
            at,
            owner: self.owner,
            subscription: self.subscription,
            endpoint: EndpointId(self.endpoint),
            what: OperatorEventKind::DeliveryFailed {
                delivery: DeliveryId(self.delivery),
                message: self.message,
                kind: self.kind,
                reason: self.reason,
                attempts: self.attempts,
            },
        }
    }
}

/// What recorded outcomes may report: deliveries that failed for good, and endpoints that failed once more.
#[derive(Debug, Default)]
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) struct Incidents {
    pub(crate) failed: Vec<i64>,
    pub(crate) rounds: Vec<Round>,
}

/// A failing round of an endpoint.
#[derive(Debug, Clone, Copy)]
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) struct Round {
    pub(crate) endpoint: i64,
    pub(crate) failures: u32,
    /// The time at which the circuit closes, if this round opened it.
    pub(crate) opened: Option<i64>,
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl Incidents {
    pub(crate) fn add(&mut self, outcome: &Outcome, round: Option<Round>) {
        if let Decision::Dead(_) = outcome.verdict {
            self.failed.push(outcome.delivery.0);
        }
        self.rounds.extend(round);
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.failed.is_empty() && self.rounds.is_empty()
    }

    /// Keeps the rounds that are reported.
    pub(crate) fn retain(&mut self, settings: &OperatorSettings) {
        self.rounds
            .retain(|round| round.failures == settings.failures || round.opened.is_some());
    }
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl Round {
    /// Returns the events of a round, for a subscription of this owner.
    pub(crate) fn events(
        self,
        settings: &OperatorSettings,
        at: Timestamp,
        (subscription, owner): (&str, &str),
    ) -> impl Iterator<Item = OperatorEvent> {
        let failures = self.failures;
        let failing = (failures == settings.failures)
            .then_some(OperatorEventKind::EndpointFailing { failures });
        let paused = self.opened.map(|until| OperatorEventKind::EndpointPaused {
            failures,
            until: Timestamp::from_millis(until),
        });
        let event = move |what| OperatorEvent {
            id: 0,
            at,
            owner: owner.to_owned(),
            subscription: subscription.to_owned(),
            endpoint: EndpointId(self.endpoint),
            what,
        };
        failing.into_iter().chain(paused).map(event)
    }
}

#[cfg(any(feature = "sqlite", feature = "postgres"))]
impl OperatorEvent {
    pub(crate) fn to_json(&self) -> String {
        // Strings and numbers always serialize.
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(crate) fn from_json(id: i64, json: &str) -> Result<Self, serde_json::Error> {
        let event = serde_json::from_str(json)?;
        Ok(Self { id, ..event })
    }

    /// Returns the webhook of the event for this owner.
    pub(crate) fn webhook(&self, owner: &str) -> Message {
        Message::new(self.what.kind(), self.to_json())
            .id(MessageId::stored(format!("operator-event-{}", self.id)))
            .owner(owner)
    }
}

/// The number of events that a stream reads at once.
const PAGE: u32 = 100;
/// The interval between two looks at a store that reports no changes.
const POLL: Duration = Duration::from_secs(1);

/// Returns the events for operators after the one with this number, and then those that are recorded, as they
/// come. `None` starts with the oldest event that is kept; a program that was restarted continues after the
/// last number that it has handled. An error of the store ends the stream after it.
///
/// Events are noticed as fast as the store [reports changes](DeliveryStore::changes), and within a second
/// otherwise.
pub fn operator_events<S: DeliveryStore>(
    store: S,
    after: Option<i64>,
) -> impl Stream<Item = Result<OperatorEvent, StoreError>> + Send {
    let changes = store.changes();
    let state = Some((store, changes, after, VecDeque::new()));
    stream::unfold(state, async |state| {
        let (store, mut changes, mut after, mut page) = state?;
        loop {
            if let Some(event) = VecDeque::<OperatorEvent>::pop_front(&mut page) {
                return Some((Ok(event), Some((store, changes, after, page))));
            }
            changes.borrow_and_update();
            match store.operator_events(after, PAGE).await {
                Ok(events) => page.extend(events),
                Err(error) => return Some((Err(error), None)),
            }
            match page.back() {
                Some(last) => after = Some(last.id),
                None => {
                    // A store that reports no changes is asked again after the interval.
                    let changed = tokio::time::timeout(POLL, changes.changed()).await;
                    if let Ok(Err(_)) = changed {
                        tokio::time::sleep(POLL).await;
                    }
                }
            }
        }
    })
}
