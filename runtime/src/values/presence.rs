//! Absent, null and value: three states that are distinct on the wire.

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// The value of a property that is optional and nullable.
///
/// ```
/// use bothends_runtime::Nullable;
///
/// let note: Nullable<&str> = Nullable::default();
/// assert!(note.is_absent());
/// assert_eq!(Nullable::Value("x").value(), Some(&"x"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Nullable<T> {
    /// The key is absent.
    #[default]
    Absent,
    /// The key is present, with null.
    Null,
    /// The key is present, with a value.
    Value(T),
}

impl<T> Nullable<T> {
    /// Returns the value, if there is one.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Converts to the value, if there is one.
    pub fn into_value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }

    /// Returns whether the key is absent.
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Returns whether the key is present with null.
    pub const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// Converts to a `Nullable` of a reference.
    pub const fn as_ref(&self) -> Nullable<&T> {
        match self {
            Self::Absent => Nullable::Absent,
            Self::Null => Nullable::Null,
            Self::Value(value) => Nullable::Value(value),
        }
    }

    /// Maps the value by a function.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Nullable<U> {
        match self {
            Self::Absent => Nullable::Absent,
            Self::Null => Nullable::Null,
            Self::Value(value) => Nullable::Value(change(value)),
        }
    }
}

impl<T> From<T> for Nullable<T> {
    fn from(value: T) -> Self {
        Self::Value(value)
    }
}

/// Converts `None` to null; for an absent key use [`Nullable::Absent`].
impl<T> From<Option<T>> for Nullable<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Self::Value)
    }
}

/// Serializes the value. [`Nullable::Absent`] is serialized as null unless the key is skipped.
impl<T: Serialize> Serialize for Nullable<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent => serializer.serialize_none(),
            Self::Null => serializer.serialize_unit(),
            Self::Value(value) => serializer.serialize_some(value),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Nullable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_option(MaybeVisitor(PhantomData))
    }
}

struct MaybeVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for MaybeVisitor<T> {
    type Value = Nullable<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("option")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Nullable::Null)
    }

    fn visit_none<E>(self) -> Result<Self::Value, E> {
        Ok(Nullable::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        T::deserialize(deserializer).map(Nullable::Value)
    }
}

/// A value that can be absent.
pub trait Presence {
    /// Returns whether the value is absent.
    fn is_absent(&self) -> bool;
}

impl<T> Presence for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<T> Presence for Nullable<T> {
    fn is_absent(&self) -> bool {
        Nullable::is_absent(self)
    }
}

/// A field that may be absent.
#[diagnostic::on_unimplemented(
    message = "a `?` stands behind a field that is always there, on the way to the items of a page",
    label = "`{Self}`: only `Option` and `Nullable` take a `?`"
)]
pub trait Optional {
    /// The type of the value.
    type Of;

    /// Returns the value, if it is present.
    fn optional(self) -> Option<Self::Of>;
}

impl<T> Optional for Option<T> {
    type Of = T;

    fn optional(self) -> Self {
        self
    }
}

impl<T> Optional for Nullable<T> {
    type Of = T;

    fn optional(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }
}

/// Returns the value of a field, if it is present.
pub fn present<T: Optional>(field: T) -> Option<T::Of> {
    field.optional()
}

/// An optional value with a default; a string is borrowed.
pub trait OrDefault<'a, T> {
    /// Returns the value, or the default.
    fn or_default(&'a self, default: impl FnOnce() -> T) -> T;
}

impl<T: Clone> OrDefault<'_, T> for Option<T> {
    fn or_default(&self, default: impl FnOnce() -> T) -> T {
        self.clone().unwrap_or_else(default)
    }
}

impl<'a> OrDefault<'a, &'a str> for Option<String> {
    fn or_default(&'a self, default: impl FnOnce() -> &'a str) -> &'a str {
        self.as_deref().unwrap_or_else(default)
    }
}
