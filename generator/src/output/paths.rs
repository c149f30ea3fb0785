//! Paths below the output folder, and the files at these paths.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::{MARK, OutputError, OutputFile, io_error, layout};

/// The contents of a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum There {
    Nothing,
    /// A text file, with line endings normalized to `\n`.
    Text(String),
    /// Anything that is not a text file: a folder, a link, or binary data.
    Other,
}

impl There {
    /// Returns `true` if the path contains this text.
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self, Self::Text(there) if there == text)
    }

    /// Returns `true` if the path contains this file, in any layout.
    pub(super) fn is_file(&self, file: &OutputFile) -> bool {
        matches!(self, Self::Text(there) if layout::is_same(&file.path, there, &file.text))
    }

    /// Returns `true` if the path contains a file with the generator's mark.
    pub(super) fn is_marked(&self) -> bool {
        let mut top = match self {
            Self::Text(text) => text.lines().take(5),
            Self::Nothing | Self::Other => return false,
        };
        top.any(|line| line.to_ascii_lowercase().contains(MARK))
    }
}

/// Returns `true` if a path stays within its folder.
pub(super) fn is_inside(path: &str) -> bool {
    let steps_down = Path::new(path)
        .components()
        .all(|step| matches!(step, Component::Normal(_)));
    steps_down && !path.is_empty() && !path.contains(['\\', '\0', '\n', '\r', ':'])
}

/// Returns the location of an output path. Returns an error if the path or a link in it leads out
/// of the folder.
pub(super) fn place(dir: &Path, path: &str) -> Result<PathBuf, OutputError> {
    if !is_inside(path) {
        return Err(OutputError::Outside(path.to_owned()));
    }
    let mut place = dir.to_path_buf();
    let mut steps = path.split('/').peekable();
    while let Some(step) = steps.next() {
        place.push(step);
        let is_link = || fs::symlink_metadata(&place).is_ok_and(|meta| meta.is_symlink());
        if steps.peek().is_some() && is_link() {
            return Err(OutputError::Outside(path.to_owned()));
        }
    }
    Ok(place)
}

/// Reads the contents of a path.
pub(super) fn read(place: &Path) -> Result<There, OutputError> {
    let meta = match fs::symlink_metadata(place) {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(There::Nothing);
        }
        Err(error) => return Err(io_error("read", place)(error)),
    };
    if !meta.is_file() {
        return Ok(There::Other);
    }
    let bytes = fs::read(place).map_err(io_error("read", place))?;
    Ok(match String::from_utf8(bytes) {
        Ok(text) if text.contains('\r') => There::Text(text.replace("\r\n", "\n")),
        Ok(text) => There::Text(text),
        Err(_) => There::Other,
    })
}

/// Returns the files ordered by path, each with its location and the contents on disk.
pub(super) fn survey<'f>(
    dir: &Path,
    files: &'f [OutputFile],
) -> Result<Vec<(&'f OutputFile, PathBuf, There)>, OutputError> {
    let mut sorted: Vec<&OutputFile> = files.iter().collect();
    sorted.sort_by(|a, b| a.path.cmp(&b.path));
    let mut found = Vec::with_capacity(sorted.len());
    for file in sorted {
        let place = place(dir, &file.path)?;
        let there = read(&place)?;
        found.push((file, place, there));
    }
    Ok(found)
}
