//! Reads a document of any dialect into the one [`Model`].
//!
//! What the dialects share is read by one reader a subject ([`schema`], [`operation`] and so on).
//! What differs stands in a module a dialect: [`swagger2`], [`v3_0`], [`v3_1`], [`v3_2`], as
//! [`rules::Rules`] that the readers ask and as functions that they call.

use crate::diagnostic::Diagnostics;
use crate::model::Model;
use crate::resolve::Resolver;
use crate::source::Tree;

mod body;
mod constraints;
mod context;
mod document;
mod examples;
mod extension;
mod header;
mod keywords;
mod lenient;
mod media_type;
mod operation;
mod parameter;
mod path_item;
mod response;
mod rules;
mod schema;
mod scheme;
mod security;
mod servers;
mod spelling;
mod style;
mod swagger2;
mod table;
#[cfg(test)]
mod tests;
mod v3_0;
mod v3_1;
mod v3_2;
mod version;

use context::Context;
pub(crate) use examples::shown;
pub(crate) use version::Version;
use version::detect;

/// Shared parts are read once for each use, so a small document can unfold into a huge model. This
/// is far more parts than documents written by people have, and less than fills a memory.
const BUDGET: usize = 2_000_000;

/// Reads a document into the model.
///
/// `None` when it is no API description at all. Else whatever could be read: what could not is
/// among the diagnostics.
pub(crate) fn read(tree: &Tree, diagnostics: &mut Diagnostics) -> Option<Model> {
    read_within(tree, BUDGET, diagnostics)
}

fn read_within(tree: &Tree, budget: usize, diagnostics: &mut Diagnostics) -> Option<Model> {
    let resolver = Resolver::new(tree);
    let version = detect(&resolver.root(), diagnostics)?;
    let rules = match version {
        Version::Swagger2 => &swagger2::RULES,
        Version::V3_0 => &v3_0::RULES,
        Version::V3_1 => &v3_1::RULES,
        Version::V3_2 => &v3_2::RULES,
    };
    let mut context = Context::new(resolver, rules, diagnostics, budget);
    Some(document::read(&mut context))
}
