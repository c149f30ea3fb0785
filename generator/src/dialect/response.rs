//! Responses, and their links.

use super::body::read_content;
use super::context::Context;
use super::extension::{is_extension, is_stray_extension};
use super::header::read_headers;
use super::kind::Kind;
use super::schema::component_name;
use super::{Version, spelling, swagger2};
use crate::diagnostic::codes;
use crate::model::{Link, Response, StatusSpec};
use crate::resolve::Node;
use crate::source::Value;

/// Reads the reusable responses of the root document.
pub(super) fn read_named<'t>(
    context: &mut Context<'t, '_>,
    root: &Node<'t>,
) -> Vec<(String, Response)> {
    let section = context.section(root, context.rules.responses);
    let entries: Vec<_> = section.iter().flat_map(Node::entries).collect();
    entries
        .into_iter()
        .filter(|(name, node)| !is_stray_extension(name, node))
        .filter_map(|(name, node)| {
            // The status depends on the use of the response.
            let mut response = read(context, &node, StatusSpec::Default, root)?;
            response.component = Some(name.to_owned());
            Some((name.to_owned(), response))
        })
        .collect()
}

/// Reads `responses` of an operation.
pub(super) fn read_all<'t>(context: &mut Context<'t, '_>, operation: &Node<'t>) -> Vec<Response> {
    let mut responses = Vec::new();
    for (key, node) in context.entries(operation, "responses") {
        if is_extension(key) {
            continue;
        }
        let status = parse_status(key).or_else(|| {
            // `200 OK`: a status and its reason phrase.
            let status = parse_status(key.trim().split_once([' ', ':', '-'])?.0)?;
            context.meant(&node, "the status before the blank");
            Some(status)
        });
        let Some(status) = status else {
            let message = format!("`{key}` is neither a status nor a range nor `default`");
            context.report(codes::BAD_STATUS, &node.origin(), message);
            continue;
        };
        // `4xx` and `4XX`, or `200` and `200 OK`.
        if responses
            .iter()
            .any(|response: &Response| response.status == status)
        {
            let message = format!("`{key}` is the same status as an entry before; it is ignored");
            context
                .report(codes::IGNORED, &node.origin(), message)
                .help("remove one of the two entries");
            continue;
        }
        responses.extend(read(context, &node, status, operation));
    }
    responses
}

fn parse_status(key: &str) -> Option<StatusSpec> {
    if key.trim().eq_ignore_ascii_case("default") {
        return Some(StatusSpec::Default);
    }
    match key.trim().as_bytes() {
        [digit @ b'1'..=b'5', b'X' | b'x', b'X' | b'x'] => Some(StatusSpec::Range(digit - b'0')),
        digits @ [b'1'..=b'9', _, _] if digits.iter().all(u8::is_ascii_digit) => {
            key.trim().parse().ok().map(StatusSpec::Code)
        }
        _ => None,
    }
}

fn read<'t>(
    context: &mut Context<'t, '_>,
    holder: &Node<'t>,
    status: StatusSpec,
    operation: &Node<'t>,
) -> Option<Response> {
    let mut response = Response {
        origin: holder.origin(),
        component: None,
        reusable: None,
        status,
        description: None,
        headers: vec![],
        content: vec![],
        links: vec![],
        extensions: vec![],
    };
    // `204:` without a value: a response without a body.
    if holder.value.is_null() {
        return Some(response);
    }
    let node = context.as_kind(holder, Kind::Response)?;
    context.check_keys(&node, spelling::RESPONSE);
    if holder.reference().is_some() {
        response.component = component_name(&node.pointer, context.rules.responses);
    }
    response.reusable = context.reusable_name(holder, &node);
    // Since OpenAPI 3.2 a response may have a summary only.
    response.description = context
        .describe(holder, &node)
        .or_else(|| context.text(&node, "summary"));
    match context.rules.version {
        Version::Swagger2 => {
            if let Some(content) = node.get("content").filter(|it| !it.value.is_null()) {
                let message = "unknown field `content` of a response in Swagger 2.0; it is ignored";
                context
                    .report(codes::IGNORED, &content.origin(), message)
                    .help("give its `schema` instead, and the media type in `produces`");
            }
            response.headers = swagger2::read_headers(context, &node);
            response.content = swagger2::read_response_content(context, &node, operation);
        }
        _ => {
            if let Some(schema) = node.get("schema").filter(|it| !it.value.is_null()) {
                let message = "a `schema` outside of `content` is ignored";
                context
                    .report(codes::IGNORED, &schema.origin(), message)
                    .help("put it into `content`, under its media type");
            }
            response.headers = read_headers(context, &node);
            response.content = read_content(context, &node);
        }
    }
    response.links = read_links(context, &node);
    response.extensions = context.extensions(&node);
    Some(response)
}

fn read_links<'t>(context: &mut Context<'t, '_>, response: &Node<'t>) -> Vec<Link> {
    let entries = context.entries(response, "links");
    entries
        .filter_map(|(name, node)| read_link(context, name, &node))
        .collect()
}

fn read_link<'t>(context: &mut Context<'t, '_>, name: &str, holder: &Node<'t>) -> Option<Link> {
    let node = context.follow(holder)?;
    if node.value.as_object().is_none() {
        context.ignored(&node, "an object");
        return None;
    }
    context.check_keys(&node, spelling::LINK);
    let parameters = context.entries(&node, "parameters");
    let parameters: Vec<(String, Value)> = parameters
        .map(|(name, node)| (name.to_owned(), node.value.clone()))
        .collect();
    Some(Link {
        origin: holder.origin(),
        name: name.to_owned(),
        operation_id: context.text(&node, "operationId"),
        operation_ref: context.text(&node, "operationRef"),
        parameters,
        description: context.describe(holder, &node),
        extensions: context.extensions(&node),
    })
}
