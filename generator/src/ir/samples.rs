//! Valid values of schemas whose types are the user's.

use crate::position::Origin;

/// Values that are valid for a schema whose type is the user's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Samples {
    /// The position of the schema.
    pub origin: Origin,
    /// The path of the type.
    pub path: String,
    /// The examples of the document as JSON.
    pub examples: Vec<String>,
    /// Drawn values as JSON, without those that are examples.
    pub drawn: Vec<String>,
    /// Why no value is drawn, in words of the generator alone.
    pub not_drawn: Option<String>,
}
