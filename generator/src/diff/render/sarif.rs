//! Reports as SARIF 2.1.0. The level of a result is the highest level of all audiences.

use serde_json::{Value, json};

use super::{Located, Row, line};
use crate::diff::change::Report;
use crate::diff::rules::{Audience, Level, Rule};

pub(super) fn render(report: &Report, rows: &[Row<'_>]) -> String {
    let mut used: Vec<&'static Rule> = rows
        .iter()
        .flat_map(|row| row.change.rules.clone())
        .collect();
    used.sort_by_key(|rule| rule.id);
    used.dedup();
    let rules: Vec<Value> = used.into_iter().map(rule).collect();
    let results: Vec<Value> = rows.iter().map(result).collect();
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
            "properties": { "versionBump": report.bump().name() },
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
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.title },
        "fullDescription": { "text": reasons.join(" ") },
    })
}

fn result(row: &Row<'_>) -> Value {
    let change = row.change;
    let level = match change.worst() {
        Level::Breaking => "error",
        Level::Attention => "warning",
        Level::Safe => "note",
    };
    let heading = super::heading(change);
    let effects = Audience::ALL.map(|audience| {
        let outcome = change.outcome(audience);
        format!(
            "{}: {}. {}",
            audience.name(),
            outcome.level.name(),
            outcome.reason
        )
    });
    let text = format!("{heading}: {}\n{}", line(change), effects.join("\n"));
    let mut result = json!({
        "ruleId": change.rules.first().map(|rule| rule.id),
        "level": level,
        "message": { "text": text },
        "locations": row.new.iter().chain(row.old.iter().filter(|_| row.new.is_none())).map(location).collect::<Vec<_>>(),
        "relatedLocations": row.old.iter().filter(|_| row.new.is_some()).map(location).collect::<Vec<_>>(),
        "partialFingerprints": { "bothends/v1": change.fingerprint },
        "properties": { "codes": change.rules.iter().map(|rule| rule.id).collect::<Vec<_>>() },
    });
    if let (Some(reason), Some(object)) = (&change.accepted, result.as_object_mut()) {
        let suppression = json!([{ "kind": "external", "justification": reason }]);
        object.insert("suppressions".to_owned(), suppression);
    }
    result
}

fn location(at: &Located) -> Value {
    json!({
        "physicalLocation": {
            "artifactLocation": { "uri": at.file.replace('\\', "/") },
            "region": { "startLine": at.line, "startColumn": at.column },
        },
        "logicalLocations": [{ "fullyQualifiedName": at.pointer }],
    })
}
