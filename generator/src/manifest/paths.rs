//! Paths, compared as in cargo.

use std::path::{Component, Path, PathBuf};

/// Returns the path without `.` and `..`, resolved in the text only and without access to the file
/// system.
pub(super) fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for step in path.components() {
        match step {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

/// Returns whether a path is inside a folder, with links resolved. Returns `false` if one of the
/// two does not exist.
pub(super) fn is_inside(path: &Path, folder: &Path) -> bool {
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => false,
    }
}
