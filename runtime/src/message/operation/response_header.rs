//! Headers of responses: their style, and their values.

use super::param::UncheckedParam;
use crate::message::wire::{Expanded, Notation, Param, Sources, expand, header, read};
#[cfg(feature = "check-responses")]
use crate::values::read::FieldErrors;
use crate::values::read::{Own, Plain, ReadAs, Value, texts};
use crate::values::{DecodeError, EncodeError, Node, Strictness, WireError};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The style of a header, for writing values and reading the type `T`.
pub trait HeaderStyle {
    /// Returns the style.
    #[doc(hidden)]
    fn param(self) -> Param;
}

/// The style of a header of the type `T`.
pub trait HeaderStyleOf<T>: HeaderStyle {
    /// The way to read the type.
    #[doc(hidden)]
    type Way: ReadAs<T>;
}

impl HeaderStyle for Param {
    fn param(self) -> Param {
        self
    }
}

impl HeaderStyle for UncheckedParam {
    fn param(self) -> Param {
        self.0
    }
}

impl<T: Value> HeaderStyleOf<T> for Param {
    type Way = Own;
}

impl<T: DeserializeOwned> HeaderStyleOf<T> for UncheckedParam {
    type Way = Plain;
}

/// Decodes a header of a response.
pub(crate) fn read_header<T, R: ReadAs<T>>(
    param: Param,
    key: &'static str,
    sources: &Sources<'_>,
) -> Result<T, DecodeError> {
    // Only a type that accepts null can be absent. For such a type an invalid header counts as
    // absent, because the response itself is valid without the header.
    read::<T, R>(param, key, sources).or_else(|field_errors| {
        texts::<T, R>(&Node::Null, Strictness::Lenient).map_err(|_| {
            match field_errors.is_absent() {
                true => DecodeError::new(key, "the header is missing"),
                false => DecodeError::from_fields(field_errors, key),
            }
        })
    })
}

/// Passes a header of a response, or its errors, to a check. An absent header of a type that accepts null is valid.
#[cfg(feature = "check-responses")]
pub(crate) fn check_header<T, R: ReadAs<T>>(
    param: Param,
    key: &'static str,
    sources: &Sources<'_>,
    check: impl FnOnce(Result<&T, &FieldErrors>),
) {
    let found = read::<T, R>(param, key, sources);
    match &found {
        Err(errors)
            if errors.is_absent() && texts::<T, R>(&Node::Null, Strictness::Lenient).is_ok() => {}
        found => check(found.as_ref()),
    }
}

/// Encodes a header of a response: a line for each value, and no line for an absent value.
pub(crate) fn write_header<T: Serialize>(
    param: Param,
    key: &'static str,
    value: &T,
) -> Result<Vec<String>, EncodeError> {
    let failed = |error: WireError| EncodeError::new(error.field(key), error.message);
    let expanded = Node::new(value).and_then(|node| match node {
        // A JSON null means that there is no value.
        Node::Null => Ok(Vec::new()),
        node => match header::lines(key, &node).filter(|_| param.form != Notation::Json) {
            Some(lines) => lines,
            None => {
                let expanded = expand(param, key, &node, "")?;
                Ok(expanded.map(Expanded::into_text).into_iter().collect())
            }
        },
    });
    expanded.map_err(failed)
}
