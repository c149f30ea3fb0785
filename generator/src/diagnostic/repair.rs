//! Repairs: changes of the document that end a problem.

use crate::position::Origin;

/// A change of the document that ends a problem, and has one meaning.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Repair {
    /// The node that is changed: an object for [`Change::Set`] and [`Change::Rename`].
    pub(crate) place: Origin,
    /// The change.
    pub(crate) change: Change,
    /// What is changed, and why.
    pub(crate) description: String,
}

/// A change of a node.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// An entry gets a value.
    Set(&'static str, serde_json::Value),
    /// The key of an entry, and its new key. The new key is free.
    Rename(String, String),
    /// The node is removed.
    Remove,
}
