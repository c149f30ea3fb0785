//! `docs/corpus.md`: the results by publisher.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use bothends_tests::public::{self, Document};

/// The part of the file that the suite `compile::public_corpus` writes.
const COMPILED: &str = "\n## Compiled\n";

/// Compares the file with the results, which are the codes of the errors of each document.
pub(super) fn compare(documents: &[Document], found: &[String]) {
    let file = public::results_file();
    let old = std::fs::read_to_string(&file).unwrap_or_default();
    let compiled = old.split_once(COMPILED).map_or("", |(_, rows)| rows);
    let new = text(documents, found) + COMPILED + compiled;
    if std::env::var_os("UPDATE_GUIDE").is_some() {
        std::fs::write(&file, &new).expect("written");
    }
    let written = std::fs::read_to_string(&file).expect("docs/corpus.md");
    assert_eq!(written, new, "UPDATE_GUIDE=1 writes it");
}

#[derive(Default)]
struct Row<'a> {
    documents: usize,
    frameworks: BTreeSet<&'a str>,
    refused: BTreeMap<&'a str, usize>,
}

fn text(documents: &[Document], found: &[String]) -> String {
    let mut publishers: BTreeMap<(String, &str), Row<'_>> = BTreeMap::new();
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut refused = String::new();
    for (document, errors) in documents.iter().zip(found) {
        let publisher = document.publisher();
        let key = (publisher.to_lowercase(), publisher);
        let row = publishers.entry(key).or_default();
        row.documents += 1;
        row.frameworks.extend(document.framework.as_deref());
        for code in errors.split(", ").filter(|code| !code.is_empty()) {
            *row.refused.entry(code).or_default() += 1;
            *codes.entry(code).or_default() += 1;
        }
        if !errors.is_empty() {
            writeln!(refused, "| `{}` | {errors} |", document.path).expect("a string");
        }
    }
    let generated = found.iter().filter(|errors| errors.is_empty()).count();
    let mut rows = String::new();
    for ((_, publisher), row) in &publishers {
        let frameworks: Vec<&str> = row.frameworks.iter().copied().collect();
        let codes: Vec<String> = (row.refused.iter())
            .map(|(code, count)| format!("{code}: {count}"))
            .collect();
        writeln!(
            rows,
            "| {publisher} | {} | {} | {} |",
            frameworks.join(", "),
            row.documents,
            codes.join(", "),
        )
        .expect("a string");
    }
    let codes = codes.iter().fold(String::new(), |mut rows, (code, count)| {
        writeln!(rows, "| {code} | {count} |").expect("a string");
        rows
    });
    format!(
        "# The public corpus\n\n\
         The public corpus is {} OpenAPI documents of {} publishers, which `tests/public/documents.txt` lists with\n\
         repository, commit, path and hash. `tests/fetch-corpus --public` fetches them. The slow suite `corpus` writes this\n\
         page (tests/README.md).\n\n\
         {generated} documents generate completely: each operation of the document has its methods. {} are refused, with the\n\
         errors that are listed here. `bothends explain CODE` explains an error.\n\n\
         ## Errors\n\n| error | documents |\n|---|---:|\n{codes}\n\
         ## Publishers\n\n\
         A framework is named where the documents are its output, or are derived from it.\n\n\
         | publisher | framework | documents | refused |\n|---|---|---:|---|\n{rows}\n\
         ## Refused documents\n\n| document | errors |\n|---|---|\n{refused}",
        documents.len(),
        publishers.len(),
        found.len() - generated,
    )
}
