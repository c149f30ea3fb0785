//! Paths and path items: what all operations of a path have in common.

use super::context::{Context, is_extension};
use super::{document, operation, spelling};
use crate::diagnostic::codes;
use crate::model::{Operation, Server};
use crate::resolve::Node;

/// What a path item says for all its operations.
pub(super) struct Shared<'t> {
    /// The path template, or what stands for it.
    pub(super) path: String,
    pub(super) summary: Option<String>,
    pub(super) description: Option<String>,
    pub(super) servers: Vec<Server>,
    /// The parameters, not yet read: in Swagger 2.0 the operation decides what they become.
    pub(super) parameters: Vec<Node<'t>>,
}

/// Reads all operations under `paths`.
pub(super) fn read_paths<'t>(context: &mut Context<'t, '_>, root: &Node<'t>) -> Vec<Operation> {
    let mut operations = Vec::new();
    for (path, node) in context.entries(root, "paths") {
        if is_extension(path) {
            continue;
        }
        let mut path = path.to_owned();
        // A whole URL is no path, with or without a slash.
        if !path.starts_with('/') && !path.contains("://") {
            // Appended to the URL of a server, it would change the name of the host or of a folder.
            path.insert(0, '/');
            context.meant(&node, &format!("`{path}`: a path begins with a slash"));
        }
        operations.extend(read_item(context, &node, &path, operation::Depth::Top));
    }
    operations
}

/// Reads the operations of one path item, in its order.
pub(super) fn read_item<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
    path: &str,
    depth: operation::Depth,
) -> Vec<Operation> {
    if node.value.is_null() {
        return vec![];
    }
    let Some(layers) = layers(context, node) else {
        return vec![];
    };
    let mut shared = Shared {
        path: path.to_owned(),
        summary: None,
        description: None,
        servers: vec![],
        parameters: vec![],
    };
    for layer in &layers {
        shared.summary = shared
            .summary
            .take()
            .or_else(|| context.text(layer, "summary"));
        shared.description = shared
            .description
            .take()
            .or_else(|| context.text(layer, "description"));
        shared.parameters.extend(context.items(layer, "parameters"));
        if shared.servers.is_empty() {
            shared.servers = document::read_servers(context, layer);
        }
    }
    let mut operations: Vec<Operation> = Vec::new();
    for layer in &layers {
        for (method, node) in methods(context, layer) {
            if operations
                .iter()
                .any(|operation| operation.method == method)
            {
                continue;
            }
            if let Some(node) = context.as_object(&node) {
                operations.push(operation::read(context, &node, &method, &shared, depth));
            }
        }
    }
    operations
}

/// The path item, and under it the one that its `$ref` names: entries may stand beside the `$ref`.
fn layers<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Option<Vec<Node<'t>>> {
    let target = context.as_object(node)?;
    if target.file == node.file && target.pointer == node.pointer {
        return Some(vec![target]);
    }
    Some(vec![node.clone(), target])
}

/// The operations of a path item by method, in the order in which they stand.
///
/// A method that only a later version of the standard has, or that is written in capitals, can mean
/// nothing else, so every document may have it.
fn methods<'t>(context: &mut Context<'t, '_>, item: &Node<'t>) -> Vec<(String, Node<'t>)> {
    let mut found = Vec::new();
    for (key, node) in item.entries() {
        if node.value.is_null() || is_extension(key) || FIELDS.contains(&key) {
            continue;
        }
        let method = key.to_ascii_lowercase();
        if METHODS.contains(&method.as_str()) {
            if method != key || !context.rules.methods.contains(&key) {
                let known = key.to_ascii_uppercase();
                context.meant(&node, &format!("the method `{known}`"));
            }
            found.push((method.to_ascii_uppercase(), node));
        } else if key == "additionalOperations" {
            let all = context.entries(item, key);
            found.extend(all.map(|(method, node)| (method.to_owned(), node)));
        } else if node.value.as_object().is_some() {
            let message = format!("`{key}` is no method; it is left out");
            let told = context.report(codes::UNKNOWN_METHOD, &node.origin(), message);
            if let Some(meant) = spelling::meant(item, key, spelling::PATH_ITEM) {
                told.help(format!("did you mean `{meant}`?"));
            }
        } else {
            context.check_key(item, key, &node, spelling::PATH_ITEM);
        }
    }
    found
}

/// Every method that a version of the standard has as a key.
const METHODS: [&str; 9] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
];

/// What else a path item has.
const FIELDS: [&str; 5] = ["$ref", "summary", "description", "servers", "parameters"];
