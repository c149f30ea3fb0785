//! Errors of subscriptions and their headers.

use super::filter::InvalidFilter;
use crate::signing::InvalidToken;
use http::HeaderName;
use std::fmt;

/// An error for a header that cannot be set.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidHeader {
    /// The sender sets the header itself.
    Reserved {
        /// The name of the header.
        name: HeaderName,
    },
    /// The name or the value is malformed.
    Malformed {
        /// The name as given.
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

/// An error from [`SubscriptionBuilder::build`](super::SubscriptionBuilder::build).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidSubscription {
    /// The id is empty.
    NoId,
    /// A selected event has no URL.
    NoUrl,
    /// The URL is not a valid destination.
    Url {
        /// The URL as given, without secrets.
        url: String,
        /// The reason.
        why: &'static str,
    },
    /// The sender sets the header itself.
    Reserved {
        /// The name of the header.
        name: HeaderName,
    },
    /// The name or the value of the header is malformed.
    Header {
        /// The name as given.
        name: String,
    },
    /// The token is too short.
    Token(InvalidToken),
    /// The token is shorter than the rules require.
    TokenLength {
        /// The length, in characters, that the token must exceed.
        longer_than: usize,
    },
    /// A condition of the filter can never hold.
    Filter(InvalidFilter),
    /// The rate limit has no requests, or a period that is too short or too long.
    RateLimit,
    /// An attribute that the rules require is missing.
    Missing {
        /// The name of the attribute in the document.
        attribute: &'static str,
    },
    /// The event is not defined by the rules.
    UnknownEvent {
        /// The name of the event as given.
        event: String,
        /// The defined events.
        known: &'static [&'static str],
    },
    /// The event is reserved for clients of a product that the owner does not use.
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
            Self::NoUrl => f.write_str("a selected event has no URL"),
            Self::Url { url, why } => write!(f, "`{url}` cannot receive webhooks: {why}"),
            Self::Reserved { name } => write!(f, "the header `{name}` is set by the sender"),
            Self::Header { name } => write!(f, "the header `{name}` is malformed"),
            Self::Token(error) => error.fmt(f),
            Self::TokenLength { longer_than } => write!(
                f,
                "the signing token has to have more than {longer_than} characters"
            ),
            Self::Filter(error) => error.fmt(f),
            Self::RateLimit => f.write_str(
                "a rate limit needs at least one request, and a period between a millisecond and 366 days",
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

impl From<InvalidFilter> for InvalidSubscription {
    fn from(error: InvalidFilter) -> Self {
        Self::Filter(error)
    }
}

impl From<InvalidToken> for InvalidSubscription {
    fn from(error: InvalidToken) -> Self {
        Self::Token(error)
    }
}
