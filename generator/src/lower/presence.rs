//! How "required or optional" and "nullable or not" become one Rust type.
//!
//! Absent, null and a value are three different things on the wire, so there are four states:
//!
//! | | not nullable | nullable |
//! |---|---|---|
//! | required | `T` | `Option<T>`: null is `None`, absent is an error |
//! | optional | `Option<T>`: absent is `None` | `Nullable<T>`: absent, null or a value |
//!
//! This is the one place that decides it, for properties, parameters and headers alike.

use crate::ir::{Primitive, TypeRef};

use super::Lowered;

/// The type of a field whose value is `lowered`.
pub(super) fn field_type(lowered: Lowered, required: bool) -> TypeRef {
    let Lowered { ty, nullable } = lowered;
    // Any JSON value says null by itself, and null says nothing else.
    let by_itself = [Primitive::Json, Primitive::Null].map(TypeRef::Primitive);
    let nullable = nullable && !by_itself.contains(&ty);
    match (required, nullable) {
        (true, false) => ty,
        (true, true) | (false, false) => TypeRef::Option(Box::new(ty)),
        (false, true) => TypeRef::Nullable(Box::new(ty)),
    }
}

/// The type of a list item, a map value or a body: it is there, or null.
pub(super) fn item_type(lowered: Lowered) -> TypeRef {
    field_type(lowered, true)
}
