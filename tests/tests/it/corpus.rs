//! Every document of the corpus generates, completely, with bounded work and memory; or it is refused for the
//! reason that is listed for it here. Work is what is allocated, which is the same on each run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bothends_tests::parallel::each;
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
    let wrong = each(roots, |root| {
        let path = root.strip_prefix(corpus).unwrap_or(root);
        let path = path.to_string_lossy().replace('\\', "/");
        let listed = REFUSED.iter().find(|(listed, ..)| *listed == path);
        let listed = listed.map_or(&[][..], |(_, codes, _)| *codes);
        let reason = match generate(root, WORK) {
            Ok(errors) if errors == listed => return None,
            Ok(errors) => format!("errors {errors:?}, listed are {listed:?}"),
            Err(reason) => reason,
        };
        Some(format!("{path}: {reason}"))
    });
    wrong.into_iter().flatten().collect()
}

/// Generates from one document in a process of its own. Gives the codes of its errors; or what is wrong where it
/// panics, loses an operation, or takes too much.
pub(crate) fn generate(root: &Path, work: (u64, u64)) -> Result<Vec<String>, String> {
    let answer = run(root)?;
    let errors = answer["errors"].as_array().cloned().unwrap_or_default();
    let errors = errors.iter().filter_map(Value::as_str);
    let errors: Vec<String> = errors.map(str::to_owned).collect();
    let (document, code) = (&answer["document"], &answer["code"]);
    if errors.is_empty() && document != code {
        return Err(format!(
            "{document} operations became {code} (called, served, sent)"
        ));
    }
    let (size, allocated) = (&answer["size"], &answer["allocated"]);
    let most = work.0 * size.as_u64().unwrap_or_default() + work.1;
    if allocated.as_u64().is_none_or(|allocated| allocated > most) {
        return Err(format!("allocated {allocated} bytes for {size}"));
    }
    let memory = answer["memory_kb"].as_u64().unwrap_or_default();
    if memory > MEMORY {
        return Err(format!("took {memory} kB"));
    }
    Ok(errors)
}

fn run(root: &Path) -> Result<Value, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_corpus-one"));
    let output = command.arg(root).stdin(Stdio::null()).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {stderr}", output.status));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
}
