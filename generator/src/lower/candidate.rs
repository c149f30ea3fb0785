//! The alternatives of a choice.

use crate::model::SchemaId;

/// A variant without a name: the schema to convert, and the schema in the document.
pub(super) struct Candidate {
    pub(super) schema: SchemaId,
    pub(super) written: SchemaId,
    /// The named schema for which the written schema is another name, or the written schema.
    pub(super) meant: SchemaId,
}
