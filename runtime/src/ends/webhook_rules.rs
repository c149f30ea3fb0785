//! The rules of a document for its webhooks: subscription, signing and delivery.
//!
//! Generated code has these as constants, from `x-bothends-webhooks`. Later versions may add
//! fields, so the structs are built by functions and not by literals.

use std::ops::RangeInclusive;
use std::time::Duration;

/// The delivery rules of webhooks: the constant `DELIVERY` of generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeliveryRules {
    /// The time limit of one request.
    pub timeout: Duration,
    /// How many times a request is repeated after the first one.
    pub retries: u32,
    /// The statuses after which a request is repeated.
    pub retry_statuses: &'static [u16],
    /// The statuses that count as success; `None` if the document does not state them.
    pub success_statuses: Option<&'static [RangeInclusive<u16>]>,
    /// The pause before the first retry; `None` if the document does not state it.
    pub backoff_base: Option<Duration>,
    /// The longest pause between retries; `None` if the document does not state it.
    pub backoff_cap: Option<Duration>,
    /// Whether a request is repeated when it times out.
    pub retry_on_timeout: bool,
    /// Whether a request is repeated when the connection breaks.
    pub retry_on_disconnect: bool,
}

impl DeliveryRules {
    /// Creates rules with everything else unset. A request that times out, or whose connection
    /// breaks, is repeated.
    #[must_use]
    pub const fn new(timeout: Duration, retries: u32, retry_statuses: &'static [u16]) -> Self {
        Self {
            timeout,
            retries,
            retry_statuses,
            success_statuses: None,
            backoff_base: None,
            backoff_cap: None,
            retry_on_timeout: true,
            retry_on_disconnect: true,
        }
    }

    /// Sets the statuses that count as success.
    #[must_use]
    pub const fn success_statuses(self, statuses: &'static [RangeInclusive<u16>]) -> Self {
        Self {
            success_statuses: Some(statuses),
            ..self
        }
    }

    /// Sets the pause before the first retry.
    #[must_use]
    pub const fn backoff_base(self, base: Duration) -> Self {
        Self {
            backoff_base: Some(base),
            ..self
        }
    }

    /// Sets the longest pause between retries.
    #[must_use]
    pub const fn backoff_cap(self, cap: Duration) -> Self {
        Self {
            backoff_cap: Some(cap),
            ..self
        }
    }

    /// Sets whether a request is repeated when it times out, and when its connection breaks.
    #[must_use]
    pub const fn retry_on(self, timeout: bool, broken: bool) -> Self {
        Self {
            retry_on_timeout: timeout,
            retry_on_disconnect: broken,
            ..self
        }
    }
}

/// The signing rules of webhooks: the constant `SIGNING` of generated code.
///
/// A document may describe both variants and leave open which one a deployment uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SigningRules {
    /// Signatures with a shared secret, if the document describes them.
    pub token: Option<TokenSigning>,
    /// Signatures with a published key, if the document describes them.
    pub key: Option<KeySigning>,
}

impl SigningRules {
    /// Creates rules without a variant.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            token: None,
            key: None,
        }
    }

    /// Adds signatures with a shared secret.
    #[must_use]
    pub const fn token(self, token: TokenSigning) -> Self {
        Self {
            token: Some(token),
            ..self
        }
    }

    /// Adds signatures with a published key.
    #[must_use]
    pub const fn key(self, key: KeySigning) -> Self {
        Self {
            key: Some(key),
            ..self
        }
    }
}

/// A signature with a shared secret: HMAC-SHA256 of the body, in lower-case hexadecimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TokenSigning {
    /// The header that contains the signature.
    pub header: &'static str,
    /// The secret has more characters than this; `None` if the document does not state a length.
    pub longer_than: Option<usize>,
}

impl TokenSigning {
    /// Creates the rule for a header.
    #[must_use]
    pub const fn new(header: &'static str) -> Self {
        Self {
            header,
            longer_than: None,
        }
    }

    /// Requires secrets with more characters than this.
    #[must_use]
    pub const fn longer_than(self, characters: usize) -> Self {
        Self {
            longer_than: Some(characters),
            ..self
        }
    }
}

/// A signature with a published key: a JWT of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeySigning {
    /// The header that contains the JWT.
    pub header: &'static str,
    /// The header that contains the id of the key.
    pub key_id_header: &'static str,
    /// The algorithm of the JWT (`alg` of RFC 7515); `None` if the document does not state it.
    pub algorithm: Option<&'static str>,
    /// The URL of the published keys; `None` if the document does not state it.
    pub public_keys: Option<&'static str>,
}

impl KeySigning {
    /// Creates the rule for the header of the JWT and the header of the key id.
    #[must_use]
    pub const fn new(header: &'static str, key_id_header: &'static str) -> Self {
        Self {
            header,
            key_id_header,
            algorithm: None,
            public_keys: None,
        }
    }

    /// Sets the algorithm of the JWT.
    #[must_use]
    pub const fn algorithm(self, algorithm: &'static str) -> Self {
        Self {
            algorithm: Some(algorithm),
            ..self
        }
    }

    /// Sets the URL of the published keys.
    #[must_use]
    pub const fn public_keys(self, url: &'static str) -> Self {
        Self {
            public_keys: Some(url),
            ..self
        }
    }
}

/// The subscription rules of webhooks: the constant `SUBSCRIPTION` of generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SubscriptionRules {
    /// Every kind of webhook, by its name in the document.
    pub kinds: &'static [&'static str],
    /// The attributes that a subscription must have.
    pub required: &'static [&'static str],
    /// The attributes that a subscription may have.
    pub optional: &'static [&'static str],
    /// Whether the URL must be publicly reachable.
    pub public_url: bool,
    /// The signing token has more characters than this; `None` if the document does not state a
    /// length.
    pub token_longer_than: Option<usize>,
    /// Whether a new subscription is active; `None` if the document does not state it.
    pub active: Option<bool>,
    /// The transitions between the states of a subscription.
    pub transitions: &'static [Transition],
    /// The products of the service, each with the kinds that only its clients can subscribe to.
    pub products: &'static [(&'static str, &'static [&'static str])],
}

impl SubscriptionRules {
    /// Creates rules for a document with these kinds of webhooks.
    #[must_use]
    pub const fn new(kinds: &'static [&'static str]) -> Self {
        Self {
            kinds,
            required: &[],
            optional: &[],
            public_url: false,
            token_longer_than: None,
            active: None,
            transitions: &[],
            products: &[],
        }
    }

    /// Sets the attributes that a subscription must have, and those that it may have.
    #[must_use]
    pub const fn attributes(
        self,
        required: &'static [&'static str],
        optional: &'static [&'static str],
    ) -> Self {
        Self {
            required,
            optional,
            ..self
        }
    }

    /// Requires a publicly reachable URL.
    #[must_use]
    pub const fn public_url(self) -> Self {
        Self {
            public_url: true,
            ..self
        }
    }

    /// Requires signing tokens with more characters than this.
    #[must_use]
    pub const fn token_longer_than(self, characters: usize) -> Self {
        Self {
            token_longer_than: Some(characters),
            ..self
        }
    }

    /// Sets whether a new subscription is active.
    #[must_use]
    pub const fn active(self, active: bool) -> Self {
        Self {
            active: Some(active),
            ..self
        }
    }

    /// Sets the transitions between the states of a subscription.
    #[must_use]
    pub const fn transitions(self, transitions: &'static [Transition]) -> Self {
        Self {
            transitions,
            ..self
        }
    }

    /// Sets the products of the service.
    #[must_use]
    pub const fn products(
        self,
        products: &'static [(&'static str, &'static [&'static str])],
    ) -> Self {
        Self { products, ..self }
    }

    /// Returns the state after a trigger; `None` if the document has no such transition. A
    /// subscription that does not exist yet has the state `None`.
    #[must_use]
    pub fn next(&self, state: Option<&str>, trigger: &str) -> Option<&'static str> {
        let mut transitions = self.transitions.iter();
        let found = transitions
            .find(|transition| transition.from == state && transition.trigger == trigger)?;
        Some(found.to)
    }

    /// Returns the product whose clients alone can subscribe to a kind; `None` if every client can.
    #[must_use]
    pub fn product_of(&self, kind: &str) -> Option<&'static str> {
        let mut products = self.products.iter();
        let found = products.find(|(_, kinds)| kinds.contains(&kind))?;
        Some(found.0)
    }
}

/// A transition between two states of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transition {
    /// The state before; `None` if the subscription does not exist yet.
    pub from: Option<&'static str>,
    /// What causes the transition.
    pub trigger: &'static str,
    /// The state after.
    pub to: &'static str,
}

impl Transition {
    /// Creates a transition.
    #[must_use]
    pub const fn new(from: Option<&'static str>, trigger: &'static str, to: &'static str) -> Self {
        Self { from, trigger, to }
    }
}
