//! A cursor over a tree.

use crate::position::{FileId, Origin, Pointer};
use crate::source::Value;

/// A node of a tree, and where it stands.
#[derive(Debug, Clone)]
pub struct Node<'t> {
    /// The file.
    pub file: FileId,
    /// The node in it.
    pub pointer: Pointer,
    /// The node.
    pub value: &'t Value,
}

impl<'t> Node<'t> {
    /// Where it stands.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin::new(self.file, self.pointer.clone())
    }

    /// The entry of an object.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Self> {
        let value = self.value.get(key)?;
        Some(Self {
            file: self.file,
            pointer: self.pointer.child(key),
            value,
        })
    }

    /// The entries of an object; none when it is something else.
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

    /// The items of an array; none when it is something else.
    pub fn items(&self) -> impl Iterator<Item = Self> {
        let items = self.value.as_array().unwrap_or_default();
        items.iter().enumerate().map(|(index, value)| Self {
            file: self.file,
            pointer: self.pointer.item(index),
            value,
        })
    }

    /// The text of its `$ref`, when it is a reference. A `$ref` that is no string is an entry
    /// like any other: a property may have that name.
    #[must_use]
    pub fn reference(&self) -> Option<&'t str> {
        self.value.get("$ref").and_then(Value::as_str)
    }

    /// The step that an entry or item of this name would be at, reached by a pointer.
    pub(super) fn step(&self, name: &str) -> Option<Self> {
        match self.value {
            Value::Object(_) => self.get(name),
            Value::Array(items) => {
                let index: usize = name.parse().ok()?;
                let value = items.get(index)?;
                Some(Self {
                    file: self.file,
                    pointer: self.pointer.item(index),
                    value,
                })
            }
            _ => None,
        }
    }
}
