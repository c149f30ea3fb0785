//! Comparison of generated files with files on disk, for `--check`.

use std::fmt;
use std::path::Path;

use super::manifest::Manifest;
use super::paths::{self, There};
use super::{OutputError, OutputFile, Record};

/// A difference between a file on disk and the generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// The file is missing.
    Missing(String),
    /// The file exists, but is no longer generated.
    Stale(String),
    /// The contents differ.
    Changed {
        /// The path of the file.
        path: String,
        /// The first line that differs, starting at 1.
        line: usize,
        /// The first differing lines on disk.
        there: Vec<String>,
        /// The first differing lines of the generated file.
        wanted: Vec<String>,
        /// Whether more lines differ than are shown.
        more: bool,
    },
}

impl Difference {
    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Missing(path) | Self::Stale(path) | Self::Changed { path, .. } => path,
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(path) => write!(f, "missing  {path}"),
            Self::Stale(path) => write!(f, "stale    {path}"),
            Self::Changed {
                path,
                line,
                there,
                wanted,
                more,
            } => {
                write!(f, "differs  {path}, from line {line} on")?;
                for text in there {
                    write!(f, "\n  - {text}")?;
                }
                for text in wanted {
                    write!(f, "\n  + {text}")?;
                }
                if *more { write!(f, "\n  …") } else { Ok(()) }
            }
        }
    }
}

/// Returns the changes that writing would make, ordered by path, without writing files.
///
/// # Errors
/// Returns an error if a file cannot be read, or if a path leads out of the folder.
pub fn compare(
    dir: &Path,
    files: &[OutputFile],
    record: Record,
) -> Result<Vec<Difference>, OutputError> {
    let known = Manifest::read(dir, record)?;
    let wanted = Manifest::new(files);
    let mut differences = Vec::new();
    for (file, _, there) in paths::survey(dir, files)? {
        match there {
            There::Nothing => differences.push(Difference::Missing(file.path.clone())),
            _ if there.is_file(file) => {}
            There::Text(text) => differences.push(changed(&file.path, &text, &file.text)),
            There::Other => differences.push(changed(&file.path, "", &file.text)),
        }
    }
    for path in known.beyond(&wanted) {
        if paths::read(&paths::place(dir, path)?)?.is_marked() {
            differences.push(Difference::Stale(path.to_owned()));
        }
    }
    if record == Record::Kept {
        let manifest = wanted.to_file();
        match paths::read(&paths::place(dir, &manifest.path)?)? {
            There::Text(text) if text == manifest.text => {}
            There::Nothing => differences.push(Difference::Missing(manifest.path)),
            // The list's differences follow from those of the files.
            _ if !differences.is_empty() => {}
            There::Text(text) => differences.push(changed(&manifest.path, &text, &manifest.text)),
            There::Other => differences.push(changed(&manifest.path, "", &manifest.text)),
        }
    }
    Ok(differences)
}

/// Returns the first lines between the first and the last difference.
fn changed(path: &str, there: &str, wanted: &str) -> Difference {
    const SHOWN: usize = 4;
    let (old, new): (Vec<&str>, Vec<&str>) = (there.lines().collect(), wanted.lines().collect());
    let start = old
        .iter()
        .zip(&new)
        .take_while(|(old, new)| old == new)
        .count();
    let (old, new) = (&old[start..], &new[start..]);
    let end = old
        .iter()
        .rev()
        .zip(new.iter().rev())
        .take_while(|(old, new)| old == new)
        .count();
    let (old, new) = (&old[..old.len() - end], &new[..new.len() - end]);
    let few = |lines: &[&str]| {
        lines
            .iter()
            .take(SHOWN)
            .map(|line| (*line).to_owned())
            .collect()
    };
    Difference::Changed {
        path: path.to_owned(),
        line: start + 1,
        there: few(old),
        wanted: few(new),
        more: old.len() > SHOWN || new.len() > SHOWN,
    }
}
