//! The place of inline types.

use crate::ir::{Module, Parent};

use crate::lower::At;

/// The place of the inline types of an operation, or of a reusable part.
#[derive(Debug, Clone)]
pub(in crate::lower) struct Place {
    pub(in crate::lower) parent: Parent,
    pub(in crate::lower) module: Module,
    /// The words at the start of all names.
    pub(in crate::lower) words: String,
    pub(in crate::lower) whole: Whole,
}

/// What contains the inline types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Whole {
    /// An operation.
    Operation,
    /// A webhook or a callback: the service sends the request.
    Webhook,
    /// A parameter, a header, a body or a response that operations share.
    Part,
}

impl Place {
    /// Returns a place for a part of the operation.
    pub(in crate::lower) fn at(&self, words: &str) -> At {
        let at = At {
            parent: Some(self.parent.clone()),
            words: self.words.clone(),
            module: self.module,
        };
        if words.is_empty() { at } else { at.step(words) }
    }
}
