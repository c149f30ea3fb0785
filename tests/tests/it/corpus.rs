//! Every document of the corpus generates, completely, with bounded work and memory; or it is refused for the
//! reason that is listed for it here. Work is what is allocated, which is the same on each run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use bothends_tests::{corpus, roots};
use serde_json::Value;

/// Why a document is refused: its path, the codes of all its errors, and the reason.
type Refusal = (&'static str, &'static [&'static str], &'static str);

/// Both ways exact: an unlisted error fails, and so does a listed one that no longer happens.
const REFUSED: &[Refusal] = &[
    (
        "drf-spectacular/tests.test_extend_schema.yml",
        &["E0201"],
        "a response refers to `#/components/schemas/Gamma`, and there is no such schema",
    ),
    (
        "ogen/_testdata.positive.file_reference.yml",
        &["E0201"],
        "a path refers to a file that is not in the corpus",
    ),
];

/// Refused documents that are valid by their standard.
const VALID: &[&str] = &[];

/// Bytes that are allocated for one document: as many for each of its bytes, and as many for any document. The
/// dearest document needs half of that.
const WORK: (u64, u64) = (750, 20_000_000);
/// Memory for one document, in kB.
const MEMORY: u64 = 1 << 20;

#[test]
fn every_document_generates_or_is_refused_for_its_reason() {
    let Some(corpus) = corpus("every_document_generates_or_is_refused_for_its_reason") else {
        return;
    };
    let roots = roots(&corpus);
    assert!(!roots.is_empty(), "no documents in {}", corpus.display());
    let wrong = walk(&corpus, &roots);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    let stale = REFUSED
        .iter()
        .filter(|(path, ..)| !corpus.join(path).is_file());
    let stale: Vec<_> = stale.map(|(path, ..)| path).collect();
    assert!(stale.is_empty(), "listed, and not in the corpus: {stale:?}");
    let share = VALID.len() * 100;
    assert!(
        share <= roots.len() * 2,
        "fewer than 98% of the valid documents generate"
    );
}

/// Generates from each document; gives what is not as it should be.
fn walk(corpus: &Path, roots: &[PathBuf]) -> Vec<String> {
    let wrong: Mutex<BTreeMap<usize, String>> = Mutex::default();
    let next = Mutex::new(0..roots.len());
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let take = || next.lock().expect("no worker panics").next();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(index) = take() {
                    let path = roots[index].strip_prefix(corpus).unwrap_or(&roots[index]);
                    let path = path.to_string_lossy().replace('\\', "/");
                    if let Err(reason) = check(&roots[index], &path) {
                        let mut wrong = wrong.lock().expect("no worker panics");
                        wrong.insert(index, format!("{path}: {reason}"));
                    }
                }
            });
        }
    });
    wrong
        .into_inner()
        .expect("no worker panics")
        .into_values()
        .collect()
}

/// Generates from one document in a process of its own.
fn check(root: &Path, path: &str) -> Result<(), String> {
    let answer = run(root)?;
    let errors = answer["errors"].as_array().cloned().unwrap_or_default();
    let errors: Vec<&str> = errors.iter().filter_map(Value::as_str).collect();
    let listed = REFUSED.iter().find(|(listed, ..)| *listed == path);
    let listed = listed.map_or(&[][..], |(_, codes, _)| *codes);
    if errors != listed {
        return Err(format!("errors {errors:?}, listed are {listed:?}"));
    }
    let (document, code) = (&answer["document"], &answer["code"]);
    if listed.is_empty() && document != code {
        return Err(format!(
            "{document} operations became {code} (called, served, sent)"
        ));
    }
    let (size, work) = (&answer["size"], &answer["allocated"]);
    let most = WORK.0 * size.as_u64().unwrap_or_default() + WORK.1;
    if work.as_u64().is_none_or(|work| work > most) {
        return Err(format!("allocated {work} bytes for {size}"));
    }
    let memory = answer["memory_kb"].as_u64().unwrap_or_default();
    if memory > MEMORY {
        return Err(format!("took {memory} kB"));
    }
    Ok(())
}

fn run(root: &Path) -> Result<Value, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_corpus-one"));
    let output = command.arg(root).stdin(Stdio::null()).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {said}", output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}
