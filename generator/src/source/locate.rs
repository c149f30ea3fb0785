//! Finding the line and the column of nodes for diagnostics.
//!
//! No positions are stored while a document is read. One pass over the text finds all requested
//! nodes. Both parsers return slices of the text that they read, and the position of a node is the
//! start of its slice.

use std::collections::BTreeMap;

use super::{Format, SourceFile, json, yaml};
use crate::position::Pointer;

/// A position in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Byte offset of the first character.
    pub offset: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// The position of the first character of a text.
    pub(crate) const START: Self = Self {
        offset: 0,
        line: 1,
        column: 1,
    };
}

/// Returns the positions of nodes in a file, found in one pass over its text.
///
/// The position of an object or an array is its key, the position of a scalar its value. A node
/// that is not found has the position of its nearest ancestor.
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

/// The requested nodes, as a tree.
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
        for segment in pointer.names() {
            let next = self.nodes.len();
            let known = self.nodes[here].children.get(segment).copied();
            here = known.unwrap_or_else(|| {
                let children = &mut self.nodes[here].children;
                children.insert(segment.to_owned(), next);
                self.nodes.push(Wanted {
                    parent: here,
                    ..Wanted::default()
                });
                next
            });
        }
        here
    }

    /// Returns the requested child of a node, by its key or index.
    pub(super) fn child(&self, node: usize, key: &str) -> Option<usize> {
        self.nodes[node].children.get(key).copied()
    }

    /// Returns whether no descendant of a node is requested.
    pub(super) fn is_leaf(&self, node: usize) -> bool {
        self.nodes[node].children.is_empty()
    }

    pub(super) fn is_found(&self, node: usize) -> bool {
        self.nodes[node].offset.is_some()
    }

    pub(super) fn found(&mut self, node: usize, offset: usize) {
        self.nodes[node].offset = Some(offset);
    }

    /// Returns the offset of a node, or of its nearest ancestor that was found.
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

/// Returns the offset of a slice in a text, or `None` if the slice is not part of the text.
pub(super) fn offset_in(text: &str, slice: &str) -> Option<usize> {
    let offset = (slice.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    (offset + slice.len() <= text.len()).then_some(offset)
}

/// The starts of the lines of a text.
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

    /// Returns the position of a byte.
    pub(crate) fn position(&self, offset: usize) -> Position {
        self.position_after(Position::START, offset)
    }

    /// Returns the position of a byte after a known position. Within one line, only the characters
    /// between the two are counted.
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

    /// Returns the positions of bytes in one pass over the text, which may be one long line.
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

    /// Returns the byte at a line and a column, or the nearest byte in that line.
    pub(crate) fn offset(&self, line: usize, column: usize) -> usize {
        let text = self.line(line);
        self.start(line)
            + text
                .char_indices()
                .nth(column - 1)
                .map_or(text.len(), |(at, _)| at)
    }

    /// Returns the byte at which a line begins.
    pub(crate) fn start(&self, line: usize) -> usize {
        let start = self.starts.get(line - 1).copied();
        start.unwrap_or(self.text.len())
    }

    /// Returns a line without its line ending.
    pub(crate) fn line(&self, line: usize) -> &'a str {
        let start = self.start(line);
        let end = self
            .starts
            .get(line)
            .map_or(self.text.len(), |next| next - 1);
        self.text[start..end].trim_end_matches('\r')
    }
}
