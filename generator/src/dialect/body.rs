//! Request bodies, and media types wherever they stand.

use super::Version;
use super::context::{Context, is_extension};
use super::parameter::{describe, read_style};
use super::response::read_headers;
use super::spelling;
use crate::diagnostic::{Diagnostics, codes};
use crate::model::{Encoding, MediaType, RequestBody};
use crate::resolve::Node;
use crate::source::Value;

/// Whether `encoding` of media types is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encodings {
    /// In bodies.
    Read,
    /// In headers and parameters, where it means nothing and could lead round in a circle.
    Ignored,
}

/// Reads `requestBody`.
pub(super) fn read_request<'t>(
    context: &mut Context<'t, '_>,
    operation: &Node<'t>,
) -> Option<RequestBody> {
    let holder = operation
        .get("requestBody")
        .filter(|node| !node.value.is_null())?;
    let node = context.as_object(&holder)?;
    context.check_keys(&node, spelling::REQUEST_BODY);
    if node.value.get("content").is_none() {
        if node.value.get("schema").is_some() {
            context
                .missing(&node, "the request body", "content")
                .help("say which media type the `schema` is for: `content: { application/json: { schema: … } }`");
        } else {
            let message = "a request body without `content` says nothing, and is ignored";
            context.report(codes::IGNORED, &node.origin(), message);
        }
        return None;
    }
    Some(RequestBody {
        origin: node.origin(),
        description: describe(context, &holder, &node),
        required: context.flag(&node, "required").unwrap_or_default(),
        content: read_content(context, &node, Encodings::Read),
        reusable: context.reusable_name(&holder, &node),
    })
}

/// Reads `content`.
pub(super) fn read_content<'t>(
    context: &mut Context<'t, '_>,
    holder: &Node<'t>,
    encodings: Encodings,
) -> Vec<MediaType> {
    let entries = context.entries(holder, "content");
    entries
        .filter(|(name, _)| !is_extension(name) || name.contains('/'))
        .filter_map(|(name, node)| read_media_type(context, name, &node, encodings))
        .collect()
}

fn read_media_type<'t>(
    context: &mut Context<'t, '_>,
    name: &str,
    node: &Node<'t>,
    encodings: Encodings,
) -> Option<MediaType> {
    if !name.contains('/') {
        let message = format!("`{name}` is no media type; it is ignored");
        context.report(codes::IGNORED, &node.origin(), message);
        return None;
    }
    let mut media_type = MediaType {
        origin: node.origin(),
        name: name.to_owned(),
        schema: None,
        item_schema: None,
        encoding: vec![],
        examples: vec![],
        extensions: vec![],
    };
    // `application/json:` with nothing after it: a body of this type, whatever it holds.
    if node.value.is_null() {
        return Some(media_type);
    }
    let node = context.as_object(node)?;
    context.check_keys(&node, spelling::MEDIA_TYPE);
    media_type.schema = context.schema_of(&node, "schema");
    media_type.item_schema = context.schema_of(&node, "itemSchema");
    media_type.examples = read_examples(context, &node);
    media_type.extensions = context.extensions(&node);
    if encodings == Encodings::Read {
        for (property, node) in context.entries(&node, "encoding") {
            if let Some(node) = context.as_object(&node) {
                let mut encoding = read_encoding(context, &node);
                // Of parts, OpenAPI 3.0 has no styles (3.0.4, 4.7.15.1).
                if context.rules.version == Version::V3_0 && name.starts_with("multipart/") {
                    encoding.style = None;
                    encoding.explode = None;
                    encoding.allow_reserved = false;
                }
                media_type.encoding.push((property.to_owned(), encoding));
            }
        }
    }
    Some(media_type)
}

fn read_encoding<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Encoding {
    context.check_keys(node, spelling::ENCODING);
    Encoding {
        content_type: context.text(node, "contentType"),
        headers: read_headers(context, node),
        style: context
            .child(node, "style")
            .and_then(|node| read_style(context, &node)),
        explode: context.flag(node, "explode"),
        allow_reserved: context.flag(node, "allowReserved").unwrap_or_default(),
    }
}

/// Reads `example` and `examples`.
pub(super) fn read_examples<'t>(
    context: &mut Context<'t, '_>,
    holder: &Node<'t>,
) -> Vec<(String, Value)> {
    let mut examples = Vec::new();
    if let Some(example) = holder.value.get("example") {
        examples.push((String::new(), context.copy(holder, example)));
    }
    // Examples carry no meaning, so one in the wrong shape is passed over.
    let Some(all) = holder.get("examples") else {
        return examples;
    };
    for (name, node) in all.entries() {
        // One that leads nowhere is passed over too.
        let Some(node) = context.resolver.follow(&node, &mut Diagnostics::new()) else {
            continue;
        };
        let value = node
            .value
            .get("value")
            .or_else(|| node.value.get("dataValue"));
        if let Some(value) = value {
            examples.push((name.to_owned(), context.copy(holder, value)));
        }
    }
    examples
}
