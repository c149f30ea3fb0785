//! Matching of paths to routes.
//!
//! A router compiles its routes to a tree with a node for each prefix of segments, so that the cost
//! of a request depends on the length of its path and not on the number of routes.

use crate::message::wire::captures::Captures;
use crate::message::wire::percent::{BadEncoding, decode, find_near};
use memchr::memchr;
use std::borrow::Cow;
use std::ops::Range;

/// A segment of a route.
#[derive(Debug, Clone, Copy)]
pub enum Segment {
    /// A decoded text.
    Static(&'static str),
    /// A segment that consists of one variable.
    Variable,
    /// A segment with several variables, or with a variable and text, and its name in the row.
    Mixed(&'static str),
}

/// The condition of a mixed segment: a function that matches a decoded segment with a template, and
/// the template.
pub type Condition = (fn(&str, &str) -> bool, &'static str);

/// The index of a node or a route that does not exist.
const NONE: u32 = u32::MAX;

/// The routes of a router as a tree.
///
/// The route with the lowest index counts. Routes are sorted by their segments: texts are first,
/// mixed segments follow, and variables are last.
#[derive(Debug, Clone)]
pub(super) struct Matcher {
    nodes: Vec<Node>,
}

/// The routes that begin with the same segments.
#[derive(Debug, Clone)]
struct Node {
    /// The following texts, sorted by length and then by text, with their nodes.
    texts: Vec<(&'static str, u32)>,
    /// The conditions of mixed segments, with their nodes.
    mixed: Vec<(Condition, u32)>,
    /// The node after a variable.
    variable: u32,
    /// The route that ends here.
    route: u32,
    /// The lowest route that ends here or below.
    lowest: u32,
}

impl Default for Matcher {
    fn default() -> Self {
        Self {
            nodes: vec![Node::EMPTY],
        }
    }
}

impl Node {
    const EMPTY: Self = Self {
        texts: Vec::new(),
        mixed: Vec::new(),
        variable: NONE,
        route: NONE,
        lowest: NONE,
    };

    /// Returns the position of a text among the texts.
    fn position(&self, text: &str) -> Result<usize, usize> {
        let order = |(known, _): &(&'static str, u32)| {
            let by_length = known.len().cmp(&text.len());
            by_length.then_with(|| (**known).cmp(text))
        };
        self.texts.binary_search_by(order)
    }

    /// Returns the node after a text.
    fn after_text(&self, text: &str) -> Option<u32> {
        // Most nodes have one text.
        if let [(known, node)] = self.texts.as_slice() {
            return (*known == text).then_some(*node);
        }
        let position = self.position(text).ok()?;
        self.texts.get(position).map(|(_, node)| *node)
    }
}

impl Matcher {
    /// Compiles routes. Of two routes with the same segments, the first counts.
    pub(super) fn new<'s>(
        routes: impl IntoIterator<Item = (&'s [Segment], &'s [Condition])>,
    ) -> Self {
        let mut matcher = Self::default();
        for (index, (segments, conditions)) in (0..NONE).zip(routes) {
            let mut conditions = conditions.iter().copied();
            let mut at = 0;
            matcher.passes(at, index);
            for segment in segments {
                at = matcher.child(at, *segment, &mut conditions);
                matcher.passes(at, index);
            }
            if let Some(node) = matcher.node_mut(at) {
                node.route = node.route.min(index);
            }
        }
        matcher
    }

    fn node(&self, index: u32) -> Option<&Node> {
        self.nodes.get(usize::try_from(index).ok()?)
    }

    fn node_mut(&mut self, index: u32) -> Option<&mut Node> {
        self.nodes.get_mut(usize::try_from(index).ok()?)
    }

    /// Records that a route passes a node.
    fn passes(&mut self, node: u32, route: u32) {
        if let Some(node) = self.node_mut(node) {
            node.lowest = node.lowest.min(route);
        }
    }

    /// Returns the node after a segment, and creates it if it does not exist.
    fn child(
        &mut self,
        parent: u32,
        segment: Segment,
        conditions: &mut impl Iterator<Item = Condition>,
    ) -> u32 {
        let next = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        let Some(node) = self.node_mut(parent) else {
            return NONE;
        };
        let found = match segment {
            Segment::Static(text) => match node.position(text) {
                Ok(position) => node.texts.get(position).map(|(_, node)| *node),
                Err(position) => {
                    node.texts.insert(position, (text, next));
                    None
                }
            },
            Segment::Mixed(_) => {
                // A segment without a condition matches anything.
                let condition = conditions.next().unwrap_or((|_, _| true, ""));
                let mut known = node.mixed.iter();
                let known = known.find(|((_, template), _)| *template == condition.1);
                let known = known.map(|(_, node)| *node);
                if known.is_none() {
                    node.mixed.push((condition, next));
                }
                known
            }
            Segment::Variable if node.variable == NONE => {
                node.variable = next;
                None
            }
            Segment::Variable => Some(node.variable),
        };
        found.unwrap_or_else(|| {
            self.nodes.push(Node::EMPTY);
            next
        })
    }

    /// Returns the index of the first route that matches a path, and the segments that its
    /// variables match. A variable matches the empty segment, too.
    ///
    /// # Errors
    ///
    /// Returns an error if the percent-encoding of a segment is invalid.
    pub(super) fn find(&self, path: &str) -> Result<Option<(usize, Captures)>, BadEncoding> {
        let is_encoded = memchr(b'%', path.as_bytes()).is_some();
        if is_encoded {
            for segment in path.split('/') {
                decode(segment, false)?;
            }
        }
        let mut search = Search {
            matcher: self,
            path,
            is_encoded,
            captures: Captures::default(),
            best: NONE,
            best_captures: Captures::default(),
        };
        // The text before the first slash is not a segment.
        let start = find_near(b'/', path.as_bytes()).map(|slash| slash + 1);
        search.visit(0, start);
        let best = usize::try_from(search.best).ok();
        let best = best.filter(|_| search.best != NONE);
        Ok(best.map(|index| (index, search.best_captures)))
    }
}

/// A search for the route of a path.
struct Search<'m, 'p> {
    matcher: &'m Matcher,
    path: &'p str,
    /// Whether the path has encoded characters.
    is_encoded: bool,
    /// The segments that variables match on the way to the present node.
    captures: Captures,
    best: u32,
    best_captures: Captures,
}

impl Search<'_, '_> {
    /// Searches below a node. `start` is the offset of the next segment; `None` at the end.
    fn visit(&mut self, node: u32, start: Option<usize>) {
        let (mut node, mut start) = (node, start);
        while let Some((next, after)) = self.step(node, start) {
            (node, start) = (next, after);
        }
    }

    /// Matches one segment, and searches below all nodes after it but the last, which is returned
    /// with the offset of the segment after it. Few nodes have more than one.
    fn step(&mut self, node: u32, start: Option<usize>) -> Option<(u32, Option<usize>)> {
        let node = self.matcher.node(node)?;
        // Another match is of interest only if its route precedes the best one.
        if node.lowest >= self.best {
            return None;
        }
        let Some(start) = start else {
            if node.route < self.best {
                self.best = node.route;
                self.best_captures = self.captures;
            }
            return None;
        };
        let rest = self.path.get(start..)?;
        let length = find_near(b'/', rest.as_bytes());
        let raw = match length {
            Some(length) => rest.get(..length)?,
            None => rest,
        };
        let range = start..start + raw.len();
        let next = length.map(|length| start + length + 1);
        let decoded;
        let text = match self.is_encoded {
            true => {
                decoded = decode(raw, false).unwrap_or(Cow::Borrowed(raw));
                &*decoded
            }
            false => raw,
        };
        let after = node.after_text(text);
        if node.mixed.is_empty() && (node.variable == NONE || after.is_none()) {
            if after.is_none() && node.variable != NONE {
                self.captures.push(range);
                return Some((node.variable, next));
            }
            return after.map(|after| (after, next));
        }
        self.branches(node, after, text, range, next)
    }

    /// Searches below several nodes.
    fn branches(
        &mut self,
        node: &Node,
        after: Option<u32>,
        text: &str,
        range: Range<usize>,
        next: Option<usize>,
    ) -> Option<(u32, Option<usize>)> {
        let before = self.captures;
        if let Some(after) = after {
            self.visit(after, next);
            self.captures = before;
        }
        for ((fits, template), after) in &node.mixed {
            if fits(text, template) {
                self.captures.push_part(range.clone());
                self.visit(*after, next);
                self.captures = before;
            }
        }
        self.captures.push(range);
        (node.variable != NONE).then_some((node.variable, next))
    }
}

#[cfg(test)]
mod tests;
