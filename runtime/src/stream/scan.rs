//! Where items end in a buffer that grows. Each byte is looked at once, however small the pieces are
//! in which it is received.

use memchr::{memchr, memchr2};

/// A piece of a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// Where the item ends.
    pub(super) item: usize,
    /// Where what follows begins.
    pub(super) next: usize,
}

/// How far a buffer has been searched for the end of its first item. A buffer whose first item was
/// cut off begins with a new one.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Where the search goes on.
    at: usize,
    /// Where the line begins that the search is in.
    line: usize,
    #[cfg(test)]
    pub(super) examined: usize,
}

/// The record separator of RFC 7464.
pub(super) const RECORD: u8 = 0x1e;

impl Scan {
    /// Begins with the item that follows.
    pub(super) const fn begin(&mut self) {
        (self.at, self.line) = (0, 0);
    }

    /// Looks for a byte from where the search stopped; returns its place, or moves on to the end.
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

    /// A line, which ends with LF, CR, or both.
    pub(super) fn line(&mut self, buffer: &[u8], end: bool) -> Option<Cut> {
        let Some(at) = self.find(buffer, |rest| memchr2(b'\n', b'\r', rest)) else {
            return (end && buffer.len() > self.line).then_some(Cut {
                item: buffer.len(),
                next: buffer.len(),
            });
        };
        let next = match (buffer.get(at), buffer.get(at + 1)) {
            (Some(b'\r'), Some(b'\n')) => at + 2,
            // An LF may belong to it, and is still to come.
            (Some(b'\r'), None) if !end => return None,
            _ => at + 1,
        };
        Some(Cut { item: at, next })
    }

    /// Lines up to an empty one. What is not ended by an empty line is no event.
    pub(super) fn event(&mut self, buffer: &[u8], end: bool) -> Option<Cut> {
        loop {
            let cut = self.line(buffer, end)?;
            if cut.item == self.line {
                return Some(cut);
            }
            (self.at, self.line) = (cut.next, cut.next);
        }
    }

    /// A record: a separator, and everything up to the next.
    pub(super) fn record(&mut self, buffer: &[u8], end: bool) -> Option<Cut> {
        self.at = self.at.max(1);
        let after = self.find(buffer, |rest| memchr(RECORD, rest));
        let whole = (end && !buffer.is_empty()).then_some(buffer.len());
        let next = after.or(whole)?;
        Some(Cut { item: next, next })
    }
}
