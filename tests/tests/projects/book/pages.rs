//! The pages of the repository, their headings, and their links.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::block::{heading, slug};

/// A page in Markdown.
pub(crate) struct Page {
    /// Path from the root of the checkout.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

impl Page {
    /// Reads a page.
    pub(crate) fn read(root: &Path, path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let text = fs::read_to_string(root.join(&path));
        let text = text.map_err(|error| format!("{}: {error}", path.display()));
        let text = text.expect("a page");
        Self { path, text }
    }

    /// The anchors of its headings. Of equal ones, the second ends in `-1`.
    fn anchors(&self) -> BTreeSet<String> {
        let mut anchors = BTreeSet::new();
        for (_, line) in self.prose() {
            let Some(heading) = heading(line) else {
                continue;
            };
            let anchor = slug(heading);
            let mut next = anchor.clone();
            let mut count = 0;
            while !anchors.insert(next.clone()) {
                count += 1;
                next = format!("{anchor}-{count}");
            }
        }
        anchors
    }

    /// The lines outside of fenced blocks, by number.
    pub(crate) fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut in_block = false;
        self.text.lines().enumerate().filter_map(move |(at, line)| {
            if line.trim_start().starts_with("```") {
                in_block = !in_block;
                return None;
            }
            (!in_block).then_some((at + 1, line))
        })
    }

    /// The targets of its links, by line: `[text](target)`, and `[label]: target`.
    fn links(&self) -> Vec<(usize, String)> {
        let mut links = Vec::new();
        for (number, line) in self.prose() {
            let line = without_code(line);
            for part in line.split("](").skip(1) {
                let target = part.split([')', ' ']).next().unwrap_or_default();
                links.push((number, target.to_owned()));
            }
            let definition = line
                .strip_prefix('[')
                .and_then(|rest| rest.split_once("]: "));
            if let Some((_, target)) = definition {
                links.push((number, target.trim().to_owned()));
            }
        }
        links
    }
}

/// A line without its code spans, which are no links.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect()
}

/// All pages in Markdown below a folder, sorted.
pub(crate) fn below(root: &Path, folder: &str) -> Vec<Page> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).expect("the folder") {
            let entry = entry.expect("an entry");
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
        .into_iter()
        .map(|path| Page::read(root, path))
        .collect()
}

/// The links of pages that lead nowhere, as `file:line: target`. Links to the web are not followed.
pub(crate) fn broken_links(root: &Path, pages: &[Page]) -> Vec<String> {
    let mut broken = Vec::new();
    for page in pages {
        for (number, target) in page.links() {
            let (file, anchor) = match target.split_once('#') {
                Some((file, anchor)) => (file, Some(anchor)),
                None => (target.as_str(), None),
            };
            if file.contains("://") || file.starts_with("mailto:") {
                continue;
            }
            let path = match file {
                "" => page.path.clone(),
                file => normal(&page.path.parent().unwrap_or(Path::new("")).join(file)),
            };
            let is_there = root.join(&path).exists();
            let has_anchor = anchor.is_none_or(|anchor| {
                is_there && Page::read(root, path.clone()).anchors().contains(anchor)
            });
            if !is_there || !has_anchor {
                broken.push(format!("{}:{number}: {target}", page.path.display()));
            }
        }
    }
    broken
}

/// A path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}
