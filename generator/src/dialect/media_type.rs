//! Media types, for all holders.
//!
//! `encoding` is read by [`super::body`]: its headers have media types again, without encodings.

use super::compared::Notation;
use super::context::Context;
use super::extension::is_extension;
use super::{examples, spelling};
use crate::diagnostic::codes;
use crate::model::MediaType;
use crate::resolve::Node;
use crate::source::Value;
use crate::vocabulary::is_json;

/// Returns the entries of `content`.
pub(super) fn entries<'t>(
    context: &mut Context<'t, '_>,
    holder: &Node<'t>,
) -> Vec<(&'t str, Node<'t>)> {
    let entries = context.entries(holder, "content");
    entries
        .filter(|(name, _)| !is_extension(name) || name.contains('/'))
        .collect()
}

/// Reads a media type except for its `encoding`, and returns its object too, or `None` if it is
/// empty.
pub(super) fn read<'t>(
    context: &mut Context<'t, '_>,
    name: &str,
    node: &Node<'t>,
) -> Option<(MediaType, Option<Node<'t>>)> {
    if !name.contains('/') {
        let message = format!("`{name}` is not a media type; the entry is ignored");
        context.report(codes::IGNORED, &node.origin(), message);
        return None;
    }
    context.report_media_type(node, name);
    let mut media_type = MediaType {
        origin: node.origin(),
        name: name.to_owned(),
        schema: None,
        item_schema: None,
        encoding: vec![],
        examples: vec![],
        extensions: vec![],
    };
    // `application/json:` without a value: a body of this type with any content.
    if node.value.is_null() {
        return Some((media_type, None));
    }
    let node = context.as_object(node)?;
    context.check_keys(&node, spelling::MEDIA_TYPE);
    media_type.schema = context.schema_of(&node, "schema");
    media_type.item_schema = context.schema_of(&node, "itemSchema");
    media_type.examples = read_examples(context, &node);
    if let Some(schema) = media_type.schema.filter(|_| is_json(name)) {
        context.compare_examples(&node, schema, Notation::Json);
    }
    media_type.extensions = context.extensions(&node);
    Some((media_type, Some(node)))
}

/// Reads the only entry of `content` of a parameter or a header, where `encoding` has no meaning.
pub(super) fn read_single<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Option<MediaType> {
    let content = context.child(node, "content")?;
    let entries = entries(context, node).into_iter();
    let all = entries.filter_map(|(name, node)| Some(read(context, name, &node)?.0));
    let all: Vec<MediaType> = all.collect();
    if all.len() > 1 {
        let count = content.value.as_object().map_or(0, |content| content.len());
        let message = format!("expected one media type in `content`, found {count}");
        context.report(codes::SEVERAL_CONTENTS, &content.origin(), message);
    }
    all.into_iter().next()
}

/// Reads `example` and `examples`.
fn read_examples<'t>(context: &mut Context<'t, '_>, holder: &Node<'t>) -> Vec<(String, Value)> {
    let all: Vec<_> = examples::all(context, holder).collect();
    let copied = all
        .into_iter()
        .map(|(name, node)| (name.to_owned(), context.copy(holder, node.value)));
    copied.collect()
}
