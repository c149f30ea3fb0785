//! Binds references.
