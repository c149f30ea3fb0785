//! cargo-semver-checks as a judge: what it calls a major change must be reported as breaking.
//!
//! Its silence proves nothing, because it compares no types.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use bothends::diff::{Audience, Level};

use crate::compiler::Documents;
use crate::pairs::{Generated, Pair, codes, compare};
use crate::types::{AT_ONCE, sides};

/// What the program and the report say about pairs.
#[derive(Default)]
pub(crate) struct Verdict {
    /// The major changes that the report calls safe.
    wrong: Vec<String>,
    /// The number of all major changes.
    count: usize,
}

impl Verdict {
    /// Asserts that all major changes are reported as breaking, and that there are enough of them.
    pub(crate) fn check(&self, least: usize) {
        let count = (self.wrong.len(), self.count);
        assert!(
            self.wrong.is_empty(),
            "{count:?}\n{}",
            self.wrong.join("\n")
        );
        assert!(self.count >= least, "{}", self.count);
    }
}

/// Returns the program: the one of the environment, or the one that `.ci/release` installs.
pub(crate) fn program(test: &str) -> Option<PathBuf> {
    let installed =
        || bothends_tests::root().join("target/ci-release-tools/bin/cargo-semver-checks");
    let program = std::env::var_os("BOTHENDS_SEMVER_CHECKS").map_or_else(installed, PathBuf::from);
    if program.is_file() {
        return Some(program);
    }
    let missing = format!("no {}", program.display());
    let remedy = "run .ci/release judges, or set BOTHENDS_SEMVER_CHECKS to cargo-semver-checks";
    bothends_test_environment::skipped(test, &missing, remedy);
    None
}

/// A failed lint for a pair.
type Failures = BTreeMap<usize, Vec<(String, String)>>;

/// Returns the failed lints of each pair by its number, with the lines that name the items.
fn failures(program: &Path, old: &Path, new: &Path) -> Failures {
    let output = Command::new(program)
        .args([
            "semver-checks",
            "--release-type",
            "minor",
            "--color",
            "never",
        ])
        .arg("--baseline-rustdoc")
        .arg(old)
        .arg("--current-rustdoc")
        .arg(new)
        .output()
        .expect("cargo-semver-checks runs");
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(
        log.contains("Summary") || log.contains("no semver update required"),
        "{log}"
    );
    let mut found = Failures::new();
    let mut lint = String::new();
    for line in stdout.lines() {
        let title = line.strip_prefix("--- failure ");
        if let Some(title) = title.or_else(|| line.strip_prefix("--- warning ")) {
            lint = title.split(':').next().unwrap_or_default().to_owned();
        } else if line.starts_with("  ")
            && let Some(pair) = number(line)
        {
            let line = line.trim().to_owned();
            found.entry(pair).or_default().push((lint.clone(), line));
        }
    }
    found
}

/// Returns the number of the first `pair…` in a line.
fn number(line: &str) -> Option<usize> {
    let rest = line
        .split("pair")
        .skip(1)
        .find(|rest| rest.starts_with(|char: char| char.is_ascii_digit()))?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Judges pairs, each of which is followed by its reverse.
pub(crate) fn judge(program: &Path, pairs: &[Pair]) -> Verdict {
    let dir = tempfile::tempdir().expect("a folder");
    let generated = Generated::new(dir.path(), pairs);
    let documents = Documents::prepare(dir.path());
    let mut verdict = Verdict::default();
    for (index, part) in sides(&generated, pairs).chunks(AT_ONCE).enumerate() {
        let [old, new] = [0, 1].map(|side| {
            let modules = part.iter().enumerate();
            let modules = modules.map(|(at, sides)| (format!("pair{at}"), sides.code[side]));
            // The program decides itself what is public.
            let options = ["--document-private-items", "--document-hidden-items"];
            let folder = format!("part{index}-{side}");
            let file = documents.json(&folder, &modules.collect(), &options);
            file.expect("JSON")
        });
        for (at, found) in failures(program, &old, &new) {
            verdict.add(part[at].pair, found);
        }
        for (at, found) in failures(program, &new, &old) {
            verdict.add(part[at].reverse, found);
        }
    }
    verdict
}

impl Verdict {
    fn add(&mut self, pair: &Pair, found: Vec<(String, String)>) {
        self.count += found.len();
        let report = compare(pair).expect("documents without errors");
        let rust = [Audience::RustCallers, Audience::RustImplementers];
        let breaking = rust.map(|audience| codes(&report, audience, Level::Breaking));
        if breaking.iter().any(|all| !all.is_empty()) {
            return;
        }
        let rules = codes(&report, Audience::RustCallers, Level::Safe);
        for (lint, line) in found {
            let title = &pair.name;
            self.wrong
                .push(format!("{title} {rules:?}: {lint}: {line}"));
        }
    }
}
