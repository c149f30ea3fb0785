//! Comparisons of documents with mutants of themselves, whose changes are known, and of every
//! document with itself and with the next one.
//!
//! The documents are those of `spec/features`. `cargo test -p bothends --test it diff:: -- --ignored`
//! compares those of the corpus.

mod cases;
mod corpus_mutants;
mod effects;
mod mutants;
mod reach;
mod same_code;
mod verdicts;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bothends::Builder;
use bothends::source::{FileLoader, MemoryLoader};
use serde_json::{Value, json};

/// A change of a document, and the rules that may report it.
struct Mutation {
    name: &'static str,
    /// Changes a schema that is an object. Returns whether it applies.
    apply: fn(&mut Value) -> bool,
    /// The raw differences that may be reported; empty for a change without a meaning.
    expected: &'static [&'static str],
}

fn properties(schema: &mut Value) -> Option<&mut serde_json::Map<String, Value>> {
    schema.get_mut("properties")?.as_object_mut()
}

/// Returns the first property that is a plain string.
fn plain(schema: &mut Value) -> Option<&mut Value> {
    let mut all = properties(schema)?.values_mut();
    all.find(|property| **property == json!({ "type": "string" }))
}

const MUTATIONS: &[Mutation] = &[
    Mutation {
        name: "add",
        apply: |schema| {
            let all = properties(schema);
            all.is_some_and(|all| {
                all.insert("mutant".to_owned(), json!({ "type": "string" }))
                    .is_none()
            })
        },
        expected: &["optional property added"],
    },
    Mutation {
        name: "narrow",
        apply: |schema| {
            plain(schema).is_some_and(|property| {
                property["maxLength"] = json!(5);
                true
            })
        },
        expected: &["constraint narrowed"],
    },
    Mutation {
        name: "change the type",
        apply: |schema| {
            plain(schema).is_some_and(|property| {
                *property = json!({ "type": "array", "items": { "type": "boolean" } });
                true
            })
        },
        expected: &["type changed"],
    },
    Mutation {
        name: "wrap",
        apply: |schema| {
            plain(schema).is_some_and(|property| {
                *property = json!({ "allOf": [{ "type": "string" }] });
                true
            })
        },
        expected: &[],
    },
    Mutation {
        name: "reorder",
        apply: |schema| {
            let Some(all) = properties(schema) else {
                return false;
            };
            let reversed: Vec<(String, Value)> = std::mem::take(all).into_iter().rev().collect();
            all.extend(reversed);
            true
        },
        expected: &[],
    },
];

/// Documents in which a mutation has other changes, all of them real: file, mutation, changes.
const EXCEPTIONS: &[(&str, &str, &[&str])] = &[
    // Names that clash in Rust are numbered in the order of the document.
    ("clashes.yaml", "reorder", &["field renamed in Rust"]),
    // The shape of an error decides how its fields report rejections, and a wrapped property is
    // not recognized as a message.
    ("error-shape.yaml", "wrap", &["body of rejections changed"]),
    ("rejections.yaml", "wrap", &["body of rejections changed"]),
    ("responses.yaml", "wrap", &["body of rejections changed"]),
    (
        "resumed-streams.yaml",
        "wrap",
        &["body of rejections changed"],
    ),
    ("streams.yaml", "wrap", &["body of rejections changed"]),
    // The schema of a body of XML is compared as text.
    ("statuses.yaml", "wrap", &["keyword changed, not compared"]),
    // The schema is a choice of types, which is any value.
    ("unions.yaml", "add", &[]),
    ("unions.yaml", "narrow", &[]),
    ("unions.yaml", "change the type", &[]),
];

/// The documents in `spec/features`.
fn features() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/features");
    let mut files: Vec<PathBuf> = folder
        .read_dir()
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "yaml"))
        .collect();
    files.sort();
    assert!(files.len() > 50, "{}", files.len());
    files
}

/// The files of the corpus; those that are no documents are left out when they are read.
fn corpus(folder: PathBuf) -> Vec<PathBuf> {
    let (mut open, mut files) = (vec![folder], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in folder.read_dir().expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| {
                extension == "json" || extension == "yaml" || extension == "yml"
            }) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> bothends::diff::Document {
    let builder = Builder::new(path).allow_outside(true);
    builder
        .read_from(&FileLoader, None, true)
        .expect("settings")
}

/// Compares every document with itself and with the next one.
fn neighbours(files: &[PathBuf]) -> usize {
    let builder = Builder::new("api.yaml");
    let mut previous: Option<bothends::diff::Document> = None;
    let mut count = 0;
    for path in files {
        let document = read(path);
        if document.api.is_none() {
            continue;
        }
        count += 1;
        let same = builder.comparison(document.clone(), document.clone(), None);
        let changes = same.report.expect("compared").changes;
        assert_eq!(changes, Vec::new(), "{}", path.display());
        if let Some(previous) = previous {
            let next = builder.comparison(previous, document.clone(), None);
            // Every change has an effect with a reason for each audience.
            for change in next.report.expect("compared").changes {
                assert!(
                    change
                        .outcomes
                        .iter()
                        .all(|outcome| !outcome.reason.is_empty()),
                    "{change:?}"
                );
            }
        }
        previous = Some(document);
    }
    count
}

#[test]
fn a_document_has_no_changes_to_itself() {
    assert!(neighbours(&features()) > 50);
}

#[test]
#[ignore = "slow suite `corpus`: run with --include-ignored"]
fn a_document_of_the_corpus_has_no_changes_to_itself() {
    let test = "a_document_of_the_corpus_has_no_changes_to_itself";
    let Some(folder) = bothends_test_environment::corpus(test) else {
        return;
    };
    assert!(neighbours(&corpus(folder)) > 200);
}

/// Returns the differences between two texts of a document, in words.
fn differences(old: &Value, new: &Value) -> Option<Vec<String>> {
    let read = |document: &Value| {
        let mut loader = MemoryLoader::new();
        loader.add("api.json", document.to_string());
        let builder = Builder::new("api.json");
        let read = builder.read_from(&loader, Some("api.json".as_ref()), true);
        read.expect("settings")
    };
    let compared = Builder::new("api.json").comparison(read(old), read(new), None);
    let changes = compared.report?.changes.into_iter();
    Some(
        changes
            .map(|change| change.rules[0].title.to_owned())
            .collect(),
    )
}

#[test]
fn mutants_have_their_known_changes() {
    let mut counts = vec![0; MUTATIONS.len()];
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for path in features() {
        let text = std::fs::read_to_string(&path).expect("a file");
        let Ok(document) = serde_yaml::from_str::<Value>(&text) else {
            continue;
        };
        let schemas = document["components"]["schemas"].as_object();
        let names: Vec<String> = schemas
            .into_iter()
            .flatten()
            .map(|(name, _)| name.clone())
            .collect();
        for name in names.into_iter().take(4) {
            for (index, mutation) in MUTATIONS.iter().enumerate() {
                let mut mutant = document.clone();
                if !(mutation.apply)(&mut mutant["components"]["schemas"][&name]) {
                    continue;
                }
                // A mutant may be invalid, such as a property that another schema contradicts.
                let Some(found) = differences(&document, &mutant) else {
                    continue;
                };
                counts[index] += 1;
                let path = path.file_name().unwrap_or_default().to_string_lossy();
                let exception = |(file, name, changes): &&(&str, &str, &[&str])| {
                    let all = found
                        .iter()
                        .all(|change| changes.contains(&change.as_str()));
                    path == *file && mutation.name == *name && all
                };
                let is_known = |change: &String| {
                    mutation
                        .expected
                        .iter()
                        .any(|title| change.starts_with(title))
                };
                let expected = match mutation.expected {
                    [] => found.is_empty(),
                    _ => found.iter().any(is_known),
                };
                match EXCEPTIONS.iter().find(exception) {
                    _ if expected => {}
                    Some(exception) => _ = used.insert(*exception),
                    None => wrong.push(format!("{path} {name} {}: {found:?}", mutation.name)),
                }
            }
        }
    }
    let stale = EXCEPTIONS
        .iter()
        .filter(|exception| !used.contains(*exception));
    assert_eq!(
        stale.collect::<Vec<_>>(),
        Vec::<&(&str, &str, &[&str])>::new()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counts.iter().all(|count| *count >= 5), "{counts:?}");
}
