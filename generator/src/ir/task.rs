//! Tasks that operations start, and where things are found in messages.

use super::Place;

/// The task that an operation starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Index of the operation that tells its status.
    pub status_operation: usize,
    /// Parameter of that operation that takes the task's id.
    pub parameter: String,
    /// Parameters of that operation, and where their values are found; the first is the task's id.
    /// Empty when the document does not tell.
    pub from: Vec<(Place, String, Expression)>,
    /// JSON pointer of the status in the answer to the status operation, when the document tells.
    pub status: Option<String>,
    /// Statuses that end it.
    pub terminal: Vec<String>,
    /// Webhooks that tell of its end, and the JSON pointers of its id in their bodies.
    pub webhooks: Vec<(String, String)>,
}

/// A runtime expression (OpenAPI 3.1.1, section 4.8.20.4), or a constant in place of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// No expression.
    Constant(String),
    /// `$url`
    Url,
    /// `$method`
    Method,
    /// `$statusCode`
    StatusCode,
    /// `$request.…`
    Request(Source),
    /// `$response.…`
    Response(Source),
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// `header.…`
    Header(String),
    /// `query.…`
    Query(String),
    /// `path.…`
    Path(String),
    /// `body`, with its JSON pointer.
    Body(String),
}
