//! Counts operations twice: in a document, without the stages that could lose one, and in what was
//! generated from it.

use bothends::diagnostic::Diagnostics;
use bothends::output::OutputFile;
use bothends::resolve::{Node, Resolver};
use bothends::source::Tree;
use std::collections::BTreeSet;

/// How many operations there are, by where they stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Operations {
    /// Under `paths`; in code, methods of the client.
    pub called: usize,
    /// Under `paths`; in code, methods of the server's traits.
    pub served: usize,
    /// Webhooks and callbacks; in code, methods of the webhook handler.
    pub sent: usize,
}

const METHODS: [&str; 9] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace", "query",
];

/// The operations of a document: every method of every path item, wherever references lead.
#[must_use]
pub fn in_document(tree: &Tree) -> Operations {
    let resolver = Resolver::new(tree);
    let root = resolver.root();
    let mut found = Operations::default();
    for (_, item) in section(&resolver, &root, "paths") {
        for operation in operations(&resolver, &item) {
            found.called += 1;
            found.sent += callbacks(&resolver, &operation);
        }
    }
    for key in ["webhooks", "x-webhooks"] {
        for (_, item) in section(&resolver, &root, key) {
            for operation in operations(&resolver, &item) {
                found.sent += 1 + callbacks(&resolver, &operation);
            }
        }
    }
    found.served = found.called;
    found
}

fn callbacks<'t>(resolver: &Resolver<'t>, operation: &Node<'t>) -> usize {
    let mut count = 0;
    for (_, callback) in section(resolver, operation, "callbacks") {
        for (_, item) in entries(&callback) {
            count += operations(resolver, &item).len();
        }
    }
    count
}

/// The operations of a path item: those that stand in it, and those of what it refers to.
fn operations<'t>(resolver: &Resolver<'t>, item: &Node<'t>) -> Vec<Node<'t>> {
    let mut found: Vec<(String, Node<'t>)> = Vec::new();
    for layer in [Some(item.clone()), follow(resolver, item)]
        .into_iter()
        .flatten()
    {
        let own = METHODS
            .iter()
            .filter_map(|method| Some((*method, layer.get(method)?)));
        for (method, node) in own.chain(section(resolver, &layer, "additionalOperations")) {
            if !node.value.is_null() && found.iter().all(|(known, _)| known != method) {
                found.push((method.to_owned(), node));
            }
        }
    }
    found
        .into_iter()
        .filter_map(|(_, node)| follow(resolver, &node))
        .collect()
}

fn section<'t>(resolver: &Resolver<'t>, node: &Node<'t>, key: &str) -> Vec<(&'t str, Node<'t>)> {
    let section = node.get(key).and_then(|node| follow(resolver, &node));
    let all = section.iter().flat_map(entries);
    all.filter_map(|(name, node)| Some((name, follow(resolver, &node)?)))
        .collect()
}

fn entries<'t>(node: &Node<'t>) -> Vec<(&'t str, Node<'t>)> {
    node.entries()
        .filter(|(key, _)| !key.starts_with("x-") && *key != "$ref")
        .collect()
}

fn follow<'t>(resolver: &Resolver<'t>, node: &Node<'t>) -> Option<Node<'t>> {
    resolver.follow(node, &mut Diagnostics::new())
}

/// How the methods of operations call the core.
const CALLS: [&str; 3] = ["self.core.send", "self.core.stream", "self.core.paged"];

/// The operations that generated files offer.
#[must_use]
pub fn in_code(files: &[OutputFile]) -> Operations {
    let mut found = Operations::default();
    for file in files {
        let (mut block, mut method) = ("", "");
        let mut bare = BTreeSet::new();
        let mut before = "";
        for line in file.text.lines() {
            // A long call continues on the next line.
            let continued = match line.trim_start().strip_prefix('.') {
                Some(call) if before.ends_with("self.core") => format!("self.core.{call}"),
                _ => String::new(),
            };
            before = line;
            if !line.starts_with([' ', '/', '#']) && !line.is_empty() {
                block = line;
            } else if block.starts_with("impl<T: Transport> Client<T>") {
                if let Some((name, _)) =
                    (line.strip_prefix("    pub fn ")).and_then(|rest| rest.split_once('('))
                {
                    method = name.strip_prefix("r#").unwrap_or(name);
                }
                // The second method of an operation takes what is optional.
                let first = method.trim_end_matches('_').strip_suffix("_with");
                let mut calls = CALLS.iter();
                let full = if continued.is_empty() {
                    line
                } else {
                    &continued
                };
                let Some(call) = calls.find_map(|call| full.split_once(call)) else {
                    continue;
                };
                if call.1.contains("(request.into())") {
                    let second = first.is_some_and(|first| bare.contains(first));
                    found.called += usize::from(!second);
                } else {
                    bare.insert(method.to_owned());
                    found.called += 1;
                }
            } else if line.starts_with("    pub trait ") {
                block = line.trim_start();
            } else if line.starts_with("        async fn ") && block.starts_with("pub trait ") {
                match block.starts_with("pub trait WebhookHandler:") {
                    true => found.sent += 1,
                    false => found.served += 1,
                }
            }
        }
    }
    found
}
