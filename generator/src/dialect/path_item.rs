//! Paths and path items: the common parts of all operations of a path.

use super::context::Context;
use super::extension::is_extension;
use super::kind::Kind;
use super::operation::{self, Shared};
use super::servers::read_servers;
use super::spelling::{self, has_stray_brace};
use crate::diagnostic::{Change, codes};
use crate::model::Operation;
use crate::position::Origin;
use crate::resolve::Node;

/// Whether callbacks are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// An operation under `paths` or `webhooks`.
    Top,
    /// An operation of a callback. Its own callbacks are not read, because they could be recursive.
    Callback,
}

/// Reads all operations under `paths`.
pub(super) fn read_paths<'t>(context: &mut Context<'t, '_>, root: &Node<'t>) -> Vec<Operation> {
    let mut operations = Vec::new();
    for (path, node) in context.entries(root, "paths") {
        if is_extension(path) {
            continue;
        }
        let mut path = path.to_owned();
        // An absolute URL is not a path, with or without a leading slash.
        if !path.starts_with('/') && !path.contains("://") {
            // Appended to the URL of a server, this key would change the name of the host or of a
            // folder.
            let written = path.clone();
            path.insert(0, '/');
            context.meant(&node, &format!("`{path}`: a path begins with a slash"));
            if let Some(paths) = root.get("paths").filter(|paths| paths.get(&path).is_none()) {
                let description = format!("the path `{written}` has no leading slash");
                context.propose(&paths, Change::Rename(written, path.clone()), description);
            }
        }
        report_braces(context, &node, &path);
        let words = words(&path);
        operations.extend(read_item(context, &node, (&path, &words), Depth::Top));
    }
    operations
}

/// Reports a brace of a path that is not part of a variable.
fn report_braces<'t>(context: &mut Context<'t, '_>, node: &Node<'t>, path: &str) {
    if !has_stray_brace(path) {
        return;
    }
    let message = format!("`{path}` has a brace that is not part of a variable `{{name}}`");
    context.report(codes::PATH_BRACES, &node.origin(), message);
}

/// Returns the words of a path: its segments, without braces.
fn words(path: &str) -> String {
    let words = path.replace(['/', '{', '}'], " ");
    match words.trim() {
        "" => "root".to_owned(),
        words => words.to_owned(),
    }
}

/// Reads the operations of one path item, in its order, given its path and its words.
pub(super) fn read_item<'t>(
    context: &mut Context<'t, '_>,
    node: &Node<'t>,
    (path, words): (&str, &str),
    depth: Depth,
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
    let mut owned = Vec::new();
    for layer in &layers {
        shared.summary = shared
            .summary
            .take()
            .or_else(|| context.text(layer, "summary"));
        shared.description = shared
            .description
            .take()
            .or_else(|| context.text(layer, "description"));
        let parameters: Vec<Node<'t>> = context.items(layer, "parameters").collect();
        let words = component(layer, "pathItems").unwrap_or_else(|| words.to_owned());
        let inline = parameters.iter().filter(|it| it.reference().is_none());
        owned.extend(inline.map(|it| (it.origin(), words.clone())));
        shared.parameters.extend(parameters);
        if shared.servers.is_empty() {
            shared.servers = read_servers(context, layer);
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
                let mut operation = operation::read(context, &node, &method, &shared);
                own(&mut operation, &owned);
                operation.callbacks = read_callbacks(context, &node, depth);
                operations.push(operation);
            }
        }
    }
    operations
}

/// Names the parameters, and the body of Swagger 2.0, that belong to the whole path item after it:
/// the types in them must not depend on the operations.
fn own(operation: &mut Operation, owned: &[(Origin, String)]) {
    let words = |origin: &Origin| {
        let found = owned.iter().find(|(known, _)| known == origin);
        found.map(|(_, words)| words.clone())
    };
    for parameter in &mut operation.parameters {
        let path = words(&parameter.origin);
        let name = path.map(|words| format!("{words} {}", parameter.name));
        parameter.reusable = parameter.reusable.take().or(name);
    }
    if let Some(body) = &mut operation.body {
        body.reusable = body.reusable.take().or_else(|| words(&body.origin));
    }
}

/// Returns the name of an entry of a section of `components`.
fn component(node: &Node<'_>, section: &str) -> Option<String> {
    let steps: Vec<String> = node.pointer.segments().collect();
    match &steps[..] {
        [all, key, name] if all == "components" && key == section => Some(name.clone()),
        _ => None,
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
            let message = format!("callback `{name}` inside another callback");
            context.report(codes::NESTED_CALLBACK, &callback.origin(), message);
            continue;
        }
        let Some(callback) = context.as_kind(&callback, Kind::Callback) else {
            continue;
        };
        let reusable = component(&callback, "callbacks");
        for (expression, item) in callback.entries() {
            if is_extension(expression) {
                continue;
            }
            let words = (expression, name);
            for mut operation in read_item(context, &item, words, Depth::Callback) {
                operation.reusable.clone_from(&reusable);
                callbacks.push((name.to_owned(), expression.to_owned(), operation));
            }
        }
    }
    callbacks
}

/// Returns the path item, followed by the target of its `$ref`: a path item may have other entries
/// next to the `$ref`.
fn layers<'t>(context: &mut Context<'t, '_>, node: &Node<'t>) -> Option<Vec<Node<'t>>> {
    let target = context.as_kind(node, Kind::PathItem)?;
    if target.file == node.file && target.pointer == node.pointer {
        return Some(vec![target]);
    }
    Some(vec![node.clone(), target])
}

/// Returns the operations of a path item by method, in document order.
///
/// A method that only a later version of the standard defines, or that is written in capitals, is
/// unambiguous and therefore accepted in every document.
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
            let message = format!("unknown method `{key}`; the operation is left out");
            let report = context.report(codes::UNKNOWN_METHOD, &node.origin(), message);
            if let Some(meant) = spelling::meant(item, key, spelling::PATH_ITEM) {
                report.help(format!("did you mean `{meant}`?"));
            }
        } else {
            context.check_key(item, key, &node, spelling::PATH_ITEM);
        }
    }
    found
}

/// All methods that any version of the standard defines as keys.
pub(super) const METHODS: [&str; 9] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
];

/// The other keys of a path item.
const FIELDS: [&str; 5] = ["$ref", "summary", "description", "servers", "parameters"];
