//! The search for nodes in a text, which the parser of each format runs.

use std::collections::BTreeMap;

use crate::position::Pointer;

/// The requested nodes, as a tree.
#[derive(Debug)]
pub(super) struct Search {
    nodes: Vec<Wanted>,
}

#[derive(Debug, Default)]
struct Wanted {
    parent: usize,
    children: BTreeMap<String, usize>,
    offset: Option<usize>,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            nodes: vec![Wanted::default()],
        }
    }
}

impl Search {
    /// The root of the document.
    pub(super) const ROOT: usize = 0;

    pub(super) fn want(&mut self, pointer: &Pointer) -> usize {
        let mut here = Self::ROOT;
        for segment in pointer.names() {
            let next = self.nodes.len();
            let known = self.nodes[here].children.get(segment).copied();
            here = known.unwrap_or_else(|| {
                let children = &mut self.nodes[here].children;
                children.insert(segment.to_owned(), next);
                self.nodes.push(Wanted {
                    parent: here,
                    ..Wanted::default()
                });
                next
            });
        }
        here
    }

    /// Returns the requested child of a node, by its key or index.
    pub(super) fn child(&self, node: usize, key: &str) -> Option<usize> {
        self.nodes[node].children.get(key).copied()
    }

    /// Returns whether no descendant of a node is requested.
    pub(super) fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].children.is_empty()
    }

    pub(super) fn is_found(&self, node: usize) -> bool {
        self.nodes[node].offset.is_some()
    }

    pub(super) fn found(&mut self, node: usize, offset: usize) {
        self.nodes[node].offset = Some(offset);
    }

    /// Returns the offset of a node, or of its nearest ancestor that was found.
    pub(super) fn offset(&self, mut node: usize) -> usize {
        loop {
            match self.nodes[node].offset {
                Some(offset) => return offset,
                None if node == Self::ROOT => return 0,
                None => node = self.nodes[node].parent,
            }
        }
    }
}
