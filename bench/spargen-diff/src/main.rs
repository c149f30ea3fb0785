//! Compares the reports of bothends and spargen: what `spargen diff` reports must be in the report of
//! bothends.
//!
//! `cargo run --release --manifest-path bench/spargen-diff/Cargo.toml [CORPUS]` compares the minimal
//! pairs of the rules, and the versions of documents in a corpus, in both orders, where both programs
//! accept both documents. It prints a row for each kind of change of spargen: how many of them bothends
//! reports at the same place, how many at another place of the pair, how many as safe for Rust callers
//! although spargen calls them major, and how many not at all. The last two are listed.
//!
//! spargen compares a client, so its `major` corresponds to `breaking` for Rust callers.

#[expect(
    dead_code,
    reason = "the tests of the generator read the expected differences"
)]
#[path = "../../../generator/src/diff/tests/table.rs"]
mod table;
#[path = "../../../tests/tests/oracle/versions.rs"]
mod versions;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bothends::Builder;
use bothends::diff::{Audience, Level, Report};
use bothends::source::MemoryLoader;
use serde_json::Value;
use spargen::{Change, Impact};

/// What bothends reports for the changes of one kind.
#[derive(Default)]
struct Row {
    /// A change at the same place with at least the same level.
    same: usize,
    /// A change at another place of the pair with at least the same level.
    elsewhere: usize,
    /// A change that is safe for callers, where spargen reports a major one.
    safe: Vec<String>,
    /// No change at all.
    missing: Vec<String>,
}

fn report(old: &Value, new: &Value) -> Option<Report> {
    let read = |document: &Value| {
        let mut loader = MemoryLoader::new();
        loader.add("api.json", document.to_string());
        let builder = Builder::new("api.json");
        builder
            .read_from(&loader, Some("api.json".as_ref()), true)
            .ok()
    };
    let compared = Builder::new("api.json").comparison(read(old)?, read(new)?, None);
    compared.report
}

/// Returns a name without its style: `pet_id` and `petId` are equal.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns whether a change of bothends is at the place of a change of spargen: an operation such as
/// `GET /pets`, a type, or a member of a type.
fn is_place(ours: &bothends::diff::Change, theirs: &Change) -> bool {
    let location = theirs.location.as_str();
    if location.contains(' ') {
        let is_at = |label: &str| location.starts_with(label);
        return is_at(&ours.place.name) || ours.operations.iter().any(|operation| is_at(operation));
    }
    let name = plain(location.split('.').next().unwrap_or_default());
    let rust = [&ours.rust_old, &ours.rust_new];
    let mut segments = rust.into_iter().flatten().flat_map(|path| path.split("::"));
    plain(&ours.place.name) == name || segments.any(|segment| plain(segment) == name)
}

fn compare(
    name: &str,
    dir: &Path,
    old: &Value,
    new: &Value,
    rows: &mut BTreeMap<String, Row>,
) -> bool {
    let spec = |file: &str, document: &Value| {
        let path = dir.join(file);
        std::fs::write(&path, document.to_string()).expect("written");
        spargen::Spec::new(path.to_string_lossy().into_owned())
    };
    let theirs = spargen::diff(&spec("old.json", old), &spec("new.json", new));
    let (Ok(theirs), Some(ours)) = (theirs, report(old, new)) else {
        return false;
    };
    for change in &theirs.changes {
        let reaches = |own: &&bothends::diff::Change| {
            change.impact != Impact::Major
                || own.outcome(Audience::RustCallers).level == Level::Breaking
        };
        let mut reported = ours.changes.iter().filter(reaches).peekable();
        let row = rows.entry(format!("{:?}", change.kind)).or_default();
        if reported.peek().is_none() {
            let codes: Vec<String> = ours
                .changes
                .iter()
                .map(bothends::diff::Change::code)
                .collect();
            let list = if codes.is_empty() {
                &mut row.missing
            } else {
                &mut row.safe
            };
            list.push(format!("{name}: {change} {codes:?}"));
        } else if reported.any(|own| is_place(own, change)) {
            row.same += 1;
        } else {
            row.elsewhere += 1;
        }
    }
    true
}

fn main() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut rows = BTreeMap::new();
    let mut add = |name: &str, old: &Value, new: &Value| -> usize {
        let orders = [("", old, new), (" reversed", new, old)];
        let accepted = orders.into_iter().filter(|(order, old, new)| {
            compare(&format!("{name}{order}"), dir.path(), old, new, &mut rows)
        });
        accepted.count()
    };
    let (mut minimal, mut versions) = ([0, 0], [0, 0]);
    for (index, row) in table::rows().iter().enumerate() {
        for pair in table::pairs(row) {
            minimal[0] += add(&format!("{index} {}", pair.title), &pair.old, &pair.new);
            minimal[1] += 2;
        }
    }
    if let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) {
        for (older, newer) in versions::VERSIONS {
            let read = |file: &str| -> Value {
                let text = std::fs::read_to_string(folder.join(file)).expect("a document");
                serde_yaml::from_str(&text).expect("YAML")
            };
            versions[0] += add(newer, &read(older), &read(newer));
            versions[1] += 2;
        }
    }
    for (name, [accepted, all]) in [("minimal pairs", minimal), ("versions", versions)] {
        println!("{name}: both programs accept {accepted} of {all} comparisons");
    }
    println!("\n| change of spargen | same place | other place | safe | not reported |");
    println!("|---|---|---|---|---|");
    for (kind, row) in &rows {
        let (safe, missing) = (row.safe.len(), row.missing.len());
        println!(
            "| {kind} | {} | {} | {safe} | {missing} |",
            row.same, row.elsewhere
        );
    }
    let all = rows.values();
    for line in all.clone().flat_map(|row| &row.safe) {
        println!("safe: {line}");
    }
    for line in all.flat_map(|row| &row.missing) {
        println!("not reported: {line}");
    }
}
