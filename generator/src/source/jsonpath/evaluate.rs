//! The selection of nodes.

use std::borrow::Cow;
use std::cell::Cell;
use std::cmp::Ordering;

use regex::Regex;

use super::values::{from_either_end, order, same, text_visits};
use super::{
    Comparison, Logical, Match, Nested, Operand, Query, SIZE, Segment, Selector, positions, regex,
};
use crate::position::Pointer;
use crate::source::Value;

/// The budget of visits is exhausted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Exhausted;

/// Why a walk ends early.
enum Stop {
    /// Further nodes make no difference.
    Enough,
    Exhausted,
}

type Walk = Result<(), Stop>;

/// A step of the path to a node.
#[derive(Debug, Clone, Copy)]
enum Step<'d> {
    Key(&'d str),
    Index(usize),
}

/// The action on a selected node.
type Found<'f, 'd> = dyn FnMut(&'d Value, &[Step<'d>]) -> Walk + 'f;

impl Query {
    /// Returns the pointers of the selected nodes, in the order of the specification. A node may be
    /// selected repeatedly. `visits` is the remaining budget.
    pub(in super::super) fn select(
        &self,
        root: &Value,
        visits: &Cell<usize>,
    ) -> Result<Vec<Pointer>, Exhausted> {
        let mut selected = Vec::new();
        let evaluation = Evaluation { root, visits };
        let walked = evaluation.walk(&self.segments, root, &mut Vec::new(), &mut |_, path| {
            let names = path.iter().map(|step| match step {
                Step::Key(key) => key.len(),
                Step::Index(_) => 0,
            });
            evaluation.spend(8 * (path.len() + 1) + names.sum::<usize>())?;
            selected.push(path.iter().fold(Pointer::ROOT, |at, step| match step {
                Step::Key(key) => at.child(key),
                Step::Index(index) => at.item(*index),
            }));
            Ok(())
        });
        match walked {
            Err(Stop::Exhausted) => Err(Exhausted),
            _ => Ok(selected),
        }
    }

    /// Returns the longest part of the text, from its start, that selects a node.
    pub(in super::super) fn longest_match(
        &self,
        root: &Value,
        visits: &Cell<usize>,
    ) -> Result<&str, Exhausted> {
        let evaluation = Evaluation { root, visits };
        for kept in (1..self.segments.len()).rev() {
            let segments = &self.segments[..kept];
            let mut stop = |_: &Value, _: &[Step<'_>]| Err(Stop::Enough);
            match evaluation.walk(segments, root, &mut Vec::new(), &mut stop) {
                Ok(()) => {}
                Err(Stop::Enough) => return Ok(&self.text[..self.segments[kept - 1].end]),
                Err(Stop::Exhausted) => return Err(Exhausted),
            }
        }
        Ok("$")
    }
}

struct Evaluation<'d, 'b> {
    root: &'d Value,
    visits: &'b Cell<usize>,
}

impl<'d> Evaluation<'d, '_> {
    fn spend(&self, amount: usize) -> Walk {
        let left = self.visits.get().checked_sub(amount);
        self.visits.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or(Stop::Exhausted)
    }

    /// Walks from a child with the path to it.
    fn enter(
        &self,
        step: Step<'d>,
        path: &mut Vec<Step<'d>>,
        walk: impl FnOnce(&mut Vec<Step<'d>>) -> Walk,
    ) -> Walk {
        self.spend(1)?;
        path.push(step);
        let walked = walk(path);
        path.pop();
        walked
    }

    fn walk(
        &self,
        segments: &[Segment],
        node: &'d Value,
        path: &mut Vec<Step<'d>>,
        found: &mut Found<'_, 'd>,
    ) -> Walk {
        match segments.split_first() {
            None => found(node, path),
            Some((segment, rest)) if segment.descendant => {
                self.descend(segment, rest, node, path, found)
            }
            Some((segment, rest)) => self.children(segment, rest, node, path, found),
        }
    }

    /// Applies the selectors of a segment to a node and all its descendants.
    fn descend(
        &self,
        segment: &Segment,
        rest: &[Segment],
        node: &'d Value,
        path: &mut Vec<Step<'d>>,
        found: &mut Found<'_, 'd>,
    ) -> Walk {
        self.children(segment, rest, node, path, found)?;
        for (step, child) in children_of(node) {
            self.enter(step, path, |path| {
                self.descend(segment, rest, child, path, found)
            })?;
        }
        Ok(())
    }

    /// Applies the selectors of a segment to a node.
    fn children(
        &self,
        segment: &Segment,
        rest: &[Segment],
        node: &'d Value,
        path: &mut Vec<Step<'d>>,
        found: &mut Found<'_, 'd>,
    ) -> Walk {
        let mut enter = |(step, child): (Step<'d>, &'d Value)| {
            self.enter(step, path, |path| self.walk(rest, child, path, found))
        };
        for selector in &segment.selectors {
            self.spend(1)?;
            match (selector, node) {
                (Selector::Name(name), Value::Object(object)) => {
                    self.spend(text_visits(name.len()))?;
                    if let Some((key, child)) = object.get_key_value(name) {
                        enter((Step::Key(key), child))?;
                    }
                }
                (Selector::Index(index), Value::Array(items)) => {
                    let at = from_either_end(*index, items.len());
                    if let Some((at, item)) = at.and_then(|at| Some((at, items.get(at)?))) {
                        enter((Step::Index(at), item))?;
                    }
                }
                (Selector::Slice(slice), Value::Array(items)) => {
                    for at in slice.indices(items.len()) {
                        if let Some(item) = items.get(at) {
                            enter((Step::Index(at), item))?;
                        }
                    }
                }
                (Selector::Wildcard, _) => children_of(node).try_for_each(&mut enter)?,
                (Selector::Filter(filter), _) => {
                    for (step, child) in children_of(node) {
                        if self.is_true(filter, child)? {
                            enter((step, child))?;
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn is_true(&self, condition: &Logical, node: &'d Value) -> Result<bool, Stop> {
        self.spend(1)?;
        match condition {
            Logical::Or(parts) => {
                for part in parts {
                    if self.is_true(part, node)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Logical::And(parts) => {
                for part in parts {
                    if !self.is_true(part, node)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Logical::Not(negated) => Ok(!self.is_true(negated, node)?),
            Logical::Exists(query) => Ok(!self.first(query, node, 1)?.is_empty()),
            Logical::Match(function) => self.matches(function, node),
            Logical::Compare(compared) => {
                let (left, comparison, right) = &**compared;
                let left = self.value(left, node)?;
                let right = self.value(right, node)?;
                self.compare(left.as_deref(), *comparison, right.as_deref())
            }
        }
    }

    /// Returns the first nodes of a query, at most `most`.
    fn first(&self, query: &Nested, node: &'d Value, most: usize) -> Result<Vec<&'d Value>, Stop> {
        let mut nodes = Vec::new();
        self.each(query, node, &mut |node| {
            nodes.push(node);
            if nodes.len() == most {
                Err(Stop::Enough)
            } else {
                Ok(())
            }
        })?;
        Ok(nodes)
    }

    fn each(
        &self,
        query: &Nested,
        node: &'d Value,
        found: &mut dyn FnMut(&'d Value) -> Walk,
    ) -> Walk {
        let from = if query.absolute { self.root } else { node };
        let walked = self.walk(&query.segments, from, &mut Vec::new(), &mut |node, _| {
            found(node)
        });
        match walked {
            Err(Stop::Enough) => Ok(()),
            other => other,
        }
    }

    /// Returns the value of an operand, or `None` if it is absent.
    fn value<'v>(
        &self,
        operand: &'v Operand,
        node: &'d Value,
    ) -> Result<Option<Cow<'v, Value>>, Stop>
    where
        'd: 'v,
    {
        let count = |count: usize| Cow::Owned(Value::from(i128::try_from(count).unwrap_or(0)));
        Ok(match operand {
            Operand::Literal(value) => Some(Cow::Borrowed(value)),
            Operand::Query(query) => self.first(query, node, 1)?.pop().map(Cow::Borrowed),
            Operand::Value(query) => match self.first(query, node, 2)?[..] {
                [value] => Some(Cow::Borrowed(value)),
                _ => None,
            },
            Operand::Count(query) => {
                let mut nodes = 0;
                self.each(query, node, &mut |_| {
                    nodes += 1;
                    Ok(())
                })?;
                Some(count(nodes))
            }
            Operand::Length(operand) => match self.value(operand, node)?.as_deref() {
                Some(Value::String(text)) => {
                    self.spend(text_visits(text.len()))?;
                    Some(count(text.chars().count()))
                }
                Some(Value::Array(items)) => Some(count(items.len())),
                Some(Value::Object(object)) => Some(count(object.len())),
                _ => None,
            },
            Operand::Match(_) => None,
        })
    }

    fn matches(&self, function: &Match, node: &'d Value) -> Result<bool, Stop> {
        let value = self.value(&function.value, node)?;
        let Some(Value::String(text)) = value.as_deref() else {
            return Ok(false);
        };
        let pattern = self.value(&function.pattern, node)?;
        let Some(Value::String(pattern)) = pattern.as_deref() else {
            return Ok(false);
        };
        let positions = positions(pattern);
        let compile = || -> Result<Option<Regex>, Stop> {
            // Compiling takes far longer than a visit.
            self.spend(10_000 + (5_000 * positions).min(SIZE))?;
            Ok(regex(pattern, function.whole))
        };
        let is_found = |compiled: &Option<Regex>| -> Result<bool, Stop> {
            // A search may be at all positions of the pattern for each character of the text.
            self.spend(text.len().saturating_mul(4 * (positions + 1)))?;
            Ok(compiled.as_ref().is_some_and(|regex| regex.is_match(text)))
        };
        if !matches!(function.pattern, Operand::Literal(_)) {
            return is_found(&compile()?);
        }
        let compiled = match function.compiled.get() {
            Some(compiled) => compiled,
            None => {
                let compiled = compile()?;
                function.compiled.get_or_init(|| compiled)
            }
        };
        is_found(compiled)
    }

    fn compare(
        &self,
        left: Option<&Value>,
        comparison: Comparison,
        right: Option<&Value>,
    ) -> Result<bool, Stop> {
        let equal = || -> Result<bool, Stop> {
            match (left, right) {
                (None, None) => Ok(true),
                (Some(left), Some(right)) => same(left, right, self.visits).map_err(Stop::from),
                _ => Ok(false),
            }
        };
        let less = |left: Option<&Value>, right: Option<&Value>| match (left, right) {
            (Some(Value::Number(a)), Some(Value::Number(b))) => {
                Ok(order(*a, *b) == Some(Ordering::Less))
            }
            (Some(Value::String(a)), Some(Value::String(b))) => {
                self.spend(text_visits(a.len().min(b.len())))?;
                Ok(a < b)
            }
            _ => Ok::<_, Stop>(false),
        };
        Ok(match comparison {
            Comparison::Equal => equal()?,
            Comparison::NotEqual => !equal()?,
            Comparison::Less => less(left, right)?,
            Comparison::Greater => less(right, left)?,
            Comparison::LessOrEqual => less(left, right)? || equal()?,
            Comparison::GreaterOrEqual => less(right, left)? || equal()?,
        })
    }
}

impl From<Exhausted> for Stop {
    fn from(_: Exhausted) -> Self {
        Self::Exhausted
    }
}

/// Returns the children of an array or an object with the steps to them.
fn children_of<'d>(node: &'d Value) -> Box<dyn Iterator<Item = (Step<'d>, &'d Value)> + 'd> {
    match node {
        Value::Array(items) => {
            let items = items.iter().enumerate();
            Box::new(items.map(|(index, item)| (Step::Index(index), item)))
        }
        Value::Object(object) => {
            let entries = object.iter();
            Box::new(entries.map(|(key, value)| (Step::Key(key), value)))
        }
        _ => Box::new(std::iter::empty()),
    }
}
