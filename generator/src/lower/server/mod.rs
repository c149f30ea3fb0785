//! What a server does before and beside its handlers: where it serves, and how it rejects requests.

pub(super) mod codes;
pub(super) mod field_errors;
pub(super) mod rejection_shape;
pub(super) mod rejections;
pub(super) mod servers;
pub(super) mod validation_shape;
