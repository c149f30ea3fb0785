//! Names in brackets: `name[key][0]`.

use crate::values::{Node, WireError};
use indexmap::{IndexMap, IndexSet};

/// Returns the parts in brackets of a name that begins with `key`: `a`, `b` for `key[a][b]`.
pub(crate) fn brackets<'a>(name: &'a str, key: &str) -> Option<Vec<&'a str>> {
    let mut rest = name.strip_prefix(key)?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (step, after) = rest.strip_prefix('[')?.split_once(']')?;
        steps.push(step);
        rest = after;
    }
    (!steps.is_empty()).then_some(steps)
}

/// Limit for the nesting of brackets.
const MAX_DEPTH: usize = 32;

/// The names in brackets of a value.
type Entry<'a> = (Vec<&'a str>, Node);

/// Builds the items of a list with empty brackets, which consist of names: a name that the last item already has
/// begins the next item, as in Rack. A name that itself contains empty brackets belongs to a list within the item: it
/// begins none. (PHP begins an item with each name.)
fn elements(entries: Vec<Entry<'_>>, depth: usize) -> Result<Vec<Node>, WireError> {
    let mut items: Vec<Vec<Entry<'_>>> = Vec::new();
    let mut known: IndexSet<Vec<&str>> = IndexSet::new();
    for (steps, value) in entries {
        let names: Vec<&str> = steps.iter().skip(depth).copied().collect();
        if !names.contains(&"") && !known.insert(names.clone()) {
            items.push(Vec::new());
            known = IndexSet::from([names]);
        }
        match items.last_mut() {
            Some(item) => item.push((steps, value)),
            None => items.push(vec![(steps, value)]),
        }
    }
    items.into_iter().map(|item| nest(item, depth)).collect()
}

/// Builds a tree from names in brackets. Numbers, and empty brackets, make a list: `items[0][a]=1`, `items[][a]=1`.
pub(crate) fn nest(entries: Vec<Entry<'_>>, depth: usize) -> Result<Node, WireError> {
    if depth > MAX_DEPTH {
        return Err(WireError::new("is nested too deeply"));
    }
    if entries.iter().all(|(steps, _)| steps.get(depth).is_none()) {
        return Ok(Node::Repeated(
            entries.into_iter().map(|(_, value)| value).collect(),
        ));
    }
    let mut groups: IndexMap<&str, Vec<Entry<'_>>> = IndexMap::new();
    for (steps, value) in entries {
        let Some(step) = steps.get(depth).copied() else {
            return Err(WireError::new("is both a value and an object"));
        };
        groups.entry(step).or_default().push((steps, value));
    }
    if groups.len() == 1 && groups.contains_key("") {
        let members = groups.pop().map(|(_, members)| members).unwrap_or_default();
        return match members.iter().any(|(steps, _)| steps.len() > depth + 1) {
            true => elements(members, depth + 1).map(Node::List),
            false => nest(members, depth + 1),
        };
    }
    let numbers: Option<Vec<u32>> = groups.keys().map(|step| step.parse().ok()).collect();
    if let Some(numbers) = numbers {
        let mut items: Vec<_> = numbers.into_iter().zip(groups).collect();
        items.sort_by_key(|(number, _)| *number);
        let keyed: Result<Vec<(String, Node)>, WireError> = items
            .into_iter()
            .map(|(_, (step, members))| Ok((step.to_owned(), nest(members, depth + 1)?)))
            .collect();
        return keyed.map(Node::Numbered);
    }
    let fields: Result<Vec<(String, Node)>, WireError> = groups
        .into_iter()
        .map(|(step, members)| Ok((step.to_owned(), nest(members, depth + 1)?)))
        .collect();
    fields.map(Node::Object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_within_an_item_begins_no_item() {
        let names = [
            "a[][tags][]",
            "a[][tags][]",
            "a[][n]",
            "a[][n]",
            "a[][tags][]",
        ];
        let entries = names.iter().zip(["1", "2", "3", "4", "5"]);
        let entries = entries.map(|(name, text)| {
            (
                brackets(name, "a").expect("brackets"),
                Node::Text(text.to_owned()),
            )
        });
        let text = |text: &str| Node::Text(text.to_owned());
        let item = |tags: &[&str], n: &str| {
            let tags = Node::Repeated(tags.iter().map(|tag| text(tag)).collect());
            let n = Node::Repeated(vec![text(n)]);
            vec![("tags".to_owned(), tags), ("n".to_owned(), n)]
        };
        let mut second = item(&["5"], "4");
        second.reverse();
        let items = [item(&["1", "2"], "3"), second].map(Node::Object);
        let expected = Node::List(items.into());
        let nested = nest(entries.collect(), 0).expect("a tree");
        assert_eq!(format!("{nested:?}"), format!("{expected:?}"));
    }
}
