//! The position of a node in a document: a file and a JSON pointer.
//!
//! Line and column are computed from the text only when a diagnostic is shown. All stages use
//! positions, so this module imports no others.

mod keys;
mod pointer;

pub use keys::Keys;
pub(crate) use keys::{is_position, plain};
pub use pointer::Pointer;
pub(crate) use pointer::{escape, unescape};

/// A file of a document, numbered in reading order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// The position of a node in a document. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The file.
    pub file: FileId,
    /// The pointer to the node in the file.
    pub pointer: Pointer,
}

impl Origin {
    /// Creates the position of a node in a file.
    #[must_use]
    pub const fn new(file: FileId, pointer: Pointer) -> Self {
        Self { file, pointer }
    }

    /// Returns the JSON pointer, such as `#/paths/~1client/get`.
    #[must_use]
    pub fn pointer(&self) -> &str {
        self.pointer.as_str()
    }

    /// Returns the position of an entry of this object.
    #[must_use]
    pub fn child(&self, key: &str) -> Self {
        Self::new(self.file, self.pointer.child(key))
    }

    /// Returns the position of an item of this array.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        Self::new(self.file, self.pointer.item(index))
    }

    /// Returns the position of the parent node.
    #[must_use]
    pub fn parent(&self) -> Self {
        Self::new(self.file, self.pointer.parent())
    }
}
