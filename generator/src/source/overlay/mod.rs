//! Overlays (OpenAPI Overlay 1.0 and 1.1): changes of a document, applied after its files are read.
//!
//! Only the values of a document change. Its nodes keep their pointers, and a [`Trace`] has the
//! places where changed nodes are written.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use super::Loader;
use super::Value;
use super::jsonpath::Query;
use crate::position::{FileId, Origin, Pointer};

mod apply;
mod merge;
mod read;
#[cfg(test)]
mod tests;
mod trace;

pub(super) use apply::{Document, apply};
pub(super) use read::read;
pub(super) use trace::Trace;

/// The overlays of a document, to be applied in order.
#[derive(Clone, Copy)]
pub struct Overlays<'a> {
    /// The source of the overlays.
    pub loader: &'a dyn Loader,
    /// The paths of the overlays.
    pub files: &'a [PathBuf],
    /// The path of the document that the overlays are written for, if another version of it is
    /// read.
    pub stands_for: Option<&'a Path>,
    /// Whether overlays that do not exist and actions whose target is missing are skipped: the
    /// previous version of a document may lack what the overlays of today name.
    pub lenient: bool,
}

/// An overlay that was read.
#[derive(Debug)]
pub(super) struct Overlay {
    pub(super) file: FileId,
    /// What `extends` names, if that is a path.
    pub(super) extends: Option<String>,
    actions: Vec<Action>,
}

/// A change of the nodes that a query selects.
#[derive(Debug)]
struct Action {
    /// The position in the list of the overlay, from 0.
    index: usize,
    target: Query,
    change: Change,
    /// Whether the target may be missing (`x-bothends-optional`).
    optional: bool,
    /// The value that the target has before the change (`x-bothends-expects`).
    expects: Option<Value>,
}

#[derive(Debug)]
enum Change {
    Remove,
    Update(Value),
    Copy(Query),
}

impl Overlay {
    /// Returns the place of a key of an action.
    fn place(&self, action: &Action, key: &str) -> Origin {
        let actions = Pointer::ROOT.child("actions");
        Origin::new(self.file, actions.item(action.index).child(key))
    }
}

/// The work that the overlays of a document may cause. Queries and copies of few characters can ask
/// for any amount.
#[derive(Debug)]
pub(super) struct Budget {
    /// The remaining visits of nodes by queries and comparisons.
    visits: Cell<usize>,
    /// The remaining memory of what is written, in bytes: about that of each node and of its text.
    written: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            visits: Cell::new(200_000_000),
            written: 256 << 20,
        }
    }
}
