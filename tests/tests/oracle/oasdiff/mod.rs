//! The tests of oasdiff as a judge of the effects on messages.
//!
//! Its tests in Go name two files and the checks that report a difference between them. They are read as
//! text. A check of the level ERR has to be a break for clients or servers, and a pair without a check
//! above INFO has to be none for clients, as whom oasdiff judges.

mod differences;
mod sources;

use std::collections::BTreeSet;
use std::path::Path;

use bothends::Builder;
use bothends::diff::{Audience, Level, Stability};
use bothends::source::FileLoader;

use crate::pairs::codes;

use differences::DIFFERENCES;
use sources::{Expected, Pair, Severity, Tests};

/// The day of the comparisons. The files announce removals for years before it and long after it.
const TODAY: &str = "2026-01-01";

/// Returns whether a pair is rated otherwise than its tests expect, with the ratings of both.
fn difference(folder: &Path, pair: &Pair, expected: &Expected) -> Option<String> {
    let path = |name: &String| folder.join("data").join(name);
    let [beta, stable] = pair.days;
    let builder = Builder::new(path(&pair.new))
        .deprecation_days(Stability::Beta, beta)
        .deprecation_days(Stability::Stable, stable);
    let read = |name: &String, old| {
        let read = builder.read_from(&FileLoader, Some(&path(name)), old);
        read.expect("settings")
    };
    let (old, new) = (read(&pair.old, true), read(&pair.new, false));
    let compared = builder.comparison(old, new, TODAY.parse().ok());
    let report = compared.report.as_ref().expect("documents without errors");
    let breaking = |audience| codes(report, audience, Level::Breaking);
    let (clients, servers) = (
        breaking(Audience::WireClients),
        breaking(Audience::WireServers),
    );
    let agrees = match expected.checks.values().max() {
        Some(Severity::Err) => !clients.is_empty() || !servers.is_empty(),
        Some(Severity::Warn) => true,
        Some(Severity::Info) => clients.is_empty(),
        None => !expected.none || clients.is_empty(),
    };
    (!agrees).then(|| format!("{:?}, and {clients:?} {servers:?}", expected.checks))
}

/// Returns the name of a pair in the list of differences.
fn name(pair: &Pair) -> String {
    let short = |name: &str| {
        let name = name.strip_prefix("checker/").unwrap_or(name);
        name.strip_suffix(".yaml").unwrap_or(name).to_owned()
    };
    format!("{} {}", short(&pair.old), short(&pair.new))
}

#[test]
fn oasdiff_agrees_by_its_tests() {
    let Some(folder) = bothends_test_environment::oasdiff("oasdiff_agrees_by_its_tests") else {
        return;
    };
    let tests = Tests::read(&folder);
    let count = |level| {
        let all = tests.pairs.values();
        all.filter(|pair| pair.checks.values().max() == Some(&level))
            .count()
    };
    let counts = [Severity::Err, Severity::Warn, Severity::Info].map(count);
    assert!(counts[0] >= 120 && counts[2] >= 70, "{counts:?}");
    let known: BTreeSet<&str> = DIFFERENCES
        .iter()
        .flat_map(|(pairs, _)| *pairs)
        .copied()
        .collect();
    let mut found = BTreeSet::new();
    let mut unknown = Vec::new();
    for (pair, expected) in &tests.pairs {
        if let Some(difference) = difference(&folder, pair, expected) {
            let name = name(pair);
            if !known.contains(name.as_str()) {
                unknown.push(format!("{name} {:?}: {difference}", pair.days));
            }
            found.insert(name);
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    let stale: Vec<_> = known
        .iter()
        .filter(|name| !found.contains(**name))
        .collect();
    assert!(stale.is_empty(), "no difference: {stale:?}");
}
