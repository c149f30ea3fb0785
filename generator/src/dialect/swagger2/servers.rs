//! `schemes`, `host` and `basePath` of Swagger 2.0.

use super::super::context::Context;
use crate::model::Server;
use crate::resolve::Node;

/// Reads `schemes`, `host` and `basePath` as servers.
pub(in super::super) fn read_servers<'t>(
    context: &mut Context<'t, '_>,
    root: &Node<'t>,
) -> Vec<Server> {
    let schemes = context.texts(root, "schemes");
    servers(context, root, &schemes)
}

/// Reads the `schemes` of an operation.
pub(in super::super) fn read_operation_servers<'t>(
    context: &mut Context<'t, '_>,
    operation: &Node<'t>,
) -> Vec<Server> {
    let schemes = context.texts(operation, "schemes");
    if schemes.is_empty() {
        return vec![];
    }
    let root = context.resolver.root();
    servers(context, &root, &schemes)
}

fn servers<'t>(context: &mut Context<'t, '_>, root: &Node<'t>, schemes: &[String]) -> Vec<Server> {
    let base = context.text(root, "basePath").unwrap_or_default();
    let server = |url: String| Server {
        url,
        name: None,
        description: None,
        variables: vec![],
    };
    let Some(host) = context.text(root, "host") else {
        // Without a host, the server is the one that serves the document.
        return if base.is_empty() {
            vec![]
        } else {
            vec![server(base)]
        };
    };
    if schemes.is_empty() {
        return vec![server(format!("https://{host}{base}"))];
    }
    schemes
        .iter()
        .map(|scheme| server(format!("{scheme}://{host}{base}")))
        .collect()
}
