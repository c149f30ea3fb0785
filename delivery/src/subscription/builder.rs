//! The builder for subscriptions.

use super::error::{InvalidHeader, InvalidSubscription};
use super::{DEFAULT_CONCURRENCY, Filter, RateLimit, Settings, Signing, Subscription};
use crate::signing::SigningToken;
use bothends_runtime::SubscriptionRules;
use http::{HeaderMap, HeaderName, HeaderValue};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;
use url::Url;

/// Headers that a subscription cannot set: headers that frame the request, hop-by-hop headers (RFC
/// 9110, section 7.6.1), and the headers for signatures and ids.
const RESERVED: [&str; 31] = [
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "date",
    "expect",
    "forwarded",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "stripe-signature",
    "svix-id",
    "svix-signature",
    "svix-timestamp",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
    "webhook-attempt",
    "webhook-id",
    "webhook-signature",
    "webhook-timestamp",
    "x-forwarded-for",
    "x-hub-signature-256",
    "x-signature",
    "x-signing-id",
    "x-token-signature",
];

/// A builder for a [`Subscription`].
#[derive(Clone)]
#[must_use]
pub struct SubscriptionBuilder {
    id: String,
    owner: String,
    active: Option<bool>,
    pub(super) url: Option<String>,
    pub(super) urls: Vec<(String, String)>,
    pub(super) events: Vec<String>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) signing: Signing,
    concurrency: u16,
    rate_limit: Option<(u32, Duration)>,
    settings: Settings,
    rules: Option<SubscriptionRules>,
    pub(super) products: Option<Vec<String>>,
}

/// Omits headers and URLs, because they may contain secrets of the receiver.
impl fmt::Debug for SubscriptionBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubscriptionBuilder")
            .field("id", &self.id)
            .field("owner", &self.owner)
            .field("events", &self.events)
            .finish_non_exhaustive()
    }
}

impl SubscriptionBuilder {
    pub(super) const fn new(id: String) -> Self {
        Self {
            id,
            owner: String::new(),
            active: None,
            url: None,
            urls: Vec::new(),
            events: Vec::new(),
            headers: Vec::new(),
            signing: Signing::None,
            concurrency: DEFAULT_CONCURRENCY,
            rate_limit: None,
            settings: Settings {
                rate_limit: None,
                retry_delays: None,
                ordered: false,
                filter: None,
            },
            rules: None,
            products: None,
        }
    }

    /// Sets the owner, whose events the subscription receives.
    pub fn owner(self, owner: impl Into<String>) -> Self {
        Self {
            owner: owner.into(),
            ..self
        }
    }

    /// Sets the URL for events that have no URL of their own.
    pub fn url(self, url: impl Into<String>) -> Self {
        Self {
            url: Some(url.into()),
            ..self
        }
    }

    /// Sets the URL for events of one kind, and selects the kind. A kind takes precedence over a
    /// [pattern](Self::events), and a longer pattern over a shorter one.
    pub fn url_for(mut self, kind: impl Into<String>, url: impl Into<String>) -> Self {
        self.urls.push((kind.into(), url.into()));
        self
    }

    /// Selects event kinds, in addition to the kinds with a URL of their own. A subscription that
    /// selects no kinds and has a URL for all receives every kind.
    ///
    /// A pattern selects all kinds that begin with it: `order.*` selects `order.shipped` and
    /// `order.item.added`, and not `order`. A pattern ends at one of the first 16 dots of a kind. With
    /// [rules](Self::rules), a pattern stands for the kinds of the document that it selects and that are
    /// available to the owner.
    pub fn events<K: Into<String>>(mut self, kinds: impl IntoIterator<Item = K>) -> Self {
        self.events.extend(kinds.into_iter().map(Into::into));
        self
    }

    /// Adds a header to every request.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the token that signs the requests.
    pub fn token(self, token: SigningToken) -> Self {
        self.signing(Signing::Token(token))
    }

    /// Sets the signing method. The default is [`Signing::None`].
    pub fn signing(self, signing: Signing) -> Self {
        Self { signing, ..self }
    }

    /// Sets whether the subscription is active. The default is `true`.
    pub fn active(self, active: bool) -> Self {
        Self {
            active: Some(active),
            ..self
        }
    }

    /// Sets the maximum number of concurrent requests per endpoint. The default is
    /// [`DEFAULT_CONCURRENCY`], the minimum is 1.
    pub fn concurrency(self, concurrency: u16) -> Self {
        Self {
            concurrency: concurrency.max(1),
            ..self
        }
    }

    /// Limits the requests that each endpoint gets within any period; see [`RateLimit`]. Retries and replays
    /// count. The default is no limit.
    pub fn rate_limit(self, requests: u32, period: Duration) -> Self {
        Self {
            rate_limit: Some((requests, period)),
            ..self
        }
    }

    /// Sets the delays of the retries, which replace the number of retries, the backoff and the jitter of the
    /// worker's [`Policy`](crate::Policy): the first retry follows the first attempt after the first delay,
    /// and a delivery is dead after as many retries as there are delays. A `Retry-After` of the receiver
    /// makes a delay longer, and what is retried stays that of the policy.
    pub fn retry_delays(mut self, delays: impl IntoIterator<Item = Duration>) -> Self {
        self.settings.retry_delays = Some(delays.into_iter().collect());
        self
    }

    /// Sets whether first attempts are ordered. The first attempts of an endpoint then start in the order in
    /// which the messages were enqueued, one after the other: each starts when the one before has ended,
    /// whatever its result. The default is `false`.
    ///
    /// Retries, replays and deliveries of lost workers have no place in this order: a message whose first
    /// attempt failed is received after later ones. A message with a delay holds back those that are enqueued
    /// after it. The setting applies to messages that are enqueued from now on.
    pub const fn ordered(mut self, ordered: bool) -> Self {
        self.settings.ordered = ordered;
        self
    }

    /// Sets a filter: of the messages of the selected kinds, the subscription receives those whose bodies meet
    /// the conditions when they are enqueued. The others are as if their kind were not selected.
    pub fn filter(mut self, filter: Filter) -> Self {
        self.settings.filter = Some(filter);
        self
    }

    /// Sets the subscription rules of an OpenAPI document (`SUBSCRIPTION` in generated code).
    /// [`build`](Self::build) then checks that the selected events exist and that the signing token
    /// is long enough. The rules also set the default of [`active`](Self::active).
    pub const fn rules(mut self, rules: SubscriptionRules) -> Self {
        self.rules = Some(rules);
        self
    }

    /// Sets the products that the owner uses. Some events of the rules are reserved for clients of
    /// a product. The subscription can select a reserved event only if the owner uses its product.
    /// A subscription that selects no events receives all events available to its owner.
    pub fn products<P: Into<String>>(self, products: impl IntoIterator<Item = P>) -> Self {
        Self {
            products: Some(products.into_iter().map(Into::into).collect()),
            ..self
        }
    }

    /// Builds the subscription.
    ///
    /// # Errors
    /// Returns an error if a URL is not an `http` or `https` URL, a header is reserved or
    /// malformed, a selected event has no URL, the rate limit has no requests or its period is shorter than
    /// a millisecond or longer than 366 days, a condition of the filter can never hold, or the subscription violates the [rules](Self::rules).
    pub fn build(mut self) -> Result<Subscription, InvalidSubscription> {
        if self.id.is_empty() {
            return Err(InvalidSubscription::NoId);
        }
        let rate_limit = self.rate_limit.map(|(requests, period)| {
            RateLimit::new(requests, period).ok_or(InvalidSubscription::RateLimit)
        });
        let rate_limit = rate_limit.transpose()?;
        if let Some(filter) = &self.settings.filter {
            filter.check()?;
        }
        let active = self.active;
        let active = active.or_else(|| self.rules?.active).unwrap_or(true);
        if let Some(rules) = self.rules {
            self.keep(&rules)?;
        }
        let url = self.url.map(check_url).transpose()?;
        let mut kinds: BTreeMap<String, Option<Url>> = self
            .events
            .iter()
            .map(|kind| (kind.clone(), None))
            .collect();
        for (kind, own) in self.urls {
            kinds.insert(kind, Some(check_url(own)?));
        }
        if url.is_none() && (kinds.is_empty() || kinds.values().any(Option::is_none)) {
            return Err(InvalidSubscription::NoUrl);
        }
        Ok(Subscription {
            id: self.id,
            owner: self.owner,
            active,
            all: self.events.is_empty() && url.is_some(),
            url,
            kinds,
            headers: check_headers(self.headers)?,
            signing: self.signing,
            concurrency: self.concurrency,
            settings: Settings {
                rate_limit,
                ..self.settings
            },
        })
    }
}

fn check_url(text: String) -> Result<Url, InvalidSubscription> {
    let wrong = |why| InvalidSubscription::Url {
        url: without_secrets(&text),
        why,
    };
    let url = Url::parse(&text).map_err(|_| wrong("not a valid URL"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong(
            "it has to begin with http:// or https://, and a host",
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("credentials go into a header"));
    }
    // A URL that hyper rejects is an error now, instead of at the first event.
    if url.as_str().parse::<http::Uri>().is_err() {
        return Err(wrong("no request can be sent to it"));
    }
    Ok(url)
}

/// Removes user name, password, query and fragment from the text of a URL.
fn without_secrets(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    // The `@` is searched first, because a password may contain any character.
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let shown = rest.split(['?', '#']).next().unwrap_or_default();
    match scheme {
        "" => shown.to_owned(),
        // An invalid scheme may also be a user name and password.
        scheme if scheme.contains('@') => format!("…://{shown}"),
        scheme => format!("{scheme}://{shown}"),
    }
}

fn check_headers(headers: Vec<(String, String)>) -> Result<HeaderMap, InvalidSubscription> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let (name, mut value) = check_header(&name, &value)?;
        // The value is often a password for the receiver, so `Debug` must not show it.
        value.set_sensitive(true);
        map.append(name, value);
    }
    Ok(map)
}

/// Returns `true` if the sender sets this header itself.
pub(crate) fn is_reserved(name: &HeaderName) -> bool {
    RESERVED.contains(&name.as_str())
}

/// Parses a header that a subscription or a message sets.
pub(crate) fn check_header(
    name: &str,
    value: &str,
) -> Result<(HeaderName, HeaderValue), InvalidHeader> {
    let malformed = || InvalidHeader::Malformed {
        name: name.to_owned(),
    };
    let known: HeaderName = name.parse().map_err(|_| malformed())?;
    if is_reserved(&known) {
        return Err(InvalidHeader::Reserved { name: known });
    }
    let value = HeaderValue::from_str(value).map_err(|_| malformed())?;
    Ok((known, value))
}
