//! The rules of the document for all webhooks (`x-bothends-webhooks`).

/// The rules for delivery, signing and subscription of webhooks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebhookRules {
    /// The delivery rules.
    pub delivery: Option<DeliveryRules>,
    /// The signing rules.
    pub signing: Option<SigningRules>,
    /// The subscription rules.
    pub subscription: SubscriptionRules,
}

/// The delivery rules of webhooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryRules {
    /// The timeout of a request, in seconds.
    pub timeout_seconds: u64,
    /// The maximum number of retries after the first request.
    pub max_retries: u32,
    /// The statuses that are retried.
    pub retry_statuses: Vec<u16>,
    /// The statuses that count as success, as inclusive ranges.
    pub success_statuses: Option<Vec<(u16, u16)>>,
    /// The pause before the first retry, in seconds.
    pub backoff_base: Option<u64>,
    /// The longest pause between retries, in seconds.
    pub backoff_cap: Option<u64>,
    /// Whether a request is retried after a timeout, and after a broken connection.
    pub retry_on: (bool, bool),
}

/// The signing rules of webhooks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SigningRules {
    /// Signatures with a shared secret.
    pub token: Option<TokenSigning>,
    /// Signatures with a published key.
    pub key: Option<KeySigning>,
}

/// A signature with a shared secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenSigning {
    /// The header that contains the signature.
    pub header: String,
    /// The length, in characters, that the secret must exceed.
    pub longer_than: Option<u32>,
}

/// A signature with a published key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySigning {
    /// The header that contains the JWT.
    pub header: String,
    /// The header that contains the id of the key.
    pub key_id_header: String,
    /// The algorithm of the JWT.
    pub algorithm: Option<String>,
    /// The URL of the published keys.
    pub public_keys: Option<String>,
}

/// The subscription rules of webhooks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubscriptionRules {
    /// The required attributes of a subscription.
    pub required: Vec<String>,
    /// The optional attributes of a subscription.
    pub optional: Vec<String>,
    /// Whether the URL must be publicly reachable.
    pub public_url: bool,
    /// The length, in characters, that the signing token must exceed.
    pub token_longer_than: Option<u32>,
    /// Whether a new subscription is active.
    pub active: Option<bool>,
    /// The transitions: previous state, trigger, next state.
    pub transitions: Vec<(Option<String>, String, String)>,
    /// The products, each with the webhooks reserved for its clients.
    pub products: Vec<(String, Vec<String>)>,
}
