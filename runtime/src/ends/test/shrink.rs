//! Smaller requests with the same fault.

use super::invalid::nodes;
use crate::message::operation::SampledRequest;
use crate::values::Json;
use serde_json::json;

/// Returns smaller neighbours of a request, the smallest first.
pub(super) fn smaller(request: &SampledRequest) -> Vec<SampledRequest> {
    let mut all = Vec::new();
    for (index, part) in request.parts().iter().enumerate() {
        if part.place() != "path" {
            let mut less = request.clone();
            less.parts.remove(index);
            all.push(less);
        }
    }
    for (index, part) in request.parts().iter().enumerate() {
        // The whole comes first: what removes the most is tried first.
        for (pointer, value) in nodes(part.value()) {
            for other in smaller_values(value) {
                let mut less = request.clone();
                let target = less.parts.get_mut(index);
                if let Some(target) = target.and_then(|part| part.value.pointer_mut(&pointer)) {
                    *target = other;
                    all.push(less);
                }
            }
        }
    }
    all
}

/// Returns smaller values than one, in the same type.
fn smaller_values(value: &Json) -> Vec<Json> {
    match value {
        Json::Null => Vec::new(),
        Json::Bool(is_true) => is_true.then(|| json!(false)).into_iter().collect(),
        Json::Number(number) => smaller_numbers(number),
        Json::String(text) => smaller_texts(text).into_iter().map(Json::from).collect(),
        Json::Array(items) => {
            let half = items.get(..items.len() / 2).unwrap_or_default();
            let without = |index: usize| {
                let mut items = items.clone();
                items.remove(index);
                Json::Array(items)
            };
            let mut all = vec![Json::Array(half.to_vec())];
            all.extend((0..items.len().min(20)).map(without));
            all.retain(|other| other != value);
            all
        }
        Json::Object(members) => {
            let without = |key: &String| {
                let mut members = members.clone();
                members.remove(key);
                Json::Object(members)
            };
            members.keys().map(without).collect()
        }
    }
}

fn smaller_numbers(number: &serde_json::Number) -> Vec<Json> {
    let all = match (number.as_i64(), number.as_f64()) {
        (Some(whole), _) => {
            let towards = whole - whole.signum();
            vec![json!(0), json!(1), json!(whole / 2), json!(towards)]
        }
        (None, Some(float)) => vec![json!(0), json!(float.trunc() as i64)],
        _ => Vec::new(),
    };
    let size = |value: &Json| value.as_f64().unwrap_or(f64::MAX).abs();
    let (own, is_negative) = (
        number.as_f64().unwrap_or_default(),
        number.as_f64().is_some_and(f64::is_sign_negative),
    );
    let mut all: Vec<Json> = all
        .into_iter()
        .filter(|other| size(other) < own.abs())
        .collect();
    if is_negative {
        all.retain(|other| other != &json!(1));
    }
    all
}

fn smaller_texts(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let first = |count: usize| chars.iter().take(count).collect::<String>();
    let mut all = vec![
        first(0),
        first(1),
        first(chars.len() / 2),
        first(chars.len().saturating_sub(1)),
    ];
    if !text.chars().all(|character| matches!(character, 'a' | '0')) {
        let plain = chars.iter().map(|character| match character {
            'b'..='z' | 'A'..='Z' => 'a',
            '1'..='9' => '0',
            other => *other,
        });
        all.push(plain.collect());
    }
    all.retain(|other| other != text);
    all.dedup();
    all
}
