//! Random numbers.

/// A source of random numbers: a [`Seed`], or a function that returns them, such as the generator of any
/// version of the crate `rand`: `&mut || rng.next_u64()`.
pub trait Random {
    /// Returns the next number.
    fn next_u64(&mut self) -> u64;
}

impl<F: FnMut() -> u64> Random for F {
    fn next_u64(&mut self) -> u64 {
        self()
    }
}

/// Random numbers from a seed (SplitMix64): the same seed gives the same values, on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed(u64);

impl Seed {
    /// Creates the numbers of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }
}

impl Random for Seed {
    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Draws among alternatives.
pub(crate) struct Dice<'r> {
    random: &'r mut dyn Random,
    /// Whether texts consist of letters and digits if their rules permit it, as in URLs and headers.
    pub(crate) is_plain: bool,
}

impl<'r> Dice<'r> {
    pub(crate) fn new(random: &'r mut dyn Random) -> Self {
        Self {
            random,
            is_plain: false,
        }
    }

    /// Returns any number.
    pub(super) fn next(&mut self) -> u64 {
        self.random.next_u64()
    }

    /// Returns a number below `count`, or zero if `count` is zero.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % count).unwrap_or_default()
    }

    /// Returns `true` once in this many cases.
    pub(crate) fn once_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    /// Returns an item of a list; `None` if it is empty.
    pub(super) fn pick<'v, T>(&mut self, all: &'v [T]) -> Option<&'v T> {
        all.get(self.below(all.len()))
    }

    /// Removes an item of a list, and returns it.
    pub(super) fn take<T>(&mut self, all: &mut Vec<T>) -> Option<T> {
        let at = self.below(all.len());
        (at < all.len()).then(|| all.swap_remove(at))
    }

    /// Returns a number of a range: often one of its ends, or a small one.
    pub(super) fn within(&mut self, first: i128, last: i128) -> i128 {
        let near = |number: i128| number.max(first).min(last);
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
                let count = last.saturating_sub(first).unsigned_abs().saturating_add(1);
                let wide = u128::from(self.next()) << 64 | u128::from(self.next());
                near(first.saturating_add(i128::try_from(wide % count).unwrap_or_default()))
            }
        }
    }

    /// Returns a number of a range, each as likely as another.
    pub(super) fn evenly(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last.saturating_sub(first).saturating_add(1))
    }
}

/// Draws this number of characters of an alphabet.
pub(super) fn some(alphabet: &str, count: usize, dice: &mut Dice<'_>) -> String {
    let all: Vec<char> = alphabet.chars().collect();
    (0..count).filter_map(|_| dice.pick(&all)).collect()
}
