//! `docs/guide/src/reference/extensions.md` is about the keys that are read, all of them and no others.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The `x-` keys that a text holds between two marks of a kind.
fn keys(text: &str, mark: char) -> BTreeSet<String> {
    let is_key = |part: &&str| {
        part.strip_prefix("x-").is_some_and(|rest| {
            !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        }) && !part.ends_with('-')
    };
    // Marks come in pairs on a line, so what stands between two is every other part.
    let lines = text.lines().map(|line| line.split(mark).skip(1).step_by(2));
    let keys = lines.flatten().filter(is_key).map(str::to_owned);
    keys.collect()
}

/// The keys in the code below a folder, but for its tests.
fn keys_in(folder: &Path, keys_found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or("");
        // Media types have names with `x-`, too.
        if name.starts_with("tests") || name == "misspelt.rs" {
            continue;
        }
        if path.is_dir() {
            keys_in(&path, keys_found);
        } else if name.ends_with(".rs") {
            let text = fs::read_to_string(&path).expect("a source file");
            keys_found.extend(keys(&text, '"'));
        }
    }
}

#[test]
fn the_guide_has_every_key_that_is_read_and_no_other() {
    let guide = fs::read_to_string(root().join("docs/guide/src/reference/extensions.md"))
        .expect("the guide");
    let reported = keys(&guide, '`');
    let mut read = BTreeSet::new();
    keys_in(&root().join("generator/src"), &mut read);

    assert!(
        read.contains("x-bothends-rejections"),
        "the search finds keys"
    );
    let unreported: Vec<_> = read.difference(&reported).collect();
    assert!(
        unreported.is_empty(),
        "read, and not in the guide: {unreported:?}"
    );
    let unread: Vec<_> = reported.difference(&read).collect();
    assert!(unread.is_empty(), "in the guide, and not read: {unread:?}");
}
