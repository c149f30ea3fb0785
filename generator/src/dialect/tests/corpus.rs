//! Every document of the corpus is read into a model.

use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostics;
use crate::source::{Limits, Sources, load};

/// What is wrong with documents of the corpus, by the end of their path.
const KNOWN: &[(&str, &str)] = &[
    (
        "drf-spectacular/tests.test_extend_schema.yml",
        "E0201 nothing is at `#/components/schemas/Gamma`",
    ),
    (
        "ogen/_testdata.positive.file_reference.yml",
        "E0201 there is no file",
    ),
];

fn roots(corpus: &Path) -> Vec<PathBuf> {
    let mut roots = Vec::new();
    let folders = std::fs::read_dir(corpus).into_iter().flatten().flatten();
    for folder in folders.map(|entry| entry.path()) {
        // A document in many files has its root beside its parts.
        let only = if folder.ends_with("digitalocean") {
            Some("DigitalOcean-public.v2.yaml")
        } else {
            None
        };
        for file in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let is_part = only.is_some_and(|only| file.file_name() != only);
            if file.path().is_file() && !is_part {
                roots.push(file.path());
            }
        }
    }
    roots.sort();
    roots
}

#[test]
fn every_document_is_read() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let corpus = std::env::var_os("BOTHENDS_CORPUS").map_or_else(beside, PathBuf::from);
    let roots = roots(&corpus);
    if roots.is_empty() {
        eprintln!("SKIPPED: no corpus; set BOTHENDS_CORPUS to its folder");
        return;
    }
    let mut unlisted = Vec::new();
    for root in &roots {
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let tree = load(root, &Limits::default(), &mut sources, &mut diagnostics);
        let model = tree.and_then(|tree| crate::dialect::read(&tree, &mut diagnostics));
        assert!(model.is_some(), "{} is not read", root.display());
        let told: Vec<_> = diagnostics
            .iter()
            .map(|it| format!("{} {}", it.code.id, it.message))
            .collect();
        let known: Vec<_> = KNOWN
            .iter()
            .filter(|(path, _)| root.ends_with(path))
            .collect();
        let as_known = told.len() == known.len()
            && told
                .iter()
                .zip(&known)
                .all(|(told, (_, known))| told.starts_with(known));
        if !as_known {
            unlisted.push(format!("{}: {told:?}, listed: {known:?}", root.display()));
        }
    }
    assert!(unlisted.is_empty(), "{}", unlisted.join("\n"));
    eprintln!("{} documents of the corpus were read", roots.len());
}
