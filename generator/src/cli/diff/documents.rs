//! The documents that `bothends diff` compares: files, or files in revisions of git.

use std::path::{Path, PathBuf};

use bothends::config::FILE_NAME;
use bothends::diff::Document;
use bothends::source::FileLoader;
use bothends::{Builder, Config};

use super::super::args::{Diff, MessageFormat};
use super::super::{readable, report};
use super::Repository;

/// The documents to compare.
pub(super) struct Documents {
    pub(super) old: Place,
    pub(super) new: Place,
}

/// The place of a document.
pub(super) enum Place {
    File(PathBuf),
    Revision(Repository, PathBuf),
}

impl Documents {
    pub(super) fn new(args: &Diff, config: &Config) -> Result<Self, String> {
        if args.against.is_some() || args.against_release {
            return Self::against(args, config);
        }
        let new = match (args.documents.as_slice(), &config.spec) {
            ([_, new], _) | ([_], Some(new)) => new,
            _ => return Err("give the old and the new document, or `--against REV`".to_owned()),
        };
        let old = args.documents.first().unwrap_or(new);
        Ok(Self {
            old: Place::new(old)?,
            new: Place::new(new)?,
        })
    }

    /// Returns a file, and the same file in another revision.
    fn against(args: &Diff, config: &Config) -> Result<Self, String> {
        let new = match args.documents.as_slice() {
            [] => config.spec.as_ref(),
            [new] => Some(new),
            _ => return Err("with `--against`, give one document".to_owned()),
        };
        let new = new.ok_or_else(|| {
            format!("no document is given: name it, or set `spec` in {FILE_NAME}")
        })?;
        readable(new)?;
        let repository = match &args.against {
            Some(revision) => Repository::at(new, revision)?,
            None => Repository::at_release(new)?,
        };
        Ok(Self {
            old: Place::Revision(repository, new.clone()),
            new: Place::File(new.clone()),
        })
    }
}

impl Place {
    /// Reads a place: a path, or `REV:PATH`. A file whose name has a colon is a file.
    fn new(given: &Path) -> Result<Self, String> {
        let text = given.to_str().filter(|_| !given.exists());
        match text.and_then(|text| text.split_once(':')) {
            Some((revision, path)) if !revision.is_empty() && !path.is_empty() => {
                let (repository, path) = Repository::with_file(revision, path)?;
                Ok(Self::Revision(repository, path))
            }
            _ => readable(given).map(|()| Self::File(given.to_path_buf())),
        }
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Revision(_, path) => path,
        }
    }

    /// Reads the document. An overlay that was renamed since an old revision has its old path there;
    /// one that the revision does not have is reported.
    pub(super) fn read(
        &self,
        builder: &Builder,
        config: &Config,
        old: bool,
        format: MessageFormat,
    ) -> Result<Document, String> {
        let read = match self {
            Self::File(path) => builder.read_from(&FileLoader, Some(path), old),
            Self::Revision(repository, path) if old => {
                let (overlays, missing) = repository.former(&config.overlays);
                for overlay in missing {
                    let message = format!(
                        "the old revision has no overlay `{}`, and its document is compared without it",
                        overlay.display()
                    );
                    let help = "if the report has changes that the overlay makes, accept them with `--accept`";
                    report::note(&message, help, format);
                }
                let config = Config {
                    overlays,
                    ..config.clone()
                };
                let builder = builder.clone().config(config);
                builder.read_from(repository, Some(path), old)
            }
            Self::Revision(repository, path) => builder.read_from(repository, Some(path), old),
        };
        read.map_err(|failure| failure.to_string())
    }
}
