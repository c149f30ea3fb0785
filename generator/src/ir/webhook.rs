//! What a webhook or a callback has beside what every operation has.

use super::Expression;

/// A kind of webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The path where it is received unless the user chooses another: its name.
    pub path: String,
    /// Values that tell it from other kinds at one URL: the JSON pointer of a property of its body, and
    /// the only value that the document gives it.
    pub values: Vec<(String, String)>,
    /// Where it is sent, for a callback.
    pub callback: Option<Callback>,
}

/// Where a callback is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callback {
    /// Index of the operation whose calls give the URL.
    pub operation: usize,
    /// The URL, in parts.
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
