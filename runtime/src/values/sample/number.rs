//! Numbers within the bounds of rules.

use super::random::Dice;
use super::unmet::Unmet;
use crate::values::check::{Bound, Checker, check_number};
use crate::values::{Json, Rule};

/// The number of numbers that are drawn until one satisfies all rules.
const TRIES: usize = 100;

/// The least and the greatest numbers of the integer types.
const ENDS: &[(i128, i128)] = &[
    (i64::MIN as i128, u64::MAX as i128),
    (i64::MIN as i128, i64::MAX as i128),
    (0, u64::MAX as i128),
    (i32::MIN as i128, i32::MAX as i128),
    (0, u32::MAX as i128),
    (i16::MIN as i128, i16::MAX as i128),
    (0, u16::MAX as i128),
    (i8::MIN as i128, i8::MAX as i128),
    (0, u8::MAX as i128),
];

/// Draws an integer that a type accepts and that satisfies all rules.
pub(super) fn integer(
    accepts: fn(&Json) -> bool,
    rules: &[Rule],
    dice: &mut Dice<'_>,
) -> Result<Json, Unmet> {
    let is_of = |(least, most): &&(i128, i128)| accepts(&int(*least)) && accepts(&int(*most));
    let (mut first, mut last) = *ENDS.iter().find(is_of).ok_or(Unmet::rule("type"))?;
    let mut step: i128 = 1;
    for rule in rules {
        match *rule {
            Rule::Minimum(bound) => first = first.max(ceiling(bound)),
            Rule::ExclusiveMinimum(bound) => first = first.max(floor(bound).saturating_add(1)),
            Rule::Maximum(bound) => last = last.min(floor(bound)),
            Rule::ExclusiveMaximum(bound) => last = last.min(ceiling(bound).saturating_sub(1)),
            Rule::MultipleOf(Bound::Int(divisor)) if divisor > 0 => {
                step = common(step, divisor).ok_or(Unmet::rule("multipleOf"))?;
            }
            _ => {}
        }
    }
    let (low, high) = (-(-first).div_euclid(step), last.div_euclid(step));
    if low > high {
        return Err(Unmet::rule("minimum"));
    }
    for _ in 0..TRIES {
        let value = dice.within(low, high).saturating_mul(step);
        if is_valid(Bound::Int(value), rules) {
            return Ok(int(value));
        }
    }
    Err(Unmet::rule("multipleOf"))
}

/// Draws a number that a type accepts and that satisfies all rules.
pub(super) fn number(
    accepts: fn(&Json) -> bool,
    rules: &[Rule],
    dice: &mut Dice<'_>,
) -> Result<Json, Unmet> {
    let (mut first, mut last, mut step) = (None, None, None);
    for rule in rules {
        match *rule {
            Rule::Minimum(bound) | Rule::ExclusiveMinimum(bound) => {
                first = Some(first.map_or(float(bound), |first: f64| first.max(float(bound))));
            }
            Rule::Maximum(bound) | Rule::ExclusiveMaximum(bound) => {
                last = Some(last.map_or(float(bound), |last: f64| last.min(float(bound))));
            }
            Rule::MultipleOf(divisor) => step = Some(float(divisor)),
            _ => {}
        }
    }
    let low = first.unwrap_or_else(|| last.map_or(-1e6, |last| last.min(0.0) - 1e6));
    let high = last.unwrap_or_else(|| low.max(0.0) + 1e6);
    let is_free = first.is_none() && last.is_none() && step.is_none();
    for _ in 0..TRIES {
        let value = any(low, high, is_free, dice);
        let value = match step {
            Some(step) if step > 0.0 => decimal((value / step).round() * step, digits(step)),
            _ => value,
        };
        let json = json(value);
        if value.is_finite() && is_valid(Bound::Float(value), rules) && accepts(&json) {
            return Ok(json);
        }
    }
    Err(Unmet::rule("minimum"))
}

/// Draws a number between two: often one of them, or one next to it.
fn any(low: f64, high: f64, is_free: bool, dice: &mut Dice<'_>) -> f64 {
    let share = f64::from(u32::try_from(dice.next() >> 32).unwrap_or_default());
    let within = low + (high - low) * (share / f64::from(u32::MAX));
    match dice.below(10) {
        0 => low,
        1 => high,
        2 if low <= 0.0 && high >= 0.0 => 0.0,
        3 => decimal(low + (high - low).min(1.0) / 8.0, 4),
        4 => decimal(high - (high - low).min(1.0) / 8.0, 4),
        5 if is_free => *dice
            .pick(&[1e300, -1e300, 1e-300, 3.0e38, 0.1, -0.1])
            .unwrap_or(&1.0),
        // An integer, and numbers with some digits after the point.
        6 => within.round(),
        _ => {
            let count = dice.below(5);
            decimal(within, count)
        }
    }
}

/// Returns whether a number satisfies all rules.
pub(super) fn is_valid(value: Bound, rules: &[Rule]) -> bool {
    let mut checker = Checker::default();
    check_number(value, rules, &mut checker);
    checker.is_empty()
}

/// Returns a number as JSON: without a fraction, as an integer.
pub(super) fn json(value: f64) -> Json {
    match value.fract() == 0.0 && value.abs() < 1e15 {
        true => int(floor(Bound::Float(value))),
        false => Json::from(value),
    }
}

/// Returns an integer as JSON, which has those of 64 bits.
fn int(value: i128) -> Json {
    let small = i64::try_from(value).map(Json::from);
    let large = || u64::try_from(value).map(Json::from);
    small.or_else(|_| large()).unwrap_or(Json::Null)
}

#[allow(clippy::cast_precision_loss)]
pub(super) fn float(bound: Bound) -> f64 {
    match bound {
        Bound::Int(int) => int as f64,
        Bound::Float(float) => float,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "bounds beyond i128 end there"
)]
fn floor(bound: Bound) -> i128 {
    match bound {
        Bound::Int(int) => int,
        Bound::Float(float) => float.floor() as i128,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "bounds beyond i128 end there"
)]
fn ceiling(bound: Bound) -> i128 {
    match bound {
        Bound::Int(int) => int,
        Bound::Float(float) => float.ceil() as i128,
    }
}

/// Returns the number with this many digits after the point.
fn decimal(value: f64, digits: usize) -> f64 {
    format!("{value:.digits$}").parse().unwrap_or(value)
}

/// Returns how many digits a step has after the point.
#[allow(clippy::float_cmp)]
fn digits(step: f64) -> usize {
    let is = |digits: &usize| decimal(step, *digits) == step;
    (0..12).find(is).unwrap_or(12)
}

/// Returns the least common multiple.
fn common(a: i128, b: i128) -> Option<i128> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}
