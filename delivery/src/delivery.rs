//! Deliveries of one message to one endpoint: their states, and the log of their attempts.

use crate::{MessageId, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The id of a delivery, unique within its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DeliveryId(pub i64);

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The id of an endpoint, unique within its store. An endpoint is one URL of one subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EndpointId(pub i64);

/// The state of a delivery.
///
/// ```text
/// Pending(due) ──claim──▶ Leased(generation, until) ──record──▶ Delivered
///      ▲ ▲                      │            │  └────record──▶ Dead(reason)
///      │ └───record: retry──────┘            │
///      └─────lease expired, not recorded─────┘
/// ```
/// A `Pending` delivery is `Held` while its subscription is inactive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Waiting to be sent at the due time or later.
    Pending {
        /// The earliest time of the next attempt.
        due: Timestamp,
    },
    /// Waiting for the subscription to become active again.
    Held {
        /// The earliest time of the next attempt, if the subscription is active by then.
        due: Timestamp,
    },
    /// Leased by a worker, which is sending the request.
    Leased {
        /// The time at which the lease expires and the worker is considered lost.
        until: Timestamp,
    },
    /// Accepted by the receiver.
    Delivered {
        /// The time of the successful attempt.
        at: Timestamp,
    },
    /// Failed for good: no further attempt is made.
    Dead {
        /// The time at which the delivery failed.
        at: Timestamp,
        /// The reason for the failure.
        reason: DeadReason,
    },
}

impl State {
    /// Returns the state of a delivery that was pending when its endpoint was removed, or became
    /// pending later because an attempt was in progress. Both times are in milliseconds since 1970.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn removed(removed: i64, since: i64) -> Self {
        Self::Dead {
            at: Timestamp::from_millis(removed.max(since)),
            reason: DeadReason::Removed,
        }
    }

    /// Returns `true` if the state is final: `Delivered` or `Dead`.
    pub const fn is_finished(&self) -> bool {
        matches!(self, Self::Delivered { .. } | Self::Dead { .. })
    }
}

/// Defines an enum whose variants are stored as words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident => $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[non_exhaustive]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $word)] $variant,)* }

        impl $name {
            /// Returns the stored word of the variant.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// Returns the variant that is stored as `word`, or `None` if the word is unknown.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// The reason why a delivery failed for good.
    DeadReason {
        /// The receiver sent a status that is neither a success nor retryable.
        Rejected => "rejected",
        /// All retries were used.
        Exhausted => "exhausted",
        /// The address is not an allowed destination.
        Forbidden => "forbidden",
        /// Several workers in a row were lost while they sent this delivery alone.
        Poisonous => "poisonous",
        /// The subscription was removed.
        Removed => "removed",
    }
}

words! {
    /// The result of an attempt.
    AttemptEnd {
        /// The receiver sent a response with a status.
        Answered => "answered",
        /// The complete response was not received within the timeout.
        TimedOut => "timed_out",
        /// The connection failed or was closed early.
        Broken => "broken",
        /// The TLS connection failed: the certificate is not trusted, or the server does not speak
        /// TLS.
        Tls => "tls",
        /// The address is not an allowed destination.
        Forbidden => "forbidden",
        /// The worker was lost. The receiver may or may not have received the request.
        Lost => "lost",
    }
}

/// The log entry of one attempt. Each attempt number of a delivery has one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The delivery.
    pub delivery: DeliveryId,
    /// The number of the attempt: the generation of its lease. A missing number is a lease that was
    /// released before anything was sent.
    pub n: u32,
    /// The start time.
    pub started: Timestamp,
    /// The time at which the head of the response was received. `None` without a response, and of a
    /// [`Sender`](crate::send::Sender) that does not know it.
    pub responded: Option<Timestamp>,
    /// The end time.
    pub ended: Timestamp,
    /// The result.
    pub end: AttemptEnd,
    /// The status of the response, if one was received.
    pub status: Option<u16>,
    /// Details for people: the error, or the beginning of the response body.
    pub detail: String,
}

/// A delivery as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The id of the delivery.
    pub id: DeliveryId,
    /// The owner of the message.
    pub owner: String,
    /// The id of the message.
    pub message: MessageId,
    /// The kind of the message.
    pub kind: String,
    /// The id of the subscription that receives the message.
    pub subscription: String,
    /// The state of the delivery.
    pub state: State,
    /// The number of leases so far, which is the number of the last attempt.
    pub generation: u32,
    /// The number of attempts that count towards the limit of the policy.
    pub tries: u32,
    /// The number of leases lost since the last attempt that ended.
    pub lost: u32,
    /// The delivery that this delivery replays.
    pub replay_of: Option<DeliveryId>,
}
