//! The compiler and a validator of JSON Schema decide whether the rules of `bothends diff` are right.

mod compiler;
mod draw;
mod expanded;
mod kinds;
mod messages;
mod mutants;
mod oasdiff;
mod outside;
mod pairs;
mod probe;
mod rustdoc;
mod semver;
mod subjects;
#[expect(
    dead_code,
    reason = "the tests of the generator read the expected differences"
)]
#[path = "../../../generator/src/diff/tests/table.rs"]
mod table;
mod tags;
mod types;
mod values;
mod versions;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use bothends::diff::{Audience, Level};

use compiler::Documents;
use expanded::Expanded;
use pairs::{Generated, Pair, both, codes, compare, minimal, mutated, read};
use versions::VERSIONS;

/// Rules that report a break for Rust although the probe may compile, and the reason.
const UNCONFIRMED: &[(&str, &str)] = &[
    (
        "D0125",
        "the constant of a task has the same name, and a probe does not compare its type",
    ),
    (
        "D0426",
        "a union with a default variant is already matched with a wildcard arm",
    ),
    (
        "D0526",
        "a union with a default variant is already matched with a wildcard arm",
    ),
    (
        "D0607",
        "only some kinds of schemes have a type of their own in `Credentials`",
    ),
    ("D0130", "the items of both lists may have the same type"),
    (
        "D0608",
        "the first scheme adds `Credentials`, which no code names yet",
    ),
    (
        "D0612",
        "the constant stays, with the URL of another server",
    ),
    (
        "D0624",
        "only named rejections are items, and the bodies of others are values",
    ),
    (
        "D0704",
        "the old name exists and belongs to another operation",
    ),
    (
        "D0705",
        "the old name exists and belongs to another parameter",
    ),
    (
        "D0615",
        "the constant of the server has the same name and type, with other variables",
    ),
    (
        "D0728",
        "the calls compile, and pass values to other fields",
    ),
    (
        "D0733",
        "the calls compile, and pass values to other fields",
    ),
    (
        "D0714",
        "`Default` is lost with the first required value, and implementers do not construct it",
    ),
    (
        "D0715",
        "the type stays, and null is read as absent or no longer",
    ),
    (
        "D0722",
        "the module `client::servers` has no items for implementers",
    ),
    ("D0723", "all features are enabled for a probe"),
    (
        "D0731",
        "a method of the client is no item for implementers",
    ),
    (
        "D0735",
        "a probe mentions the types of places by their own names, and implements no trait for them",
    ),
    (
        "D0727",
        "code names the type of the error codes by inference",
    ),
];

/// What the compiler and the report say about pairs.
#[derive(Default)]
struct Verdict {
    /// The pairs whose report is wrong.
    wrong: Vec<String>,
    /// The rules that report a break where the probe compiles, with one of the pairs.
    unconfirmed: BTreeMap<String, String>,
    count: usize,
}

impl Verdict {
    fn add(&mut self, other: Self) {
        self.wrong.extend(other.wrong);
        self.unconfirmed.extend(other.unconfirmed);
        self.count += other.count;
    }

    /// Asserts that the compiler rejects no probe without a reported break, and that every rule that
    /// reports too much has a reason.
    fn check(&self, least: usize) {
        assert!(
            self.wrong.is_empty(),
            "{} wrong\n{}",
            self.wrong.len(),
            self.wrong.join("\n")
        );
        assert!(self.count >= least, "{} probes", self.count);
        let known = |code: &String| UNCONFIRMED.iter().any(|(rule, _)| rule == code);
        let unknown = self.unconfirmed.iter().filter(|(code, _)| !known(code));
        let unknown: Vec<_> = unknown.collect();
        assert!(unknown.is_empty(), "the probe compiles: {unknown:#?}");
    }
}

/// Returns code without its comments.
fn statements(code: &str) -> impl Iterator<Item = &str> {
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
}

fn judge(pairs: &[Pair]) -> Verdict {
    let dir = tempfile::tempdir().expect("a folder");
    let mut generated = Generated::new(dir.path(), pairs);
    // The compiler has nothing to judge where the code is the same.
    let differs = |pair: &&Pair| {
        let code_of = |source| generated.module(source).map(|name| &generated.code[name]);
        let (old, new) = (code_of(&pair.old), code_of(&pair.new));
        old.zip(new)
            .is_some_and(|(old, new)| !statements(old).eq(statements(new)))
    };
    let pairs: Vec<&Pair> = pairs.iter().filter(differs).collect();
    let used = pairs.iter().flat_map(|pair| [&pair.old, &pair.new]);
    let used: BTreeSet<&String> = used
        .filter_map(|source| generated.names.get(source))
        .collect();
    generated.code.retain(|name, _| used.contains(name));
    if pairs.is_empty() {
        return Verdict::default();
    }
    let documents = Documents::compile(dir.path(), &generated.code);
    let expanded = documents.expand();
    let expanded: BTreeMap<String, Expanded> = expanded
        .into_iter()
        .map(|(name, items)| (name, Expanded::new(items)))
        .collect();
    let mut probes = BTreeMap::new();
    let mut judged = Vec::new();
    for (index, pair) in pairs.into_iter().enumerate() {
        let modules = (generated.module(&pair.old), generated.module(&pair.new));
        let (Some(old), Some(new)) = modules else {
            continue;
        };
        for (callers, audience) in [
            (true, Audience::RustCallers),
            (false, Audience::RustImplementers),
        ] {
            let name = format!("probe{index}{}", if callers { "c" } else { "i" });
            let code = probe::probe(&expanded[old], callers, &name, new);
            probes.insert(name.clone(), code);
            judged.push((name, pair, audience));
        }
    }
    let rejected = documents.rejected(probes);
    let mut verdict = Verdict::default();
    for (name, pair, audience) in judged {
        verdict.count += 1;
        let report = compare(pair).expect("documents without errors");
        let breaking = codes(&report, audience, Level::Breaking);
        match rejected.get(&name) {
            Some(error) if breaking.is_empty() => {
                let all = codes(&report, audience, Level::Safe);
                let title = format!("{} {}: {all:?}", pair.name, audience.name());
                verdict.wrong.push(format!("{title}\n{error}"));
            }
            None => {
                for code in breaking {
                    let pair = format!("{} {}", pair.name, audience.name());
                    verdict.unconfirmed.insert(code, pair);
                }
            }
            Some(_) => {}
        }
    }
    verdict
}

/// Whether the compiler judges a part of the pairs only. The checks of a release judge all.
fn in_part() -> bool {
    std::env::var_os("BOTHENDS_ALL_PAIRS").is_none()
}

/// Pairs of the documents of `spec/features` and their mutants: of all documents, or of each `nth`.
fn features(count: usize, nth: usize) -> Vec<Pair> {
    let documents = bothends_tests::features().expect("the folder");
    let documents: Vec<PathBuf> = documents.into_iter().step_by(nth).collect();
    mutated(&documents, count)
}

fn versions(folder: &Path) -> Vec<Pair> {
    if let Some(other) = std::env::var_os("BOTHENDS_VERSIONS") {
        return versions::of_folder(Path::new(&other));
    }
    let mut all = Vec::new();
    for (old, new) in VERSIONS {
        let document = |file: &str| read(&folder.join(file)).expect("a document of the corpus");
        all.extend(both(new, &document(old), &document(new)));
    }
    let files: BTreeSet<PathBuf> = VERSIONS.iter().map(|(_, file)| folder.join(file)).collect();
    let files: Vec<PathBuf> = files.into_iter().collect();
    if !in_part() {
        all.extend(mutated(&files, 1));
    }
    all
}

/// How much the versions in the corpus show at least. Those of other documents may show less.
fn at_least(count: usize) -> usize {
    match std::env::var_os("BOTHENDS_VERSIONS") {
        Some(_) => 1,
        None => count,
    }
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn the_compiler_agrees_with_the_minimal_pairs() {
    let verdict = judge(&minimal());
    verdict.check(900);
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn rustdoc_agrees_with_the_minimal_pairs() {
    let test = "rustdoc_agrees_with_the_minimal_pairs";
    if let Some(verdict) = types::judge(test, &minimal()) {
        verdict.check(1000);
        verdict.check_waivers();
    }
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn rustdoc_agrees_with_versions_in_the_corpus() {
    let test = "rustdoc_agrees_with_versions_in_the_corpus";
    let Some(folder) = bothends_tests::corpus(test) else {
        return;
    };
    if let Some(verdict) = types::judge(test, &versions(&folder)) {
        verdict.check(at_least(100));
    }
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn cargo_semver_checks_agrees_with_the_minimal_pairs() {
    let test = "cargo_semver_checks_agrees_with_the_minimal_pairs";
    if let Some(program) = semver::program(test) {
        semver::judge(&program, &minimal()).check(300);
    }
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn cargo_semver_checks_agrees_with_versions_in_the_corpus() {
    let test = "cargo_semver_checks_agrees_with_versions_in_the_corpus";
    let Some(folder) = bothends_tests::corpus(test) else {
        return;
    };
    if let Some(program) = semver::program(test) {
        semver::judge(&program, &versions(&folder)).check(at_least(10));
    }
}

#[test]
fn a_validator_agrees_with_the_minimal_pairs() {
    let verdict = wire::judge(&minimal());
    verdict.check(100);
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_validator_agrees_with_the_mutants() {
    let verdict = wire::judge(&features(3, 1));
    verdict.check(100);
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn the_compiler_agrees_with_the_mutants() {
    let verdict = judge(&features(1, if in_part() { 4 } else { 1 }));
    verdict.check(40);
}

/// Returns the pairs in parts: the compiler takes documents of so many bytes at once.
fn parts(mut pairs: &[Pair]) -> Vec<&[Pair]> {
    const BYTES: usize = 4_000_000;
    let mut all = Vec::new();
    while !pairs.is_empty() {
        let mut left = BYTES;
        let sizes = pairs.chunks(2).map(|both| both[0].old.text.len());
        let fitting = sizes.take_while(|size| {
            let fits = *size <= left;
            left = left.saturating_sub(*size);
            fits
        });
        let count = 2 * fitting.count().max(1);
        let (part, rest) = pairs.split_at(count.min(pairs.len()));
        all.push(part);
        pairs = rest;
    }
    all
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_validator_agrees_with_versions_in_the_corpus() {
    let test = "a_validator_agrees_with_versions_in_the_corpus";
    let Some(folder) = bothends_tests::corpus(test) else {
        return;
    };
    let verdict = wire::judge(&versions(&folder));
    println!("{verdict}");
    // Mutants that change only names or prose have no rejected value.
    verdict.check(at_least(2 * VERSIONS.len()));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn the_compiler_agrees_with_versions_in_the_corpus() {
    let test = "the_compiler_agrees_with_versions_in_the_corpus";
    let Some(folder) = bothends_tests::corpus(test) else {
        return;
    };
    let mut verdict = Verdict::default();
    for part in parts(&versions(&folder)) {
        let judged = judge(part);
        println!("{}: {} probes", part[0].name, judged.count);
        verdict.add(judged);
    }
    verdict.check(at_least(2 * VERSIONS.len()));
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn outside_judges_agree_with_drawn_values() {
    let files = bothends_tests::features().expect("small specs");
    let python = outside::python("outside_judges_agree_with_drawn_values");
    let counts = values::Counts {
        own: 20,
        outside: 10,
    };
    let judged = values::judge(&files, counts, python.as_deref());
    judged.check(2_000, python.as_ref().map_or(0, |_| 1_500));
    // Some kinds are those of values from outside.
    if python.is_some() {
        assert_eq!(judged.needless(), Vec::<&str>::new());
    }
}

/// All documents of the corpus, or with `BOTHENDS_DOCUMENTS` those whose path contains it.
#[test]
#[ignore = "slow suite `corpus`: run with --include-ignored"]
fn outside_judges_agree_with_drawn_values_of_the_corpus() {
    let test = "outside_judges_agree_with_drawn_values_of_the_corpus";
    let Some(count) = std::env::var("BOTHENDS_SAMPLES").ok() else {
        println!("SKIPPED: BOTHENDS_SAMPLES is the number of values of each type");
        return;
    };
    let Some(corpus) = bothends_tests::corpus(test) else {
        return;
    };
    let part = std::env::var("BOTHENDS_DOCUMENTS").unwrap_or_default();
    let mut files = bothends_tests::roots(&corpus);
    files.retain(|path| path.to_string_lossy().contains(&part));
    let own = count.parse().expect("a number");
    // The outside generator draws fewer values of large schemas.
    let outside = 2 * own;
    // Of the whole corpus, there are enough with 30 for each type.
    let least = if part.is_empty() && own >= 30 {
        100_000
    } else {
        1
    };
    let python = outside::python(test);
    let judged = values::judge(&files, values::Counts { own, outside }, python.as_deref());
    judged.check(least, python.map_or(0, |_| least));
}
