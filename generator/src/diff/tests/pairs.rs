//! The minimal pairs of `pairs.yaml`, in both orders.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::super::rules::{Direction, Raw, all};
use super::super::{Change, Options, Stability};
use super::table::{Pair, pairs, rows};
use super::{report, shown};
use crate::diff::rules::mirrors::MIRRORS;

fn options(pair: &Pair) -> Options {
    Options {
        unimplemented_handlers: pair.unimplemented,
        today: pair.today.as_deref().map(|day| day.parse().expect("a day")),
        deprecation_days: pair
            .days
            .iter()
            .map(|days| (Stability::Stable, *days))
            .collect(),
        ..Options::default()
    }
}

/// Returns the raw differences of changes. A type of a schema that only one document uses is not
/// part of a pair.
fn raws(changes: &[Change]) -> BTreeSet<String> {
    let rules = changes.iter().flat_map(|change| &change.rules);
    rules.map(|rule| format!("{:?}", rule.raw)).collect()
}

fn mirror(name: &str) -> String {
    let debug = |raw: Raw| format!("{raw:?}");
    let found = MIRRORS.iter().find_map(|(left, right)| {
        if debug(*left) == name {
            return Some(debug(*right));
        }
        (debug(*right) == name).then(|| debug(*left))
    });
    found.unwrap_or_else(|| panic!("{name} has no mirror"))
}

#[test]
fn every_pair_has_its_differences_in_both_orders() {
    let mut wrong = Vec::new();
    for row in rows().iter() {
        for pair in pairs(row) {
            let forward = report(&pair.old, &pair.new, &options(&pair)).changes;
            let found = raws(&forward);
            if found != pair.expected {
                let lines: Vec<String> = forward.iter().map(shown).collect();
                wrong.push(format!("{}: {lines:#?}", pair.title));
            }
            let backward = report(&pair.new, &pair.old, &options(&pair)).changes;
            let expected: BTreeSet<String> = match &pair.reverse {
                Some(raw) => [raw.clone()].into(),
                None => pair.expected.iter().map(|raw| mirror(raw)).collect(),
            };
            if raws(&backward) != expected {
                let lines: Vec<String> = backward.iter().map(shown).collect();
                wrong.push(format!("{} in the other order: {lines:#?}", pair.title));
            }
            for same in [&pair.old, &pair.new] {
                let same = report(same, same, &options(&pair)).changes;
                assert_eq!(same, Vec::new(), "{}", pair.title);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rules without a minimal pair in the table, and the reason.
const WITHOUT_PAIR: &[(&str, &str)] = &[(
    "D0706",
    "the variants of responses are named by status, and only the configuration renames them",
)];

#[test]
fn every_rule_has_a_pair() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows().iter() {
        for pair in pairs(row) {
            for (old, new) in [(&pair.old, &pair.new), (&pair.new, &pair.old)] {
                for change in report(old, new, &options(&pair)).changes {
                    change
                        .rules
                        .iter()
                        .for_each(|rule| *seen.entry(rule.id).or_default() += 1);
                }
            }
        }
    }
    let missing: Vec<String> = all()
        .into_iter()
        .filter(|rule| {
            !seen.contains_key(rule.id) && !WITHOUT_PAIR.iter().any(|(id, _)| *id == rule.id)
        })
        .map(|rule| format!("{} {:?} {:?}", rule.id, rule.raw, rule.direction))
        .collect();
    assert!(missing.is_empty(), "no pair for\n{}", missing.join("\n"));
    for (id, reason) in WITHOUT_PAIR {
        assert!(
            !seen.contains_key(id) && !reason.is_empty(),
            "{id} is stale"
        );
    }
}

#[test]
fn webhooks_are_requests() {
    let row = json!({
        "raw": "RequiredPropertyAdded",
        "schema": { "type": "object", "required": ["a"], "properties": { "a": { "type": "string" } } },
        "new": { "type": "object", "required": ["a", "b"], "properties": { "a": { "type": "string" }, "b": { "type": "string" } } },
    });
    let pairs = pairs(&row);
    let report = report(&pairs[2].old, &pairs[2].new, &options(&pairs[2]));
    let rules = &report.changes[0].rules;
    assert_eq!(rules.len(), 1);
    assert_eq!(rules[0].direction, Direction::Request);
    assert_eq!(report.changes[0].operations, ["thing"]);
}
