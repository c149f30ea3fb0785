//! References that never lead to anything but references.

use std::rc::Rc;

use super::MAX_CHAIN;
use crate::diagnostic::{Diagnostics, codes};
use crate::position::Origin;

/// References that lead to references only.
#[derive(Debug)]
pub(super) struct Endless {
    at: Origin,
    message: String,
}

impl Endless {
    /// A circle is told once, at its first member, wherever it was entered.
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

    /// A chain is told at the reference that it was found from.
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
