//! Additional properties of webhooks and callbacks.

use super::Expression;

/// A kind of webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The default path of the receiver: the name of the webhook.
    pub path: String,
    /// The values that distinguish the webhook from others at the same URL: JSON pointers of
    /// properties in its body, with the constants of the document.
    pub values: Vec<(String, String)>,
    /// The destination of a callback.
    pub callback: Option<Callback>,
}

/// The destination of a callback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callback {
    /// The index of the operation whose calls provide the URL.
    pub operation: usize,
    /// The parts of the URL.
    pub url: Vec<UrlPart>,
}

/// A part of the URL of a callback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UrlPart {
    /// Text of the document.
    Text(String),
    /// A value of the request or the response.
    Value(Expression),
}
