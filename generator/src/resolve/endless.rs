//! References that lead only to further references.

use std::rc::Rc;

use super::MAX_CHAIN;
use crate::diagnostic::{Code, Diagnostics, codes};
use crate::position::Origin;

/// A cycle or an overlong chain of references.
#[derive(Debug)]
pub(super) struct Endless {
    at: Origin,
    message: String,
    code: &'static Code,
}

impl Endless {
    /// Creates the diagnostic for a cycle, reported once at its first member, regardless of the entry
    /// point.
    pub(super) fn cycle<'a>(
        members: impl ExactSizeIterator<Item = &'a Origin>,
        code: &'static Code,
    ) -> Rc<Self> {
        let message = match members.len() {
            1 => "reference to itself".to_owned(),
            more => {
                format!("{more} references form a cycle without a target")
            }
        };
        let at = members.min().cloned().unwrap_or_default();
        Rc::new(Self { at, message, code })
    }

    /// Creates the error for a chain, reported at the reference at which the search started.
    pub(super) fn chain(first: &Origin) -> Rc<Self> {
        Rc::new(Self {
            at: first.clone(),
            message: format!("this is one of more than {MAX_CHAIN} references to references"),
            code: codes::CYCLIC_REFERENCE,
        })
    }

    pub(super) fn report(&self, diagnostics: &mut Diagnostics) {
        let at = self.at.child("$ref");
        diagnostics.report(self.code, &at, self.message.clone());
    }
}
