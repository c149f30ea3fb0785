//! Every file of Rust is part of a crate. The compiler does not see a file that no `mod` names, so its tests
//! would not run, and nothing would tell.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bothends_tests::root;
use syn::{Attribute, Expr, ExprLit, File, Item, Lit, Meta};

/// Folders of files that tests read, or compile as crates of their own.
const READ_BY_TESTS: &[&str] = &[
    "runtime/tests/mistakes",
    "tests/tests/fit/imports",
    "tests/tests/fit/own",
    "tests/tests/fit/stripe",
    "tests/tests/readme",
];

/// The folders of all crates of the workspace.
fn members() -> Vec<PathBuf> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = toml::from_str(&manifest).expect("TOML");
    let members = manifest["workspace"]["members"].as_array().expect("a list");
    let mut found = Vec::new();
    for member in members {
        let member = member.as_str().expect("a folder");
        let Some(folder) = member.strip_suffix("/*") else {
            found.push(root().join(member));
            continue;
        };
        let entries = root().join(folder).read_dir().expect("a folder");
        found.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    found
}

/// The files of a folder and of those in it, except the folders of other crates.
fn files_below(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.join("Cargo.toml").exists() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.insert(path);
        }
    }
}

/// The files that cargo compiles as programs and libraries.
fn crate_roots(member: &Path, files: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let single = member.join("tests/main.rs");
    let is_root = |path: &&PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str());
        let folder = path.parent().expect("a folder");
        let above = folder.parent().expect("a folder");
        (folder == member.join("src") && matches!(name, Some("lib.rs" | "main.rs")))
            || folder == member.join("src/bin")
            || (folder == member.join("tests") && (!single.exists() || **path == single))
            || (above == member.join("tests") && name == Some("main.rs"))
    };
    files.iter().filter(is_root).cloned().collect()
}

/// The value of `#[path = "…"]`.
fn path_attribute(attributes: &[Attribute]) -> Option<String> {
    attributes.iter().find_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else {
            return None;
        };
        match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) if pair.path.is_ident("path") => Some(text.value()),
            _ => None,
        }
    })
}

/// Follows the modules of a file. `below` is the folder of those without a `path`.
fn follow(file: &Path, below: &Path, reached: &mut BTreeSet<PathBuf>) {
    if !reached.insert(file.canonicalize().expect("a file")) {
        return;
    }
    let text = std::fs::read_to_string(file).expect("a file");
    let parsed: File = syn::parse_file(&text).expect("Rust");
    follow_items(&parsed.items, file, below, reached);
}

fn follow_items(items: &[Item], file: &Path, below: &Path, reached: &mut BTreeSet<PathBuf>) {
    for item in items {
        let Item::Mod(module) = item else { continue };
        let inside = below.join(module.ident.to_string());
        if let Some((_, items)) = &module.content {
            follow_items(items, file, &inside, reached);
        } else if let Some(path) = path_attribute(&module.attrs) {
            let path = file.parent().expect("a folder").join(path);
            let below = path.parent().expect("a folder").to_owned();
            follow(&path, &below, reached);
        } else if inside.join("mod.rs").exists() {
            follow(&inside.join("mod.rs"), &inside, reached);
        } else {
            follow(&inside.with_extension("rs"), &inside, reached);
        }
    }
}

#[test]
fn every_file_of_rust_is_compiled() {
    let (mut files, mut reached) = (BTreeSet::new(), BTreeSet::new());
    for member in members() {
        let mut own = BTreeSet::new();
        for folder in ["src", "tests"] {
            files_below(&member.join(folder), &mut own);
        }
        let build = member.join("build.rs");
        if build.exists() {
            follow(&build, &member, &mut reached);
        }
        for start in crate_roots(&member, &own) {
            follow(&start, start.parent().expect("a folder"), &mut reached);
        }
        files.extend(own.iter().map(|path| path.canonicalize().expect("a file")));
    }
    let top = root().canonicalize().expect("a folder");
    let data = |path: &Path| READ_BY_TESTS.iter().any(|folder| path.starts_with(folder));
    let lost: Vec<&Path> = files
        .difference(&reached)
        .map(|path| path.strip_prefix(&top).expect("below the root"))
        .filter(|path| !data(path))
        .collect();
    assert!(
        reached.len() > 500,
        "only {} files were found",
        reached.len()
    );
    assert!(lost.is_empty(), "no `mod` names these files: {lost:#?}");
}
