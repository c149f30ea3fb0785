//! Documents in a revision of a git repository. The program `git` is called directly, without a
//! shell, and nothing of the working tree is changed.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use bothends::diff::Commit;
use bothends::source::{LoadError, Loader};

use super::cat_file::Objects;

/// A revision of a repository, as a source of files.
#[derive(Debug, Clone)]
pub(crate) struct Repository {
    /// The folder of the working tree.
    root: PathBuf,
    /// The hash of the commit.
    commit: String,
    /// The current folder, which relative paths refer to.
    here: PathBuf,
    /// The objects, of all revisions.
    objects: Arc<Objects>,
}

impl Repository {
    /// Finds the repository of a document, at a revision.
    pub(crate) fn at(document: &Path, revision: &str) -> Result<Self, String> {
        let mut repository = Self::new(document)?;
        repository.commit = repository.resolve(revision)?;
        Ok(repository)
    }

    /// Finds the repository of a document, at the highest version tag of the current history.
    pub(crate) fn at_release(document: &Path) -> Result<Self, String> {
        let mut repository = Self::new(document)?;
        let tags = repository.git(&["tag", "--list", "--merged", "HEAD"])?;
        let versions = tags.lines().filter_map(|tag| Some((version(tag)?, tag)));
        let (_, tag) = versions
            .max()
            .ok_or("no version tag, such as `v1.2.0`, in the history of `HEAD`")?;
        repository.commit = repository.resolve(&format!("refs/tags/{tag}"))?;
        Ok(repository)
    }

    /// Finds the repository of the current folder, at a revision, and the path of a file. As for
    /// git, the path begins at the root of the repository, or with `./` or `../`.
    pub(crate) fn with_file(revision: &str, path: &str) -> Result<(Self, PathBuf), String> {
        let repository = Self::at(Path::new("."), revision)?;
        let here = repository.here.strip_prefix(&repository.root);
        let depth = match path.starts_with("./") || path.starts_with("../") {
            true => 0,
            false => here.map_or(0, |here| here.components().count()),
        };
        let path = PathBuf::from("../".repeat(depth) + path);
        Ok((repository, path))
    }

    fn new(document: &Path) -> Result<Self, String> {
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        let here = here.map_err(|error| format!("the current folder: {error}"))?;
        let mut folder = normal(&here.join(document));
        while !folder.is_dir() {
            if !folder.pop() {
                return Err(format!("`{}` is in no folder", document.display()));
            }
        }
        let folder = folder.canonicalize().map_err(|error| error.to_string())?;
        let root = git_in(&folder, &["rev-parse", "--show-toplevel"])?;
        let root = PathBuf::from(root.trim_end_matches(['\n', '\r']));
        let root = root.canonicalize().map_err(|error| error.to_string())?;
        Ok(Self {
            objects: Arc::new(Objects::new(&root)),
            root,
            commit: String::new(),
            here,
        })
    }

    /// Returns the same repository at another commit.
    pub(crate) fn with_commit(&self, commit: &str) -> Self {
        Self {
            commit: commit.to_owned(),
            ..self.clone()
        }
    }

    fn resolve(&self, revision: &str) -> Result<String, String> {
        let revision = format!("{revision}^{{commit}}");
        let found = self.git(&[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &revision,
        ]);
        let found = found.map_err(|_| {
            let name = revision.trim_end_matches("^{commit}");
            format!("`{name}` is not a commit of the repository")
        })?;
        Ok(found.trim().to_owned())
    }

    /// Returns the paths of files in the commit: their own, or those that they were renamed from. The
    /// second list has the files that the commit does not have.
    pub(crate) fn former<'p>(&self, paths: &'p [PathBuf]) -> (Vec<PathBuf>, Vec<&'p Path>) {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for path in paths {
            match self.canonical(path) {
                Err(LoadError::NotFound) => match self.renamed(path) {
                    Some(former) => found.push(former),
                    None => missing.push(path.as_path()),
                },
                _ => found.push(path.clone()),
            }
        }
        (found, missing)
    }

    /// Returns the path of a file before it was renamed in the working tree.
    fn renamed(&self, path: &Path) -> Option<PathBuf> {
        let path = self.inside(path)?;
        let args = ["diff", "--no-ext-diff", "--name-status", "-z"];
        let renames = ["--find-renames", "--diff-filter=R", &self.commit, "--"];
        let args = [args, renames].concat();
        let renames = self.git(&args).ok()?;
        let mut parts = renames.split('\0').skip(1);
        while let (Some(from), Some(to)) = (parts.next(), parts.next()) {
            if Path::new(to) == path {
                return Some(self.root.join(from));
            }
            // The similarity of the next pair.
            parts.next();
        }
        None
    }

    /// Returns the paths that a file had in the commits after this one.
    pub(crate) fn names(&self, path: &Path) -> Vec<PathBuf> {
        let path = self.inside(path).unwrap_or_default();
        let range = format!("{}..HEAD", self.commit);
        let args = [
            "log",
            "--follow",
            "--format=",
            "--name-only",
            "-z",
            &range,
            "--",
        ];
        let mut args: Vec<&OsStr> = args.map(OsStr::new).into();
        args.push(path.as_os_str());
        let names = git_in(&self.root, &args).unwrap_or_default();
        let names = names.split(['\0', '\n']).filter(|name| !name.is_empty());
        names.map(|name| self.root.join(name)).collect()
    }

    /// Returns the commits after this one up to `HEAD` that change one of the files, oldest first.
    pub(crate) fn commits(&self, files: &[&Path]) -> Result<Vec<Commit>, String> {
        let range = format!("{}..HEAD", self.commit);
        let format = "--format=%H%x1f%cs%x1f%D%x1f%s";
        let mut args: Vec<&OsStr> = ["log", "--reverse", "--topo-order", format, &range, "--"]
            .map(OsStr::new)
            .into();
        let files: Vec<PathBuf> = files.iter().filter_map(|file| self.inside(file)).collect();
        args.extend(files.iter().map(|file| file.as_os_str()));
        let log = git_in(&self.root, &args)?;
        let commits = log.lines().filter_map(|line| {
            let mut parts = line.splitn(4, '\x1f');
            let (hash, date, names) = (parts.next()?, parts.next()?, parts.next()?);
            let tags = names
                .split(", ")
                .filter_map(|name| name.strip_prefix("tag: "));
            Some(Commit {
                hash: hash.to_owned(),
                date: date.to_owned(),
                tags: tags.map(str::to_owned).collect(),
                subject: parts.next()?.to_owned(),
            })
        });
        Ok(commits.collect())
    }

    /// Returns a path relative to the root of the repository, or `None` for a path outside.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        let path = normal(&self.here.join(path));
        let path = path.strip_prefix(&self.root).ok()?;
        Some(path.to_path_buf())
    }

    /// Returns the name of a file in the commit, for `git cat-file`.
    fn object(&self, path: &Path) -> Result<String, LoadError> {
        let path = self.inside(path);
        let path = path
            .ok_or_else(|| LoadError::Other("the file is outside of the repository".to_owned()))?;
        let parts: Option<Vec<&str>> = path.iter().map(OsStr::to_str).collect();
        let parts = parts.ok_or_else(|| LoadError::Other("the path is not UTF-8".to_owned()))?;
        Ok(format!("{}:{}", self.commit, parts.join("/")))
    }

    fn git(&self, args: &[&str]) -> Result<String, String> {
        git_in(&self.root, args)
    }
}

impl Loader for Repository {
    fn canonical(&self, path: &Path) -> Result<PathBuf, LoadError> {
        self.objects.is_file(&self.object(path)?)?;
        Ok(normal(&self.here.join(path)))
    }

    fn read(&self, canonical: &Path, limit: u64) -> Result<Vec<u8>, LoadError> {
        self.objects.read(&self.object(canonical)?, limit)
    }

    #[cfg(feature = "remote")]
    fn fetch(
        &self,
        url: &str,
        limit: u64,
        timeout: std::time::Duration,
    ) -> Result<Vec<u8>, LoadError> {
        bothends::source::FileLoader.fetch(url, limit, timeout)
    }
}

fn git_in<S: AsRef<OsStr>>(folder: &Path, args: &[S]) -> Result<String, String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(args)
        .output()
        .map_err(|error| format!("cannot run `git`: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let error = String::from_utf8_lossy(&output.stderr);
    Err(match error.trim() {
        "" => "`git` failed".to_owned(),
        error => format!("`git` failed: {error}"),
    })
}

/// Removes `.` and resolves `..` by the path alone: the file may exist only in the revision.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => _ = normal.pop(),
            other => normal.push(other),
        }
    }
    normal
}

/// Returns the numbers of a version tag: `v1.2.3`, `1.2.3` or `name-v1.2.3`, without pre-releases.
fn version(tag: &str) -> Option<[u64; 3]> {
    let start = tag.rfind(['-', '/']).map_or(0, |index| index + 1);
    let text = tag.get(start..)?;
    let text = text.strip_prefix('v').unwrap_or(text);
    let numbers: Option<Vec<u64>> = text.split('.').map(|part| part.parse().ok()).collect();
    numbers?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn tags_are_versions() {
        assert_eq!(version("v1.10.0"), Some([1, 10, 0]));
        assert_eq!(version("0.2.1"), Some([0, 2, 1]));
        assert_eq!(version("api-v2.0.0"), Some([2, 0, 0]));
        assert_eq!(version("v1.0.0-rc.1"), None);
        assert_eq!(version("latest"), None);
        assert!(version("v1.10.0") > version("v1.9.9"));
    }
}
