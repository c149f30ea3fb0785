//! The Rust type for each combination of "required or optional" and "nullable or not".
//!
//! Absent, null and a value are three different states on the wire, so there are four combinations:
//!
//! | | not nullable | nullable |
//! |---|---|---|
//! | required | `T` | `Option<T>`: null is `None`, absent is an error |
//! | optional | `Option<T>`: absent is `None` | `Nullable<T>`: absent, null or a value |
//!
//! This module alone makes the decision, for properties, parameters and headers alike.

use crate::ir::{Primitive, TypeRef};

use crate::lower::Lowered;

/// Returns the type of a field whose value is `lowered`.
pub(in crate::lower) fn field_type(lowered: Lowered, required: bool) -> TypeRef {
    let Lowered { ty, nullable } = lowered;
    // The types for any JSON value and for null include null already.
    let by_itself = [Primitive::Json, Primitive::Null].map(TypeRef::Primitive);
    let nullable = nullable && !by_itself.contains(&ty);
    match (required, nullable) {
        (true, false) => ty,
        (true, true) | (false, false) => TypeRef::Option(Box::new(ty)),
        (false, true) => TypeRef::Nullable(Box::new(ty)),
    }
}

/// Returns the type of a list item, a map value or a body, which is always present, but may be
/// null.
pub(in crate::lower) fn item_type(lowered: Lowered) -> TypeRef {
    field_type(lowered, true)
}
