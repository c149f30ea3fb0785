//! "No changes" means the same code: documents with one part changed, both versions generated.
//!
//! Every value of a document is a place of a change: an entry is removed, a list is reversed, a scalar
//! is replaced. Where the report has no change other than texts, the code must be equal. The order of
//! items, fields and rows has no meaning, and neither has rustdoc.

use std::path::{Path, PathBuf};

use bothends::Builder;
use serde_json::{Value, json};

use super::features;
use super::mutants::Random;

/// Mutants whose code differs without a reported change: the document, the beginning of the title,
/// the reason.
const DIFFERENT: &[(&str, &str, &str)] = &[
    (
        "followed-links.yaml",
        "remove /paths/~1orders/post/responses/201/links/amend/parameters",
        "a row of the links by which contract tests go on",
    ),
    (
        "links.yaml",
        "remove /paths/~1shelves~1{shelf}~1books/post/responses/200/links/incomplete/operationId",
        "a row of the links by which contract tests go on",
    ),
    (
        "links.yaml",
        "replace /paths/~1shelves~1{shelf}~1books/post/responses/200/links/incomplete/operationId",
        "a row of the links by which contract tests go on",
    ),
    (
        "empties.yaml",
        "remove /paths/~1free/get/parameters/3/schema/$ref",
        "an alias of the type of any value became that type",
    ),
    (
        "empties.yaml",
        "remove /components/schemas/Holder/properties/no/$ref",
        "an alias of the type of any value became that type",
    ),
    (
        "empties.yaml",
        "remove /components/schemas/Holder/properties/never/$ref",
        "an alias of the type of any value became that type",
    ),
    (
        "empties.yaml",
        "remove /components/schemas/Holder/properties/always/$ref",
        "an alias of the type of any value became that type",
    ),
    // The traits of a server are in the order of the declared tags.
    ("clashes.yaml", "remove /tags", "the order of tags"),
    ("clashes.yaml", "replace /tags", "the order of tags"),
    ("clashes.yaml", "reverse /tags", "the order of tags"),
    ("reusable-parts.yaml", "remove /tags", "the order of tags"),
    ("reusable-parts.yaml", "replace /tags", "the order of tags"),
    ("reusable-parts.yaml", "reverse /tags", "the order of tags"),
];

/// A changed document and what was changed.
struct Mutant {
    title: String,
    document: Value,
}

/// Returns the pointers of all values of a document but its texts.
fn places(value: &Value, pointer: &str, found: &mut Vec<String>) {
    const TEXTS: [&str; 8] = [
        "description",
        "summary",
        "title",
        "example",
        "examples",
        "info",
        "openapi",
        "swagger",
    ];
    let mut inner = |key: &str, value: &Value| {
        let key = key.replace('~', "~0").replace('/', "~1");
        places(value, &format!("{pointer}/{key}"), found);
    };
    match value {
        Value::Object(entries) => {
            let entries = entries.iter();
            let entries = entries.filter(|(key, value)| {
                !TEXTS.contains(&key.as_str())
                    || value.is_object() && pointer.ends_with("/properties")
            });
            entries.for_each(|(key, value)| inner(key, value));
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(index, value)| inner(&index.to_string(), value));
        }
        _ => {}
    }
    if !pointer.is_empty() {
        found.push(pointer.to_owned());
    }
}

/// Returns the mutants at a place.
fn mutants(document: &Value, pointer: &str) -> Vec<Mutant> {
    let mut found = Vec::new();
    let mut add = |word: &str, change: &dyn Fn(&mut Value) -> Option<()>| {
        let mut mutant = document.clone();
        if change(&mut mutant).is_some() && mutant != *document {
            let title = format!("{word} {pointer}");
            found.push(Mutant {
                title,
                document: mutant,
            });
        }
    };
    add("remove", &|document| {
        let (holder, key) = pointer.rsplit_once('/')?;
        let key = key.replace("~1", "/").replace("~0", "~");
        match document.pointer_mut(holder)? {
            Value::Object(entries) => _ = entries.shift_remove(&key)?,
            Value::Array(items) => _ = items.remove(key.parse::<usize>().ok()?),
            _ => return None,
        }
        Some(())
    });
    add("reverse", &|document| {
        match document.pointer_mut(pointer)? {
            Value::Array(items) => items.reverse(),
            Value::Object(entries) => {
                let reversed: Vec<_> = std::mem::take(entries).into_iter().rev().collect();
                entries.extend(reversed);
            }
            _ => return None,
        }
        Some(())
    });
    add("replace", &|document| {
        let value = document.pointer_mut(pointer)?;
        *value = match value {
            Value::Bool(flag) => json!(!*flag),
            Value::Number(number) => json!(number.as_i64()? + 1),
            Value::String(text) => json!(format!("{text}x")),
            _ => return None,
        };
        Some(())
    });
    found
}

/// Returns the sorted lines of generated code without comments, or `None` if the document has errors.
fn code(folder: &Path, document: &Value) -> Option<Vec<String>> {
    let path = folder.join("api.json");
    std::fs::write(&path, document.to_string()).expect("written");
    let config = bothends::Config {
        module: Some(true),
        ..bothends::Config::default()
    };
    let plan = Builder::new(&path).config(config).plan().expect("settings");
    let text = plan.files.first()?.text.clone();
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.starts_with("//"));
    // A list in one line, in any order. Values that are taken by name have no order either.
    let words = lines
        .flat_map(|line| {
            let by_name = line.contains("Init(");
            let separators = [',', '|', '+', '[', ']', '{', '}'];
            line.split(move |char| {
                separators.contains(&char) || by_name && matches!(char, '(' | ')')
            })
        })
        .map(|word| word.trim().to_owned());
    let mut lines: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    lines.sort();
    Some(lines)
}

/// Reads a document for a comparison.
fn read(document: &Value) -> bothends::diff::Document {
    let mut loader = bothends::source::MemoryLoader::new();
    loader.add("api.json", document.to_string());
    let read = Builder::new("api.json").read_from(&loader, Some("api.json".as_ref()), true);
    read.expect("settings")
}

/// Returns whether a report is without changes other than texts. A document with errors has none.
fn is_unchanged(old: &bothends::diff::Document, new: &Value) -> bool {
    let compared = Builder::new("api.json").comparison(old.clone(), read(new), None);
    let report = compared.report;
    report.is_some_and(|report| report.changes.iter().all(|change| change.is_text()))
}

/// Compares each document with the mutants of `count` of its values, or of all. With
/// `BOTHENDS_DOCUMENTS`, only documents whose path contains its value are compared.
fn suite(files: &[PathBuf], count: Option<usize>) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut random = Random(7);
    let wanted = std::env::var("BOTHENDS_DOCUMENTS").unwrap_or_default();
    let files = files.iter();
    let files = files.filter(|path| path.to_string_lossy().contains(&wanted));
    let (mut compared, mut wrong) = (0, Vec::new());
    for path in files {
        let text = std::fs::read_to_string(path).expect("a file");
        let Ok(document) = serde_yaml::from_str::<Value>(&text) else {
            continue;
        };
        let Some(own) = code(folder.path(), &document) else {
            continue;
        };
        let (old, mut all) = (read(&document), Vec::new());
        places(&document, "", &mut all);
        let chosen: Vec<String> = match count {
            None => all,
            Some(count) => (0..count)
                .filter_map(|_| random.pick(&all).cloned())
                .collect(),
        };
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        for mutant in chosen.iter().flat_map(|place| mutants(&document, place)) {
            if !is_unchanged(&old, &mutant.document) {
                continue;
            }
            let Some(other) = code(folder.path(), &mutant.document) else {
                continue;
            };
            compared += 1;
            if own != other && !is_known(&name, &mutant.title) {
                let difference = difference(&own, &other);
                wrong.push(format!("{name} {}: {difference}", mutant.title));
            }
        }
    }
    (compared, wrong)
}

fn is_known(document: &str, title: &str) -> bool {
    let mut known = DIFFERENT.iter();
    known.any(|(file, start, _)| document.ends_with(file) && title.starts_with(start))
}

/// Returns the first lines that only one side has.
fn difference(old: &[String], new: &[String]) -> String {
    let lone = |these: &[String], those: &[String]| -> Vec<String> {
        let lone = these.iter().filter(|line| !those.contains(line));
        lone.take(2).cloned().collect()
    };
    format!("{:?} became {:?}", lone(old, new), lone(new, old))
}

#[test]
fn no_changes_mean_the_same_code() {
    let (compared, wrong) = suite(&features(), Some(3));
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(compared > 30, "{compared}");
}

#[test]
#[ignore = "slow suite `corpus`: run with --include-ignored"]
fn no_changes_mean_the_same_code_in_many_mutants() {
    let all = std::env::var_os("BOTHENDS_ALL_PAIRS").is_some();
    let (compared, wrong) = suite(&features(), (!all).then_some(30));
    assert!(
        wrong.is_empty(),
        "{} wrong of {compared}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    let least = std::env::var_os("BOTHENDS_DOCUMENTS").map_or(300, |_| 1);
    assert!(compared >= least, "{compared}");
}
