//! What a test needs of the machine beside Rust: the corpus of OpenAPI documents, and programs.
//!
//! Nothing of it is required. A test whose requirement is missing is skipped, and the terminal shows which
//! test, what is missing, and what to do: `SKIPPED test: no corpus at ../x; run tests/fetch-corpus …`.

pub mod layers;

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What to do where the corpus is missing.
pub const FETCH_CORPUS: &str = "run tests/fetch-corpus and set BOTHENDS_CORPUS to its folder";

/// Reports that a test is skipped: `SKIPPED test: missing; remedy`.
///
/// The line is written to standard error past the capture of the test harness, which would show it for
/// failed tests only.
pub fn skipped(test: &str, missing: &str, remedy: &str) {
    let line = line(test, missing, remedy);
    // Nothing can be reported where standard error is closed.
    let _ = std::io::stderr().write_all(line.as_bytes());
}

fn line(test: &str, missing: &str, remedy: &str) -> String {
    format!("SKIPPED {test}: {missing}; {remedy}\n")
}

/// Whether there is a Python. `false`, with the line of [`skipped`], where it is missing.
#[must_use]
pub fn has_python(test: &str) -> bool {
    has_program(test, "python3", "--version", "install Python 3.9 or newer")
}

/// The folder where the corpus is expected: `BOTHENDS_CORPUS`, or `../shared/corpus` beside the checkout.
#[must_use]
pub fn corpus_folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    std::env::var_os("BOTHENDS_CORPUS").map_or_else(beside, PathBuf::from)
}

/// The folder of the corpus. `None`, with the line of [`skipped`], where there is no such folder.
#[must_use]
pub fn corpus(test: &str) -> Option<PathBuf> {
    let folder = corpus_folder();
    if folder.is_dir() {
        return Some(folder);
    }
    let missing = format!("no corpus at {}", folder.display());
    skipped(test, &missing, FETCH_CORPUS);
    None
}

/// The folder with the tests of oasdiff, beside that of the corpus. `None`, with the line of [`skipped`], where
/// there is no such folder.
#[must_use]
pub fn oasdiff(test: &str) -> Option<PathBuf> {
    beside_corpus(test, "oasdiff", "tests of oasdiff", FETCH_CORPUS)
}

/// A document of Stripe, beside the corpus. `None`, with the line of [`skipped`], where it is missing.
#[must_use]
pub fn stripe(test: &str) -> Option<PathBuf> {
    let folder = beside_corpus(test, "stripe", "document of Stripe", FETCH_CORPUS);
    folder.map(|folder| folder.join("stripe.yaml"))
}

/// The folder with the texts of JSONTestSuite, beside that of the corpus. `None`, with the line of [`skipped`], where
/// there is no such folder.
#[must_use]
pub fn json_test_suite(test: &str) -> Option<PathBuf> {
    beside_corpus(
        test,
        "json-test-suite",
        "texts of JSONTestSuite",
        FETCH_CORPUS,
    )
}

/// The folder of the public corpus, beside that of the corpus. `None`, with the line of [`skipped`], where there
/// is no such folder.
#[must_use]
pub fn public_corpus(test: &str) -> Option<PathBuf> {
    let remedy =
        "run tests/fetch-corpus --public and set BOTHENDS_CORPUS to the folder without `.public`";
    beside_corpus(test, "public", "public corpus", remedy)
}

/// A folder with the name of the corpus and an ending.
fn beside_corpus(test: &str, ending: &str, what: &str, remedy: &str) -> Option<PathBuf> {
    let mut folder = corpus_folder().into_os_string();
    folder.push(format!(".{ending}"));
    let folder = PathBuf::from(folder);
    if folder.is_dir() {
        return Some(folder);
    }
    let missing = format!("no {what} at {}", folder.display());
    skipped(test, &missing, remedy);
    None
}

/// Whether a program ends with success when it is asked for its version, with this argument. `false`, with
/// the line of [`skipped`], where it is missing.
#[must_use]
pub fn has_program(test: &str, program: impl AsRef<OsStr>, version: &str, remedy: &str) -> bool {
    let program = program.as_ref();
    let mut command = Command::new(program);
    command.arg(version).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let found = command.status().is_ok_and(|status| status.success());
    if !found {
        let missing = format!("no `{}`", program.display());
        skipped(test, &missing, remedy);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_test_is_named_with_what_is_missing_and_what_to_do() {
        let expected = "SKIPPED reads_all: no corpus at /x; run it\n";
        assert_eq!(line("reads_all", "no corpus at /x", "run it"), expected);
    }

    #[test]
    fn a_program_is_found_by_its_version() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        assert!(has_program("test", cargo, "--version", "install Rust"));
        let missing = has_program("test", "no-such-program", "--version", "install it");
        assert!(!missing);
    }
}
