//! Subscriptions: the endpoints, event kinds, headers and signature of a receiver.

mod builder;
mod error;
mod filter;
mod rate;
mod rules;
#[cfg(any(feature = "sqlite", feature = "postgres"))]
mod stored;

pub use builder::SubscriptionBuilder;
pub(crate) use builder::{check_header, is_reserved};
pub use error::{InvalidHeader, InvalidSubscription};
#[cfg(any(feature = "sqlite", feature = "postgres"))]
pub(crate) use filter::Content;
pub use filter::{Filter, InvalidFilter};
pub use rate::RateLimit;

use crate::signing::{SigningSecrets, SigningToken};
use http::{HeaderMap, HeaderName};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use url::Url;

/// The default maximum number of concurrent requests per endpoint.
pub const DEFAULT_CONCURRENCY: u16 = 16;

/// The header with the id of the message, equal in every attempt.
pub const MESSAGE_ID: HeaderName = HeaderName::from_static("webhook-id");
/// The header with the number of the attempt: the id of the delivery, a dot, and the number.
pub const ATTEMPT: HeaderName = HeaderName::from_static("webhook-attempt");

/// The number of dots of a kind at which a pattern may end.
const PATTERNS: usize = 16;

/// Returns what selects a kind, the most specific first, and whether it selects every kind: the kind itself, patterns
/// (`order.item.*` and `order.*` for `order.item.added`), and the empty text for every kind.
pub(crate) fn selectors(kind: &str) -> impl Iterator<Item = (Cow<'_, str>, bool)> {
    let dots: Vec<_> = kind.match_indices('.').take(PATTERNS).collect();
    let beginnings = dots.into_iter().rev();
    let patterns = beginnings.map(|(dot, _)| Cow::Owned(format!("{}.*", &kind[..dot])));
    let itself = std::iter::once(Cow::Borrowed(kind));
    let some = itself.chain(patterns).map(|kind| (kind, false));
    some.chain(std::iter::once((Cow::Borrowed(""), true)))
}

/// Returns the beginning of the kinds that a pattern selects, with the dot.
fn beginning(pattern: &str) -> Option<&str> {
    let beginning = pattern.strip_suffix('*')?;
    beginning.ends_with('.').then_some(beginning)
}

/// The signing method of a subscription.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Signing {
    /// Requests are not signed.
    #[default]
    None,
    /// `X-Token-Signature`, signed with a token that the receiver knows.
    Token(SigningToken),
    /// `X-Signature` and `X-Signing-ID`, signed with the current key of the worker's
    /// [`KeyRing`](crate::KeyRing).
    Key,
    /// The headers of Standard Webhooks, Svix, GitHub or Stripe, signed with secrets that the receiver
    /// knows.
    Secrets(SigningSecrets),
}

/// The subscription of one receiver: its URLs, event kinds, headers and signature.
#[derive(Clone, PartialEq, Eq)]
pub struct Subscription {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) active: bool,
    pub(crate) url: Option<Url>,
    /// The selected kinds, with the URL of a kind that has its own. An empty map selects all kinds.
    pub(crate) kinds: BTreeMap<String, Option<Url>>,
    pub(crate) all: bool,
    pub(crate) headers: HeaderMap,
    pub(crate) signing: Signing,
    pub(crate) concurrency: u16,
    pub(crate) settings: Settings,
}

/// The settings of endpoints that a subscription may leave out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rate_limit: Option<RateLimit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) retry_delays: Option<Vec<Duration>>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) ordered: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) filter: Option<Filter>,
}

/// Omits headers and URLs, because they may contain secrets of the receiver.
impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Subscription")
            .field("id", &self.id)
            .field("owner", &self.owner)
            .field("active", &self.active)
            .field("concurrency", &self.concurrency)
            .finish_non_exhaustive()
    }
}

impl Subscription {
    /// Returns a builder for a subscription with this id.
    /// [`put_subscription`](crate::DeliveryStore::put_subscription) replaces a stored subscription
    /// with the same id.
    pub fn builder(id: impl Into<String>) -> SubscriptionBuilder {
        SubscriptionBuilder::new(id.into())
    }

    /// Returns the id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the owner, whose events the subscription receives.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Returns `true` if the subscription is active. Deliveries of an inactive subscription are
    /// held.
    pub const fn is_active(&self) -> bool {
        self.active
    }

    /// Returns the URL for events of this kind, or `None` if the kind is not selected.
    pub fn url_for(&self, kind: &str) -> Option<&Url> {
        let url_of = |(selector, every): (Cow<'_, str>, bool)| match every {
            true => self.all.then_some(self.url.as_ref()),
            false => {
                let own = self.kinds.get(&*selector);
                own.map(|own| own.as_ref().or(self.url.as_ref()))
            }
        };
        selectors(kind).find_map(url_of).flatten()
    }

    /// Returns the headers that are added to every request.
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Returns the signing method.
    pub const fn signing(&self) -> &Signing {
        &self.signing
    }

    /// Returns the maximum number of concurrent requests per endpoint.
    pub const fn concurrency(&self) -> u16 {
        self.concurrency
    }

    /// Returns the rate limit of each endpoint.
    pub const fn rate_limit(&self) -> Option<RateLimit> {
        self.settings.rate_limit
    }

    /// Returns the delays of retries that replace those of the worker's policy.
    pub fn retry_delays(&self) -> Option<&[Duration]> {
        self.settings.retry_delays.as_deref()
    }

    /// Returns `true` if first attempts of an endpoint start in the order of enqueue, one after the other.
    pub const fn is_ordered(&self) -> bool {
        self.settings.ordered
    }

    /// Returns the filter of messages.
    pub const fn filter(&self) -> Option<&Filter> {
        self.settings.filter.as_ref()
    }

    /// Returns the stored form of the filter.
    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn filter_json(&self) -> Option<String> {
        // Strings, numbers and scalars always serialize.
        self.filter()
            .map(|filter| serde_json::to_string(filter).unwrap_or_default())
    }
}
