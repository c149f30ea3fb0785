//! Places that are compared with schemas once all schemas of the document are read.

use crate::model::SchemaId;
use crate::position::Origin;
use crate::resolve::Node;

/// How an example is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// As a value of JSON.
    Json,
    /// As a value, or as the text of a parameter.
    Text,
}

/// Places to compare with schemas.
#[derive(Default)]
pub(super) struct Later<'t> {
    pub(super) examples: Vec<(SchemaId, Node<'t>, Notation)>,
    /// Schemas of parameters with the style `deepObject`, and the positions of the style.
    pub(super) deep_objects: Vec<(SchemaId, Origin)>,
}
