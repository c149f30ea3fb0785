//! The table of schemas that were found, during reading.

use std::collections::{BTreeSet, HashMap, VecDeque};

use super::bindings::ScopeId;
use crate::model::{Schema, SchemaId};
use crate::position::Origin;
use crate::resolve::Node;

/// The form in which an object is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A schema object.
    Schema,
    /// A parameter or header of Swagger 2.0, which contains the keywords of a schema.
    Inline,
    /// A form field of Swagger 2.0, which becomes a property.
    Field,
}

/// All schemas found so far, and those to be read.
#[derive(Default)]
pub(super) struct SchemaTable<'t> {
    pub(super) list: Vec<Schema>,
    /// By position, and the bindings of `$dynamicRef`s.
    pub(super) by_place: HashMap<(Origin, ScopeId), SchemaId>,
    /// The schemas to which references lead.
    pub(super) referred: BTreeSet<SchemaId>,
    pub(super) queue: VecDeque<(SchemaId, Node<'t>, Form, ScopeId)>,
}

impl SchemaTable<'_> {
    /// Adds a schema that has no location of its own in the document.
    pub(super) fn add(&mut self, schema: Schema) -> SchemaId {
        // Ids count nodes of a document, and the size of documents is limited far below 2^32 bytes.
        let id = SchemaId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(schema);
        id
    }

    pub(super) fn get_mut(&mut self, id: SchemaId) -> Option<&mut Schema> {
        self.list.get_mut(id.0 as usize)
    }
}
