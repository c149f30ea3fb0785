//! Whether null stands for nothing.
//!
//! A property that may be absent and is not nullable holds no null. A server says so to whoever sends
//! one; a client takes it for absent, and so does who receives a webhook: what has been sent cannot be
//! sent again in another way. Where any JSON is taken, null is a value like another, and is kept.

use super::WireError;
use serde::de::value::{Error, UnitDeserializer};
use serde::de::{Deserialize, Deserializer, IntoDeserializer};
use std::cell::Cell;

/// What is said of a null that may not be there.
const NOT_NULL: &str = "must not be null";

/// The error of a value that is null and may not be.
pub(crate) fn null_error<E: serde::de::Error>() -> E {
    E::custom(NOT_NULL)
}

/// The text of the error of a property that is null, with the way to it.
pub(crate) fn not_null_at(key: &str) -> String {
    WireError::new(NOT_NULL).within(key).to_text()
}

thread_local! {
    static STRICT: Cell<bool> = const { Cell::new(false) };
}

/// Reads something that may hold no null in place of nothing.
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

/// Whether null is refused by who reads now, where it is no value of the type itself.
pub(crate) fn is_strict() -> bool {
    STRICT.get()
}

/// What null is as a type: any JSON value says null by itself.
pub(crate) fn null_as<'de, T: Deserialize<'de>>() -> Option<T> {
    let null: UnitDeserializer<Error> = ().into_deserializer();
    T::deserialize(null).ok()
}

/// Reads what may be absent, and is there: for `deserialize_with` of serde's derive.
///
/// # Errors
/// When it cannot be read, and, in a request that a server reads, when it is null.
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
