//! Every document of the public corpus generates, completely, with bounded work and memory, or is refused with the
//! errors that `docs/corpus.md` lists. `UPDATE_GUIDE=1` writes that file, and the list of the tenth.

mod constructs;
mod results;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bothends_tests::parallel::each;
use bothends_tests::public::{self, Document};
use bothends_tests::{public_corpus, skipped};

use crate::corpus::generate;

/// Bytes that are allocated for one document: as many for each of its bytes, and as many for any document. Anchors
/// stand for most of the dearest document, and a few short documents have patterns with long repetitions.
const WORK: (u64, u64) = (2_000, 60_000_000);

/// What came of a document: the codes of its errors, or what is wrong.
fn result(document: &Path) -> Result<String, String> {
    let errors = generate(document, WORK)?;
    let codes: BTreeSet<String> = errors.into_iter().collect();
    Ok(codes.into_iter().collect::<Vec<_>>().join(", "))
}

#[test]
fn the_public_corpus_is_of_many_publishers_and_frameworks() {
    let documents = public::documents().expect("the list");
    assert!(documents.len() >= 1_500, "{} documents", documents.len());
    let hashes: BTreeSet<&str> = documents
        .iter()
        .map(|document| document.hash.as_str())
        .collect();
    assert_eq!(
        hashes.len(),
        documents.len(),
        "two documents are the same file"
    );
    let publishers: BTreeSet<&str> = documents.iter().map(Document::publisher).collect();
    assert!(publishers.len() >= 60, "{} publishers", publishers.len());
    let frameworks: BTreeSet<&str> = documents
        .iter()
        .filter_map(|document| document.framework.as_deref())
        .collect();
    for framework in [
        "FastAPI",
        "Huma",
        "NestJS",
        "Swashbuckle",
        "aide",
        "drf-spectacular",
        "dropshot",
        "poem-openapi",
        "springdoc",
        "utoipa",
    ] {
        assert!(frameworks.contains(framework), "{framework}");
    }
    let paths: BTreeSet<String> = documents
        .into_iter()
        .map(|document| document.path)
        .collect();
    let tenth = public::tenth().expect("the list");
    assert_eq!(tenth.len(), paths.len() / 10);
    let stale: Vec<_> = tenth.difference(&paths).collect();
    assert!(stale.is_empty(), "not in the public corpus: {stale:?}");
}

#[test]
#[ignore = "slow suite `corpus`: run with --include-ignored"]
fn every_public_document_generates_or_is_refused_as_listed() {
    let test = "every_public_document_generates_or_is_refused_as_listed";
    let Some(folder) = public_corpus(test) else {
        return;
    };
    let documents = public::chosen().expect("the lists");
    let roots: Vec<PathBuf> = documents
        .iter()
        .map(|document| folder.join(&document.path))
        .collect();
    let found = each(&roots, |root| result(root));
    let wrong: Vec<String> = (documents.iter().zip(&found))
        .filter_map(|(document, found)| {
            let reason = found.as_ref().err()?;
            Some(format!("{}: {reason}", document.path))
        })
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let found: Vec<String> = found.into_iter().flatten().collect();
    if public::is_all() {
        results::compare(&documents, &found);
    }
    let refused = public::refused().expect("docs/corpus.md");
    for (document, codes) in documents.iter().zip(&found) {
        let listed = refused.get(&document.path).map_or("", String::as_str);
        assert_eq!(codes, listed, "{}", document.path);
    }
}

#[test]
#[ignore = "slow suite `corpus`: run with --include-ignored"]
fn the_tenth_is_chosen_by_constructs() {
    let test = "the_tenth_is_chosen_by_constructs";
    if !public::is_all() {
        skipped(test, "a run of the tenth", "set BOTHENDS_ALL_DOCUMENTS=1");
        return;
    }
    let Some(folder) = public_corpus(test) else {
        return;
    };
    let refused = public::refused().expect("docs/corpus.md");
    let mut documents = public::documents().expect("the list");
    let count = documents.len() / 10;
    documents.retain(|document| !refused.contains_key(&document.path));
    let mut tenth = constructs::choose(&folder, &documents, count);
    tenth.sort();
    let tenth = tenth.join("\n") + "\n";
    if std::env::var_os("UPDATE_GUIDE").is_some() {
        std::fs::write(public::tenth_file(), &tenth).expect("written");
    }
    let listed = std::fs::read_to_string(public::tenth_file()).expect("the list");
    assert_eq!(listed, tenth, "UPDATE_GUIDE=1 writes it");
}
