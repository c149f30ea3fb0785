//! The project that contains a document: the folder that references may not leave.

use std::path::{Component, Path, PathBuf};

use super::Loader;

/// The files and folders that mark the root of a project.
const MARKERS: [&str; 3] = ["bothends.toml", "Cargo.toml", GIT];
const GIT: &str = ".git";

/// Returns the root of the project around a canonical folder: the outermost folder with
/// `bothends.toml` or `Cargo.toml`, within the nearest git repository.
///
/// The home directory of the user and the root of the file system are no projects.
pub(super) fn root(loader: &dyn Loader, folder: &Path) -> Option<PathBuf> {
    let home = std::env::home_dir().and_then(|home| loader.canonical(&home).ok());
    root_below(loader, folder, home.as_deref())
}

fn root_below(loader: &dyn Loader, folder: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let has = |folder: &Path, marker: &str| loader.canonical(&folder.join(marker)).is_ok();
    let mut root = None;
    for around in folder.ancestors() {
        if Some(around) == home || around.parent().is_none() {
            break;
        }
        if MARKERS.iter().any(|marker| has(around, marker)) {
            root = Some(around.to_path_buf());
        }
        if has(around, GIT) {
            break;
        }
    }
    root
}

/// Returns whether a canonical path is a document of a project: a YAML or JSON file below its root,
/// and in no hidden folder.
pub(crate) fn is_document_of(root: &Path, canonical: &Path) -> bool {
    let Ok(inner) = canonical.strip_prefix(root) else {
        return false;
    };
    let is_hidden = |step: Component<'_>| {
        let name = step.as_os_str().to_str();
        name.is_none_or(|name| name.starts_with('.'))
    };
    let ending = inner.extension().and_then(|ending| ending.to_str());
    let is_document = ending.is_some_and(|ending| {
        ["yaml", "yml", "json"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    });
    is_document && !inner.components().any(is_hidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemoryLoader;

    fn found(files: &[&str], folder: &str, home: Option<&str>) -> Option<String> {
        let mut loader = MemoryLoader::new();
        for file in files {
            loader.add(file, "");
        }
        let root = root_below(&loader, Path::new(folder), home.map(Path::new))?;
        Some(root.display().to_string())
    }

    #[test]
    fn a_project_is_the_outermost_marked_folder_in_its_repository() {
        for (files, root) in [
            (&["/w/a/bothends.toml"][..], Some("/w/a")),
            (&["/w/Cargo.toml", "/w/a/Cargo.toml"], Some("/w")),
            (&["/w/.git", "/w/a/Cargo.toml"], Some("/w")),
            (&["/w/Cargo.toml", "/w/a/.git"], Some("/w/a")),
            (&["/w/a/api/bothends.toml"], Some("/w/a/api")),
            (&["/w/other/Cargo.toml", "/w/a/x"], None),
            (&["/Cargo.toml", "/.git"], None),
        ] {
            assert_eq!(found(files, "/w/a/api", None).as_deref(), root, "{files:?}");
        }
    }

    #[test]
    fn a_home_directory_is_not_a_project() {
        let files = ["/home/me/.git", "/home/me/Cargo.toml"];
        assert_eq!(found(&files, "/home/me/api", Some("/home/me")), None);
        let files = ["/home/me/.git", "/home/me/w/Cargo.toml"];
        let root = found(&files, "/home/me/w/api", Some("/home/me"));
        assert_eq!(root.as_deref(), Some("/home/me/w"));
    }

    #[test]
    fn documents_of_a_project_are_visible_yaml_and_json_files() {
        let root = Path::new("/w");
        for path in ["/w/a.yaml", "/w/b/c.yml", "/w/b/d.JSON"] {
            assert!(is_document_of(root, Path::new(path)), "{path}");
        }
        for path in [
            "/w/.env.yaml",
            "/w/.git/a.json",
            "/w/a/.aws/b.yaml",
            "/w/id_rsa",
            "/w/a.toml",
            "/wide/a.yaml",
            "/a.yaml",
        ] {
            assert!(!is_document_of(root, Path::new(path)), "{path}");
        }
    }
}
