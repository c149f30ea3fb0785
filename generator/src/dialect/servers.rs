//! The servers of an API.

use super::context::Context;
use super::spelling;
use crate::diagnostic::codes;
use crate::model::Server;
use crate::resolve::Node;

/// Reads `servers` of the root, a path item or an operation.
pub(super) fn read_servers<'t>(context: &mut Context<'t, '_>, holder: &Node<'t>) -> Vec<Server> {
    let items = context.items(holder, "servers");
    items
        .filter_map(|item| read_server(context, &item))
        .collect()
}

fn read_server<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Option<Server> {
    let node = context.follow(node)?;
    if let Some(url) = node.value.as_str() {
        context.meant(&node, "the `url` of a server");
        return Some(Server {
            url: url.to_owned(),
            name: None,
            description: None,
            variables: vec![],
        });
    }
    context.check_keys(&node, spelling::SERVER);
    // Without a URL the server is skipped, because the caller sets the base URL anyway.
    let Some(url) = context.text(&node, "url") else {
        let message = "a server without `url` is ignored";
        context.report(codes::IGNORED, &node.origin(), message);
        return None;
    };
    let name = context.text(&node, "name");
    let description = context.text(&node, "description");
    let entries = context.entries(&node, "variables");
    let variables = entries
        .filter_map(|(name, node)| {
            let node = context.as_object(&node)?;
            let default = context.text(&node, "default").unwrap_or_default();
            Some((name.to_owned(), default, context.texts(&node, "enum")))
        })
        .collect();
    Some(Server {
        url,
        name,
        description,
        variables,
    })
}
