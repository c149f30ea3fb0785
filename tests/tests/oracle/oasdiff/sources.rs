//! The tests of oasdiff, read from its sources in Go as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The level of a check of oasdiff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    Info,
    Warn,
    Err,
}

/// A pair of files, and the checks that tests of oasdiff expect for it.
#[derive(Debug, Default)]
pub(super) struct Expected {
    pub(super) checks: BTreeMap<String, Severity>,
    /// Whether a test expects that no check reports a difference.
    pub(super) none: bool,
}

/// The files of a test, and the days between a deprecation and a removal that it requires of `beta` and
/// `stable` operations.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) days: [u32; 2],
}

/// The tests of oasdiff, read from its sources.
pub(super) struct Tests {
    /// The level of each constant with the id of a check.
    levels: BTreeMap<String, Severity>,
    /// The folder of the files that a function of the tests names.
    folders: BTreeMap<String, String>,
    pub(super) pairs: BTreeMap<Pair, Expected>,
}

impl Tests {
    pub(super) fn read(folder: &Path) -> Self {
        let source = |name: &str| {
            let path = folder.join("checker").join(name);
            fs::read_to_string(path).expect("a source file of oasdiff")
        };
        let mut tests = Self {
            levels: levels(&source("rules.go")),
            folders: folders(&source("helpers_test.go")),
            pairs: BTreeMap::new(),
        };
        let names = fs::read_dir(folder.join("checker")).expect("the checks of oasdiff");
        let names = names.map(|entry| entry.expect("a file").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        let names: BTreeSet<String> = names.filter(|name| name.ends_with("_test.go")).collect();
        for name in names {
            for test in source(&name).split("\nfunc Test").skip(1) {
                let body = test.split("\n}").next().unwrap_or_default();
                tests.add(body);
            }
        }
        tests
    }

    /// Adds a test that compares two files as they are.
    fn add(&mut self, body: &str) {
        let files = self.files(body);
        let [Some(old), Some(new)] = files.as_slice() else {
            return;
        };
        // Documents that the test changes, settings that are not translated, lists of cases, and checks that are looked
        // up in a loop.
        let others = [
            ".Spec.",
            "deleteParam(",
            "NewConfig().With",
            "WithSeverityLevels",
            "StabilityLevel =",
            "Attributes",
            "for _, ",
        ];
        if old == new || others.iter().any(|other| body.contains(other)) {
            return;
        }
        let days = body
            .split_once("WithDeprecation(")
            .map_or("", |(_, rest)| rest);
        let mut days = days
            .split([',', ')'])
            .map(|days| days.trim().parse().unwrap_or(0));
        let pair = Pair {
            old: old.clone(),
            new: new.clone(),
            days: [days.next().unwrap_or(0), days.next().unwrap_or(0)],
        };
        let pair = self.pairs.entry(pair).or_default();
        let absent = [
            "requireNoChange",
            "require.False",
            "NotContains",
            "NotEqual",
        ];
        let lines = body.lines();
        let mut lines = lines.filter(|line| !absent.iter().any(|word| line.contains(word)));
        let all = body.contains("allChecksConfig") || body.contains(" d(t, ");
        pair.none |= all
            && lines
                .clone()
                .any(|line| line.contains("require.Empty(t, errs)"));
        let ids = lines.by_ref().flat_map(|line| {
            let words = line.split("checker.").skip(1);
            words.map(|word| {
                word.split(|c: char| !c.is_alphanumeric())
                    .next()
                    .unwrap_or_default()
            })
        });
        for id in ids {
            if let Some(level) = self.levels.get(id) {
                pair.checks
                    .insert(id.trim_end_matches("Id").to_owned(), *level);
            }
        }
    }

    /// Returns the files that a test reads, or `None` for a file that is not written out.
    fn files(&self, body: &str) -> Vec<Option<String>> {
        let mut found = Vec::new();
        for (at, _) in body.match_indices('(') {
            let (before, after) = (&body[..at], &body[at + 1..]);
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let name = before
                .rsplit(|c: char| !is_word(c))
                .next()
                .unwrap_or_default();
            match name {
                "open" | "LoadFromFile" => found.push(self.file(after)),
                "l" => found.push(after.strip_prefix("t, ").and_then(numbered)),
                "d" => {
                    let arguments = after
                        .split_once("NewConfig(), ")
                        .map_or("", |(_, rest)| rest);
                    let (old, new) = arguments.split_once(", ").unwrap_or_default();
                    found.extend([numbered(old), numbered(new)]);
                }
                _ => {}
            }
        }
        found
    }

    /// Returns the file of a literal, or of a function that is called with its name.
    fn file(&self, argument: &str) -> Option<String> {
        let literal = |text: &str| text.strip_prefix('"')?.split('"').next().map(str::to_owned);
        if let Some(path) = literal(argument) {
            return path.strip_prefix("../data/").map(str::to_owned);
        }
        let (function, rest) = argument.split_once('(')?;
        let folder = self.folders.get(function)?;
        Some(format!("{folder}/{}", literal(rest)?))
    }
}

/// Returns the name of a document with a number.
fn numbered(text: &str) -> Option<String> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    (!digits.is_empty()).then(|| format!("openapi-test{digits}.yaml"))
}

/// Returns the levels of the checks.
fn levels(rules: &str) -> BTreeMap<String, Severity> {
    let rules = rules.split("newBackwardCompatibilityRule(").skip(1);
    let levels = rules.filter_map(|rule| {
        let (id, rest) = rule.split_once(", ")?;
        let level = match rest.split(',').next()? {
            "ERR" => Severity::Err,
            "WARN" => Severity::Warn,
            "INFO" => Severity::Info,
            _ => return None,
        };
        Some((id.to_owned(), level))
    });
    levels.collect()
}

/// Returns the folders of the functions that name files.
fn folders(helpers: &str) -> BTreeMap<String, String> {
    let lines = helpers.lines().filter_map(|line| {
        let (name, rest) = line.trim().split_once('=')?;
        let folder = rest
            .trim()
            .strip_prefix("dataFileFn(\"")?
            .split('"')
            .next()?;
        Some((name.trim().to_owned(), folder.to_owned()))
    });
    lines.collect()
}
