//! What stands for a trait of handlers that a feature leaves out.

/// A trait that every type implements, in place of the trait of a tag whose feature is disabled.
pub trait NoOperations: Send + Sync + 'static {}

impl<T: Send + Sync + 'static> NoOperations for T {}
