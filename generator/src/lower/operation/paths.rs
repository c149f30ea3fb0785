//! Path templates.

use std::collections::HashMap;

use indexmap::IndexSet;

use crate::diagnostic::codes;
use crate::ir::{Operation, Segment};
use crate::source::percent_decode;

use crate::lower::Document;

/// Returns the segments of a template between slashes, without the first, empty one. A `?` or `#`
/// ends the path.
pub(in crate::lower) fn segments(path: &str) -> Vec<Segment> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    path.strip_prefix('/')
        .unwrap_or(path)
        .split('/')
        .map(segment)
        .collect()
}

fn segment(text: &str) -> Segment {
    let variable = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    match variable {
        Some(name) if !name.contains(['{', '}']) => Segment::Variable(name.to_owned()),
        _ if text.contains('{') && text.contains('}') => Segment::Mixed(text.to_owned()),
        // A router compares decoded segments.
        _ => Segment::Static(percent_decode(text)),
    }
}

/// Returns the variables of a template, in its order.
pub(in crate::lower) fn variables(path: &str) -> Vec<String> {
    let mut found: IndexSet<&str> = IndexSet::new();
    let mut rest = path;
    while let Some(start) = rest.find('{') {
        let after = &rest[start + 1..];
        let Some(end) = after.find('}') else { break };
        found.insert(&after[..end]);
        rest = &after[end + 1..];
    }
    found.into_iter().map(str::to_owned).collect()
}

/// Reports operations that a router cannot distinguish.
pub(in crate::lower) fn report_twins(document: &mut Document<'_>, operations: &[Operation]) {
    let mut seen: HashMap<(String, Vec<Option<String>>), &Operation> = HashMap::new();
    for operation in operations {
        let shape = operation.segments.iter().map(|segment| match segment {
            Segment::Static(text) => Some(text.clone()),
            Segment::Variable(_) => None,
            Segment::Mixed(text) => Some(mask(text)),
        });
        let key = (operation.method.clone(), shape.collect());
        match seen.get(&key) {
            None => {
                seen.insert(key, operation);
            }
            Some(first) => {
                document
                    .diagnostics
                    .report(
                        codes::SAME_ROUTE,
                        &operation.origin,
                        format!(
                            "`{} {}` has the same route as `{}`; the server routes requests to the first",
                            operation.method, operation.path, first.path
                        ),
                    )
                    .help("make one of the paths differ by more than the name of a variable");
            }
        }
    }
}

fn mask(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut inside = false;
    for c in text.chars() {
        inside = (inside || c == '{') && c != '}';
        if !inside || c == '{' {
            masked.push(c);
        }
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_cut_at_slashes_and_before_a_query() {
        assert_eq!(
            segments("/files/{name}.{ext}/raw?x=1"),
            [
                Segment::Static("files".into()),
                Segment::Mixed("{name}.{ext}".into()),
                Segment::Static("raw".into())
            ]
        );
        assert_eq!(segments("/"), [Segment::Static(String::new())]);
        assert_eq!(segments("/a%20b"), [Segment::Static("a b".into())]);
        assert_eq!(
            segments("/a/{b}"),
            [Segment::Static("a".into()), Segment::Variable("b".into())]
        );
    }

    #[test]
    fn variables_keep_the_order_of_the_template() {
        assert_eq!(variables("/{b}/{a}:{b}"), ["b", "a"]);
        assert_eq!(mask("{x}.{y}"), "{}.{}");
    }
}
