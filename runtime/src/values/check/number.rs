//! Bounds and multiples.

use super::{Checker, Rule};
use crate::values::decimal::Decimal;
use std::cmp::Ordering;
use std::fmt;

/// A number of the document or of a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// An integer.
    Int(i128),
    /// A floating-point number.
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

/// Beyond this magnitude, every `f64` is outside of the range of `i128`.
const BEYOND: f64 = 1.7e38;

/// Compares without rounding the integer.
#[allow(clippy::cast_possible_truncation)]
fn compare_to_float(int: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.abs() >= BEYOND {
        return Some(if float > 0.0 {
            Ordering::Less
        } else {
            Ordering::Greater
        });
    }
    let floor = float.floor();
    let rest = if float > floor {
        Ordering::Less
    } else {
        Ordering::Equal
    };
    Some(int.cmp(&(floor as i128)).then(rest))
}

impl Bound {
    fn compare(self, other: Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(int), Self::Int(other)) => Some(int.cmp(&other)),
            (Self::Int(int), Self::Float(float)) => compare_to_float(int, float),
            (Self::Float(float), Self::Int(int)) => {
                compare_to_float(int, float).map(Ordering::reverse)
            }
            (Self::Float(float), Self::Float(other)) => float.partial_cmp(&other),
        }
    }

    /// Returns the decimal by which the number is written; `None` if it is not finite.
    fn decimal(self) -> Option<Decimal> {
        match self {
            Self::Int(int) => Decimal::of_int(int),
            Self::Float(float) => Decimal::of_float(float),
        }
    }

    /// Returns whether the number is a multiple of a step. Fractions are compared as the decimals
    /// by which they are written: 0.07 is a multiple of 0.01, although the binary numbers are not.
    fn is_multiple_of(self, step: Self) -> bool {
        match (self, step) {
            (Self::Int(value), Self::Int(step)) => step == 0 || value % step == 0,
            (value, step) => match (value.decimal(), step.decimal()) {
                (Some(value), Some(step)) => value.is_multiple_of(&step),
                // A value that is not finite is a multiple of no step.
                (None, _) => false,
                (_, None) => true,
            },
        }
    }
}

/// Checks a number.
pub(in crate::values) fn check(value: Bound, rules: &[Rule], checker: &mut Checker) {
    use Ordering::{Greater, Less};
    for rule in rules {
        match *rule {
            Rule::Minimum(least) if value.compare(least) == Some(Less) => {
                checker.error(format!("is less than {least}"));
            }
            Rule::Maximum(most) if value.compare(most) == Some(Greater) => {
                checker.error(format!("is more than {most}"));
            }
            Rule::ExclusiveMinimum(bound) if value.compare(bound) != Some(Greater) => {
                checker.error(format!("is not more than {bound}"));
            }
            Rule::ExclusiveMaximum(bound) if value.compare(bound) != Some(Less) => {
                checker.error(format!("is not less than {bound}"));
            }
            Rule::MultipleOf(step) if !value.is_multiple_of(step) => {
                checker.error(format!("is not a multiple of {step}"));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Bound::{self, Float, Int};
    use std::cmp::Ordering;

    #[test]
    fn multiples_are_computed_in_decimal() {
        for (value, step, is) in [
            (Int(10), Int(5), true),
            (Int(11), Int(5), false),
            (Int(-10), Int(5), true),
            (Float(0.07), Float(0.01), true),
            (Float(1.1), Float(0.01), true),
            (Float(4.35), Float(0.01), true),
            (Float(-4.35), Float(0.01), true),
            (Float(19.99), Float(0.01), true),
            (Float(19.999), Float(0.01), false),
            (Float(1e-10), Float(0.01), false),
            (Float(1e-300), Float(0.01), false),
            (Float(5e-324), Float(0.01), false),
            (Float(f64::MAX), Float(0.01), true),
            (Float(1e300), Float(0.01), true),
            (Float(1e300), Float(0.5), true),
            (Float(1e300), Float(3.0), false),
            (Float(3e300), Float(3.0), true),
            (Float(1.0), Float(1e300), false),
            (Float(0.0), Float(0.01), true),
            (Float(-0.0), Int(3), true),
            (Int(3), Float(1.5), true),
            (Int(i128::MAX), Float(0.01), true),
            (Float(4.5), Int(2), false),
            (Float(f64::NAN), Int(2), false),
            (Int(7), Int(0), true),
        ] {
            assert_eq!(value.is_multiple_of(step), is, "{value} of {step}");
        }
    }

    #[test]
    fn integers_are_compared_exactly() {
        let large = i128::from(i64::MAX);
        let less = Some(Ordering::Less);
        assert_eq!(Bound::Int(large - 1).compare(Int(large)), less);
        assert_eq!(
            Int((1 << 53) + 1).compare(Float(9_007_199_254_740_992.0)),
            Some(Ordering::Greater)
        );
        assert_eq!(Int(large).compare(Float(9_223_372_036_854_775_808.0)), less);
        assert_eq!(Int(-2).compare(Float(-1.5)), less);
        assert_eq!(Float(-1.5).compare(Int(-2)), Some(Ordering::Greater));
        assert_eq!(Int(3).compare(Float(3.0)), Some(Ordering::Equal));
        assert_eq!(Int(i128::MAX).compare(Float(f64::INFINITY)), less);
        assert_eq!(Float(f64::NAN).compare(Int(1)), None);
    }
}
