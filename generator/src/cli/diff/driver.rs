//! `bothends diff --git-driver`: the program that git calls for an external diff.

use std::path::{Path, PathBuf};
use std::time::Duration;

use bothends::Builder;
use bothends::source::{FileLoader, LoadError, Loader};

use super::super::args::Diff;
use super::super::{End, report};
use super::{config, errors, today, view};

/// The name that git gives for a file that does not exist.
const NOTHING: &str = "/dev/null";

/// A document whose content is in another file. Other files are those of the working tree.
struct Replaced {
    path: PathBuf,
    content: PathBuf,
}

impl Loader for Replaced {
    fn canonical(&self, path: &Path) -> Result<PathBuf, LoadError> {
        if path == self.path {
            return std::path::absolute(path).map_err(LoadError::from);
        }
        FileLoader.canonical(path)
    }

    fn read(&self, canonical: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
        let own = std::path::absolute(&self.path)?;
        let path = if own == canonical {
            &self.content
        } else {
            canonical
        };
        FileLoader.read(path, limit)
    }

    fn fetch(&self, url: &str, limit: u64, timeout: Duration) -> Result<Vec<u8>, LoadError> {
        FileLoader.fetch(url, limit, timeout)
    }
}

/// Prints the report of one document. Documents that cannot be compared are no failure: git would
/// stop before the next file.
pub(super) fn run(args: &Diff) -> Result<End, String> {
    // path, old file, hash, mode, new file, hash, mode; the new path if the file was renamed
    let (path, old, new) = match args.git_driver.as_slice() {
        // A path with conflicts.
        [path] => {
            report::print(&format!("{}: unmerged\n", path.display()));
            return Ok(End::Done);
        }
        [path, old, _, _, new, ..] => (path, old, new),
        _ => return Err("`--git-driver` needs the arguments of git".to_owned()),
    };
    let shown = path.display();
    for (file, word) in [(old, "added"), (new, "removed")] {
        if file.as_os_str() == NOTHING {
            report::print(&format!("{shown}: {word}\n"));
            return Ok(End::Done);
        }
    }
    let (_, config) = config(args.config.as_ref(), args)?;
    let builder = Builder::new(path).config(config);
    let read = |content: &Path, old: bool| {
        let loader = Replaced {
            path: path.clone(),
            content: content.to_path_buf(),
        };
        let read = builder.read_from(&loader, Some(path), old);
        read.map_err(|failure| failure.to_string())
    };
    let compared = builder.comparison(
        read(old, true)?,
        read(new, false)?,
        Some(args.today.unwrap_or_else(today)),
    );
    match compared.render(args.format.into(), &view(args)) {
        Some(text) => {
            report::print(&format!("{shown}\n{text}"));
        }
        None => errors(&compared, args),
    }
    Ok(End::Done)
}
