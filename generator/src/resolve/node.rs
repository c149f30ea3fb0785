//! A cursor over a tree.

use crate::position::{FileId, Origin, Pointer};
use crate::source::Value;

/// A node of a tree, with its position.
#[derive(Debug, Clone)]
pub struct Node<'t> {
    /// The file.
    pub file: FileId,
    /// The pointer to the node in the file.
    pub pointer: Pointer,
    /// The value of the node.
    pub value: &'t Value,
}

impl<'t> Node<'t> {
    /// Returns the position of the node.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin::new(self.file, self.pointer.clone())
    }

    /// Returns the entry of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key)?;
        Some(Self {
            file: self.file,
            pointer: self.pointer.child(key),
            value,
        })
    }

    /// Returns the entries of an object, or no entries for other values.
    pub fn entries(&self) -> impl Iterator<Item = (&'t str, Self)> {
        let object = self.value.as_object();
        object.into_iter().flatten().map(|(key, value)| {
            (
                key.as_str(),
                Self {
                    file: self.file,
                    pointer: self.pointer.child(key),
                    value,
                },
            )
        })
    }

    /// Returns the items of an array, or no items for other values.
    pub fn items(&self) -> impl Iterator<Item = Self> {
        let items = self.value.as_array().unwrap_or_default();
        items.iter().enumerate().map(|(index, value)| Self {
            file: self.file,
            pointer: self.pointer.item(index),
            value,
        })
    }

    /// Returns the text of the `$ref`, if the node is a reference. A `$ref` that is not a string is
    /// an ordinary entry: a property may have this name.
    #[must_use]
    pub fn reference(&self) -> Option<&'t str> {
        self.value.get("$ref").and_then(Value::as_str)
    }

    /// Returns the child at one segment of a pointer: an entry of an object or an item of an array.
    pub(super) fn step(&self, name: &str) -> Option<Self> {
        Some(Self {
            file: self.file,
            value: self.value.step(name)?,
            pointer: match self.value {
                Value::Array(_) => self.pointer.item(name.parse().ok()?),
                _ => self.pointer.child(name),
            },
        })
    }
}
