//! The types that have been made.

use std::collections::HashMap;

use crate::ir::{Doc, Name, Payload, Traits, TypeDef, TypeId, TypeKind};
use crate::lower::{At, Lowered, Openness};
use crate::model::SchemaId;
use crate::position::Origin;

/// The types of the API, and what is known about them until it is complete.
#[derive(Default)]
pub(crate) struct TypeTable {
    pub(crate) defs: Vec<TypeDef>,
    /// The results for schemas without a type of their own: `None` while one is being lowered.
    /// Looked up only.
    pub(super) lowered: HashMap<SchemaId, Option<Lowered>>,
    /// Openness of the enums and unions, by type. Looked up only.
    pub(crate) openness: HashMap<TypeId, Openness>,
    /// The types that replaced schemas have by themselves.
    pub(super) schemas_of_replaced: Vec<TypeId>,
    /// Enums of media types of reusable bodies and responses.
    pub(super) contents: Vec<(Origin, Payload)>,
    /// The types of `oneOf`s whose alternatives overlap.
    pub(super) ambiguous: Vec<(TypeId, Origin)>,
}

impl TypeTable {
    /// Reserves a type.
    pub(crate) fn reserve(&mut self, at: &At, origin: &Origin, doc: Doc) -> TypeId {
        let id = TypeId(u32::try_from(self.defs.len()).unwrap_or(u32::MAX));
        self.defs.push(TypeDef {
            origin: origin.clone(),
            name: Name::new(at.words.clone()),
            parent: at.parent.clone(),
            title: None,
            module: at.module,
            doc,
            kind: TypeKind::Pending,
            rules: Vec::new(),
            output: false,
            input: false,
            non_exhaustive: false,
            traits: Traits::NONE,
            derives: Vec::new(),
            attributes: Vec::new(),
            imported: None,
        });
        id
    }
}
