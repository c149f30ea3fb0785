//! Reading of the root document, and of every file that references lead to.

mod overlays;
mod remote;

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

use indexmap::IndexSet;

use crate::diagnostic::{Diagnostic, Diagnostics, codes};

use super::loader::normalize;
use super::overlay::Overlays;
use super::project;
use super::read::read;
use super::reader::{ReadError, ReadErrorKind};
use super::tree::{Failure, Link, Tree};
use super::url::percent_decode;
use super::{Format, Limits, LoadError, Loader, SourceFile, Sources, Value, decode};
use crate::position::{FileId, Origin};
use overlays::Pending;
use remote::Remote;

/// Reads a document with all its files, and applies overlays to them.
pub(super) fn load(
    loader: &dyn Loader,
    path: &Path,
    limits: &Limits,
    overlays: Option<&Overlays<'_>>,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<Tree> {
    let canonical = match loader.canonical(path) {
        Ok(canonical) => canonical,
        Err(error) => {
            diagnostics.report_general(codes::FILE_UNREADABLE, cannot_read(path, &error));
            return None;
        }
    };
    let folder = canonical
        .parent()
        .map(Path::to_path_buf)
        .unwrap_or_default();
    let mut load = Load {
        loader,
        limits,
        project: project::root(loader, &folder),
        folder,
        sources,
        by_path: HashMap::new(),
        values: vec![],
        paths: vec![],
        remote: Remote::default(),
        pending: Pending::default(),
    };
    let root = match load.open(&canonical, path) {
        Ok((file, duplicates)) => {
            diagnostics.absorb(&duplicates);
            if let Some(overlays) = overlays {
                load.read_overlays(overlays, &canonical, diagnostics)?;
                load.apply_overlays(file, &canonical, diagnostics)?;
            }
            load.by_path.insert(canonical, Link::File(file));
            file
        }
        Err(failure) => {
            failure.report(diagnostics);
            return None;
        }
    };
    let links = load.follow_all(diagnostics)?;
    load.finish_overlays(diagnostics);
    Some(Tree {
        values: load.values,
        paths: load.paths,
        root,
        links,
    })
}

impl Failure {
    /// Reports a failure that does not belong to a reference.
    pub(super) fn report(&self, diagnostics: &mut Diagnostics) {
        if self.found.is_empty() {
            diagnostics.report_general(self.code, self.message.clone());
        }
        diagnostics.absorb(&self.found);
    }
}

pub(super) fn cannot_read(path: &Path, error: &LoadError) -> String {
    let path = path.display();
    match error {
        LoadError::NotFound => format!("file `{path}` does not exist"),
        LoadError::TooLarge => format!("`{path}` is too large"),
        LoadError::Other(reason) => format!("`{path}` cannot be read: {reason}"),
    }
}

/// The state of a load in progress.
pub(super) struct Load<'a> {
    pub(super) loader: &'a dyn Loader,
    pub(super) limits: &'a Limits,
    /// The canonical folder of the root document.
    folder: PathBuf,
    /// The canonical folder of the project that contains the root document.
    project: Option<PathBuf>,
    pub(super) sources: &'a mut Sources,
    /// The files by canonical path, or by URL.
    pub(super) by_path: HashMap<PathBuf, Link>,
    pub(super) values: Vec<Value>,
    paths: Vec<PathBuf>,
    remote: Remote,
    pending: Pending,
}

impl Load<'_> {
    /// Reads a file into the table. Returns the diagnostics of a readable file too.
    fn open(
        &mut self,
        canonical: &Path,
        shown: &Path,
    ) -> Result<(FileId, Vec<Diagnostic>), Failure> {
        let bytes = self
            .loader
            .read(canonical, self.limits.file_bytes)
            .map_err(|error| Failure {
                code: if error == LoadError::TooLarge {
                    codes::FILE_TOO_LARGE
                } else {
                    codes::FILE_UNREADABLE
                },
                message: cannot_read(shown, &error),
                help: None,
                found: vec![],
            })?;
        self.take(shown, bytes, false)
    }

    /// Decodes and parses the bytes of a file.
    pub(super) fn take(
        &mut self,
        shown: &Path,
        bytes: Vec<u8>,
        remote: bool,
    ) -> Result<(FileId, Vec<Diagnostic>), Failure> {
        let mut found = Diagnostics::new();
        let file = match decode::decode(bytes) {
            Ok(text) => self.parse(shown, text, remote, &mut found),
            Err((message, text)) => {
                let file = self.add(shown, text, Format::Yaml, Value::Null, remote);
                found
                    .report_at(codes::FILE_NOT_UTF8, file, 0, message)
                    .help("save the file as UTF-8");
                Err(file)
            }
        };
        let found: Vec<_> = found.iter().cloned().collect();
        match file {
            Ok(file) => Ok((file, found)),
            Err(_) => Err(Failure {
                code: codes::FILE_UNREADABLE,
                message: format!("`{}` cannot be read", shown.display()),
                help: None,
                found,
            }),
        }
    }

    /// Parses a text. The error is the id of the file that could not be parsed.
    fn parse(
        &mut self,
        shown: &Path,
        text: String,
        remote: bool,
        found: &mut Diagnostics,
    ) -> Result<FileId, FileId> {
        let named_json = shown
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        match read(&text, named_json) {
            Ok(read) => {
                let file = self.add(shown, text, read.format, read.value, remote);
                for (pointer, harmless) in read.duplicates {
                    let key = pointer.last().unwrap_or_default();
                    let message = format!("duplicate key `{key}` in this object");
                    let (code, help) = if harmless {
                        (codes::REPEATED_KEY, "remove one of the two entries")
                    } else {
                        (codes::DUPLICATE_KEY, "remove one of the two entries")
                    };
                    found
                        .report(code, &Origin::new(file, pointer), message)
                        .help(help);
                }
                Ok(file)
            }
            Err(ReadError {
                kind,
                message,
                offset,
                help,
            }) => {
                let file = self.add(shown, text, Format::Yaml, Value::Null, remote);
                let code = match kind {
                    ReadErrorKind::Syntax => codes::SYNTAX,
                    ReadErrorKind::TooDeep => codes::NESTED_TOO_DEEP,
                    ReadErrorKind::ExpandsTooFar => codes::EXPANDS_TOO_FAR,
                };
                let reported = found.report_at(code, file, offset, message);
                if let Some(help) = help {
                    reported.help(help);
                }
                Err(file)
            }
        }
    }

    fn add(
        &mut self,
        shown: &Path,
        text: String,
        format: Format,
        value: Value,
        remote: bool,
    ) -> FileId {
        self.keep_names(&value);
        self.values.push(value);
        self.paths.push(shown.to_path_buf());
        self.sources.add(SourceFile {
            path: shown.to_path_buf(),
            text,
            format,
            remote,
        })
    }

    /// Reads the files that every file refers to, until no new file is found. Returns `None` if their
    /// overlays cause too much work.
    fn follow_all(
        &mut self,
        diagnostics: &mut Diagnostics,
    ) -> Option<HashMap<(FileId, String), Link>> {
        let mut links = HashMap::new();
        // URLs are resolved last, because one of the files may declare a URL as its name.
        let mut later = VecDeque::new();
        let mut next = 0;
        loop {
            if next < self.values.len() {
                let file = FileId(u32::try_from(next).unwrap_or(u32::MAX));
                let mut parts = IndexSet::new();
                collect_file_parts(&self.values[next], &mut parts);
                for part in parts {
                    if let Some(address) = self.address(file, &part) {
                        later.push_back(((file, part), address));
                        continue;
                    }
                    let link = self.link(file, &part, diagnostics)?;
                    links.insert((file, part), link);
                }
                next += 1;
            } else if let Some((from, address)) = later.pop_front() {
                let link = self.link_address(&address, diagnostics);
                links.insert(from, link);
            } else {
                return Some(links);
            }
        }
    }

    fn link(&mut self, file: FileId, part: &str, diagnostics: &mut Diagnostics) -> Option<Link> {
        let beside = self
            .sources
            .get(file)
            .and_then(|file| file.path.parent())
            .unwrap_or(Path::new(""));
        let (shown, canonical) = match self.find(beside, part) {
            Ok(found) => found,
            Err(failure) => return Some(Link::Failed(failure)),
        };
        if let Some(link) = self.by_path.get(&canonical) {
            return Some(link.clone());
        }
        let link = match self.open_linked(&canonical, &shown) {
            Ok((file, found)) => {
                diagnostics.absorb(&found);
                self.apply_overlays(file, &canonical, diagnostics)?;
                Link::File(file)
            }
            Err(failure) => Link::Failed(failure),
        };
        self.by_path.insert(canonical, link.clone());
        Some(link)
    }

    /// Returns the displayed and the canonical path of a file part: as written, or percent-decoded.
    fn find(&self, beside: &Path, part: &str) -> Result<(PathBuf, PathBuf), Failure> {
        let decoded = percent_decode(part);
        let spellings = [Some(part), (decoded != part).then_some(decoded.as_str())];
        let mut failure = None;
        for spelling in spellings.into_iter().flatten() {
            let shown = normalize(&beside.join(spelling));
            match self.loader.canonical(&shown) {
                Ok(canonical) => return Ok((shown, canonical)),
                Err(error) => failure = failure.or(Some(cannot_read(&shown, &error))),
            }
        }
        let message = failure.unwrap_or_else(|| format!("file `{part}` does not exist"));
        Err(Failure {
            code: codes::DANGLING_REFERENCE,
            message,
            help: None,
            found: vec![],
        })
    }

    /// Returns whether references may lead to a file: it is in the folder of the root document, or
    /// a document in the project around it.
    fn is_inside(&self, canonical: &Path) -> bool {
        let in_project = |root| project::is_document_of(root, canonical);
        self.limits.allow_outside
            || canonical.starts_with(&self.folder)
            || self.project.as_deref().is_some_and(in_project)
    }

    fn open_linked(
        &mut self,
        canonical: &Path,
        shown: &Path,
    ) -> Result<(FileId, Vec<Diagnostic>), Failure> {
        if !self.is_inside(canonical) {
            let message = format!(
                "`{}` is not in the project of the root document",
                shown.display()
            );
            return Err(Failure {
                code: codes::REFERENCE_OUTSIDE,
                message,
                help: Some(
                    "`--allow-outside` reads this and all other files outside the project"
                        .to_owned(),
                ),
                found: vec![],
            });
        }
        if self.values.len() >= self.limits.files {
            let message = format!("more than {} files", self.limits.files);
            return Err(Failure {
                code: codes::TOO_MANY_FILES,
                message,
                help: None,
                found: vec![],
            });
        }
        self.open(canonical, shown)
    }
}

/// Collects the distinct file parts of all references in a tree, in document order.
fn collect_file_parts(value: &Value, parts: &mut IndexSet<String>) {
    match value {
        Value::Object(object) => {
            if let Some(Value::String(reference)) = object.get("$ref") {
                add_file_part(reference, parts);
            }
            if let Some(Value::Object(mapping)) =
                object.get("discriminator").and_then(|it| it.get("mapping"))
            {
                let files = mapping
                    .values()
                    .filter_map(Value::as_str)
                    .filter(|name| looks_like_file(name));
                files.for_each(|file| add_file_part(file, parts));
            }
            object
                .values()
                .for_each(|value| collect_file_parts(value, parts));
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| collect_file_parts(item, parts)),
        _ => {}
    }
}

fn add_file_part(reference: &str, parts: &mut IndexSet<String>) {
    let part = reference.split('#').next().unwrap_or_default();
    if !part.is_empty() && !parts.contains(part) {
        parts.insert(part.to_owned());
    }
}

/// Returns whether a value of a discriminator's `mapping` is a reference, and not a schema name.
fn looks_like_file(name: &str) -> bool {
    let file = name.split('#').next().unwrap_or_default();
    file.contains('/')
        || [".yaml", ".yml", ".json"]
            .iter()
            .any(|ending| file.ends_with(ending))
}
