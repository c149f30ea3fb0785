//! The document of a new project: a copy of all its local files.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::output::OutputFile;
use crate::source::{SourceFile, Sources, is_document_of};

use super::relative::real;

/// The folder of a project for the document.
const FOLDER: &str = "spec";

/// The document of a new project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The path of the root document in the project.
    pub path: String,
    /// The files of the document, with the relative positions of the originals.
    pub files: Vec<OutputFile>,
    /// Whether a file is outside the folder of the root document and is no YAML or JSON file of the
    /// project, so that reading it needs `allow-outside`.
    pub outside: bool,
    /// Whether references lead to documents at URLs, which are not copied.
    pub remote: bool,
}

/// Copies the files of a document, the root document first, into the folder `spec` of a project.
///
/// # Errors
/// Returns an error if the current folder cannot be determined.
pub fn document(sources: &Sources) -> io::Result<Document> {
    let mut originals: Vec<(PathBuf, &SourceFile)> = Vec::new();
    for (_, file) in sources.iter().filter(|(_, file)| !file.remote) {
        let path = place(&file.path)?;
        if originals.iter().all(|(known, _)| *known != path) {
            originals.push((path, file));
        }
    }
    let folder = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
    let root = originals.first().map(|(path, _)| folder(path));
    let root = root.unwrap_or_default();
    let shared = originals
        .iter()
        .fold(root.clone(), |shared, (path, _)| common(&shared, path));
    let is_outside = |(path, _): &(PathBuf, &SourceFile)| {
        !path.starts_with(&root) && !is_document_of(&shared, path)
    };
    let files: Vec<OutputFile> = originals
        .iter()
        .map(|(path, file)| OutputFile {
            path: inside(path.strip_prefix(&shared).unwrap_or(path)),
            text: file.text.clone(),
        })
        .collect();
    Ok(Document {
        path: files
            .first()
            .map(|file| file.path.clone())
            .unwrap_or_default(),
        files,
        outside: originals.iter().any(is_outside),
        remote: sources.iter().any(|(_, file)| file.remote),
    })
}

/// Returns the absolute path of a file. Only its folder is resolved: references name a link, not
/// its target.
fn place(path: &Path) -> io::Result<PathBuf> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let folder = real(folder)?;
    Ok(path
        .file_name()
        .map_or(folder.clone(), |name| folder.join(name)))
}

/// Returns the innermost folder that contains both paths.
fn common(folder: &Path, path: &Path) -> PathBuf {
    let steps = folder.components().zip(path.components());
    steps
        .take_while(|(step, other)| step == other)
        .map(|(step, _)| step)
        .collect()
}

/// Returns a path below [`FOLDER`].
fn inside(path: &Path) -> String {
    let steps = path.components().filter_map(|step| match step {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    steps.fold(FOLDER.to_owned(), |path, step| format!("{path}/{step}"))
}
