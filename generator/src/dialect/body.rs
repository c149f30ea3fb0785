//! Request bodies, and the content of bodies.

use super::context::Context;
use super::header::read_headers;
use super::kind::Kind;
use super::style::read_style;
use super::{Version, media_type, spelling};
use crate::diagnostic::codes;
use crate::model::{Encoding, MediaType, RequestBody};
use crate::resolve::Node;

/// Reads `requestBody`.
pub(super) fn read_request<'t>(
    context: &mut Context<'t, '_>,
    operation: &Node<'t>,
) -> Option<RequestBody> {
    let holder = operation
        .get("requestBody")
        .filter(|node| !node.value.is_null())?;
    let node = context.as_kind(&holder, Kind::RequestBody)?;
    context.check_keys(&node, spelling::REQUEST_BODY);
    if node.value.get("content").is_none() {
        if node.value.get("schema").is_some() {
            context
                .missing(&node, "the request body", "content")
                .help("write the media type of the `schema`: `content: { application/json: { schema: … } }`");
        } else {
            let message = "missing `content` of a request body; the body is ignored";
            context.report(codes::IGNORED, &node.origin(), message);
        }
        return None;
    }
    Some(RequestBody {
        origin: node.origin(),
        description: context.describe(&holder, &node),
        required: context.flag(&node, "required").unwrap_or_default(),
        content: read_content(context, &node),
        reusable: context.reusable_name(&holder, &node),
    })
}

/// Reads `content` of a body, including the `encoding` of its parts.
pub(super) fn read_content<'t>(context: &mut Context<'t, '_>, holder: &Node<'t>) -> Vec<MediaType> {
    let entries = media_type::entries(context, holder);
    let read = |(name, node): (&str, Node<'t>)| {
        let (mut media, node) = media_type::read(context, name, &node)?;
        if let Some(node) = node {
            media.encoding = read_encodings(context, name, &node);
        }
        Some(media)
    };
    entries.into_iter().filter_map(read).collect()
}

fn read_encodings<'t>(
    context: &mut Context<'t, '_>,
    media_type: &str,
    node: &Node<'t>,
) -> Vec<(String, Encoding)> {
    let mut all = Vec::new();
    for (property, node) in context.entries(node, "encoding") {
        if let Some(node) = context.as_object(&node) {
            let mut encoding = read_encoding(context, &node);
            // OpenAPI 3.0 has no styles for parts (3.0.4, 4.7.15.1).
            if context.rules.version == Version::V3_0 && media_type.starts_with("multipart/") {
                encoding.style = None;
                encoding.explode = None;
                encoding.allow_reserved = false;
                // `contentType` is that of the property; later versions write a part for each item
                // of a list (3.0.4, 4.7.15.1.3; 3.1.1, 4.8.15.1.3).
                encoding.whole = true;
            }
            all.push((property.to_owned(), encoding));
        }
    }
    all
}

fn read_encoding<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Encoding {
    context.check_keys(node, spelling::ENCODING);
    Encoding {
        content_type: context.text(node, "contentType"),
        whole: false,
        headers: read_headers(context, node),
        style: context
            .child(node, "style")
            .and_then(|node| read_style(context, &node)),
        explode: context.flag(node, "explode"),
        allow_reserved: context.flag(node, "allowReserved").unwrap_or_default(),
    }
}
