//! What the types of an API do not show: keywords that are not checked, and bodies without a codec.

use crate::position::Origin;

/// A part of the document that generated code does not contain, for comparisons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncompared {
    /// The position in the document.
    pub origin: Origin,
    /// What contains the part.
    pub holder: Holder,
    /// The keyword of the schema, or the media type of the body.
    pub name: String,
    /// The start of the value as JSON without texts, with references replaced by their targets.
    pub value: String,
    /// A hash of the whole value in this form.
    pub hash: u64,
    /// Whether the part only excludes values.
    pub excludes: bool,
}

/// What contains a part of a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holder {
    /// A reusable schema, by name.
    Schema(String),
    /// The operation at a position, and whether the part belongs to its responses.
    Operation(Origin, bool),
    /// Another reusable part, by the start of its pointer.
    Other(String),
}
