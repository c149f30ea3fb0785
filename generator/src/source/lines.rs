//! The lines and columns of a text.

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
        let ends = text.match_indices('\n');
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
