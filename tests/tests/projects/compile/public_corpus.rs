//! Generated code of the public corpus compiles without a warning in three forms: with all parts, with the client
//! alone, and with the server alone. A run compiles the tenth; `BOTHENDS_ALL_DOCUMENTS=1` all documents.
//!
//! `UPDATE_GUIDE=1` writes what was compiled into `docs/corpus.md`.

use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use bothends::Parts;
use bothends_tests::public;
use bothends_tests::public_corpus;

use super::corpus::{Compiled, NONE, compile};

/// Held while the file with the results is written.
static RESULTS: Mutex<()> = Mutex::new(());

fn compiles(test: &str, form: &str, parts: Parts, features: &[&str]) {
    let Some(folder) = public_corpus(test) else {
        return;
    };
    let part = std::env::var("BOTHENDS_DOCUMENTS").unwrap_or_default();
    let documents: Vec<PathBuf> = (public::chosen().expect("the lists").iter())
        .filter(|document| document.path.contains(&part))
        .map(|document| folder.join(&document.path))
        .collect();
    let prefix = format!("public-{}", form.replace(' ', "-"));
    let compiled = compile(&folder, &documents, &prefix, parts, features);
    if std::env::var_os("UPDATE_GUIDE").is_some() && part.is_empty() {
        write(form, &compiled);
    }
}

/// Writes the row of a form, which takes the place of an older one.
fn write(form: &str, compiled: &Compiled) {
    let _held = RESULTS.lock();
    let which = if public::is_all() { "all" } else { "a tenth" };
    let key = format!("| {which} | {form} |");
    let row = format!(
        "{key} {} | {} | {:.1} |",
        compiled.documents,
        compiled.crates,
        compiled.bytes as f64 / 1e6
    );
    let text = fs::read_to_string(public::results_file()).expect("docs/corpus.md");
    let (head, rows) = text.split_once("\n## Compiled\n").expect("the heading");
    let mut rows: Vec<&str> = rows.lines().filter(|row| row.starts_with("| a")).collect();
    rows.retain(|old| !old.starts_with(&key));
    rows.push(&row);
    rows.sort_unstable();
    let table = format!(
        "{head}\n## Compiled\n\n\
         Documents whose code compiled without an error or a warning, in crates of about 4 MB. A row has each document of\n\
         its part that was generated.\n\n\
         | part | form | documents | crates | MB of code |\n|---|---|---:|---:|---:|\n{}\n",
        rows.join("\n")
    );
    fs::write(public::results_file(), table).expect("written");
}

#[test]
#[ignore = "slow suite `corpus`: run with --include-ignored"]
fn the_public_corpus_compiles() {
    let features = ["client", "server", "hyper", "tasks"];
    let test = "the_public_corpus_compiles";
    compiles(test, "all parts", Parts::default(), &features);
}

#[test]
#[ignore = "slow suite `corpus`: run with --include-ignored"]
fn the_public_corpus_compiles_with_the_client_alone() {
    let parts = Parts {
        client: true,
        ..NONE
    };
    let test = "the_public_corpus_compiles_with_the_client_alone";
    compiles(test, "client alone", parts, &["client", "hyper", "tasks"]);
}

#[test]
#[ignore = "slow suite `corpus`: run with --include-ignored"]
fn the_public_corpus_compiles_with_the_server_alone() {
    let parts = Parts {
        server: true,
        ..NONE
    };
    let test = "the_public_corpus_compiles_with_the_server_alone";
    compiles(test, "server alone", parts, &["server"]);
}
