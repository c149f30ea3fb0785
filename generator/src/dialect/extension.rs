//! The keys that documents add to the standard: those that begin with `x-`.

use crate::resolve::Node;

/// Whether a key is one of the extensions of a document.
pub(super) fn is_extension(key: &str) -> bool {
    key.starts_with("x-") || key.starts_with("X-")
}

/// Whether an entry of a map of names is an extension after all: names may begin with `x-` too,
/// as `x-api-key` does, and what they name are objects.
pub(super) fn is_stray_extension(key: &str, node: &Node<'_>) -> bool {
    is_extension(key) && node.value.as_object().is_none()
}
