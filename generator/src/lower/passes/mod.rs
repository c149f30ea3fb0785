//! Passes over the lowered API: what depends on the document as a whole.

pub(super) mod boxing;
pub(super) mod constants;
pub(super) mod direction;
pub(super) mod graph;
pub(super) mod growth;
pub(super) mod requested;
pub(super) mod traits;
