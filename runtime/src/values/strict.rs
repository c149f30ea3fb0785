//! Strict and lenient handling of null.
//!
//! An optional property that is not nullable cannot be null. A server rejects a request with such a
//! null. A client treats it as absent, and so does the receiver of a webhook, because the sender
//! would send the same message again. A type that accepts any JSON keeps the null.

use crate::values::WireError;
use serde::de::value::{Error, UnitDeserializer};
use serde::de::{Deserialize, Deserializer, IntoDeserializer};
use std::cell::Cell;

/// The message of a null that is not permitted.
const NOT_NULL: &str = "must not be null";

/// Returns the error of a null that is not permitted.
pub(crate) fn null_error<E: serde::de::Error>() -> E {
    E::custom(NOT_NULL)
}

/// Returns the text of the error of a property that is null, with its path.
pub(crate) fn not_null_at(key: &str) -> String {
    WireError::new(NOT_NULL).within(key).to_text()
}

thread_local! {
    static STRICT: Cell<bool> = const { Cell::new(false) };
}

/// Runs a reader that rejects null for an absent value.
#[cfg(feature = "server")]
pub(crate) fn strictly<T>(read: impl FnOnce() -> T) -> T {
    struct Until(bool);
    impl Drop for Until {
        fn drop(&mut self) {
            STRICT.set(self.0);
        }
    }
    let _until = Until(STRICT.replace(true));
    read()
}

/// Returns whether the present reader rejects null for an absent value.
pub(crate) fn is_strict() -> bool {
    STRICT.get()
}

/// Returns the value of null, if the type has one: a type for any JSON does.
pub(crate) fn null_as<'de, T: Deserialize<'de>>() -> Option<T> {
    let null: UnitDeserializer<Error> = ().into_deserializer();
    T::deserialize(null).ok()
}

/// Deserializes an optional value that is present: for `deserialize_with` of serde's derive.
///
/// # Errors
///
/// Returns an error if the value is invalid, and, in a request that a server decodes, if it is
/// null.
#[doc(hidden)]
pub fn not_null<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    match Option::<T>::deserialize(deserializer)?.or_else(null_as) {
        None if is_strict() => Err(serde::de::Error::custom(NOT_NULL)),
        read => Ok(read),
    }
}
