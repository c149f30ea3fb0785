//! Examples of the document: values of types, and the parts of requests and responses.

use super::TypeId;
use crate::position::Origin;

/// An example of the document that is a value of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The type.
    pub ty: TypeId,
    /// The position of the value.
    pub origin: Origin,
    /// The value as JSON.
    pub value: String,
}

/// The examples of an operation, which a client and a server exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// The position of the operation.
    pub operation: Origin,
    /// The examples of the request: the location, and the name of a parameter or the media type of the body.
    pub request: Vec<(&'static str, PartExample)>,
    /// The examples of the responses by status.
    pub responses: Vec<(u16, PartExample)>,
}

/// An example of a part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartExample {
    /// The name of a parameter or a header, or the media type of a body.
    pub key: String,
    /// The position of the value.
    pub origin: Origin,
    /// The value as JSON.
    pub value: String,
}
