//! Random numbers that depend on a text alone.

use crate::fnv;

/// Random numbers from a seed (SplitMix64).
pub(super) struct Random(u64);

impl Random {
    /// Creates the numbers of a text.
    pub(super) fn new(text: &str) -> Self {
        Self(fnv::extend(fnv::EMPTY, text.bytes()))
    }

    /// Returns any number.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `count`, which is not zero.
    pub(super) fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % count).unwrap_or_default()
    }

    /// Returns `true` once in `count` cases.
    pub(super) fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// Returns an item of a list that is not empty.
    pub(super) fn pick<'v, T>(&mut self, all: &'v [T]) -> Option<&'v T> {
        all.get(self.below(all.len()))
    }

    /// Returns a number of a range: often one of its ends or a small one.
    pub(super) fn within(&mut self, first: i128, last: i128) -> i128 {
        let near = |number: i128| number.clamp(first, last);
        match self.below(8) {
            0 => first,
            1 => last,
            2 => near(first.saturating_add(1)),
            3 => near(last.saturating_sub(1)),
            // Small numbers of each length.
            4 | 5 => {
                let bits = self.below(63) as u32;
                let size = i128::from(self.next() >> (64 - bits.max(1)));
                near(if self.once_in(3) { -size } else { size })
            }
            _ => {
                let count = u128::try_from(last.saturating_sub(first)).unwrap_or_default() + 1;
                let wide = u128::from(self.next()) << 64 | u128::from(self.next());
                near(first.saturating_add(i128::try_from(wide % count).unwrap_or_default()))
            }
        }
    }
}
