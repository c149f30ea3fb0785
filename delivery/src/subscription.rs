//! Who receives what, where, and signed how.

use crate::signing::{InvalidToken, SigningToken};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use url::Url;

/// How many requests one endpoint gets at once, unless its subscription says more or less.
pub const DEFAULT_CONCURRENCY: u16 = 16;

/// The header with the id of the message; the same in every attempt.
pub const MESSAGE_ID: HeaderName = HeaderName::from_static("webhook-id");
/// The header that numbers the attempts: the id of the delivery, a dot, the number.
pub const ATTEMPT: HeaderName = HeaderName::from_static("webhook-attempt");

/// Headers that a subscription cannot set: those that frame the request, those that are for the
/// next hop only (RFC 9110, section 7.6.1), and those that we sign and identify with.
const RESERVED: [&str; 24] = [
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
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "via",
    "webhook-attempt",
    "webhook-id",
    "x-forwarded-for",
    "x-signature",
    "x-signing-id",
    "x-token-signature",
];

/// How the requests of a subscription are signed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Signing {
    /// Not at all.
    #[default]
    None,
    /// `X-Token-Signature`, by a token that the receiver knows.
    Token(SigningToken),
    /// `X-Signature` and `X-Signing-ID`, by the current key of the worker's
    /// [`KeyRing`](crate::KeyRing).
    Key,
}

/// One receiver: where it wants which events, and what is sent along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    pub(crate) id: String,
    pub(crate) owner: String,
    pub(crate) active: bool,
    pub(crate) url: Option<Url>,
    /// Kinds that were selected, with the URL of those that have one of their own. Empty: all.
    pub(crate) kinds: BTreeMap<String, Option<Url>>,
    pub(crate) all: bool,
    pub(crate) headers: HeaderMap,
    pub(crate) signing: Signing,
    pub(crate) concurrency: u16,
}

impl Subscription {
    /// Begins a subscription with this id. Putting one with an id that is there replaces it.
    pub fn builder(id: impl Into<String>) -> SubscriptionBuilder {
        SubscriptionBuilder {
            id: id.into(),
            owner: String::new(),
            active: true,
            url: None,
            urls: Vec::new(),
            events: Vec::new(),
            headers: Vec::new(),
            signing: Signing::None,
            concurrency: DEFAULT_CONCURRENCY,
        }
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whose events it is about.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Whether it receives anything; deliveries of one that does not are held.
    pub const fn is_active(&self) -> bool {
        self.active
    }

    /// Where events of this kind go; nowhere if the kind is not selected.
    pub fn url_for(&self, kind: &str) -> Option<&Url> {
        match self.kinds.get(kind) {
            Some(own) => own.as_ref().or(self.url.as_ref()),
            None if self.all => self.url.as_ref(),
            None => None,
        }
    }

    /// The headers that are sent along.
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// How it is signed.
    pub const fn signing(&self) -> &Signing {
        &self.signing
    }

    /// How many requests each of its endpoints gets at once.
    pub const fn concurrency(&self) -> u16 {
        self.concurrency
    }

    /// The endpoints: the URL for all (by the empty name), then those of one kind each.
    pub(crate) fn routes(&self) -> impl Iterator<Item = (&str, &Url)> {
        let own = self.kinds.iter();
        let own = own.filter_map(|(kind, url)| Some((kind.as_str(), url.as_ref()?)));
        self.url.iter().map(|url| ("", url)).chain(own)
    }

    /// Which kinds go to which route. `None` stands for every kind that is not named.
    pub(crate) fn selected(&self) -> impl Iterator<Item = (Option<&str>, &str)> {
        let rest = (self.all && self.url.is_some()).then_some((None, ""));
        let named = self.kinds.iter().map(|(kind, own)| {
            let kind = kind.as_str();
            (Some(kind), if own.is_some() { kind } else { "" })
        });
        rest.into_iter().chain(named)
    }

    pub(crate) fn to_json(&self) -> String {
        let headers = self.headers.iter();
        let stored = Stored {
            url: self.url.clone(),
            kinds: self.kinds.clone(),
            all: self.all,
            headers: headers
                .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
                .collect(),
            signing: match &self.signing {
                Signing::None => StoredSigning::None,
                Signing::Token(token) => StoredSigning::Token(token.expose().to_owned()),
                Signing::Key => StoredSigning::Key,
            },
            concurrency: self.concurrency,
        };
        // Texts, numbers and maps keyed by texts: there is nothing that JSON cannot say.
        serde_json::to_string(&stored).unwrap_or_default()
    }

    pub(crate) fn from_json(
        id: String,
        owner: String,
        active: bool,
        json: &str,
    ) -> Result<Self, String> {
        let stored: Stored = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let mut headers = HeaderMap::new();
        for (name, value) in stored.headers {
            let name: HeaderName = name.parse().map_err(|_| "a header's name".to_owned())?;
            let value = HeaderValue::from_bytes(&value).map_err(|_| "a header's value")?;
            headers.append(name, value);
        }
        Ok(Self {
            id,
            owner,
            active,
            url: stored.url,
            kinds: stored.kinds,
            all: stored.all,
            headers,
            signing: match stored.signing {
                StoredSigning::None => Signing::None,
                StoredSigning::Token(token) => {
                    Signing::Token(SigningToken::new(token).map_err(|error| error.to_string())?)
                }
                StoredSigning::Key => Signing::Key,
            },
            concurrency: stored.concurrency,
        })
    }
}

/// A subscription as it lies in a store.
#[derive(Serialize, Deserialize)]
struct Stored {
    url: Option<Url>,
    kinds: BTreeMap<String, Option<Url>>,
    all: bool,
    headers: Vec<(String, Vec<u8>)>,
    signing: StoredSigning,
    concurrency: u16,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredSigning {
    None,
    Token(String),
    Key,
}

/// Makes a [`Subscription`].
#[derive(Debug, Clone)]
#[must_use]
pub struct SubscriptionBuilder {
    id: String,
    owner: String,
    active: bool,
    url: Option<String>,
    urls: Vec<(String, String)>,
    events: Vec<String>,
    headers: Vec<(String, String)>,
    signing: Signing,
    concurrency: u16,
}

impl SubscriptionBuilder {
    /// Whose events it is about.
    pub fn owner(self, owner: impl Into<String>) -> Self {
        Self {
            owner: owner.into(),
            ..self
        }
    }

    /// Where events go that have no URL of their own.
    pub fn url(self, url: impl Into<String>) -> Self {
        Self {
            url: Some(url.into()),
            ..self
        }
    }

    /// Where events of this kind go. It selects the kind.
    pub fn url_for(mut self, kind: impl Into<String>, url: impl Into<String>) -> Self {
        self.urls.push((kind.into(), url.into()));
        self
    }

    /// Selects these kinds, and those that have a URL of their own. Without it, a subscription with
    /// a URL for all receives every kind.
    pub fn events<K: Into<String>>(mut self, kinds: impl IntoIterator<Item = K>) -> Self {
        self.events.extend(kinds.into_iter().map(Into::into));
        self
    }

    /// Sends this header along.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Signs with this token.
    pub fn token(self, token: SigningToken) -> Self {
        self.signing(Signing::Token(token))
    }

    /// Signs in this way.
    pub fn signing(self, signing: Signing) -> Self {
        Self { signing, ..self }
    }

    /// Whether it is active once put; it is, unless this says otherwise.
    pub fn active(self, active: bool) -> Self {
        Self { active, ..self }
    }

    /// How many requests each endpoint gets at once; at least one.
    pub fn concurrency(self, concurrency: u16) -> Self {
        Self {
            concurrency: concurrency.max(1),
            ..self
        }
    }

    /// The subscription.
    ///
    /// # Errors
    /// Where a URL is none of http or https, a header is reserved or malformed, or a selected event
    /// has nowhere to go.
    pub fn build(self) -> Result<Subscription, InvalidSubscription> {
        if self.id.is_empty() {
            return Err(InvalidSubscription::NoId);
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
            active: self.active,
            all: self.events.is_empty() && url.is_some(),
            url,
            kinds,
            headers: check_headers(self.headers)?,
            signing: self.signing,
            concurrency: self.concurrency,
        })
    }
}

fn check_url(text: String) -> Result<Url, InvalidSubscription> {
    let wrong = |why| InvalidSubscription::Url {
        url: text.clone(),
        why,
    };
    let url = Url::parse(&text).map_err(|_| wrong("it is no URL"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong(
            "it has to begin with http:// or https://, and a host",
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("credentials go into a header"));
    }
    // What hyper cannot take is refused now, not when the first event comes.
    if url.as_str().parse::<http::Uri>().is_err() {
        return Err(wrong("no request can be sent to it"));
    }
    Ok(url)
}

fn check_headers(headers: Vec<(String, String)>) -> Result<HeaderMap, InvalidSubscription> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let Ok(known) = name.parse::<HeaderName>() else {
            return Err(InvalidSubscription::Header { name });
        };
        if RESERVED.contains(&known.as_str()) {
            return Err(InvalidSubscription::Reserved { name: known });
        }
        let Ok(mut value) = HeaderValue::from_str(&value) else {
            return Err(InvalidSubscription::Header { name });
        };
        // Often a password for the receiver, so it is not shown.
        value.set_sensitive(true);
        map.append(known, value);
    }
    Ok(map)
}

/// Why a subscription cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidSubscription {
    /// It has no id.
    NoId,
    /// An event was selected that has nowhere to go.
    NoUrl,
    /// A URL that nothing can be sent to.
    Url {
        /// What was given.
        url: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The header is ours to set.
    Reserved {
        /// Which one.
        name: HeaderName,
    },
    /// No header can have this name or value.
    Header {
        /// The name it was given with.
        name: String,
    },
    /// The token is too short.
    Token(InvalidToken),
}

impl fmt::Display for InvalidSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoId => f.write_str("a subscription needs an id"),
            Self::NoUrl => f.write_str("a selected event has no URL to go to"),
            Self::Url { url, why } => write!(f, "`{url}` cannot receive webhooks: {why}"),
            Self::Reserved { name } => write!(f, "the header `{name}` is set by the sender"),
            Self::Header { name } => write!(f, "the header `{name}` is malformed"),
            Self::Token(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for InvalidSubscription {}

impl From<InvalidToken> for InvalidSubscription {
    fn from(error: InvalidToken) -> Self {
        Self::Token(error)
    }
}
