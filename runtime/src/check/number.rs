//! Bounds and multiples.

use super::{Checker, Rule};
use std::cmp::Ordering;
use std::fmt;

/// A number of a document or of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// A whole number.
    Int(i128),
    /// Any number.
    Float(f64),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(int) => int.fmt(f),
            Self::Float(float) => float.fmt(f),
        }
    }
}

impl Bound {
    #[allow(clippy::cast_precision_loss)]
    const fn as_f64(self) -> f64 {
        match self {
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }

    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(one), Self::Int(other)) => Some(one.cmp(&other)),
            (one, other) => one.as_f64().partial_cmp(&other.as_f64()),
        }
    }

    /// Whether it is a multiple of a step. Fractions are compared as the decimals they are written
    /// as: 0.07 is a multiple of 0.01, though not as a binary number.
    fn is_multiple_of(self, step: Self) -> bool {
        match (self, step) {
            (Self::Int(value), Self::Int(step)) => step == 0 || value % step == 0,
            (value, step) => match (Decimal::of(value), Decimal::of(step)) {
                (Some(value), Some(step)) => value.is_multiple_of(step),
                _ => true,
            },
        }
    }
}

/// A number as its digits and the place of its point.
#[derive(Clone, Copy)]
struct Decimal {
    digits: i128,
    /// How many of the digits stand behind the point.
    scale: u32,
}

impl Decimal {
    fn of(number: Bound) -> Option<Self> {
        let float = match number {
            Bound::Int(digits) => return Some(Self { digits, scale: 0 }),
            Bound::Float(float) => float,
        };
        // Rust writes the shortest decimal that is read as the same number, never an exponent.
        let text = float.to_string();
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        Some(Self {
            digits: format!("{whole}{fraction}").parse().ok()?,
            scale: u32::try_from(fraction.len()).ok()?,
        })
    }

    /// True as well where the digits are too many to tell.
    fn is_multiple_of(self, step: Self) -> bool {
        let scale = self.scale.max(step.scale);
        let widen = |of: Self| {
            of.digits
                .checked_mul(10_i128.checked_pow(scale - of.scale)?)
        };
        match (widen(self), widen(step)) {
            (Some(value), Some(step)) => step == 0 || value % step == 0,
            _ => true,
        }
    }
}

/// Checks a number.
pub(super) fn check(value: Bound, rules: &[Rule], checker: &mut Checker) {
    use Ordering::{Greater, Less};
    for rule in rules {
        match *rule {
            Rule::Minimum(least) if value.compare(least) == Some(Less) => {
                checker.fault(format!("is less than {least}"));
            }
            Rule::Maximum(most) if value.compare(most) == Some(Greater) => {
                checker.fault(format!("is more than {most}"));
            }
            Rule::ExclusiveMinimum(bound) if value.compare(bound) != Some(Greater) => {
                checker.fault(format!("is not more than {bound}"));
            }
            Rule::ExclusiveMaximum(bound) if value.compare(bound) != Some(Less) => {
                checker.fault(format!("is not less than {bound}"));
            }
            Rule::MultipleOf(step) if !value.is_multiple_of(step) => {
                checker.fault(format!("is not a multiple of {step}"));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Bound::{self, Float, Int};

    #[test]
    fn multiples_are_those_of_the_decimals() {
        for (value, step, is) in [
            (Int(10), Int(5), true),
            (Int(11), Int(5), false),
            (Int(-10), Int(5), true),
            (Float(0.07), Float(0.01), true),
            (Float(19.99), Float(0.01), true),
            (Float(19.999), Float(0.01), false),
            (Float(1e300), Float(0.5), true),
            (Int(3), Float(1.5), true),
            (Float(4.5), Int(2), false),
            (Int(7), Int(0), true),
        ] {
            assert_eq!(value.is_multiple_of(step), is, "{value} of {step}");
        }
    }

    #[test]
    fn whole_numbers_are_compared_exactly() {
        let large = i128::from(i64::MAX);
        let less = Some(std::cmp::Ordering::Less);
        assert_eq!(Bound::Int(large - 1).compare(Int(large)), less);
        assert_eq!(Float(f64::NAN).compare(Int(1)), None);
    }
}
