//! The text of a number: the shortest decimal, in the notation of `JSON.stringify`.
//!
//! ECMAScript writes a number with the fewest digits that identify it, without an exponent from
//! 1e-6 up to 1e21, without a fraction for a whole number, and -0 as `0` (ECMA-262,
//! `Number::toString`). Many services read `3600.0` as a float where they expect an integer, and
//! every one reads `3600`.

use serde::Serialize;
use serde_json::Number;
use std::ops::Range;

/// The name of the struct by which a number passes its text to the serializer and the deserializer
/// of serde_json, if a program enables its feature `arbitrary_precision`.
pub(crate) const NUMBER: &str = "$serde_json::private::Number";

/// Returns whether a text is what serde_json passes for an infinite number of arbitrary precision.
pub(crate) fn is_infinite(text: &str) -> bool {
    matches!(text, "NaN" | "inf" | "-inf")
}

/// The largest exponent of a number that is written without one.
const MOST: i32 = 21;
/// The exponent from which on a fraction is written without one.
const LEAST: i32 = -6;

/// Numbers that serde_json writes without an exponent.
const PLAIN: Range<f64> = 1e-3..1e12;

/// A floating-point number that serde_json writes with the fewest digits.
pub(crate) trait Float: Serialize + Copy + Into<f64> {}

impl Float for f32 {}
impl Float for f64 {}

/// Appends a number; returns `false` if it is not finite.
#[inline]
pub(crate) fn write<T: Float>(out: &mut Vec<u8>, number: T) -> bool {
    let start = out.len();
    let size = number.into().abs();
    // Writing a finite number to a list of bytes never fails.
    if !size.is_finite() || serde_json::to_writer(&mut *out, &number).is_err() {
        return false;
    }
    let written = out.get(start..).unwrap_or_default();
    if !PLAIN.contains(&size) && written.contains(&b'e') {
        let text = plain(&String::from_utf8_lossy(written));
        out.truncate(start);
        out.extend_from_slice(text.as_bytes());
    } else if size == 0.0 {
        out.truncate(start);
        out.push(b'0');
    } else if written.ends_with(b".0") {
        out.truncate(out.len() - 2);
    }
    true
}

/// Returns the text of a number; `None` if it is not finite.
pub(crate) fn text<T: Float>(number: T) -> Option<String> {
    let mut out = Vec::with_capacity(24);
    match write(&mut out, number) {
        true => String::from_utf8(out).ok(),
        false => None,
    }
}

/// Returns the text of a number of JSON.
pub(crate) fn text_of(number: &Number) -> String {
    canonical(&number.to_string())
}

/// Returns a number's text from serde_json in the notation of this module. A text with other digits
/// than those of its `f64`, which `arbitrary_precision` keeps, is returned as it is.
pub(crate) fn canonical(text: &str) -> String {
    if !text.contains(['.', 'e', 'E']) {
        return text.to_owned();
    }
    let float = text.parse::<f64>().ok().filter(|float| float.is_finite());
    // A kept text has the sign of its exponent, which serde_json's own text may lack.
    let is_own = |float: &f64| {
        let own = serde_json::to_string(float).unwrap_or_default();
        own == text || own.replace("e+", "e") == text.replace("e+", "e")
    };
    let own = float.filter(is_own).and_then(self::text);
    own.unwrap_or_else(|| text.to_owned())
}

/// Writes a number with an exponent anew: with an exponent only if ECMAScript has one.
#[cold]
fn plain(text: &str) -> String {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text),
    };
    let (mantissa, exponent) = rest.split_once('e').unwrap_or((rest, "0"));
    let exponent: i32 = exponent.trim_start_matches('+').parse().unwrap_or_default();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{}", fraction.trim_end_matches('0'));
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    // The value is 0.digits times ten to the power of `point`.
    let point = exponent + i32::try_from(whole.len()).unwrap_or(i32::MAX);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    if (count..=MOST).contains(&point) {
        return format!("{sign}{digits}{}", zeros(point - count));
    }
    if (1..=MOST).contains(&point) {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or_default());
        return format!("{sign}{whole}.{fraction}");
    }
    if (LEAST + 1..=0).contains(&point) {
        return format!("{sign}0.{}{digits}", zeros(-point));
    }
    let power = point - 1;
    let plus = if power > 0 { "+" } else { "" };
    match digits.split_at(1) {
        (first, "") => format!("{sign}{first}e{plus}{power}"),
        (first, rest) => format!("{sign}{first}.{rest}e{plus}{power}"),
    }
}

#[cfg(test)]
mod tests;
