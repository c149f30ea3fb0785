//! From raw differences to changes: directions, operations, rules, effects, fingerprints.

use std::collections::{BTreeSet, HashSet};

use super::change::{Change, Outcome, Place, Report, Subject, fingerprint};
use super::find::{Difference, Finder, Scope, User, label};
use super::rules::{self, Audience, Direction, Level, Raw, Rule, Rust};
use crate::ir::{Stability, Writer};

/// The operations and directions in which a type travels.
#[derive(Debug, Clone, Default)]
struct Reach {
    request: bool,
    response: bool,
    operations: BTreeSet<usize>,
}

/// Builds the report of all differences.
pub(super) fn classify(finder: Finder<'_>) -> Report {
    let mut changes: Vec<Change> = Vec::new();
    for difference in &finder.found {
        changes.extend(change(&finder, difference));
    }
    changes.sort_by(|left, right| {
        let key = |change: &Change| {
            (
                change.place.clone(),
                change.code(),
                change.arguments.clone(),
            )
        };
        key(left).cmp(&key(right))
    });
    changes.dedup_by(|change, other| change.fingerprint == other.fingerprint);
    Report {
        changes,
        expired: Vec::new(),
    }
}

fn change(finder: &Finder<'_>, found: &Difference) -> Option<Change> {
    let everywhere = reach_of(finder, &found.scope, Writer::Both);
    let mut reach = match found.written_by {
        Writer::Both => everywhere.clone(),
        side => reach_of(finder, &found.scope, side),
    };
    let unused = matches!(found.scope, Scope::Pair(_)) && !reach.request && !reach.response;
    if unused {
        let only_written = [Raw::WrittenPropertyRequired, Raw::WrittenPropertyOptional];
        // The other side alone writes the values of the type, and never the property.
        if !everywhere.operations.is_empty() && only_written.contains(&found.raws[0]) {
            return None;
        }
        reach.clone_from(&everywhere);
    }
    let rules = rules_of(found, &reach)?;
    let in_code = rules_of(found, &everywhere)?;
    let period = period(finder, &everywhere);
    let is_early = found.notice.is_some_and(|notice| notice >= period);
    let required = matches!(found.raws[0], Raw::SunsetMissing | Raw::SunsetTooEarly);
    if required && (period == 0 || is_early) {
        return None;
    }
    let foreseen = match found.raws[0] {
        _ if provisional(finder, found, &reach) => Some(below(promised(finder))),
        Raw::SunsetEarlier if period > 0 && is_early => Some(format!(
            "The new day is {period} days away or more, as `deprecation-days` requires."
        )),
        _ => found
            .announced
            .map(|day| format!("The old document announced the removal for {day}.")),
    };
    let outcomes = Audience::ALL.map(|audience| match audience.is_wire() {
        false => outcome(&in_code, audience, finder.options.rust),
        true if unused => unaffected(everywhere.operations.is_empty()),
        true => expected(outcome(&rules, audience, Rust::Crate), foreseen.as_deref()),
    });
    let place = place(finder, found);
    let arguments = found.arguments.clone();
    let parts = rules.iter().map(|rule| rule.id);
    let parts = parts.chain([place.subject.name(), &place.name, &place.member]);
    let parts = parts.chain(
        arguments
            .iter()
            .flat_map(|(key, value)| [*key, value.as_str()]),
    );
    let fingerprint = fingerprint(parts);
    let mut operations: Vec<String> = reach
        .operations
        .iter()
        .map(|index| {
            let call = finder.calls[*index];
            label(call.new, call.webhook)
        })
        .collect();
    operations.sort();
    Some(Change {
        rules,
        place,
        arguments,
        old: found.old.clone(),
        new: found.new.clone(),
        rust_old: found.rust_old.clone(),
        rust_new: found.rust_new.clone(),
        operations,
        outcomes,
        fingerprint,
        accepted: None,
        rated: None,
        keep: found.keep.clone(),
    })
}

/// Returns the rules of a difference in the directions in which it travels.
fn rules_of(found: &Difference, reach: &Reach) -> Option<Vec<&'static Rule>> {
    let directions = match (reach.request, reach.response) {
        (true, false) => vec![Direction::Request],
        (false, true) => vec![Direction::Response],
        _ => vec![Direction::Request, Direction::Response],
    };
    let mut rules: Vec<&'static Rule> = Vec::new();
    for direction in directions {
        let raw = found.raws[usize::from(direction == Direction::Response)];
        let rule = rules::find(raw, direction)?;
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    Some(rules)
}

/// Returns the effect on messages of a difference that no message has.
fn unaffected(unused: bool) -> Outcome {
    let reason = match unused {
        true => "No operation and no webhook uses the type.",
        false => {
            "The side that writes the messages never writes the property (`readOnly`, `writeOnly`)."
        }
    };
    Outcome {
        level: Level::Safe,
        reason: reason.to_owned(),
    }
}

/// Returns the highest effect of the rules on an audience.
fn outcome(rules: &[&'static Rule], audience: Audience, rust: Rust) -> Outcome {
    let mut worst = Outcome {
        level: Level::Safe,
        reason: String::new(),
    };
    for rule in rules {
        let level = rule.level_in(audience, rust);
        if level > worst.level || worst.reason.is_empty() {
            worst = Outcome {
                level,
                reason: rule.reason_in(audience, rust),
            };
        }
    }
    worst
}

/// Returns `true` if the old document promises nothing for any operation that a change reaches.
fn provisional(finder: &Finder<'_>, found: &Difference, reach: &Reach) -> bool {
    let mut calls = reach.operations.iter().map(|index| finder.calls[*index]);
    let promised = promised(finder);
    match reach.operations.is_empty() {
        true => found.stability < promised,
        false => calls.all(|call| call.old.stability < promised),
    }
}

/// Returns the lowest level of operations that promises that nothing breaks.
fn promised(finder: &Finder<'_>) -> Stability {
    finder.options.stable_from.unwrap_or(Stability::PROMISED)
}

/// Returns the number of days between the announcement of a removal and the removal that the
/// configuration requires for the operations that a change reaches.
fn period(finder: &Finder<'_>, reach: &Reach) -> i64 {
    let levels = reach
        .operations
        .iter()
        .map(|index| finder.calls[*index].new.stability);
    let days = levels.filter_map(|level| finder.options.deprecation_days.get(&level));
    days.copied().max().map_or(0, i64::from)
}

/// Returns the effect of a change that clients and servers must expect, for a reason. It is safe: the
/// document has not promised otherwise.
fn expected(outcome: Outcome, foreseen: Option<&str>) -> Outcome {
    match foreseen {
        Some(foreseen) if outcome.level == Level::Breaking => Outcome {
            level: Level::Safe,
            reason: format!("{foreseen} {}", outcome.reason),
        },
        _ => outcome,
    }
}

/// Returns why changes of operations below a level are expected.
fn below(promised: Stability) -> String {
    let below = Stability::ALL.into_iter().filter(|level| *level < promised);
    let below: Vec<String> = below.map(|level| format!("`{}`", level.name())).collect();
    format!("The old document has it as {}.", below.join(" or "))
}

fn place(finder: &Finder<'_>, found: &Difference) -> Place {
    let (subject, name) = match &found.scope {
        Scope::Api => (Subject::Api, String::new()),
        Scope::Operation(index, _) => {
            let call = finder.calls[*index];
            let subject = match call.webhook {
                true => Subject::Webhook,
                false => Subject::Operation,
            };
            (subject, label(call.old, call.webhook))
        }
        Scope::Alone(subject, name) => (*subject, name.clone()),
        Scope::Pair(index) => {
            let def = finder.old.type_def(finder.pairs[*index].old);
            // The name of an inline type in the document is only its own part.
            let name = match def.parent {
                None => def.name.wire.clone(),
                Some(_) => def.name.rust.clone(),
            };
            (Subject::Type, name)
        }
    };
    Place {
        subject,
        name,
        member: found.member.clone(),
    }
}

/// Returns the operations and directions of a scope. Of the messages in which a type travels, only
/// those that `side` writes count.
fn reach_of(finder: &Finder<'_>, scope: &Scope, side: Writer) -> Reach {
    let mut reach = Reach::default();
    match scope {
        Scope::Api | Scope::Alone(..) => {}
        Scope::Operation(index, direction) => {
            reach.request = *direction != Direction::Response;
            reach.response = *direction != Direction::Request;
            reach.operations.insert(*index);
        }
        Scope::Pair(start) => {
            let mut seen = HashSet::from([(*start, side)]);
            let mut open = vec![(*start, side)];
            while let Some((index, side)) = open.pop() {
                for user in &finder.pairs[index].users {
                    match user {
                        User::Pair(user, by) => {
                            let Some(side) = both(side, *by) else {
                                continue;
                            };
                            if seen.insert((*user, side)) {
                                open.push((*user, side));
                            }
                        }
                        User::Operation(operation, direction) => {
                            let webhook = finder.calls[*operation].webhook;
                            let travels = |message| {
                                [message, Direction::Any].contains(direction)
                                    && both(side, writer(message, webhook)).is_some()
                            };
                            let (request, response) =
                                (travels(Direction::Request), travels(Direction::Response));
                            reach.request |= request;
                            reach.response |= response;
                            if request || response {
                                reach.operations.insert(*operation);
                            }
                        }
                    }
                }
            }
        }
    }
    reach
}

/// Returns the side that writes what both of two sides write.
fn both(left: Writer, right: Writer) -> Option<Writer> {
    match (left, right) {
        (Writer::Both, side) | (side, Writer::Both) => Some(side),
        (left, right) => (left == right).then_some(left),
    }
}

/// Returns the side that writes a message. The service is the client of a webhook.
fn writer(message: Direction, webhook: bool) -> Writer {
    match (message == Direction::Response) == webhook {
        true => Writer::Client,
        false => Writer::Server,
    }
}
