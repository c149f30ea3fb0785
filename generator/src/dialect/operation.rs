//! Operations.

use super::context::Context;
use super::servers::read_servers;
use super::{Version, body, parameter, response, security, spelling, streams, swagger2};
use crate::model::{Operation, Server};
use crate::resolve::Node;

/// The parts of a path item that apply to all its operations.
pub(super) struct Shared<'t> {
    /// The path template, or its replacement.
    pub(super) path: String,
    pub(super) summary: Option<String>,
    pub(super) description: Option<String>,
    pub(super) servers: Vec<Server>,
    /// The parameters, not yet read: in Swagger 2.0 their meaning depends on the operation.
    pub(super) parameters: Vec<Node<'t>>,
}

/// Reads one operation except for its callbacks, which are path items.
pub(super) fn read<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
    method: &str,
    shared: &Shared<'t>,
) -> Operation {
    context.check_keys(node, spelling::OPERATION);
    let own: Vec<_> = context.items(node, "parameters").collect();
    let (parameters, body) = match context.rules.version {
        Version::Swagger2 => {
            swagger2::read_parameters_and_body(context, node, &shared.parameters, &own)
        }
        _ => (
            parameter::read_all(context, &shared.parameters, &own),
            body::read_request(context, node),
        ),
    };
    let mut servers = match context.rules.version {
        Version::Swagger2 => swagger2::read_operation_servers(context, node),
        _ => read_servers(context, node),
    };
    if servers.is_empty() {
        servers.clone_from(&shared.servers);
    }
    let mut responses = response::read_all(context, node);
    streams::read_fern(context, node, &mut responses);
    let mut operation = Operation {
        origin: node.origin(),
        id: context
            .text(node, "operationId")
            .filter(|id| !id.trim().is_empty()),
        reusable: None,
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
        responses,
        security: None,
        security_at: vec![],
        callbacks: vec![],
        extensions: context.extensions(node),
    };
    if let Some(stated) = security::read_requirements(context, node) {
        let (at, alternatives) = stated.into_iter().unzip();
        (operation.security_at, operation.security) = (at, Some(alternatives));
    }
    operation
}
