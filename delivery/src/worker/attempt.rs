//! A single attempt, from lease to outcome.

use super::{Metrics, measure};
use crate::delivery::AttemptEnd;
use crate::policy::Policy;
use crate::send::{AttemptContext, OutgoingRequest, SendError, Sender, Sent};
use crate::signing::{SharedKeyRing, Signed};
use crate::store::{AttemptLog, Decision, Health, Lease, Outcome};
use crate::subscription::{ATTEMPT, MESSAGE_ID};
use crate::time::Timestamp;
use crate::trace;
use http::HeaderValue;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use tracing::Instrument as _;

/// The pause after a missing signing key: the operator has to configure the key.
const UNSIGNED: Duration = Duration::from_secs(60);

/// The shared parts of a worker's attempts.
pub(super) struct Attempts<N> {
    pub(super) sender: Arc<N>,
    pub(super) policy: Arc<Policy>,
    pub(super) keys: SharedKeyRing,
    pub(super) rng: Mutex<fastrand::Rng>,
    pub(super) metrics: Arc<Metrics>,
}

impl<N: Sender> Attempts<N> {
    /// Sends the request of a lease once, and returns the outcome. `asked` is the moment at which
    /// the lease was requested. The current time of the store's clock is computed from the time
    /// elapsed since then, without the clock of this machine.
    pub(super) async fn make(&self, lease: Lease, asked: Instant) -> Outcome {
        let span = trace::attempt(&lease);
        self.sent(lease, asked).instrument(span).await
    }

    async fn sent(&self, lease: Lease, asked: Instant) -> Outcome {
        let now = || lease.since.after(asked.elapsed());
        let started = now();
        // After a suspension beyond its lease, the worker must not send: another worker may hold
        // the lease.
        if lease.until.since(started) < self.policy.timeout {
            return release(&lease, Duration::ZERO);
        }
        let Some(request) = self.request(&lease, started) else {
            tracing::error!(
                subscription = lease.subscription.id(),
                "no key to sign with"
            );
            return release(&lease, UNSIGNED);
        };
        self.metrics.sent.add(1);
        let sending = tokio::time::timeout(self.policy.timeout, self.sender.send(request));
        let sent = sending.await.unwrap_or_else(|_| {
            self.metrics.timed_out.add(1);
            Err(SendError {
                end: AttemptEnd::TimedOut,
                detail: format!("no complete response within {:?}", self.policy.timeout),
            })
        });
        self.outcome(&lease, (started, now()), sent)
    }

    fn outcome(
        &self,
        lease: &Lease,
        (started, ended): (Timestamp, Timestamp),
        sent: Sent,
    ) -> Outcome {
        let (verdict, health) = {
            let mut rng = self.rng.lock().unwrap_or_else(PoisonError::into_inner);
            let delays = lease.subscription.retry_delays();
            self.policy.judge(&sent, lease.tries, delays, &mut rng)
        };
        let (end, status, waited, detail) = match sent {
            Ok(answer) => {
                let (status, waited) = (answer.status, answer.waited);
                (AttemptEnd::Answered, Some(status), waited, answer.excerpt)
            }
            Err(fault) => (fault.end, None, None, fault.detail),
        };
        trace::ended(status, end.as_str());
        measure::attempted(&lease.message.method, ended.since(started), status, end);
        tracing::debug!(
            delivery = lease.delivery.0,
            message_id = lease.message.id.as_str(),
            kind = lease.message.kind,
            method = lease.message.method.as_str(),
            subscription = lease.subscription.id(),
            n = lease.generation,
            %end,
            status,
            took_ms = u64::try_from(ended.since(started).as_millis()).unwrap_or(u64::MAX),
            "attempt"
        );
        Outcome {
            delivery: lease.delivery,
            generation: lease.generation,
            epoch: lease.epoch,
            verdict,
            health,
            attempt: Some(AttemptLog {
                started,
                responded: waited.map(|waited| started.after(waited).min(ended)),
                ended,
                end,
                status,
                detail,
            }),
        }
    }

    /// Builds the request at a time and signs exactly the bytes that are sent. Headers of the subscription
    /// replace headers of the message.
    fn request(&self, lease: &Lease, now: Timestamp) -> Option<OutgoingRequest> {
        let message = &lease.message;
        let mut headers = message.headers().clone();
        for name in lease.subscription.headers().keys() {
            headers.remove(name);
        }
        for (name, value) in lease.subscription.headers() {
            headers.append(name.clone(), value.clone());
        }
        let signing = lease.subscription.signing();
        let keys = self.keys.load();
        let id = HeaderValue::from_str(message.id.as_str()).ok()?;
        let signed = Signed {
            id: &id,
            seconds: u64::try_from(now.as_millis() / 1000).unwrap_or_default(),
            body: &message.body,
        };
        if !keys.sign(signing, &signed, &mut headers) {
            return None;
        }
        let attempt = format!("{}.{}", lease.delivery, lease.generation);
        headers.insert(MESSAGE_ID, id);
        headers.insert(ATTEMPT, HeaderValue::try_from(attempt).ok()?);
        trace::inject(&mut headers);
        Some(OutgoingRequest {
            url: lease.url.clone(),
            method: message.method.clone(),
            headers,
            body: message.body.clone(),
            attempt: AttemptContext::new(
                lease.delivery,
                lease.generation,
                message,
                lease.subscription.id(),
            ),
        })
    }
}

fn release(lease: &Lease, pause: Duration) -> Outcome {
    Outcome {
        delivery: lease.delivery,
        generation: lease.generation,
        epoch: lease.epoch,
        verdict: Decision::Release { pause },
        health: Health::Unknown,
        attempt: None,
    }
}
