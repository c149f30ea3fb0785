//! Reports for programs: one JSON object. The fields and their order are stable.

use serde::Serialize;

use super::{Located, Row};
use crate::diff::change::Report;
use crate::diff::rules::{Audience, Level};

#[derive(Serialize)]
struct Whole<'r> {
    version_bump: &'static str,
    summary: Vec<Summary>,
    changes: Vec<One<'r>>,
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

fn position(of: Option<&Located>) -> Option<Position<'_>> {
    of.map(|of| Position {
        file: &of.file,
        line: of.line,
        column: of.column,
        pointer: &of.pointer,
    })
}

pub(super) fn render(report: &Report, rows: &[Row<'_>]) -> String {
    let summary = Audience::ALL.map(|audience| Summary {
        audience: audience.name(),
        breaking: report.count(audience, Level::Breaking),
        attention: report.count(audience, Level::Attention),
        safe: report.count(audience, Level::Safe),
    });
    let expired = report.expired.iter().map(|(fingerprint, reason)| Expired {
        fingerprint,
        reason,
    });
    let whole = Whole {
        version_bump: report.bump().name(),
        summary: summary.into(),
        changes: rows.iter().map(one).collect(),
        expired: expired.collect(),
    };
    // Strings and numbers always serialize.
    let mut text = serde_json::to_string_pretty(&whole).unwrap_or_default();
    text.push('\n');
    text
}

fn one<'r>(row: &'r Row<'_>) -> One<'r> {
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
        accepted: change.accepted.as_deref(),
    }
}
