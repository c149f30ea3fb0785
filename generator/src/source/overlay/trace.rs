//! The places where the nodes of a document with overlays are written.

use std::collections::{BTreeMap, BTreeSet};

use crate::position::{FileId, Origin, Pointer};

/// The memory that the first child takes beside its own, in bytes: room for further children.
const TABLE: usize = 750;

/// The memory that a node takes, in bytes, without its text.
pub(super) const NODE: usize = 150;

/// The places of the nodes below a node, as far as they are not below its own place.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Trace {
    /// The place of the node, unless it is at the same step from the place of its parent.
    place: Option<Origin>,
    /// By key or index.
    children: BTreeMap<String, Trace>,
}

impl Trace {
    /// Returns the trace of a node at a place, with the nodes below as `inner` has them.
    pub(super) fn at(place: Origin, inner: Option<&Self>) -> Self {
        Self {
            place: Some(place),
            children: inner.map(|it| it.children.clone()).unwrap_or_default(),
        }
    }

    /// Returns about the memory that a copy takes, in bytes.
    pub(super) fn size(&self) -> usize {
        let children = self.children.iter();
        let below = children.map(|(key, child)| NODE + key.len() + child.size());
        below.sum::<usize>() + TABLE * usize::from(!self.children.is_empty())
    }

    /// Returns the memory that the next child takes beside its own, in bytes.
    pub(super) fn first_child_size(&self) -> usize {
        TABLE * usize::from(self.children.is_empty())
    }

    pub(super) fn child(&self, key: &str) -> Option<&Self> {
        self.children.get(key)
    }

    pub(super) fn child_mut(&mut self, key: &str) -> &mut Self {
        // The key is only copied for a new entry.
        if !self.children.contains_key(key) {
            self.children.insert(key.to_owned(), Self::default());
        }
        self.children.entry(key.to_owned()).or_default()
    }

    pub(super) fn set(&mut self, key: &str, child: Self) {
        self.children.insert(key.to_owned(), child);
    }

    /// Returns the trace of a node below.
    pub(super) fn node(&self, pointer: &Pointer) -> Option<&Self> {
        let mut steps = pointer.segments();
        steps.try_fold(self, |here, step| here.child(&step))
    }

    pub(super) fn node_mut(&mut self, pointer: &Pointer) -> &mut Self {
        let steps = pointer.segments();
        steps.fold(self, |here, step| here.child_mut(&step))
    }

    /// Returns the place of a child of a node, given the trace and the place of the node.
    pub(super) fn step<'t>(
        trace: Option<&'t Self>,
        place: &Origin,
        key: &str,
    ) -> (Option<&'t Self>, Origin) {
        let child = trace.and_then(|trace| trace.child(key));
        let written = child.and_then(|child| child.place.clone());
        (child, written.unwrap_or_else(|| place.child(key)))
    }

    /// Returns the place where a node of a document is written.
    pub(in super::super) fn written(&self, document: FileId, pointer: &Pointer) -> Origin {
        let root = self.place.clone();
        let root = root.unwrap_or_else(|| Origin::new(document, Pointer::ROOT));
        let steps = pointer.segments();
        let (_, place) = steps.fold((Some(self), root), |(here, place), step| {
            Self::step(here, &place, &step)
        });
        place
    }

    /// Forgets the entries of an object that were removed.
    pub(super) fn remove_keys(&mut self, keys: &BTreeSet<String>) {
        self.children.retain(|key, _| !keys.contains(key));
    }

    /// Moves the items of an array after some were removed. `place` is the place of the array, and
    /// `length` its length before.
    pub(super) fn remove_items(
        &mut self,
        place: &Origin,
        removed: &BTreeSet<usize>,
        length: usize,
    ) {
        let mut known = std::mem::take(&mut self.children);
        let kept = (0..length).filter(|index| !removed.contains(index));
        for (now, before) in kept.enumerate() {
            let mut child = known.remove(&before.to_string()).unwrap_or_default();
            if now != before && child.place.is_none() {
                child.place = Some(place.item(before));
            }
            if child.place.is_some() || !child.children.is_empty() {
                self.children.insert(now.to_string(), child);
            }
        }
    }
}
