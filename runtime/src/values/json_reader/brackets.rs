//! The places of brackets that were found by looking ahead.

/// The least number of bytes between the brackets of an array or object whose end is kept.
const LONG: usize = 64;

/// The places of the brackets of long arrays and objects, in the order of the opening ones.
#[derive(Default)]
pub(super) struct Brackets(Vec<(usize, usize)>);

impl Brackets {
    /// Returns the place of the bracket that closes what another opens, if it is kept.
    pub(super) fn end_of(&self, start: usize) -> Option<usize> {
        let index = self
            .0
            .binary_search_by_key(&start, |(start, _)| *start)
            .ok()?;
        self.0.get(index).map(|(_, end)| *end)
    }

    /// Adds the place of an opening bracket, and returns its index.
    pub(super) fn open(&mut self, start: usize) -> usize {
        self.0.push((start, 0));
        self.0.len() - 1
    }

    /// Adds the place of a closing bracket. If it is near, neither is kept, and no bracket between them is.
    pub(super) fn close(&mut self, index: usize, end: usize) {
        match self.0.get_mut(index) {
            Some((start, _)) if end - *start < LONG => self.0.truncate(index),
            Some((_, kept)) => *kept = end,
            None => {}
        }
    }
}
