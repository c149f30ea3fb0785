//! Examples of the document.

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
