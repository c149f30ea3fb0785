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

/// An example to compare with its schema.
pub(super) struct ComparedExample<'t> {
    pub(super) schema: SchemaId,
    pub(super) node: Node<'t>,
    pub(super) notation: Notation,
    /// The media type, the parameter or the header; `None` for an example of the schema itself.
    pub(super) holder: Option<Origin>,
}

/// Places to compare with schemas.
#[derive(Default)]
pub(super) struct Later<'t> {
    pub(super) examples: Vec<ComparedExample<'t>>,
    /// Schemas of parameters with the style `deepObject`, and the positions of the style.
    pub(super) deep_objects: Vec<(SchemaId, Origin)>,
}
