//! Links of responses, and the locations of values in messages.

use super::{Api, Name, Operation, Place, StatusSpec};

/// A link of a response of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The name of the link; in Rust, with that of the operation.
    pub name: Name,
    /// The description.
    pub doc: Option<String>,
    /// The linked operation.
    pub call: LinkedCall,
}

impl Link {
    /// Returns whether values of the link are in the request, and not only in the response.
    #[must_use]
    pub fn needs_request(&self) -> bool {
        let mut from = self.call.from.iter();
        from.any(|(.., value)| matches!(value, Expression::Request(_) | Expression::Method))
    }
}

/// A link as it is stated, which need not give all values of the linked operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedLink {
    /// The name.
    pub name: String,
    /// The statuses of the responses that state it: those of successes.
    pub statuses: Vec<StatusSpec>,
    /// The linked operation.
    pub call: LinkedCall,
}

/// A call whose values are in a request and its response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkedCall {
    /// The index of the operation.
    pub operation: usize,
    /// Its parameters with the locations of their values in the request and its response.
    pub from: Vec<(Place, String, Expression)>,
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

impl Operation {
    /// Returns the indices of the operations that its links and its task lead to.
    pub(crate) fn linked(&self) -> impl Iterator<Item = usize> {
        let of_task = self.task.iter().flat_map(|task| task.operations());
        let links = self.links.iter().map(|link| link.call.operation);
        of_task.map(|(index, _)| index).chain(links)
    }
}

impl Api {
    /// Returns the client method that follows links, if there are links.
    pub(crate) fn follow_method(&self) -> Option<&str> {
        let mut operations = self.operations.iter();
        let is_used = operations.any(|operation| !operation.links.is_empty());
        self.follow.as_deref().filter(|_| is_used)
    }
}
