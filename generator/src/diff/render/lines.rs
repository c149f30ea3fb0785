//! Changes in one line each. Equal changes of several places are one line.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::shown::{Row, Shown};
use super::{heading, place, title};
use crate::diff::change::Change;
use crate::diff::rules::{Audience, Level};
use crate::diff::view::View;

/// The number of equal changes that become one line.
const EQUAL: usize = 4;
/// The number of places that such a line names.
const NAMED: usize = 3;
/// The largest number of characters of a change in a line. Values of a document may be long.
const WIDTH: usize = 300;

/// A change, or several equal ones, in one line.
pub(super) struct Line<'s, 'r> {
    /// The codes of the rules.
    pub(super) code: String,
    /// The place and the change.
    pub(super) what: String,
    /// The levels that are not safe, with their audiences, and the reason of an accepted change.
    pub(super) effects: String,
    /// The changes.
    pub(super) rows: Vec<&'s Row<'r>>,
}

/// How equal changes differ.
#[derive(Clone, Copy)]
enum Equal {
    /// By their items: a part of several types changed in the same way.
    Items,
    /// By their parts: several parts of one item changed in the same way.
    Parts,
}

/// Returns the lines of changes: those of the most changes first, and the others in order.
pub(super) fn lines<'s, 'r>(shown: &Shown<'_>, rows: &[&'s Row<'r>]) -> Vec<Line<'s, 'r>> {
    let mut leaders: Vec<Option<(usize, Equal)>> = vec![None; rows.len()];
    if !shown.view.details {
        join(shown.view, rows, Equal::Items, &mut leaders);
        join(shown.view, rows, Equal::Parts, &mut leaders);
    }
    let mut joined: HashMap<usize, Vec<&'s Row<'r>>> = HashMap::new();
    for (row, leader) in rows.iter().zip(&leaders) {
        if let Some((first, _)) = leader {
            joined.entry(*first).or_default().push(row);
        }
    }
    let mut lines = Vec::new();
    for (index, (row, leader)) in rows.iter().zip(&leaders).enumerate() {
        let (what, rows) = match leader {
            None => (single(row.change), vec![*row]),
            Some((_, equal)) => match joined.remove(&index) {
                Some(rows) => (several(&rows, *equal), rows),
                None => continue,
            },
        };
        lines.push(Line {
            code: row.change.code(),
            what: clip(&what, WIDTH),
            effects: effects(shown.view, row.change),
            rows,
        });
    }
    lines.sort_by_key(|line| Reverse(line.rows.len()));
    lines
}

/// Gives equal changes the first of them as their leader.
fn join(view: &View, rows: &[&Row<'_>], equal: Equal, leaders: &mut [Option<(usize, Equal)>]) {
    let mut groups: HashMap<[String; 5], Vec<usize>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        if leaders.get(index).is_some_and(Option::is_none) {
            let key = key(view, row.change, equal);
            groups.entry(key).or_default().push(index);
        }
    }
    for group in groups.into_values().filter(|group| group.len() >= EQUAL) {
        let first = group.first().copied().unwrap_or_default();
        for index in group {
            if let Some(leader) = leaders.get_mut(index) {
                *leader = Some((first, equal));
            }
        }
    }
}

/// Returns what equal changes have in common.
fn key(view: &View, change: &Change, equal: Equal) -> [String; 5] {
    let subject = change.place.subject.name().to_owned();
    let (item, what) = match equal {
        Equal::Items => (change.place.member.clone(), change.message()),
        Equal::Parts => (change.place.name.clone(), unnamed(change)),
    };
    [change.code(), subject, item, what, effects(view, change)]
}

fn single(change: &Change) -> String {
    format!("{}: {}", place(change), change.message())
}

/// Returns equal changes in one line.
fn several(rows: &[&Row<'_>], equal: Equal) -> String {
    let Some(first) = rows.first().map(|row| row.change) else {
        return String::new();
    };
    let count = rows.len();
    let (start, labels): (String, Vec<String>) = match equal {
        Equal::Items => {
            let what = match first.place.member.as_str() {
                "" => first.message(),
                part => format!("{part}: {}", first.message()),
            };
            let items = rows.iter().map(|row| heading(row.change));
            (format!("{what}, in {count} places"), items.collect())
        }
        Equal::Parts => {
            let what = format!("{}: {}", heading(first), unnamed(first));
            let parts = rows.iter().map(|row| part(row.change));
            (format!("{what}, {count} times"), parts.collect())
        }
    };
    let named: Vec<String> = labels
        .iter()
        .take(NAMED)
        .map(|label| ends(label, 60))
        .collect();
    format!(
        "{start}: {} and {} more",
        named.join(", "),
        count - named.len()
    )
}

/// Returns the part of an item that changed.
fn part(change: &Change) -> String {
    let name = argument(change, "name").map(|name| format!("`{name}`"));
    let parts = [Some(change.place.member.clone()), name];
    let parts = parts.into_iter().flatten().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(": ")
}

/// Returns the title of a change with its values, and without the name.
fn unnamed(change: &Change) -> String {
    match (argument(change, "from"), argument(change, "to")) {
        (None, None) => title(change).to_owned(),
        _ if argument(change, "name").is_some() => {
            let values = ["from", "to"].map(|key| argument(change, key).unwrap_or_default());
            format!("{}: `{}`", title(change), values.join("` to `"))
        }
        _ => change.message(),
    }
}

fn argument<'c>(change: &'c Change, name: &str) -> Option<&'c str> {
    let mut all = change.arguments.iter();
    let found = all.find(|(key, _)| *key == name);
    found.map(|(_, value)| value.as_str())
}

/// Returns the levels of a change that are not safe, with their audiences.
fn effects(view: &View, change: &Change) -> String {
    let mut parts = Vec::new();
    for level in [Level::Breaking, Level::Attention] {
        let has = |audience: Audience| change.outcome(audience).level == level;
        let audiences: Vec<Audience> = view.shown().filter(|shown| has(*shown)).collect();
        if !audiences.is_empty() {
            parts.push(format!("{}: {}", level.name(), names(&audiences)));
        }
    }
    if parts.is_empty() {
        parts.push(Level::Safe.name().to_owned());
    }
    if let Some(reason) = &change.accepted {
        parts.push(format!("accepted: {}", clip(reason, 100)));
    }
    parts.join("; ")
}

/// Returns the names of audiences. Both of the wire are `wire`, both of Rust are `rust`.
fn names(audiences: &[Audience]) -> String {
    if audiences.len() == Audience::ALL.len() {
        return "all".to_owned();
    }
    let mut names = Vec::new();
    for (is_wire, both) in [(true, "wire"), (false, "rust")] {
        let some = audiences
            .iter()
            .filter(|audience| audience.is_wire() == is_wire);
        let some: Vec<&str> = some.map(|audience| audience.name()).collect();
        match some.as_slice() {
            [_, _] => names.push(both),
            some => names.extend(some),
        }
    }
    names.join(", ")
}

/// Returns a text in one line without control characters of terminals and of writing
/// directions, and with at most `width` characters.
pub(super) fn clip(text: &str, width: usize) -> String {
    let mut letters = text.chars().map(|letter| match letter {
        // These letters change the order of those around them.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        letter if letter.is_control() => ' ',
        letter => letter,
    });
    let mut clipped: String = letters.by_ref().take(width).collect();
    if letters.next().is_some() {
        _ = clipped.pop();
        clipped.push('…');
    }
    clipped
}

/// Like [`clip`], with an omission in the middle: long paths often differ only at their ends.
fn ends(text: &str, width: usize) -> String {
    let whole = clip(text, usize::MAX);
    let count = whole.chars().count();
    if count <= width {
        return whole;
    }
    let end = width / 2;
    let start = width.saturating_sub(end + 1);
    let letters = whole.chars();
    let start: String = letters.clone().take(start).collect();
    format!("{start}…{}", letters.skip(count - end).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{clip, ends, names};
    use crate::diff::rules::Audience::{RustCallers, RustImplementers, WireClients, WireServers};

    #[test]
    fn long_and_hostile_texts_are_one_short_line() {
        assert_eq!(clip("ünï", 3), "ünï");
        assert_eq!(clip("ünïc", 3), "ün…");
        assert_eq!(clip("a\nb\u{1b}[1m\u{202e}", 20), "a b [1m\u{fffd}");
        assert_eq!(clip("", 0), "");
    }

    #[test]
    fn long_places_keep_their_ends() {
        assert_eq!(ends("/a/{b}", 6), "/a/{b}");
        assert_eq!(ends("/pets/{id}/toys", 8), "/pe…toys");
        assert_eq!(ends("ünïcödé", 4), "ü…dé");
        assert_eq!(ends("a\nb", 4), "a b");
    }

    #[test]
    fn audiences_have_short_names_together() {
        assert_eq!(
            names(&[WireClients, WireServers, RustCallers, RustImplementers]),
            "all"
        );
        assert_eq!(
            names(&[WireClients, RustCallers, RustImplementers]),
            "wire-clients, rust"
        );
        assert_eq!(
            names(&[WireClients, WireServers, RustImplementers]),
            "wire, rust-implementers"
        );
    }
}
