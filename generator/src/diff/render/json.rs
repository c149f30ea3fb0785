//! Reports for programs: one JSON object. The fields and their order are stable.

use serde::Serialize;

use super::Located;
use super::shown::{Row, Shown};
use crate::diff::rules::Audience;

/// The version of the format. It rises if a field is removed or has another meaning; fields may be
/// added at any time. The schema of the format is `docs/guide/src/reference/diff.schema.json`.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Whole<'r> {
    version: u32,
    version_bump: &'static str,
    fail_on: Vec<String>,
    failing: usize,
    summary: Vec<Summary>,
    changes: Vec<One<'r>>,
    not_listed: usize,
    expired: Vec<Expired<'r>>,
}

#[derive(Serialize)]
struct Summary {
    audience: &'static str,
    breaking: usize,
    attention: usize,
    safe: usize,
}

#[derive(Serialize)]
struct Expired<'r> {
    fingerprint: &'r str,
    reason: &'r str,
}

#[derive(Serialize)]
struct One<'r> {
    codes: Vec<&'static str>,
    fingerprint: &'r str,
    message: String,
    subject: &'static str,
    name: &'r str,
    member: &'r str,
    arguments: serde_json::Map<String, serde_json::Value>,
    old: Option<Position<'r>>,
    new: Option<Position<'r>>,
    rust_old: Option<&'r str>,
    rust_new: Option<&'r str>,
    operations: &'r [String],
    effects: Vec<Effect<'r>>,
    fails: bool,
    accepted: Option<&'r str>,
}

#[derive(Serialize)]
struct Effect<'r> {
    audience: &'static str,
    level: &'static str,
    reason: &'r str,
}

#[derive(Serialize)]
struct Position<'r> {
    file: &'r str,
    line: usize,
    column: usize,
    pointer: &'r str,
}

fn position(located: Option<&Located>) -> Option<Position<'_>> {
    located.map(|located| Position {
        file: &located.file,
        line: located.line,
        column: located.column,
        pointer: &located.pointer,
    })
}

pub(super) fn render(shown: &Shown<'_>) -> String {
    let report = shown.report;
    let summary = shown.counts().map(|(audience, counts)| Summary {
        audience: audience.name(),
        breaking: counts[0],
        attention: counts[1],
        safe: counts[2],
    });
    let expired = report.expired.iter().map(|(fingerprint, reason)| Expired {
        fingerprint,
        reason,
    });
    let fail_on = shown.view.fail_on.iter();
    let whole = Whole {
        version: VERSION,
        version_bump: report.bump(shown.view.bump).name(),
        fail_on: fail_on.map(ToString::to_string).collect(),
        failing: shown.failing(),
        summary: summary.collect(),
        changes: shown.rows.iter().map(listed_row).collect(),
        not_listed: report.changes.len() - shown.rows.len(),
        expired: expired.collect(),
    };
    // Strings and numbers always serialize.
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}

fn listed_row<'r>(row: &'r Row<'_>) -> One<'r> {
    let change = row.change;
    let arguments = change.arguments.iter();
    let arguments = arguments.map(|(key, value)| ((*key).to_owned(), value.as_str().into()));
    One {
        codes: change.rules.iter().map(|rule| rule.id).collect(),
        fingerprint: &change.fingerprint,
        message: change.message(),
        subject: change.place.subject.name(),
        name: &change.place.name,
        member: &change.place.member,
        arguments: arguments.collect(),
        old: position(row.old.as_ref()),
        new: position(row.new.as_ref()),
        rust_old: change.rust_old.as_deref(),
        rust_new: change.rust_new.as_deref(),
        operations: &change.operations,
        effects: Audience::ALL
            .map(|audience| Effect {
                audience: audience.name(),
                level: change.outcome(audience).level.name(),
                reason: &change.outcome(audience).reason,
            })
            .into(),
        fails: row.fails,
        accepted: change.accepted.as_deref(),
    }
}
