//! Operations.

use super::context::{Context, is_extension};
use super::path_item::{Shared, read_item};
use super::{Version, body, document, parameter, response, security, spelling, swagger2};
use crate::diagnostic::codes;
use crate::model::Operation;
use crate::resolve::Node;

/// Whether callbacks are still read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// An operation under `paths` or `webhooks`.
    Top,
    /// An operation of a callback. Its own callbacks could lead back here without end.
    Callback,
}

/// Reads one operation.
pub(super) fn read<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
    method: &str,
    shared: &Shared<'t>,
    depth: Depth,
) -> Operation {
    context.check_keys(node, spelling::OPERATION);
    let own: Vec<_> = context.items(node, "parameters").collect();
    let (parameters, body) = match context.rules.version {
        Version::Swagger2 => swagger2::read_parameters_and_body(context, node, shared, &own),
        _ => (
            parameter::read_all(context, &shared.parameters, &own),
            body::read_request(context, node),
        ),
    };
    let mut servers = match context.rules.version {
        Version::Swagger2 => swagger2::read_operation_servers(context, node),
        _ => document::read_servers(context, node),
    };
    if servers.is_empty() {
        servers.clone_from(&shared.servers);
    }
    Operation {
        origin: node.origin(),
        id: context
            .text(node, "operationId")
            .filter(|id| !id.trim().is_empty()),
        method: method.to_owned(),
        path: shared.path.clone(),
        summary: context
            .text(node, "summary")
            .or_else(|| shared.summary.clone()),
        description: context
            .text(node, "description")
            .or_else(|| shared.description.clone()),
        tags: context.texts(node, "tags"),
        deprecated: context.flag(node, "deprecated").unwrap_or_default(),
        servers,
        parameters,
        body,
        responses: response::read_all(context, node),
        security: security::read_requirements(context, node),
        callbacks: read_callbacks(context, node, depth),
        extensions: context.extensions(node),
    }
}

fn read_callbacks<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
    depth: Depth,
) -> Vec<(String, String, Operation)> {
    let mut callbacks = Vec::new();
    for (name, callback) in context.entries(node, "callbacks") {
        if depth == Depth::Callback {
            let message = format!("the callback `{name}` is inside another callback");
            context.report(codes::NESTED_CALLBACK, &callback.origin(), message);
            continue;
        }
        let Some(callback) = context.as_object(&callback) else {
            continue;
        };
        for (expression, item) in callback.entries() {
            if is_extension(expression) {
                continue;
            }
            for operation in read_item(context, &item, expression, Depth::Callback) {
                callbacks.push((name.to_owned(), expression.to_owned(), operation));
            }
        }
    }
    callbacks
}
