//! Finds the line and the column of nodes, when a diagnostic is shown.
//!
//! Nothing is kept while reading. A text is walked once for all the nodes that are asked for.
//! Both parsers hand out slices of the text they read, and where a slice begins in the text is
//! where its node stands.

use std::collections::BTreeMap;

use super::{Format, SourceFile, json, yaml};
use crate::position::Pointer;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Byte offset of its first character.
    pub offset: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// The first character of a text.
    pub(crate) const START: Self = Self {
        offset: 0,
        line: 1,
        column: 1,
    };
}

/// Finds nodes of a file, all in one walk over its text.
///
/// A node that is an object or an array is found at its key, a scalar at its value. What cannot
/// be found is where the nearest node around it is.
#[must_use]
pub fn locate(file: &SourceFile, pointers: &[Pointer]) -> Vec<Position> {
    let mut search = Search::default();
    let wanted: Vec<usize> = pointers
        .iter()
        .map(|pointer| search.want(pointer))
        .collect();
    let repaired = match file.format {
        Format::Json => {
            json::search(&file.text, &mut search);
            None
        }
        Format::Yaml => yaml::search(&file.text, &mut search),
    };
    let lines = Lines::new(&file.text);
    let mut offsets: Vec<usize> = wanted.into_iter().map(|it| search.offset(it)).collect();
    if let Some(repaired) = repaired {
        let repaired = Lines::new(&repaired);
        for offset in &mut offsets {
            *offset = yaml::map_back(&lines, &repaired, *offset);
        }
    }
    lines.positions(&offsets)
}

/// The nodes that are searched for, as a tree of their own.
#[derive(Debug)]
pub(super) struct Search {
    nodes: Vec<Wanted>,
}

#[derive(Debug, Default)]
struct Wanted {
    parent: usize,
    children: BTreeMap<String, usize>,
    offset: Option<usize>,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            nodes: vec![Wanted::default()],
        }
    }
}

impl Search {
    /// The root of the document.
    pub(super) const ROOT: usize = 0;

    fn want(&mut self, pointer: &Pointer) -> usize {
        let mut here = Self::ROOT;
        for segment in pointer.segments() {
            let next = self.nodes.len();
            let known = *self.nodes[here].children.entry(segment).or_insert(next);
            if known == next {
                self.nodes.push(Wanted {
                    parent: here,
                    ..Wanted::default()
                });
            }
            here = known;
        }
        here
    }

    /// The child of a node that is searched for, by its key or index.
    pub(super) fn child(&self, node: usize, key: &str) -> Option<usize> {
        self.nodes[node].children.get(key).copied()
    }

    /// Whether nothing below a node is searched for.
    pub(super) fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].children.is_empty()
    }

    pub(super) fn is_found(&self, node: usize) -> bool {
        self.nodes[node].offset.is_some()
    }

    pub(super) fn found(&mut self, node: usize, offset: usize) {
        self.nodes[node].offset = Some(offset);
    }

    /// Where a node is, or the nearest one around it.
    fn offset(&self, mut node: usize) -> usize {
        loop {
            match self.nodes[node].offset {
                Some(offset) => return offset,
                None if node == Self::ROOT => return 0,
                None => node = self.nodes[node].parent,
            }
        }
    }
}

/// Where a slice of a text begins in it; `None` when it is no slice of it.
pub(super) fn offset_in(text: &str, slice: &str) -> Option<usize> {
    let offset = (slice.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (offset + slice.len() <= text.len()).then_some(offset)
}

/// Where the lines of a text begin.
#[derive(Debug)]
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0)
            .chain(ends.map(|(at, _)| at + 1))
            .collect();
        Self { text, starts }
    }

    /// The place of a byte.
    pub(crate) fn position(&self, offset: usize) -> Position {
        self.position_after(Position::START, offset)
    }

    /// The place of a byte, given a place before it: of its line, only what is between is counted.
    fn position_after(&self, known: Position, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset);
        let (from, before) = if known.line == line && known.offset <= offset {
            (known.offset, known.column)
        } else {
            (self.starts[line - 1], 1)
        };
        let column = self.text[from..offset].chars().count() + before;
        Position {
            offset,
            line,
            column,
        }
    }

    /// The places of bytes, in one walk over the text: it may be one long line.
    pub(crate) fn positions(&self, offsets: &[usize]) -> Vec<Position> {
        let mut order: Vec<usize> = (0..offsets.len()).collect();
        order.sort_by_key(|index| offsets[*index]);
        let mut positions = vec![Position::START; offsets.len()];
        let mut last = Position::START;
        for index in order {
            last = self.position_after(last, offsets[index]);
            positions[index] = last;
        }
        positions
    }

    /// The byte at a line and a column, or the nearest in that line.
    pub(crate) fn offset(&self, line: usize, column: usize) -> usize {
        let text = self.line(line);
        self.start(line)
            + text
                .char_indices()
                .nth(column - 1)
                .map_or(text.len(), |(at, _)| at)
    }

    /// The byte at which a line begins.
    pub(crate) fn start(&self, line: usize) -> usize {
        let start = self.starts.get(line - 1).copied();
        start.unwrap_or(self.text.len())
    }

    /// A line without its end.
    pub(crate) fn line(&self, line: usize) -> &'a str {
        let start = self.start(line);
        let end = self
            .starts
            .get(line)
            .map_or(self.text.len(), |next| next - 1);
        self.text[start..end].trim_end_matches('\r')
    }
}
