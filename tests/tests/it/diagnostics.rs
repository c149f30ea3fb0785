//! Diagnostics of documents with one mistake each, and the guide page that lists every code with such
//! a mistake as its example.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use bothends::Builder;
use bothends::diagnostic::{Code, Severity, codes};
use bothends_tests::root;
use serde_json::Value;

/// A document with one thing changed.
struct Slip {
    name: String,
    document: String,
    from: String,
    to: String,
    reported: Vec<String>,
}

fn slips() -> Vec<Slip> {
    let text = std::fs::read_to_string(root().join("tests/slips/slips.json")).expect("the table");
    let rows: Vec<Value> = serde_json::from_str(&text).expect("a list");
    let word = |row: &Value, key: &str| row[key].as_str().expect("a string").to_owned();
    rows.iter()
        .map(|row| Slip {
            name: word(row, "name"),
            document: word(row, "in"),
            from: word(row, "from"),
            to: word(row, "to"),
            reported: row["reported"]
                .as_array()
                .expect("a list")
                .iter()
                .filter_map(|code| code.as_str().map(str::to_owned))
                .collect(),
        })
        .collect()
}

/// What is told of a slip: the codes, once each, and the report.
fn reported(slip: &Slip, folder: &Path) -> (Vec<String>, String) {
    let sound = root().join("tests/slips").join(&slip.document);
    let sound = std::fs::read_to_string(sound).expect("the document");
    assert_eq!(sound.matches(&slip.from).count(), 1, "{}", slip.name);
    let path = folder.join("api.yaml");
    std::fs::write(&path, sound.replace(&slip.from, &slip.to)).expect("written");
    let plan = Builder::new(&path).plan().expect("a plan");
    let mut codes: Vec<String> = Vec::new();
    for found in plan.diagnostics.iter() {
        if !codes.iter().any(|known| known == found.code.id) {
            codes.push(found.code.id.to_owned());
        }
    }
    let folder = format!("{}/", folder.display());
    (codes, plan.report().replace(&folder, ""))
}

#[test]
fn every_slip_is_told_as_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    for slip in slips() {
        let (codes, _) = reported(&slip, folder.path());
        if codes != slip.reported {
            wrong.push(format!(
                "{}: {codes:?}, listed {:?}",
                slip.name, slip.reported
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Where the page is: a chapter of the guide.
const PAGE: &str = "docs/guide/src/reference/diagnostics.md";

/// The page is made from the table of codes: what `bothends explain` says, and a slip.
#[test]
fn the_guide_lists_every_code() {
    let path = root().join(PAGE);
    let page = page();
    if std::env::var_os("UPDATE_GUIDE").is_some() {
        std::fs::write(&path, &page).expect("written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == page,
        "{PAGE} is not up to date; run\n  UPDATE_GUIDE=1 cargo test -p bothends-tests --test it diagnostics"
    );
}

fn page() -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let slips = slips();
    let mut text = HEAD.to_owned();
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    for code in codes::ALL {
        write!(
            text,
            "\n## {}: {}\n\n{}\n",
            code.id,
            code.title,
            fill(code.explanation)
        )
        .expect("a string");
        writeln!(text, "\n{}", outcome(code)).expect("a string");
        let example = slips
            .iter()
            .find(|slip| slip.reported.first().is_some_and(|first| first == code.id));
        if let Some(slip) = example {
            let (_, report) = reported(slip, folder.path());
            let first = report.split("\n\n").next().unwrap_or_default();
            writeln!(text, "\n```text\n{first}\n```").expect("a string");
            shown.insert(code.id);
        }
    }
    let ids = codes::ALL.iter().map(|code| code.id);
    let without: Vec<&str> = ids.filter(|id| !shown.contains(id)).collect();
    assert_eq!(without, WITHOUT_EXAMPLE, "codes without a slip");
    text
}

fn outcome(code: &Code) -> String {
    let id = code.id;
    match (code.severity(), code.allowable) {
        (Severity::Error, false) => "Nothing is generated; this cannot be allowed.".to_owned(),
        (Severity::Error, true) => {
            format!("Nothing is generated. `--allow {id}` makes it a warning.")
        }
        (Severity::Warning, true) => {
            format!("Code is generated. `--allow {id}` silences the warning.")
        }
        (Severity::Warning, false) => "Code is generated.".to_owned(),
        (Severity::Note, true) => {
            format!("A note: code is generated. `--allow {id}` silences it.")
        }
        (Severity::Note, false) => "A note: code is generated.".to_owned(),
    }
}

/// Breaks a text into lines of at most 100 characters.
fn fill(text: &str) -> String {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("there is one");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + word.chars().count() < 100 {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

/// Codes that no small change of a document can show: limits, files, settings, overlays, and extensions
/// that the guide shows elsewhere.
const WITHOUT_EXAMPLE: &[&str] = &[
    "E0001", "E0002", "E0004", "E0005", "E0006", "E0008", "E0009", "E0020", "E0021", "E0022",
    "E0023", "E0024", "E0025", "E0110", "E0111", "E0112", "E0204", "E0205", "E0307", "E0309",
    "E0401", "E0402", "E0411", "E0412", "E0413", "E0415", "E0416", "E0417", "W0385", "W0402",
    "N0020", "N0323", "N0411",
];

const HEAD: &str = "\
# Diagnostics

Every diagnostic has a code. This page is generated from the same table as `bothends explain CODE`.

- `E` codes are errors: no code is generated, because the meaning of the document is unknown, or because
  Rust cannot express it.
- `W` codes are warnings: code is generated in the one sensible way, and the document should be changed.
  The `help` line says what to write.
- `N` codes are notes: facts about the generated code that need no change.

These rules separate them:

- A value with only one possible meaning is read with that meaning, and reported (`W0106`).
- A value that no generated code depends on is left out, and reported (`W0107`).
- Where two readings are possible, or an operation, a parameter or a body would be lost, the diagnostic
  is an error. `--allow CODE`, or `allow = [\"CODE\"]` in `bothends.toml`, continues as the
  explanation says. An unused allowance is an error too (`E0008`), so that none outlives its reason.
- Keys that the specification does not have are ignored, since documents have keys of their own; a key
  of similar spelling to one of the specification is reported (`W0111`).
- Security is never lost: an operation with an invalid security scheme still requires the scheme
  (`W0310`).

A warning or note with the same message is reported once, with its first places and their number. Of one
code at most 200 errors or 50 warnings are listed, and the others are counted.

`bothends lint SPEC` reports without generating, and `--message-format json` writes one JSON object for
each diagnostic.
";
