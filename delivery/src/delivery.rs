//! One message on its way to one endpoint: the states it goes through, and what is kept of each
//! attempt.

use crate::{MessageId, Timestamp};
use std::fmt;

/// Names a delivery within its store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeliveryId(pub i64);

impl fmt::Display for DeliveryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Names an endpoint within its store: one URL of one subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EndpointId(pub i64);

/// Where a delivery stands.
///
/// ```text
/// Pending(due) ──claim──▶ Leased(generation, until) ──record──▶ Delivered
///      ▲ ▲                      │            │  └────record──▶ Dead(reason)
///      │ └───record: again──────┘            │
///      └─────until passed, nobody recorded───┘
/// ```
/// `Held` is what `Pending` is while the subscription is inactive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// To be sent, not before it is due.
    Pending {
        /// From when on.
        due: Timestamp,
    },
    /// To be sent once the subscription is active again.
    Held {
        /// From when on, if it is active by then.
        due: Timestamp,
    },
    /// A worker sends it.
    Leased {
        /// When it is taken for lost.
        until: Timestamp,
    },
    /// The receiver has it.
    Delivered {
        /// Since when.
        at: Timestamp,
    },
    /// Given up.
    Dead {
        /// Since when.
        at: Timestamp,
        /// Why.
        reason: DeadReason,
    },
}

impl State {
    /// What is pending for an endpoint that was removed at this time, in milliseconds; or came to be
    /// pending later, by an attempt that was under way.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn removed(removed: i64, since: i64) -> Self {
        Self::Dead {
            at: Timestamp::from_millis(removed.max(since)),
            reason: DeadReason::Removed,
        }
    }

    /// Whether nothing more will happen to it.
    pub const fn is_finished(&self) -> bool {
        matches!(self, Self::Delivered { .. } | Self::Dead { .. })
    }
}

/// An enum whose variants lie in the store as words.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident => $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// The word it is stored as.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// What this word was stored for.
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
    /// Why a delivery was given up.
    DeadReason {
        /// A status that says that it will never be taken.
        Rejected => "rejected",
        /// Every retry was used.
        Exhausted => "exhausted",
        /// It would have gone to an address that nothing may be sent to.
        Forbidden => "forbidden",
        /// Worker after worker was lost while sending it, and nothing else.
        Poisonous => "poisonous",
        /// Its subscription was removed.
        Removed => "removed",
    }
}

words! {
    /// How an attempt ended.
    AttemptEnd {
        /// The receiver answered with a status.
        Answered => "answered",
        /// There was no whole answer in time.
        TimedOut => "timed_out",
        /// There was no connection, or it broke.
        Broken => "broken",
        /// There was no secure connection: the certificate is not one to trust, or there is no
        /// TLS where it should be.
        Tls => "tls",
        /// The address may not be sent to.
        Forbidden => "forbidden",
        /// The worker was lost. Whether the receiver got it, nobody knows.
        Lost => "lost",
    }
}

/// What is kept of an attempt. There is one for each number of each delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Of which delivery.
    pub delivery: DeliveryId,
    /// Its number: the generation of the lease that it was made under. Numbers that are missing
    /// were leases given back with nothing sent.
    pub n: u32,
    /// When it began.
    pub started: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
    /// How it ended.
    pub end: AttemptEnd,
    /// The status of the answer.
    pub status: Option<u16>,
    /// What there is to tell: the error, or the beginning of the answer's body.
    pub detail: String,
}

/// A delivery as it lies in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its id.
    pub id: DeliveryId,
    /// Whose message it is.
    pub owner: String,
    /// What is sent.
    pub message: MessageId,
    /// The kind of what is sent.
    pub kind: String,
    /// To whom.
    pub subscription: String,
    /// Where it stands.
    pub state: State,
    /// How often it was leased; the number of the last attempt.
    pub generation: u32,
    /// Attempts that count towards the policy's limit.
    pub tries: u32,
    /// Leases lost since the last attempt that ended.
    pub lost: u32,
    /// The delivery that this one repeats.
    pub replay_of: Option<DeliveryId>,
}
