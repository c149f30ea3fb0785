//! Numbers within the bounds of a schema.

use crate::lower::schema::shape::Shape;
use crate::source::{Number, Value};

use super::random::Random;

/// The largest integer up to which a float represents every integer.
const EXACT: i128 = 9_007_199_254_740_992;

/// Draws an integer.
pub(super) fn integer(shape: &Shape, random: &mut Random) -> Result<Value, String> {
    let constraints = &shape.constraints;
    let (least, most) = match shape.format.as_deref() {
        Some("int8") => (i8::MIN.into(), i8::MAX.into()),
        Some("int16") => (i16::MIN.into(), i16::MAX.into()),
        Some("int32") => (i32::MIN.into(), i32::MAX.into()),
        Some("int64") => (i64::MIN.into(), i64::MAX.into()),
        Some("uint8") => (0, u8::MAX.into()),
        Some("uint16") => (0, u16::MAX.into()),
        Some("uint32") => (0, u32::MAX.into()),
        Some("uint64" | "uint") => (0, u64::MAX.into()),
        _ => (-EXACT, EXACT),
    };
    let first = constraints.minimum.as_ref().map(|(bound, exclusive)| {
        let bound = as_number(bound);
        let next = bound
            .as_integer()
            .map(|integer| integer + i128::from(*exclusive));
        next.unwrap_or_else(|| rounded(bound.as_f64().ceil()))
    });
    let last = constraints.maximum.as_ref().map(|(bound, exclusive)| {
        let bound = as_number(bound);
        let next = bound
            .as_integer()
            .map(|integer| integer - i128::from(*exclusive));
        next.unwrap_or_else(|| rounded(bound.as_f64().floor()))
    });
    let (first, last) = match (first, last) {
        (Some(first), None) if first > most => (first, first.saturating_add(EXACT)),
        (None, Some(last)) if last < least => (last.saturating_sub(EXACT), last),
        (first, last) => (first.unwrap_or(least), last.unwrap_or(most)),
    };
    let mut step: i128 = 1;
    for multiple in &constraints.multiple_of {
        let multiple = as_number(multiple);
        match multiple.as_integer() {
            Some(whole) if whole > 0 => {
                step = least_common(step, whole).ok_or("its steps are too large")?
            }
            _ if (1.0 / multiple.as_f64()).fract() == 0.0 => {}
            _ => return Err("a step of an integer has a fraction".to_owned()),
        }
    }
    let (low, high) = (-(-first).div_euclid(step), last.div_euclid(step));
    if low > high {
        return Err("no integer is within the bounds".to_owned());
    }
    Ok(Value::Number(Number::Int(random.within(low, high) * step)))
}

/// Draws a number, with at most four digits after the point.
pub(super) fn number(shape: &Shape, random: &mut Random) -> Result<Value, String> {
    let constraints = &shape.constraints;
    let bound = |option: &Option<(Value, bool)>| {
        let (bound, exclusive) = option.as_ref()?;
        Some((as_number(bound).as_f64(), *exclusive))
    };
    let (low, high) = (bound(&constraints.minimum), bound(&constraints.maximum));
    let steps: Vec<f64> = constraints
        .multiple_of
        .iter()
        .map(|step| as_number(step).as_f64())
        .collect();
    let fits = |value: f64| {
        low.is_none_or(|(low, exclusive)| value > low || !exclusive && value == low)
            && high.is_none_or(|(high, exclusive)| value < high || !exclusive && value == high)
    };
    let first = low.map_or_else(|| high.map_or(-1e6, |(high, _)| high - 1e6), |(low, _)| low);
    let last = high.map_or_else(|| first.max(0.0) + 1e6, |(high, _)| high);
    for _ in 0..200 {
        let share = f64::from(u32::try_from(random.next() >> 33).unwrap_or_default());
        let mut value = match random.below(6) {
            0 => first,
            1 => last,
            _ => first + (last - first) * share / f64::from(1_u32 << 31),
        };
        value = match (&steps[..], shape.format.as_deref()) {
            ([step], _) => decimal((value / step).round() * step, digits(*step)),
            ([], Some("float")) => (value * 4.0).round() / 4.0,
            ([], _) => decimal(value, random.below(5)),
            _ => return Err("it has several steps".to_owned()),
        };
        if value.is_finite() && fits(value) {
            let whole = value.fract() == 0.0 && value.abs() < 1e15;
            return Ok(Value::Number(match whole {
                true => Number::Int(rounded(value)),
                false => Number::Float(value),
            }));
        }
    }
    Err("no number is within the bounds".to_owned())
}

fn as_number(value: &Value) -> Number {
    value.as_number().unwrap_or(Number::Int(0))
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "bounds beyond i128 end there"
)]
fn rounded(value: f64) -> i128 {
    value as i128
}

/// Returns the number with this many digits after the point.
fn decimal(value: f64, digits: usize) -> f64 {
    format!("{value:.digits$}").parse().unwrap_or(value)
}

/// Returns how many digits a step has after the point.
fn digits(step: f64) -> usize {
    (0..12)
        .find(|digits| decimal(step, *digits) == step)
        .unwrap_or(12)
}

fn least_common(a: i128, b: i128) -> Option<i128> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x).checked_mul(b)
}
