//! The keys that documents add to the standard. They begin with `x-`.

use crate::resolve::Node;

/// Returns whether a key is an extension.
pub(super) fn is_extension(key: &str) -> bool {
    key.starts_with("x-") || key.starts_with("X-")
}

/// Returns whether an entry of a map of names is an extension. Names may begin with `x-` too, such
/// as `x-api-key`, but their values are objects.
pub(super) fn is_stray_extension(key: &str, node: &Node<'_>) -> bool {
    is_extension(key) && node.value.as_object().is_none()
}
