//! References that lead only to further references.

use std::rc::Rc;

use super::MAX_CHAIN;
use crate::diagnostic::{Diagnostics, codes};
use crate::position::Origin;

/// A cycle or an overlong chain of references.
#[derive(Debug)]
pub(super) struct Endless {
    at: Origin,
    message: String,
}

impl Endless {
    /// Creates the error for a cycle, reported once at its first member, regardless of the entry
    /// point.
    pub(super) fn circle<'a>(members: impl ExactSizeIterator<Item = &'a Origin>) -> Rc<Self> {
        let message = match members.len() {
            1 => "reference to itself".to_owned(),
            more => {
                format!("{more} references form a cycle without a target")
            }
        };
        let at = members.min().cloned().unwrap_or_default();
        Rc::new(Self { at, message })
    }

    /// Creates the error for a chain, reported at the reference at which the search started.
    pub(super) fn chain(first: &Origin) -> Rc<Self> {
        Rc::new(Self {
            at: first.clone(),
            message: format!("this is one of more than {MAX_CHAIN} references to references"),
        })
    }

    pub(super) fn tell(&self, diagnostics: &mut Diagnostics) {
        let at = self.at.child("$ref");
        diagnostics.report(codes::CYCLIC_REFERENCE, &at, self.message.clone());
    }
}
