//! The reusable parts of a document that nothing kept refers to.

use std::collections::HashSet;

use crate::position::{Origin, Pointer};
use crate::resolve::{Node, Resolver};
use crate::source::Tree;

/// The objects whose entries become code by references only, and not by their names.
const SECTIONS: [&str; 8] = [
    "parameters",
    "responses",
    "requestBodies",
    "headers",
    "callbacks",
    "pathItems",
    "links",
    "mediaTypes",
];

/// Returns the places of the reusable parameters, responses and other parts to which references
/// lead from operations that are left out only, or none. `operations` are all operations, and whether
/// a filter keeps each of them.
pub(super) fn unused(tree: &Tree, operations: &[(&Origin, bool)]) -> Vec<Origin> {
    let resolver = Resolver::new(tree);
    let root = resolver.root();
    let components = root.get("components");
    // Swagger 2.0 has these objects at the root.
    let holders = components.iter().chain([&root]);
    let sections = holders.flat_map(|node| SECTIONS.iter().filter_map(|name| node.get(name)));
    let parts: Vec<Origin> = sections
        .flat_map(|section| {
            let entries = section.entries().map(|(_, part)| part.origin());
            entries.collect::<Vec<_>>()
        })
        .collect();
    let used = reached(&resolver, operations);
    let parts = parts.into_iter();
    parts.filter(|part| !used.contains(part)).collect()
}

/// Returns the targets of references, and everything around them.
fn reached(resolver: &Resolver<'_>, operations: &[(&Origin, bool)]) -> HashSet<Origin> {
    // A path item of two paths has operations that are kept and left out at once.
    let selected = |is_kept: bool| {
        let operations = operations.iter().filter(move |(_, kept)| *kept == is_kept);
        operations
            .map(|(origin, _)| *origin)
            .collect::<HashSet<_>>()
    };
    let (kept, removed) = (selected(true), selected(false));
    let is_removed = |origin: &Origin| removed.contains(origin) && !kept.contains(origin);
    let (mut targets, mut around) = (HashSet::new(), HashSet::new());
    let reusable = |name: &str| name == "components" || SECTIONS.contains(&name);
    let root = resolver.root();
    let written = root.entries().filter(|(name, _)| !reusable(name));
    let mut open: Vec<Node<'_>> = written.map(|(_, node)| node).collect();
    // A callback may be kept without its operation.
    open.extend(kept.iter().filter_map(|origin| resolver.at(origin)));
    while let Some(node) = open.pop() {
        if is_removed(&node.origin()) {
            continue;
        }
        let target = node.reference().map(|text| resolver.target(&node, text));
        if let Some(Ok(target)) = target
            && targets.insert(target.origin())
        {
            let mut place = target.origin();
            while place.pointer != Pointer::ROOT && around.insert(place.clone()) {
                place = place.parent();
            }
            open.push(target);
        }
        open.extend(node.entries().map(|(_, entry)| entry));
        open.extend(node.items());
    }
    around
}
