//! Trees that are made while another tree is read.

use crate::values::Node;
use std::cell::OnceCell;

/// A place for trees that live as long as the tree that is read, such as JSON within a text.
#[derive(Default)]
pub(crate) struct Arena(pub(super) Link);

/// The end of a list, or its next tree.
pub(super) type Link = OnceCell<Box<Kept>>;

/// A tree, and those that were made after it.
pub(super) struct Kept {
    node: Node,
    next: Link,
}

/// Adds a tree at the end of a list, and returns it with the new end.
pub(super) fn keep(mut end: &Link, node: Node) -> (&Node, &Link) {
    while let Some(kept) = end.get() {
        end = &kept.next;
    }
    let next = OnceCell::new();
    let kept = end.get_or_init(|| Box::new(Kept { node, next }));
    (&kept.node, &kept.next)
}

// The list may be long, so it is not dropped recursively.
impl Drop for Arena {
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(mut kept) = next {
            next = kept.next.take();
        }
    }
}
