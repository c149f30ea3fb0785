//! Requests that break exactly one rule: a valid request is changed at one place, and counts if a server reports one
//! error for it.

use super::{Fault, Probe};
use crate::message::operation::SampledRequest;
use crate::values::sample::Random;
use crate::values::{FieldError, Json};
use http::StatusCode;
use serde_json::json;
use std::collections::BTreeSet;

/// The number of changes of a request that are tried.
const TRIES: usize = 60;

/// An invalid request, and the error that a server reports for it.
pub(super) type Invalid = (SampledRequest, FieldError);

/// Returns an invalid neighbour of a valid request: one whose error is not in `seen`, if there is any.
pub(super) fn neighbour(
    probe: &Probe,
    valid: &SampledRequest,
    random: &mut dyn Random,
    seen: &mut BTreeSet<(&'static str, String)>,
) -> Option<Invalid> {
    let mut all = neighbours(valid);
    let mut found = None;
    for _ in 0..TRIES.min(all.len()) {
        let count = u64::try_from(all.len()).unwrap_or(1);
        let index = usize::try_from(random.next_u64() % count).unwrap_or_default();
        let request = all.swap_remove(index);
        let errors = probe.errors(&request).unwrap_or_default();
        let [error] = errors.as_slice() else {
            continue;
        };
        let key = Fault::Accepted(StatusCode::OK, error.clone()).key();
        if seen.insert((probe.meta().id, key)) {
            return Some((request, error.clone()));
        }
        found.get_or_insert((request, error.clone()));
    }
    found
}

/// Returns the requests that differ from a request at one place.
fn neighbours(request: &SampledRequest) -> Vec<SampledRequest> {
    let mut all = Vec::new();
    for (index, part) in request.parts().iter().enumerate() {
        if part.place() != "path" {
            let mut other = request.clone();
            other.parts.remove(index);
            all.push(other);
        }
        for (pointer, value) in nodes(part.value()) {
            for changed in changes(value) {
                let mut other = request.clone();
                let target = other.parts.get_mut(index);
                if let Some(target) = target.and_then(|part| part.value.pointer_mut(&pointer)) {
                    *target = changed;
                    all.push(other);
                }
            }
        }
    }
    all
}

/// Returns a value and all values in it, each with its pointer, the outer before the inner.
pub(super) fn nodes(value: &Json) -> Vec<(String, &Json)> {
    let mut all = vec![(String::new(), value)];
    let mut next = 0;
    while let Some((pointer, value)) = all.get(next).cloned() {
        next += 1;
        match value {
            Json::Array(items) => {
                let items = items.iter().take(8).enumerate();
                all.extend(items.map(|(index, item)| (format!("{pointer}/{index}"), item)));
            }
            Json::Object(members) => all.extend(members.iter().map(|(key, member)| {
                let key = key.replace('~', "~0").replace('/', "~1");
                (format!("{pointer}/{key}"), member)
            })),
            _ => {}
        }
    }
    all
}

/// Returns values that are likely to break a rule of a value: neighbours of it, and values of other types.
fn changes(value: &Json) -> Vec<Json> {
    let mut all = vec![
        json!(null),
        json!("text"),
        json!(12.5),
        json!([]),
        json!({}),
        json!(true),
    ];
    match value {
        Json::Object(members) => {
            all.extend(members.keys().map(|key| {
                let mut members = members.clone();
                members.remove(key);
                Json::Object(members)
            }));
            let mut more = members.clone();
            more.insert("undocumentedProperty".to_owned(), json!(1));
            all.push(Json::Object(more));
        }
        Json::Array(items) => {
            let first = items.first().cloned().unwrap_or_else(|| json!("a"));
            let twice = items.iter().cloned().chain([first.clone()]).collect();
            all.extend([Json::Array(twice), Json::Array(vec![first; 2_000])]);
        }
        Json::String(text) => {
            let first = text.chars().take(1).collect::<String>();
            all.extend(
                [
                    String::new(),
                    first,
                    format!("{text}!"),
                    text.repeat(2),
                    "x".repeat(5_000),
                ]
                .map(Json::from),
            );
        }
        Json::Number(number) => {
            let near = number.as_f64().unwrap_or_default();
            for other in [0.0, -1.0, 1e15, -1e15, near + 0.5, near + 1.0, near - 1.0] {
                all.push(match other.fract() == 0.0 {
                    true => json!(other as i64),
                    false => json!(other),
                });
            }
        }
        Json::Null | Json::Bool(_) => {}
    }
    all
}
