//! What the document says of all its webhooks (`x-bothends-webhooks`).

/// How webhooks are delivered, signed and subscribed to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebhookRules {
    /// How they are delivered.
    pub delivery: Option<DeliveryRules>,
    /// How they are signed.
    pub signing: Option<SigningRules>,
    /// How they are subscribed to.
    pub subscription: SubscriptionRules,
}

/// How webhooks are delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryRules {
    /// The time limit of one request.
    pub timeout_seconds: u64,
    /// How many times a request is repeated after the first one.
    pub max_retries: u32,
    /// The statuses after which it is.
    pub retry_statuses: Vec<u16>,
    /// The statuses that count as success, as inclusive ranges.
    pub success_statuses: Option<Vec<(u16, u16)>>,
    /// The pause before the first retry.
    pub backoff_base: Option<u64>,
    /// The longest pause between retries.
    pub backoff_cap: Option<u64>,
    /// Whether it is repeated when it times out, and when the connection breaks.
    pub retry_on: (bool, bool),
}

/// How webhooks are signed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SigningRules {
    /// With a shared secret.
    pub token: Option<TokenSigning>,
    /// With a published key.
    pub key: Option<KeySigning>,
}

/// A signature with a shared secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenSigning {
    /// The header that contains it.
    pub header: String,
    /// The secret has more characters than this.
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

/// How webhooks are subscribed to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubscriptionRules {
    /// The attributes that a subscription must have.
    pub required: Vec<String>,
    /// The attributes that a subscription may have.
    pub optional: Vec<String>,
    /// Whether the URL must be publicly reachable.
    pub public_url: bool,
    /// The signing token has more characters than this.
    pub token_longer_than: Option<u32>,
    /// Whether a new subscription is active.
    pub active: Option<bool>,
    /// State before, trigger, state after.
    pub transitions: Vec<(Option<String>, String, String)>,
    /// Products, each with the webhooks that only its clients can subscribe to.
    pub products: Vec<(String, Vec<String>)>,
}
