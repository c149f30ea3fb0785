//! Search for the ends of items in a growing buffer. Each byte is examined once, however small the
//! received pieces are.

use memchr::{memchr, memchr2};

/// The boundaries of an item in a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// The end of the item.
    pub(super) item: usize,
    /// The start of the next item.
    pub(super) next: usize,
}

/// How far a buffer has been searched for the end of its first item. It is reset when that item is
/// removed.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The position at which the search continues.
    at: usize,
    /// The start of the current line.
    line: usize,
    #[cfg(test)]
    pub(super) examined: usize,
}

/// The record separator of RFC 7464.
pub(super) const RECORD: u8 = 0x1e;

impl Scan {
    /// Restarts at the next item.
    pub(super) const fn begin(&mut self) {
        (self.at, self.line) = (0, 0);
    }

    /// Searches for a byte from the current position; returns its position, or moves to the end.
    fn find(&mut self, buffer: &[u8], find: fn(&[u8]) -> Option<usize>) -> Option<usize> {
        let rest = buffer.get(self.at..).unwrap_or_default();
        let found = find(rest);
        #[cfg(test)]
        {
            self.examined += found.map_or(rest.len(), |at| at + 1);
        }
        match found {
            Some(at) => self.at += at,
            None => self.at = buffer.len(),
        }
        found.map(|_| self.at)
    }

    /// Finds a line, which ends with LF, CR, or both.
    pub(super) fn line(&mut self, buffer: &[u8], end: bool) -> Option<Cut> {
        let Some(at) = self.find(buffer, |rest| memchr2(b'\n', b'\r', rest)) else {
            return (end && buffer.len() > self.line).then_some(Cut {
                item: buffer.len(),
                next: buffer.len(),
            });
        };
        let next = match (buffer.get(at), buffer.get(at + 1)) {
            (Some(b'\r'), Some(b'\n')) => at + 2,
            // An LF that belongs to the line may still be received.
            (Some(b'\r'), None) if !end => return None,
            _ => at + 1,
        };
        Some(Cut { item: at, next })
    }

    /// Finds the lines up to an empty one. Lines that are not followed by an empty line are not an
    /// event.
    pub(super) fn event(&mut self, buffer: &[u8], end: bool) -> Option<Cut> {
        loop {
            // A CR ends an empty line at once: an LF after it is another empty line, without an event.
            let is_empty = buffer.get(self.line..) == Some(b"\r");
            let cut = self.line(buffer, end || is_empty)?;
            if cut.item == self.line {
                return Some(cut);
            }
            (self.at, self.line) = (cut.next, cut.next);
        }
    }

    /// Finds a record: a separator, and everything up to the next one.
    pub(super) fn record(&mut self, buffer: &[u8], end: bool) -> Option<Cut> {
        self.at = self.at.max(1);
        let after = self.find(buffer, |rest| memchr(RECORD, rest));
        let whole = (end && !buffer.is_empty()).then_some(buffer.len());
        let next = after.or(whole)?;
        Some(Cut { item: next, next })
    }
}
