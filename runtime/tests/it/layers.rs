//! The layers of the runtime: each imports only the layers below it.
#![allow(missing_docs, clippy::unwrap_used)]

use bothends_test_environment::layers::all_circles;
use std::fs;
use std::path::{Path, PathBuf};

/// From the lowest to the highest.
const LAYERS: [&str; 3] = ["values", "message", "ends"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Returns the modules of the crate root that a line of code names by `crate::`. Macros name items by
/// `$crate::`, which are those of the public API.
fn imported(line: &str) -> Vec<&str> {
    let code = line.split("//").next().unwrap_or_default();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|char| char == '$' || char == '_' || char.is_alphanumeric()) {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        let end = rest.find(|char: char| char != '_' && !char.is_alphanumeric());
        found.push(&rest[..end.unwrap_or(rest.len())]);
    }
    found
}

#[test]
fn imports_point_to_lower_layers() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for (level, layer) in LAYERS.iter().enumerate() {
        let mut files = Vec::new();
        sources(&src.join(layer), &mut files);
        assert!(files.len() > 10, "{layer}");
        for file in files {
            // Unit tests use the macros of the public API.
            if file.ends_with("tests.rs") {
                continue;
            }
            let text = fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]\n").next().unwrap();
            for (index, line) in code.lines().enumerate() {
                for name in imported(line) {
                    if !LAYERS[..=level].contains(&name) {
                        wrong.push(format!("{}:{}: {line}", file.display(), index + 1));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn modules_import_each_other_in_one_direction() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let circles = all_circles(&src, &[]);
    let found: Vec<&str> = circles
        .keys()
        .filter_map(|folder| folder.to_str())
        .collect();
    // Types contain each other, so the ways to read, check and draw their values call each other.
    assert_eq!(found, ["values"], "{circles:?}");
}
