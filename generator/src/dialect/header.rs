//! Headers of responses and of parts.

use super::compared::Notation;
use super::context::Context;
use super::kind::Kind;
use super::{media_type, spelling};
use crate::model::{Header, Style};
use crate::resolve::Node;

/// Reads `headers` of a response or an encoding.
pub(super) fn read_headers<'t>(context: &mut Context<'t, '_>, holder: &Node<'t>) -> Vec<Header> {
    let entries = context.entries(holder, "headers");
    entries
        .filter_map(|(name, node)| read_header(context, name, &node))
        .collect()
}

fn read_header<'t>(context: &mut Context<'t, '_>, name: &str, holder: &Node<'t>) -> Option<Header> {
    let node = context.as_kind(holder, Kind::Header)?;
    context.check_keys(&node, spelling::PARAMETER);
    let schema = context.schema_of(&node, "schema");
    if let Some(schema) = schema {
        context.compare_examples(&node, schema, Notation::Text);
    }
    Some(Header {
        origin: node.origin(),
        name: name.to_owned(),
        description: context.describe(holder, &node),
        required: context.flag(&node, "required").unwrap_or_default(),
        deprecated: context.flag(&node, "deprecated").unwrap_or_default(),
        style: Style::Simple,
        explode: context.flag(&node, "explode").unwrap_or_default(),
        schema,
        content: media_type::read_single(context, &node),
        reusable: context.reusable_name(holder, &node),
    })
}
