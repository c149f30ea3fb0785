//! Relative paths between folders.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Returns the path of `to` relative to `folder`, with `/` as the separator.
///
/// An absolute path stays absolute, because its author means that location. A path relative to the
/// current folder becomes relative to `folder`, which may not exist yet.
///
/// # Errors
/// Returns an error if the current folder cannot be determined.
pub fn path_between(folder: &Path, to: &Path) -> io::Result<String> {
    if to.is_absolute() {
        return Ok(slashes(to));
    }
    let (folder, to) = (real(folder)?, real(to)?);
    let (mut from, mut steps) = (folder.components().peekable(), to.components().peekable());
    while from.peek().is_some() && from.peek() == steps.peek() {
        from.next();
        steps.next();
    }
    let mut path: PathBuf = from.map(|_| Component::ParentDir).collect();
    path.extend(steps);
    if path.as_os_str().is_empty() {
        path.push(".");
    }
    Ok(slashes(&path))
}

/// Returns the absolute path, with links resolved in its existing part.
pub(super) fn real(path: &Path) -> io::Result<PathBuf> {
    let path = std::path::absolute(path)?;
    let mut missing = Vec::new();
    for existing in path.ancestors() {
        if let Ok(mut real) = fs::canonicalize(existing) {
            real.extend(missing.into_iter().rev());
            return Ok(lexical(&real));
        }
        missing.extend(
            existing
                .file_name()
                .map(PathBuf::from)
                .or_else(|| existing.ends_with("..").then(|| PathBuf::from(".."))),
        );
    }
    Ok(lexical(&path))
}

/// Resolves `..` in the part of a path that does not exist and thus has no links.
fn lexical(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for step in path.components() {
        match step {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}
