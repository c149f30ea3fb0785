//! Tasks that operations start, and the locations of their values in messages.

use super::Place;

/// The task that an operation starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The index of the operation that returns the status.
    pub status_operation: usize,
    /// The parameter of the status operation that receives the task id.
    pub parameter: String,
    /// The parameters of the status operation with the locations of their values; the first is the
    /// task id. Empty if the document does not specify them.
    pub from: Vec<(Place, String, Expression)>,
    /// The JSON pointer of the status in the response of the status operation, if the document
    /// specifies it.
    pub status: Option<String>,
    /// The final statuses.
    pub terminal: Vec<String>,
    /// The webhooks that report the end of the task, with the JSON pointers of the task id in their
    /// bodies.
    pub webhooks: Vec<(String, String)>,
}

/// A runtime expression (OpenAPI 3.1.1, section 4.8.20.4), or a constant in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A constant.
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
