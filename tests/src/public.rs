//! The public corpus: which documents it has, which of them are the tenth, and which are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::root;

/// A document of the public corpus.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Document {
    /// Its path in the folder: `OWNER/NAME/PATH`.
    pub path: String,
    /// The hash of its content.
    pub hash: String,
    /// The framework whose output the documents of its repository are, or are derived from.
    pub framework: Option<String>,
}

impl Document {
    /// The owner of its repository.
    #[must_use]
    pub fn publisher(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }
}

/// The file with the paths of the tenth.
#[must_use]
pub fn tenth_file() -> PathBuf {
    root().join("tests/public/tenth.txt")
}

/// The file with the results, which the suites write.
#[must_use]
pub fn results_file() -> PathBuf {
    root().join("docs/corpus.md")
}

/// The documents that are listed.
///
/// # Errors
/// Returns an error if the list cannot be read.
pub fn documents() -> std::io::Result<Vec<Document>> {
    let list = std::fs::read_to_string(root().join("tests/public/documents.txt"))?;
    let (mut repository, mut framework) = ("", None);
    let mut documents = Vec::new();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
        let (first, rest) = line.split_once(' ').unwrap_or_default();
        match first {
            "" | "part" => {}
            "document" => {
                let (hash, path) = rest.split_once(' ').unwrap_or_default();
                documents.push(Document {
                    path: format!("{repository}/{path}"),
                    hash: hash.to_owned(),
                    framework: framework.clone(),
                });
            }
            _ => {
                repository = first;
                framework = rest.split_once(' ').map(|(_, name)| name.to_owned());
            }
        }
    }
    Ok(documents)
}

/// The paths of the tenth: documents that generate, chosen so that all kinds of constructs are among them.
///
/// # Errors
/// Returns an error if the list cannot be read.
pub fn tenth() -> std::io::Result<BTreeSet<String>> {
    let list = std::fs::read_to_string(tenth_file())?;
    Ok(list.lines().map(str::to_owned).collect())
}

/// Whether a run is about all documents, instead of the tenth.
#[must_use]
pub fn is_all() -> bool {
    std::env::var_os("BOTHENDS_ALL_DOCUMENTS").is_some()
}

/// The documents that a run is about: all with `BOTHENDS_ALL_DOCUMENTS`, else the tenth.
///
/// # Errors
/// Returns an error if a list cannot be read.
pub fn chosen() -> std::io::Result<Vec<Document>> {
    let mut documents = documents()?;
    if !is_all() {
        let tenth = tenth()?;
        documents.retain(|document| tenth.contains(&document.path));
    }
    Ok(documents)
}

/// The refused documents that the results list, with the codes of their errors.
///
/// # Errors
/// Returns an error if the results cannot be read.
pub fn refused() -> std::io::Result<BTreeMap<String, String>> {
    let results = std::fs::read_to_string(results_file())?;
    let rows = results.lines().filter_map(|line| {
        let (path, codes) = line.strip_prefix("| `")?.split_once("` | ")?;
        Some((
            path.to_owned(),
            codes.trim_end_matches([' ', '|']).to_owned(),
        ))
    });
    Ok(rows.collect())
}
