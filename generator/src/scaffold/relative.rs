//! Paths as they are seen from a folder.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The path of `to` as a file in `folder` writes it, with `/` between its steps.
///
/// What is absolute stays so: whoever writes it means that very place. What is relative to where
/// the command runs becomes relative to the folder, which need not exist yet.
///
/// # Errors
/// When the current folder cannot be told.
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

/// The absolute path without links, as far as it exists.
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

/// Takes `..` back where nothing exists that could be a link.
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
