//! Minimal pairs of documents from public reports, each with the effect on every audience that is right.
//!
//! A line of `pairs.jsonl` has two documents, the effects on clients and servers on the wire and on callers and
//! implementers in Rust (`b`reaking, `a`ttention, `s`afe, `.` for any; `[ab]` for one of both; `none` for no effect), and
//! the reason.

use bothends::Builder;
use bothends::diff::{Audience, Change, Level, Options, compare};
use bothends::ir::Api;
use bothends::source::MemoryLoader;
use serde_json::Value;

/// Pairs whose effects differ from the expected ones, and why.
const DIFFERENT: &[(&str, &str)] = &[
    (
        "body/multipart-encoding",
        "a part of XML is sent as JSON, with a warning, so that the code is the same",
    ),
    (
        "xml/required-property-removed",
        "the schema of a body of XML is compared as text: its change needs attention",
    ),
];

#[test]
fn pairs_of_public_reports_have_the_expected_effects() {
    let mut wrong = Vec::new();
    let mut different = 0;
    for line in include_str!("pairs.jsonl").lines() {
        let pair: Value = serde_json::from_str(line).expect("JSON");
        let text = |key: &str| pair[key].as_str().expect("a text");
        let effects = effects(&pair["old"], &pair["new"]);
        let is_right = is_match(text("expected"), &effects);
        let known = DIFFERENT
            .iter()
            .any(|(name, _)| text("name").starts_with(name));
        different += usize::from(!is_right && known);
        if !is_right && !known {
            let (name, expected, reason) = (text("name"), text("expected"), text("reason"));
            wrong.push(format!("{name}: {effects} instead of {expected}: {reason}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        different, 2,
        "the list of differences has entries that are no longer needed"
    );
}

/// The highest effect of all changes on each audience.
fn effects(old: &Value, new: &Value) -> String {
    let changes = changes(old, new);
    let level = |index: usize| {
        changes
            .iter()
            .map(|change| change.outcomes[index].level)
            .max()
    };
    let letters = (0..Audience::ALL.len()).map(|index| match level(index) {
        Some(Level::Breaking) => 'b',
        Some(Level::Attention) => 'a',
        Some(Level::Safe) | None => 's',
    });
    letters.collect()
}

/// All changes between two documents.
pub(super) fn changes(old: &Value, new: &Value) -> Vec<Change> {
    let options = Options {
        today: "2026-11-24".parse().ok(),
        ..Options::default()
    };
    compare(&api(old), &api(new), &options).changes
}

fn api(document: &Value) -> Api {
    let mut loader = MemoryLoader::new();
    loader.add("api.json", document.to_string());
    let read = Builder::new("api.json").read_from(&loader, Some("api.json".as_ref()), true);
    let read = read.expect("settings");
    read.api.expect("a valid document")
}

/// Whether effects are the expected ones.
fn is_match(expected: &str, effects: &str) -> bool {
    let mut letters = match expected {
        "none" => "ssss",
        other => other,
    }
    .chars();
    let fits = |effect: char| match letters.next() {
        Some('.') => true,
        Some('[') => {
            let choice: Vec<char> = letters
                .by_ref()
                .take_while(|letter| *letter != ']')
                .collect();
            choice.contains(&effect)
        }
        letter => letter == Some(effect),
    };
    effects.chars().all({
        let mut fits = fits;
        move |effect| fits(effect)
    })
}
