//! Paths below the output folder, and what stands there.

use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use super::{MARK, OutputError, OutputFile, io_error};

/// What stands at a place.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum There {
    Nothing,
    /// A text file; line ends are `\n`, whatever a checkout made of them.
    Text(String),
    /// Something that is not ours to read: a folder, a link, bytes that are no text.
    Other,
}

impl There {
    /// Whether it is the text.
    pub(super) fn is(&self, text: &str) -> bool {
        matches!(self, Self::Text(there) if there == text)
    }

    /// Whether the generator says that it wrote it.
    pub(super) fn is_marked(&self) -> bool {
        let mut top = match self {
            Self::Text(text) => text.lines().take(5),
            Self::Nothing | Self::Other => return false,
        };
        top.any(|line| line.to_ascii_lowercase().contains(MARK))
    }
}

/// Whether a path only ever goes down.
pub(super) fn is_inside(path: &str) -> bool {
    let steps_down = Path::new(path)
        .components()
        .all(|step| matches!(step, Component::Normal(_)));
    steps_down && !path.is_empty() && !path.contains(['\\', '\0', '\n', '\r', ':'])
}

/// The place of an output path; an error when it, or a link on the way, leads out of the folder.
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

/// Reads what stands at a place.
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

/// The files in the order of their paths, each with its place and what stands there.
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
