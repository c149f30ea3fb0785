//! Where a node of a document stands: a file and a JSON pointer.
//!
//! It is no line and no column: these are searched for in the text once a diagnostic is shown.
//! Every stage knows positions, so this module imports no other.

mod pointer;

pub use pointer::Pointer;
pub(crate) use pointer::unescape;

/// A file of a document, by the order in which the files were read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// Where a node of a document stands. Cheap to clone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The file.
    pub file: FileId,
    /// The node in it.
    pub pointer: Pointer,
}

impl Origin {
    /// A node of a file.
    #[must_use]
    pub const fn new(file: FileId, pointer: Pointer) -> Self {
        Self { file, pointer }
    }

    /// `#/paths/~1client/get`
    #[must_use]
    pub fn pointer(&self) -> &str {
        self.pointer.as_str()
    }

    /// The origin of an entry of this object.
    #[must_use]
    pub fn child(&self, key: &str) -> Self {
        Self::new(self.file, self.pointer.child(key))
    }

    /// The origin of an item of this array.
    #[must_use]
    pub fn item(&self, index: usize) -> Self {
        Self::new(self.file, self.pointer.item(index))
    }

    /// The origin of the node around this one.
    #[must_use]
    pub fn parent(&self) -> Self {
        Self::new(self.file, self.pointer.parent())
    }
}
