//! The alternatives of a choice.

use crate::model::SchemaId;

/// A variant without a name: the schema to convert, and the schema in the document.
pub(in crate::lower) struct Candidate {
    pub(in crate::lower) schema: SchemaId,
    pub(in crate::lower) written: SchemaId,
    /// The named schema for which the written schema is another name, or the written schema.
    pub(in crate::lower) meant: SchemaId,
}
