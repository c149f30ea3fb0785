//! What is read of the document, and what has been found out about its schemas.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::diagnostic::Diagnostics;
use crate::ir::{Rule, TypeId};
use crate::lower::schema::cycles::{self, Cycle};
use crate::lower::schema::shape::Shape;
use crate::lower::schema::{conditions, replaced};
use crate::lower::{At, Options};
use crate::model::{Model, Schema, SchemaId};
use crate::position::Origin;

/// The document, with what has been found out about its schemas. It does not know the types that
/// are made of them, except which reusable schema has which.
pub(crate) struct Document<'a> {
    pub(crate) model: Model,
    pub(crate) options: &'a Options,
    pub(crate) diagnostics: &'a mut Diagnostics,
    /// The cycle of each schema of the document.
    pub(super) cycles: Vec<Cycle>,
    /// Whether each schema of the document contains itself, at any depth.
    pub(super) recursive: Vec<bool>,
    /// Reusable schemas by id. Looked up only.
    pub(super) named: HashMap<SchemaId, TypeId>,
    /// The places of other schemas to which references lead. Looked up only.
    pub(super) pointed: HashMap<SchemaId, At>,
    /// Paths of the user's types by schema. Looked up only.
    pub(super) replaced: HashMap<SchemaId, String>,
    /// Children of a schema with a discriminator and no `oneOf`. Looked up only.
    pub(super) children: HashMap<SchemaId, Vec<SchemaId>>,
    /// Synthetic schemas, each with the schemas whose keywords it contains. Looked up only.
    pub(super) covers: HashMap<SchemaId, BTreeSet<SchemaId>>,
    /// Synthetic schemas by the schemas that they intersect. Looked up only.
    pub(super) intersections: HashMap<Vec<SchemaId>, SchemaId>,
    /// Schemas of conditional properties, by those that they combine. Looked up only.
    pub(super) loosened: HashMap<Vec<SchemaId>, SchemaId>,
    /// The results for schemas with one choice. Looked up only.
    pub(super) single: HashMap<SchemaId, (SchemaId, bool)>,
    /// Whether null is valid for a schema. Looked up only.
    pub(super) nullable: HashMap<SchemaId, bool>,
    /// The rules of values at the uses of a schema. Looked up only.
    pub(super) rules: HashMap<SchemaId, Vec<Rule>>,
    /// The nesting depth of the rules that are being determined.
    pub(super) rule_depth: usize,
    /// The last inline type, whose rules are determined next.
    pub(super) plain: Option<(SchemaId, Shape)>,
    /// The number of merged schemas and properties.
    pub(super) merged: usize,
    /// The amount of comparisons in the search for overlapping alternatives.
    pub(super) compared: usize,
    /// Required names without a property that were reported, by the schema that lists them.
    pub(super) undeclared: HashSet<(SchemaId, String)>,
    /// Choices that were reported as not validated, by their first alternative.
    pub(super) reported_choices: HashSet<SchemaId>,
}

impl<'a> Document<'a> {
    pub(super) fn new(
        mut model: Model,
        options: &'a Options,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        conditions::remove_empty(&mut model);
        let cycles = cycles::number(&mut model, diagnostics);
        let recursive = cycles::recursive(&model);
        let replaced = replaced::find(&model, &options.types, diagnostics);
        Self {
            model,
            options,
            diagnostics,
            cycles,
            recursive,
            named: HashMap::new(),
            pointed: HashMap::new(),
            replaced,
            children: HashMap::new(),
            covers: HashMap::new(),
            intersections: HashMap::new(),
            loosened: HashMap::new(),
            single: HashMap::new(),
            nullable: HashMap::new(),
            rules: HashMap::new(),
            rule_depth: 0,
            plain: None,
            merged: 0,
            compared: 0,
            undeclared: HashSet::new(),
            reported_choices: HashSet::new(),
        }
    }

    pub(crate) fn schema(&self, id: SchemaId) -> &Schema {
        &self.model.schemas[id.0 as usize]
    }

    /// Adds a schema that is not in the document.
    pub(crate) fn add_schema(&mut self, schema: Schema) -> SchemaId {
        let id = SchemaId(u32::try_from(self.model.schemas.len()).unwrap_or(u32::MAX));
        self.model.schemas.push(schema);
        id
    }

    /// Returns the schema of values that all of `parts` accept.
    pub(crate) fn intersection(&mut self, parts: Vec<SchemaId>, origin: &Origin) -> SchemaId {
        if let [only] = parts[..] {
            return only;
        }
        if let Some(id) = self.intersections.get(&parts) {
            return *id;
        }
        let schema = Schema {
            origin: origin.clone(),
            all_of: parts.clone(),
            ..Schema::default()
        };
        let id = self.add_schema(schema);
        self.intersections.insert(parts, id);
        id
    }
}
