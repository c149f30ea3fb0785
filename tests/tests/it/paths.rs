//! The files that the documentation of the code names exist.
#![allow(
    clippy::unwrap_used,
    reason = "a file that cannot be read fails the test"
)]

use bothends_tests::root;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The folders that paths are relative to.
const BASES: &[&str] = &[
    "",
    "generator/src",
    "generator/src/diff",
    "runtime/src",
    "sandbox/src",
];

/// Collects the names of all files below a folder.
fn names(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        match entry.path().is_dir() {
            true if name == "target" || name.starts_with(".git") => {}
            true => names(&entry.path(), found),
            false => _ = found.insert(name),
        }
    }
}

/// Returns the paths that a text has in backticks, with the number of the line.
fn paths(text: &str) -> Vec<(usize, &str)> {
    let ends = [".rs", ".md", ".toml", ".yaml", ".py", ".sh"];
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let spans = line.split('`').skip(1).step_by(2);
        let is_path = |span: &&str| {
            let plain = span
                .chars()
                .all(|char| char.is_ascii_alphanumeric() || "_-./".contains(char));
            plain && !span.starts_with('.') && ends.iter().any(|end| span.ends_with(end))
        };
        found.extend(spans.filter(is_path).map(|span| (index + 1, span)));
    }
    found
}

#[test]
fn files_that_the_documentation_names_exist() {
    let root = root();
    let mut files = BTreeSet::new();
    names(&root, &mut files);
    // Files of users, not of the repository.
    let of_users = ["bothends.toml", "exports.yaml", "common.yaml"];
    let mut pages = vec![
        "docs/architecture.md".to_owned(),
        "CONTRIBUTING.md".to_owned(),
    ];
    let map = fs::read_to_string(root.join(&pages[0])).unwrap();
    for entry in fs::read_dir(root.join("docs/decisions")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            map.contains(&format!("(decisions/{name})")),
            "{name} is not listed"
        );
        pages.push(format!("docs/decisions/{name}"));
    }
    let (mut missing, mut count) = (Vec::new(), 0);
    for page in &pages {
        let text = fs::read_to_string(root.join(page)).unwrap();
        for (line, path) in paths(&text) {
            count += 1;
            let exists = match path.contains('/') {
                true => BASES.iter().any(|base| root.join(base).join(path).exists()),
                false => files.contains(path) || of_users.contains(&path),
            };
            if !exists {
                missing.push(format!("{page}:{line}: {path}"));
            }
        }
    }
    assert!(count > 300, "{count} paths");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
