//! JSONPath queries (RFC 9535), for the targets of overlays.
//!
//! The nodes of a document are visited depth first, without lists of intermediate nodes, and every
//! visit is counted: a query of few characters can ask for more visits than any machine can make.

use std::cell::OnceCell;

use regex::Regex;

use super::Value;

mod evaluate;
mod parse;
#[cfg(test)]
mod tests;
mod values;

pub(super) use evaluate::Exhausted;
pub(super) use values::same;

/// A query that begins with `$`.
#[derive(Debug, Clone)]
pub(super) struct Query {
    text: String,
    segments: Vec<Segment>,
}

/// A step from each of the nodes that were selected before to the nodes below.
#[derive(Debug, Clone)]
struct Segment {
    /// Whether the selectors apply to all descendants too (`..`).
    descendant: bool,
    selectors: Vec<Selector>,
    /// The offset of its end in the text of the query.
    end: usize,
}

#[derive(Debug, Clone)]
enum Selector {
    Name(String),
    Wildcard,
    Index(i64),
    Slice(Slice),
    Filter(Logical),
}

#[derive(Debug, Clone, Copy)]
struct Slice {
    start: Option<i64>,
    end: Option<i64>,
    step: i64,
}

#[derive(Debug, Clone)]
enum Logical {
    Or(Vec<Logical>),
    And(Vec<Logical>),
    Not(Box<Logical>),
    /// True if the query selects a node.
    Exists(Nested),
    Match(Box<Match>),
    Compare(Box<(Operand, Comparison, Operand)>),
}

#[derive(Debug, Clone, Copy)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A query within a filter: from the tested node (`@`), or from the document (`$`).
#[derive(Debug, Clone)]
struct Nested {
    absolute: bool,
    segments: Vec<Segment>,
}

/// A value, or its absence.
#[derive(Debug, Clone)]
enum Operand {
    Literal(Value),
    Query(Nested),
    Length(Box<Operand>),
    Count(Nested),
    /// The value of the only node of a query.
    Value(Nested),
    /// The functions `match` and `search`, which are not values.
    Match(Box<Match>),
}

#[derive(Debug, Clone)]
struct Match {
    value: Operand,
    pattern: Operand,
    /// Whether the pattern matches the whole string (`match`) or a part of it (`search`).
    whole: bool,
    /// The regular expression of a literal pattern, if it is valid: compiled on first use.
    compiled: OnceCell<Option<Regex>>,
}

impl Query {
    /// Returns the text of the query.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

impl Nested {
    /// Returns whether the query selects at most one node in any document.
    fn is_singular(&self) -> bool {
        self.segments.iter().all(|segment| {
            let [selector] = &segment.selectors[..] else {
                return false;
            };
            !segment.descendant && matches!(selector, Selector::Name(_) | Selector::Index(_))
        })
    }
}

/// Returns a bound of the positions that a pattern has after the expansion of its counts, and at
/// which a search may be at the same time.
fn positions(pattern: &str) -> usize {
    let counts = pattern.split('{').skip(1).filter_map(|rest| {
        let (count, _) = rest.split_once('}')?;
        count
            .split(',')
            .filter_map(|it| it.trim().parse().ok())
            .max()
    });
    if ["){", "}{", "(?"].iter().any(|it| pattern.contains(it)) {
        // Counts of groups multiply those within.
        let times = counts.fold(1, |all: usize, count: usize| {
            all.saturating_mul(count.max(1))
        });
        pattern.len().saturating_mul(times).min(LARGEST)
    } else {
        counts
            .fold(pattern.len(), usize::saturating_add)
            .min(LARGEST)
    }
}

/// The most positions of a pattern that is not too large to compile.
const LARGEST: usize = SIZE / 16;

/// The largest size of a compiled pattern, in bytes.
const SIZE: usize = 1 << 20;

/// Compiles a pattern. `None` if it is no regular expression, or too large.
fn regex(pattern: &str, whole: bool) -> Option<Regex> {
    let build = |pattern: &str| {
        regex::RegexBuilder::new(pattern)
            .crlf(true)
            .size_limit(SIZE)
            .dfa_size_limit(SIZE)
            .build()
            .ok()
    };
    let alone = build(pattern)?;
    if whole {
        build(&format!(r"\A(?:{pattern})\z"))
    } else {
        Some(alone)
    }
}
