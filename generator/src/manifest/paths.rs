//! Paths as cargo compares them.

use std::path::{Component, Path, PathBuf};

/// The path without `.` and `..`, as the text says and without a look at the disk.
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

/// Whether a path is in a folder, links resolved; `false` if one of the two is missing.
pub(super) fn is_inside(path: &Path, folder: &Path) -> bool {
    match (path.canonicalize(), folder.canonicalize()) {
        (Ok(path), Ok(folder)) => path.starts_with(folder),
        _ => false,
    }
}
