//! Parameters of Swagger 2.0, which include the body.

use super::super::context::Context;
use super::super::kind::Kind;
use super::super::parameter::{
    List, merge, push_once, read_name, report_optional, report_unplaced,
};
use super::super::spelling;
use super::super::table::Form;
use super::body;
use super::inline::{inline_schema, read_collection_format};
use crate::diagnostic::codes;
use crate::model::{Header, Location, Parameter, RequestBody, Style};
use crate::resolve::Node;

/// The parameters of an operation or a path item, by their kind.
#[derive(Default)]
pub(super) struct Sorted<'t> {
    parameters: List,
    /// `in: body`, and the name of a reusable body.
    body: Option<(Node<'t>, Option<String>)>,
    /// `in: formData`, with their names.
    pub(super) fields: Vec<(String, Node<'t>)>,
}

/// Reads the parameters of an operation and of its path item. Those of the operation have
/// precedence.
pub(in super::super) fn read_parameters_and_body<'t>(
    context: &mut Context<'t, '_>,
    operation: &Node<'t>,
    shared: &[Node<'t>],
    own: &[Node<'t>],
) -> (Vec<Parameter>, Option<RequestBody>) {
    let own = sort(context, own);
    let shared = sort(context, shared);
    let parameters = merge(shared.parameters.all, own.parameters.all);
    let declared = |name: &str| own.fields.iter().any(|(own, _)| own == name);
    let mut fields: Vec<_> = shared
        .fields
        .into_iter()
        .filter(|(name, _)| !declared(name))
        .collect();
    fields.extend(own.fields);
    let body = match own.body.or(shared.body) {
        Some((node, reusable)) => {
            if let Some((name, field)) = fields.first() {
                let message = format!("form field `{name}` beside an `in: body` parameter");
                context.report(codes::SEVERAL_BODIES, &field.origin(), message);
            }
            Some(RequestBody {
                reusable,
                ..body::read_body(context, operation, &node)
            })
        }
        None if fields.is_empty() => None,
        None => Some(body::read_form(context, operation, &fields)),
    };
    (parameters, body)
}

fn sort<'t>(context: &mut Context<'t, '_>, nodes: &[Node<'t>]) -> Sorted<'t> {
    let mut sorted = Sorted::default();
    for holder in nodes {
        let Some(node) = context.as_kind(holder, Kind::Parameter) else {
            continue;
        };
        let Some(place) = context.child(&node, "in") else {
            report_unplaced(context, &node);
            continue;
        };
        context.check_keys(&node, spelling::PARAMETER);
        let known = ["path", "query", "header", "body", "formData", "cookie"];
        let location = match context.word(&place, &known) {
            Some("body") if sorted.body.is_some() => {
                let message = "second parameter with `in: body`";
                context.report(codes::SEVERAL_BODIES, &holder.origin(), message);
                continue;
            }
            Some("body") => {
                let reusable = context.reusable_name(holder, &node);
                sorted.body = Some((node, reusable));
                continue;
            }
            Some("formData") => {
                sorted
                    .fields
                    .extend(read_name(context, &node).map(|name| (name, node)));
                continue;
            }
            Some("path") => Location::Path,
            Some("query") => Location::Query,
            Some("header") => Location::Header,
            // Swagger 2.0 has no cookie parameters, but some documents declare them.
            Some("cookie") => Location::Cookie,
            _ => {
                context.unknown(&place, "`path`, `query`, `header`, `body` and `formData`");
                continue;
            }
        };
        if let Some(mut parameter) = read(context, &node, location) {
            parameter.reusable = context.reusable_name(holder, &node);
            push_once(context, &mut sorted.parameters, parameter, holder);
        }
    }
    sorted
}

fn read<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
    location: Location,
) -> Option<Parameter> {
    let name = read_name(context, node)?;
    report_optional(context, node, location, &name);
    let schema = inline_schema(context, node, Form::Inline);
    if schema.is_none() {
        let message = format!("missing `type` of parameter `{name}`");
        context.report(codes::UNTYPED_PARAMETER, &node.origin(), message);
    }
    let (style, explode) = read_collection_format(context, node).unwrap_or(match location {
        Location::Query => (Style::Form, true),
        _ => (Style::Simple, false),
    });
    // Outside the query, a list with commas has the style `simple`.
    let commas = style == Style::Form && location != Location::Query;
    Some(Parameter {
        origin: node.origin(),
        name,
        location,
        description: context.text(node, "description"),
        required: location == Location::Path || context.flag(node, "required").unwrap_or_default(),
        deprecated: context.flag(node, "deprecated").unwrap_or_default(),
        style: if commas { Style::Simple } else { style },
        explode: explode && !commas,
        allow_reserved: false,
        allow_empty: context.flag(node, "allowEmptyValue").unwrap_or_default(),
        schema,
        content: None,
        examples: Vec::new(),
        reusable: None,
        extensions: context.extensions(node),
    })
}

/// Reads `headers` of a response.
pub(in super::super) fn read_headers<'t>(
    context: &mut Context<'t, '_>,
    response: &Node<'t>,
) -> Vec<Header> {
    let mut headers = Vec::new();
    for (name, holder) in context.entries(response, "headers") {
        let Some(node) = context.as_object(&holder) else {
            continue;
        };
        // `multi` is for queries and forms; a header has commas instead.
        let format = read_collection_format(context, &node);
        let style = match format {
            Some((style, false)) if style != Style::Form => style,
            _ => Style::Simple,
        };
        headers.push(Header {
            origin: node.origin(),
            name: name.to_owned(),
            description: context.describe(&holder, &node),
            required: false,
            deprecated: false,
            style,
            explode: false,
            schema: inline_schema(context, &node, Form::Inline),
            content: None,
            reusable: context.reusable_name(&holder, &node),
        });
    }
    headers
}
