//! Reports as SARIF 2.1.0, as code scanning of GitHub accepts it. What fails the comparison is an
//! error.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::{Value, json};

use super::lines::clip;
use super::shown::{Row, Shown};
use super::{Located, place};
use crate::diff::rules::{Audience, Level, Rule};

/// The largest number of results that code scanning accepts.
const RESULTS: usize = 25_000;
/// The largest number of characters of the description of a rule.
const DESCRIPTION: usize = 1_024;

pub(super) fn render(shown: &Shown<'_>) -> String {
    let rows = shown.rows.iter().take(RESULTS);
    let mut used: Vec<&'static Rule> = rows
        .clone()
        .flat_map(|row| row.change.rules.clone())
        .collect();
    used.sort_by_key(|rule| rule.id);
    used.dedup();
    let rules: Vec<Value> = used.into_iter().map(rule).collect();
    let results: Vec<Value> = rows.map(|row| result(shown, row)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "bothends",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "results": results,
            "properties": {
                "versionBump": shown.report.bump(shown.view.bump).name(),
                "notListed": shown.report.changes.len() - shown.rows.len().min(RESULTS),
            },
        }],
    });
    // Strings and numbers always serialize.
    let mut text = serde_json::to_string_pretty(&log).unwrap_or_default();
    text.push('\n');
    text
}

fn rule(rule: &'static Rule) -> Value {
    let reasons = Audience::ALL.map(|audience| {
        let (name, level) = (audience.name(), rule.level(audience).name());
        format!("{name}: {level}. {}", rule.reason(audience))
    });
    let reasons = clip(&reasons.join(" "), DESCRIPTION);
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.title },
        "fullDescription": { "text": reasons },
        "help": { "text": reasons },
    })
}

fn result(shown: &Shown<'_>, row: &Row<'_>) -> Value {
    let change = row.change;
    let level = match (row.fails, shown.view.level(change)) {
        (true, _) => "error",
        (false, Level::Breaking) if change.accepted.is_none() => "warning",
        _ => "note",
    };
    let mut text = format!("{}: {}", place(change), change.message());
    for audience in shown.view.shown() {
        let outcome = change.outcome(audience);
        let (name, level) = (audience.name(), outcome.level.name());
        _ = write!(text, "\n{name}: {level}. {}", outcome.reason);
    }
    let at = |at: &Located| location(at, shown.view.base.as_deref());
    let related = row.old.iter().filter(|_| row.new.is_some());
    let mut result = json!({
        "ruleId": change.rules.first().map(|rule| rule.id),
        "level": level,
        "message": { "text": text },
        "locations": [at(row.at().unwrap_or(&shown.start))],
        "relatedLocations": related.map(at).collect::<Vec<_>>(),
        "partialFingerprints": {
            "primaryLocationLineHash": format!("{}:1", change.fingerprint),
            "bothends/v1": change.fingerprint,
        },
        "properties": { "codes": change.rules.iter().map(|rule| rule.id).collect::<Vec<_>>() },
    });
    if let (Some(reason), Some(object)) = (&change.accepted, result.as_object_mut()) {
        let suppression = json!([{ "kind": "external", "justification": reason }]);
        object.insert("suppressions".to_owned(), suppression);
    }
    result
}

fn location(at: &Located, base: Option<&Path>) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&at.file, base) },
            "region": { "startLine": at.line, "startColumn": at.column },
        },
        "logicalLocations": [{ "fullyQualifiedName": at.pointer }],
    })
}

/// Returns a path as a URI, relative to the base if the path is in that folder.
fn uri(file: &str, base: Option<&Path>) -> String {
    let path = Path::new(file);
    let path = base
        .and_then(|base| path.strip_prefix(base).ok())
        .unwrap_or(path);
    let text = path.display().to_string().replace('\\', "/");
    let mut uri = String::with_capacity(text.len());
    if path.is_absolute() {
        uri.push_str(if text.starts_with('/') {
            "file://"
        } else {
            "file:///"
        });
    }
    for byte in text.trim_start_matches("./").bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            _ => _ = write!(uri, "%{byte:02X}"),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::uri;

    #[test]
    fn paths_are_uris() {
        let base = Some(Path::new("/project"));
        for (path, expected) in [
            ("spec/api.yaml", "spec/api.yaml"),
            ("./api.yaml", "api.yaml"),
            ("/project/spec/api.yaml", "spec/api.yaml"),
            ("/elsewhere/api.yaml", "file:///elsewhere/api.yaml"),
            ("my api#1.yaml", "my%20api%231.yaml"),
            ("a:b/ü.yaml", "a%3Ab/%C3%BC.yaml"),
        ] {
            assert_eq!(uri(path, base), expected);
        }
    }
}
