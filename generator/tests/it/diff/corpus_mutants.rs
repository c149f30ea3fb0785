//! Mutants of every document of the corpus, whose differences are known.

use std::collections::BTreeSet;
use std::path::Path;

use bothends::Builder;
use bothends::diff::{Change, Document, Report};
use bothends::source::MemoryLoader;
use serde_json::Value;

use super::effects::{found, levels, reverse};
use super::mutants::{Mutant, Random, mutants};

/// Differences that a mutant may have beside the known ones: the beginning of the mutant's title, the
/// titles of the differences, the reason. Only the checks of a release have all of them.
const BESIDE: &[(&str, &[&str], &str)] = &[
    (
        "",
        &["body of rejections changed"],
        "the shapes of all errors decide how a rejection is reported",
    ),
    (
        "",
        &[
            "alias of an inline type names another type",
            "inline type became an alias of an equal one",
        ],
        "inline types that are equal share their type",
    ),
    (
        "add an error",
        &[
            "type of the documented errors changed",
            "operations that share the type of the documented errors changed",
            "operations without documented errors changed",
        ],
        "operations with equal errors share their type",
    ),
    (
        "rename a property",
        &["constructor sets other fields"],
        "an argument of the same type has the place of the old one, or that of another one",
    ),
    (
        "add a required property",
        &["derived trait lost", "derived trait gained"],
        "a type with a required property has no `Default`",
    ),
    (
        "remove a property",
        &["derived trait lost", "derived trait gained"],
        "a type without required properties has a `Default`",
    ),
    (
        "require a property",
        &["derived trait lost", "derived trait gained"],
        "a type with a required property has no `Default`",
    ),
    (
        "remove an operation",
        &[
            "module removed",
            "module added",
            "security scheme removed",
            "security scheme added",
            "server removed",
            "server added",
            "webhook removed",
            "webhook added",
            "feature of the runtime is no longer necessary",
            "feature of the runtime became necessary",
            "link of a response removed",
            "link of a response added",
        ],
        "nothing else uses its tag, its security scheme, its server, its callbacks or its types, and links led to it",
    ),
    (
        "nest a property",
        &["text changed", "arguments of a constructor changed"],
        "the description is nested with the property; only values of one type are taken by name",
    ),
    (
        "widen a property",
        &["text changed", "arguments of a constructor changed"],
        "the wider schema has no description; only values of one type are taken by name",
    ),
    (
        "remove an operation",
        &[
            "Rust type changed",
            "derived trait lost",
            "derived trait gained",
            "public name removed",
            "public name added",
        ],
        "one direction fewer, or none: properties that one side writes, and dates, have other types, and reusable parts none",
    ),
];

/// Mutants with other differences: the end of the path, the beginning of the mutant's title, the reason.
/// Only the checks of a release have all of them.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "ogen/_testdata.examples.api.github.com.json",
        "remove a property at /components/schemas/content-tree",
        "the type of the second kind of JSON in a response, which generated code does not have",
    ),
    (
        "ogen/_testdata.examples.manga.json",
        "remove an operation: GET /galleries/{media_id}/{page}.{format}",
        "its server is the second one whose name is numbered",
    ),
    (
        "ogen/_testdata.positive.issue1710.yml",
        "",
        "the properties of the items decide whether they are whole events, with another end of the stream",
    ),
    (
        "ogen/_testdata.positive.array_defaults.yml",
        "remove a value at /components/schemas/Priority",
        "the value is a default, which becomes invalid",
    ),
    (
        "ogen/_testdata.positive.issue1710.yml",
        "",
        "its schema has the properties of an event, of which only `data` is sent as JSON",
    ),
];

/// Reads a document from JSON. Returns `None` if it has errors, such as a reference to another file.
fn read(document: &Value) -> Option<Document> {
    let mut loader = MemoryLoader::new();
    loader.add("api.json", document.to_string());
    let builder = Builder::new("api.json");
    let read = builder.read_from(&loader, Some("api.json".as_ref()), true);
    let read = read.expect("settings");
    read.api.is_some().then_some(read)
}

fn compare(old: &Document, new: &Document) -> Report {
    let compared = Builder::new("api.json").comparison(old.clone(), new.clone(), None);
    compared.report.expect("documents without errors")
}

/// Returns what a report of a mutant has too much, too little or with other effects.
fn check(
    mutant: &Mutant,
    report: &Report,
    reversed: bool,
    used: &mut BTreeSet<usize>,
) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut allowed: BTreeSet<&str> = BTreeSet::new();
    for known in &mutant.known {
        let raws = match reversed {
            true => known.raws.map(reverse),
            false => known.raws,
        };
        let is_known = |change: &&Change| change.rules.iter().all(|rule| raws.contains(&rule.raw));
        let is_place = |change: &&Change| {
            let place = &change.place;
            let at = place.subject == known.subject && place.name == known.name;
            at && place.member.ends_with(&known.member)
        };
        let all = report.changes.iter().filter(is_known);
        let titles = all.clone().flat_map(|change| &change.rules);
        allowed.extend(titles.map(|rule| rule.title));
        let changes: Vec<&Change> = all.filter(is_place).collect();
        let expected = levels(raws, known.directions);
        match changes.as_slice() {
            [change] if found(change) == expected => {}
            [change] => wrong.push(format!("{known:?}: {} and not {expected}", found(change))),
            _ => wrong.push(format!("{known:?}: {} changes", changes.len())),
        }
    }
    for change in &report.changes {
        let title = change.rules[0].title;
        let beside = BESIDE.iter().position(|(start, titles, _)| {
            mutant.title.starts_with(start) && titles.contains(&title)
        });
        used.extend(beside);
        if !allowed.contains(title) && beside.is_none() {
            wrong.push(format!("{:?} {title}", change.place));
        }
    }
    wrong
}

/// Compares a document with its mutants in both orders. Returns their number, and what is wrong.
fn judge(
    document: &Value,
    seed: u64,
    count: usize,
    used: &mut BTreeSet<usize>,
) -> (usize, Vec<String>) {
    let Some(old) = read(document) else {
        return (0, Vec::new());
    };
    let (mut compared, mut all) = (0, Vec::new());
    for mutant in mutants(document, &mut Random(seed), count) {
        // A mutant may be invalid, such as a property that another schema contradicts.
        let Some(new) = read(&mutant.document) else {
            continue;
        };
        compared += 1;
        let forward = check(&mutant, &compare(&old, &new), false, used);
        let backward = check(&mutant, &compare(&new, &old), true, used);
        let lines = forward
            .into_iter()
            .chain(backward.into_iter().map(|line| format!("reversed: {line}")));
        all.extend(lines.map(|line| format!("{}: {line}", mutant.title)));
    }
    (compared, all)
}

#[test]
#[ignore = "slow suite `corpus`: run with --include-ignored"]
fn mutants_of_the_corpus_have_their_known_changes() {
    let test = "mutants_of_the_corpus_have_their_known_changes";
    let Some(folder) = bothends_test_environment::corpus(test) else {
        return;
    };
    let all = std::env::var_os("BOTHENDS_ALL_PAIRS").is_some();
    let (mut wrong, mut documents, mut count) = (Vec::new(), 0, 0);
    let (mut used, mut excepted) = (BTreeSet::new(), BTreeSet::new());
    for (seed, path) in (0..).zip(super::corpus(folder.clone())) {
        let Some(document) = parse(&path) else {
            continue;
        };
        // Large documents have the same keywords as small ones, and take seconds to read.
        let size = document.to_string().len();
        let few = match size {
            0..100_000 => 4,
            100_000..1_000_000 => 2,
            _ => 1,
        };
        let (compared, found) = judge(&document, seed, if all { 20 } else { few }, &mut used);
        documents += usize::from(compared > 0);
        count += compared;
        let path = path.strip_prefix(&folder).unwrap_or(&path);
        for line in found {
            let exception = EXCEPTIONS
                .iter()
                .position(|(file, title, _)| path.ends_with(file) && line.starts_with(title));
            excepted.extend(exception);
            if exception.is_none() {
                wrong.push(format!("{}: {line}", path.display()));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong of {count}\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    if all {
        let stale: Vec<_> = (0..BESIDE.len()).filter(|at| !used.contains(at)).collect();
        let excepted = EXCEPTIONS.len() - excepted.len();
        assert!(
            stale.is_empty() && excepted == 0,
            "stale: {stale:?}, {excepted} exceptions"
        );
    }
    assert!(documents > 150 && count > 400, "{documents} {count}");
}

/// Parses a document that is one file.
fn parse(path: &Path) -> Option<Value> {
    let text = std::fs::read_to_string(path).ok()?;
    let document: Value = serde_yaml::from_str(&text).ok()?;
    let keys = ["openapi", "swagger"];
    let is_document = keys.iter().any(|key| document.get(*key).is_some());
    is_document.then_some(document)
}
