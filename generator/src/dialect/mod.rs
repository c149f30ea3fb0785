//! Reading of a document of any dialect into the common [`Model`].
//!
//! Each subject has one reader for the common parts of all dialects ([`schema`], [`operation`] and
//! so on). Each dialect has a module for its differences: [`swagger2`], [`v3_0`], [`v3_1`],
//! [`v3_2`]. The differences are data in [`rules::Rules`], and functions that the readers call.

use std::collections::HashSet;

use crate::diagnostic::Diagnostics;
use crate::ir::Uncompared;
use crate::model::{Model, Schema, SchemaId};
use crate::position::Origin;
use crate::resolve::Resolver;
use crate::source::{Tree, Value};

mod bindings;
mod body;
mod compared;
mod conditions;
mod constraints;
mod context;
mod contradiction;
mod discriminator;
mod document;
mod dynamic;
mod examples;
mod extension;
mod flattened;
mod header;
mod keywords;
mod kind;
mod later;
mod lenient;
mod media_type;
mod misspelt;
mod operation;
mod other_files;
mod parameter;
mod path_item;
mod pointed;
mod response;
mod rules;
mod schema;
mod scheme;
mod security;
mod servers;
mod spelling;
mod streams;
mod style;
mod swagger2;
mod table;
#[cfg(test)]
mod tests;
mod uncompared;
mod v3_0;
mod v3_1;
mod v3_2;
mod version;

use context::Context;
pub(crate) use contradiction::contradicts;
pub(crate) use examples::shown;
pub(crate) use misspelt::meant_format;
pub(crate) use version::Version;
use version::detect;

/// The maximum number of parts. Shared parts are read once for each use, so a small document can
/// expand into a huge model. The limit is far above the size of hand-written documents, and low
/// enough for the available memory.
const BUDGET: usize = 2_000_000;

/// Reads a document into the model.
///
/// Returns `None` if the document is not an API description. Otherwise returns all readable parts;
/// the diagnostics contain the others.
pub(crate) fn read(tree: &Tree, diagnostics: &mut Diagnostics) -> Option<Model> {
    read_within(tree, BUDGET, diagnostics)
}

/// Reads a document that is compared with another one: its model, and the parts that do not become code.
pub(crate) fn read_compared(
    tree: &Tree,
    diagnostics: &mut Diagnostics,
) -> Option<(Model, Vec<Uncompared>)> {
    let (model, context) = read_with(tree, BUDGET, diagnostics)?;
    let uncompared = uncompared::uncompared(&context.resolver, &model);
    Some((model, uncompared))
}

fn read_within(tree: &Tree, budget: usize, diagnostics: &mut Diagnostics) -> Option<Model> {
    read_with(tree, budget, diagnostics).map(|(model, _)| model)
}

fn read_with<'t, 'd>(
    tree: &'t Tree,
    budget: usize,
    diagnostics: &'d mut Diagnostics,
) -> Option<(Model, Context<'t, 'd>)> {
    let resolver = Resolver::new(tree);
    let version = detect(&resolver.root(), diagnostics)?;
    let rules = match version {
        Version::Swagger2 => &swagger2::RULES,
        Version::V3_0 => &v3_0::RULES,
        Version::V3_1 => &v3_1::RULES,
        Version::V3_2 => &v3_2::RULES,
    };
    let mut context = Context::new(resolver, rules, diagnostics, budget);
    let model = document::read(&mut context);
    Some((model, context))
}

/// What a document states about the values of schemas beyond its model.
#[derive(Debug, Clone, Default)]
pub(crate) struct Values {
    /// The examples of schemas, parameters and media types, in document order.
    pub(crate) examples: Vec<Example>,
    /// The schemas with keywords that are not checked.
    pub(crate) unchecked: HashSet<SchemaId>,
}

/// An example of a schema.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub(crate) schema: SchemaId,
    pub(crate) origin: Origin,
    pub(crate) value: Value,
    /// Whether the value may be the text of a parameter.
    pub(crate) may_be_text: bool,
    /// The media type, the parameter or the header; `None` for an example of the schema itself.
    pub(crate) holder: Option<Origin>,
}

/// Returns what a document states about the values of the schemas of its model.
pub(crate) fn values(tree: &Tree) -> Values {
    let mut diagnostics = Diagnostics::new();
    let Some((model, context)) = read_with(tree, BUDGET, &mut diagnostics) else {
        return Values::default();
    };
    let examples = context.later.examples.iter();
    let is_unchecked = |schema: &Schema| {
        let node = context.resolver.at(&schema.origin);
        let keys = node.and_then(|node| node.value.as_object());
        keys.is_some_and(|keys| keys.keys().any(|key| keywords::is_unchecked(key)))
    };
    let schemas = (0..).map(SchemaId).zip(&model.schemas);
    let unchecked = schemas.filter(|(_, schema)| is_unchecked(schema));
    Values {
        examples: examples
            .map(|example| Example {
                schema: example.schema,
                origin: example.node.origin(),
                value: example.node.value.clone(),
                may_be_text: example.notation == compared::Notation::Text,
                holder: example.holder.clone(),
            })
            .collect(),
        unchecked: unchecked.map(|(id, _)| id).collect(),
    }
}
