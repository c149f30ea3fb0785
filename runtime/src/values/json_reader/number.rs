//! Numbers.

use super::{Cursor, Rejected};

/// An integer: whether it is negative, and its absolute value.
pub(super) type Integer = (bool, u64);

/// The powers of ten that an `f64` represents exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// Returns the value of a number with few digits and no exponent, of which the quotient of two exact values is the
/// nearest `f64`.
#[inline]
#[allow(clippy::cast_precision_loss)]
pub(super) fn short_float(text: &str) -> Option<f64> {
    if text.len() > 15 {
        return None;
    }
    let (mut digits, mut places, mut is_fraction) = (0_u64, 0, false);
    for byte in text.bytes().skip(usize::from(text.starts_with('-'))) {
        match byte {
            b'0'..=b'9' => {
                digits = digits * 10 + u64::from(byte - b'0');
                places += usize::from(is_fraction);
            }
            b'.' => is_fraction = true,
            _ => return None,
        }
    }
    let value = digits as f64 / POWERS.get(places)?;
    Some(if text.starts_with('-') { -value } else { value })
}

impl<'t> Cursor<'t> {
    /// Reads the text of a number.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<&'t str, Rejected> {
        self.peek();
        let start = self.at;
        self.at += usize::from(self.byte() == b'-');
        match self.byte() {
            b'0' => self.at += 1,
            _ => self.digits()?,
        }
        if self.byte() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.byte(), b'e' | b'E') {
            self.at += 1;
            self.at += usize::from(matches!(self.byte(), b'+' | b'-'));
            self.digits()?;
        }
        self.text.get(start..self.at).ok_or(Rejected)
    }

    /// Consumes at least one digit.
    #[inline]
    fn digits(&mut self) -> Result<(), Rejected> {
        let start = self.at;
        while self.byte().is_ascii_digit() {
            self.at += 1;
        }
        match self.at > start {
            true => Ok(()),
            false => Err(Rejected),
        }
    }

    /// Reads a number that is written as an integer and is a `u64` or a negative `i64`; `None`, without moving, for any
    /// other.
    #[inline]
    pub(super) fn integer(&mut self) -> Option<Integer> {
        self.peek();
        let bytes = self.text.as_bytes();
        let is_negative = self.byte() == b'-';
        let first = self.at + usize::from(is_negative);
        let (mut at, mut value) = (first, 0_u64);
        while let Some(digit @ b'0'..=b'9') = bytes.get(at) {
            let digit = u64::from(digit - b'0');
            value = value.checked_mul(10)?.checked_add(digit)?;
            at += 1;
        }
        let fits = at > first && (!is_negative || (1..=1 << 63).contains(&value));
        let has_zeros = at > first + 1 && bytes.get(first) == Some(&b'0');
        let has_more = matches!(bytes.get(at), Some(b'.' | b'e' | b'E'));
        if !fits || has_zeros || has_more {
            return None;
        }
        self.at = at;
        Some((is_negative, value))
    }
}
