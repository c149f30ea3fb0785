//! Making subscriptions, and what makes one impossible.

use super::{DEFAULT_CONCURRENCY, Signing, Subscription};
use crate::signing::{InvalidToken, SigningToken};
use bothends_runtime::SubscriptionRules;
use http::{HeaderMap, HeaderName, HeaderValue};
use std::collections::BTreeMap;
use std::fmt;
use url::Url;

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

/// Makes a [`Subscription`].
#[derive(Clone)]
#[must_use]
pub struct SubscriptionBuilder {
    id: String,
    owner: String,
    active: Option<bool>,
    url: Option<String>,
    urls: Vec<(String, String)>,
    events: Vec<String>,
    headers: Vec<(String, String)>,
    signing: Signing,
    concurrency: u16,
    rules: Option<SubscriptionRules>,
    products: Option<Vec<String>>,
}

/// Headers and URLs may hold secrets of the receiver's, so neither is shown.
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
            rules: None,
            products: None,
        }
    }

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
        Self {
            active: Some(active),
            ..self
        }
    }

    /// How many requests each endpoint gets at once; at least one.
    pub fn concurrency(self, concurrency: u16) -> Self {
        Self {
            concurrency: concurrency.max(1),
            ..self
        }
    }

    /// Checks the subscription by the rules of a document (`SUBSCRIPTION` of generated code): its
    /// events exist, its signing token is long enough, it is active unless
    /// [`active`](Self::active) says otherwise.
    pub const fn rules(mut self, rules: SubscriptionRules) -> Self {
        self.rules = Some(rules);
        self
    }

    /// Names the products that the owner uses. Of the events that the rules reserve for the clients
    /// of a product, a subscription can then select those of these products only; one that selects
    /// nothing receives every event that is open to it.
    pub fn products<P: Into<String>>(self, products: impl IntoIterator<Item = P>) -> Self {
        Self {
            products: Some(products.into_iter().map(Into::into).collect()),
            ..self
        }
    }

    /// The subscription.
    ///
    /// # Errors
    /// Where a URL is none of http or https, a header is reserved or malformed, a selected event
    /// has nowhere to go, or something breaks the [rules](Self::rules).
    pub fn build(mut self) -> Result<Subscription, InvalidSubscription> {
        if self.id.is_empty() {
            return Err(InvalidSubscription::NoId);
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
        })
    }
}

impl SubscriptionBuilder {
    /// Checks what was said by the rules of a document.
    fn keep(&mut self, rules: &SubscriptionRules) -> Result<(), InvalidSubscription> {
        let products = self.products.as_deref();
        let product_missing = |kind: &str| -> Option<&'static str> {
            let product = rules.product_of(kind)?;
            let used = products?.iter().any(|used| used == product);
            (!used).then_some(product)
        };
        let own = self.urls.iter().map(|(kind, _)| kind);
        for event in self.events.iter().chain(own) {
            if !rules.kinds.contains(&event.as_str()) {
                return Err(InvalidSubscription::UnknownEvent {
                    event: event.clone(),
                    known: rules.kinds,
                });
            }
            if let Some(product) = product_missing(event) {
                return Err(InvalidSubscription::Product {
                    event: event.clone(),
                    product,
                });
            }
        }
        if let (Signing::Token(token), Some(longer_than)) = (&self.signing, rules.token_longer_than)
            && token.expose().chars().count() <= longer_than
        {
            return Err(InvalidSubscription::TokenLength { longer_than });
        }
        self.has_required(rules)?;
        // "Every event" is every one that is open to the owner.
        if self.url.is_some() && self.events.is_empty() {
            let mut open = Vec::new();
            let mut closed = None;
            for kind in rules.kinds {
                match product_missing(kind) {
                    None => open.push((*kind).to_owned()),
                    Some(product) => closed = Some((*kind, product)),
                }
            }
            match closed {
                Some((event, product)) if open.is_empty() => {
                    return Err(InvalidSubscription::Product {
                        event: event.to_owned(),
                        product,
                    });
                }
                Some(_) => self.events = open,
                None => {}
            }
        }
        Ok(())
    }
}

impl SubscriptionBuilder {
    /// Whether everything is there that the rules require. A URL is required in any case.
    fn has_required(&self, rules: &SubscriptionRules) -> Result<(), InvalidSubscription> {
        for attribute in rules.required.iter().copied() {
            let missing = match attribute {
                "events" => self.events.is_empty() && self.urls.is_empty(),
                "additional-headers" => self.headers.is_empty(),
                "signing-token" => !matches!(self.signing, Signing::Token(_)),
                _ => false,
            };
            if missing {
                return Err(InvalidSubscription::Missing { attribute });
            }
        }
        Ok(())
    }
}

fn check_url(text: String) -> Result<Url, InvalidSubscription> {
    let wrong = |why| InvalidSubscription::Url {
        url: without_secrets(&text),
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

/// A text that was to be a URL, without a name and password, a query and a fragment.
fn without_secrets(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
    // The `@` is looked for first, since a password may hold any sign.
    let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
    let shown = rest.split(['?', '#']).next().unwrap_or_default();
    match scheme {
        "" => shown.to_owned(),
        // What is no scheme may be a name and password, too.
        scheme if scheme.contains('@') => format!("…://{shown}"),
        scheme => format!("{scheme}://{shown}"),
    }
}

fn check_headers(headers: Vec<(String, String)>) -> Result<HeaderMap, InvalidSubscription> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let (name, mut value) = check_header(&name, &value)?;
        // Often a password for the receiver, so it is not shown.
        value.set_sensitive(true);
        map.append(name, value);
    }
    Ok(map)
}

/// Whether the sender sets this header itself.
pub(crate) fn is_reserved(name: &HeaderName) -> bool {
    RESERVED.contains(&name.as_str())
}

/// A header that a subscription or a message may set.
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

/// Why a header cannot be set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidHeader {
    /// The sender sets the header itself.
    Reserved {
        /// Which one.
        name: HeaderName,
    },
    /// No header can have this name or value.
    Malformed {
        /// The name it was given with.
        name: String,
    },
}

impl fmt::Display for InvalidHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reserved { name } => write!(f, "the header `{name}` is set by the sender"),
            Self::Malformed { name } => write!(f, "the header `{name}` is malformed"),
        }
    }
}

impl std::error::Error for InvalidHeader {}

impl From<InvalidHeader> for InvalidSubscription {
    fn from(error: InvalidHeader) -> Self {
        match error {
            InvalidHeader::Reserved { name } => Self::Reserved { name },
            InvalidHeader::Malformed { name } => Self::Header { name },
        }
    }
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
    /// The token is not as long as the rules ask.
    TokenLength {
        /// The token has to have more characters than this.
        longer_than: usize,
    },
    /// The rules require this attribute.
    Missing {
        /// Its name in the document.
        attribute: &'static str,
    },
    /// The rules have no such event.
    UnknownEvent {
        /// The name it was selected by.
        event: String,
        /// The events that exist.
        known: &'static [&'static str],
    },
    /// The event is only for the clients of a product that the owner does not use.
    Product {
        /// The event.
        event: String,
        /// The product.
        product: &'static str,
    },
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
            Self::TokenLength { longer_than } => write!(
                f,
                "the signing token has to have more than {longer_than} characters"
            ),
            Self::Missing { attribute } => {
                write!(f, "the document requires `{attribute}` of a subscription")
            }
            Self::UnknownEvent { event, known } => write!(
                f,
                "there is no event `{event}`; the events are `{}`",
                known.join("`, `")
            ),
            Self::Product { event, product } => write!(
                f,
                "the event `{event}` is only for clients of the product `{product}`"
            ),
        }
    }
}

impl std::error::Error for InvalidSubscription {}

impl From<InvalidToken> for InvalidSubscription {
    fn from(error: InvalidToken) -> Self {
        Self::Token(error)
    }
}
