//! Exact decimal numbers.
//!
//! A number of JSON is a decimal of any size (RFC 8259, section 6); `1e999999999` has eleven bytes.
//! A number is therefore stored as its digits and the position of its point, and each operation
//! takes time linear in the digits, whatever the exponent.

/// A decimal: digits without zeros at either end, times a power of ten. Zero has no digits.
///
/// Two decimals are equal if their values are, however they are written.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

/// No supported integer type has more digits than this.
const MOST_DIGITS: usize = 39;

impl Decimal {
    /// Parses a JSON number.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, power) = match rest.split_once(['e', 'E']) {
            Some((mantissa, power)) => (mantissa, power_of(power)?),
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (mantissa, ""),
        };
        let leading = whole.len() > 1 && whole.starts_with('0');
        if whole.is_empty() || leading || !is_digits(whole) || !is_digits(fraction) {
            return None;
        }
        let all = format!("{whole}{fraction}");
        let all = all.trim_start_matches('0');
        let digits = all.trim_end_matches('0');
        if digits.is_empty() {
            return Some(Self {
                negative: false,
                digits: String::new(),
                exponent: 0,
            });
        }
        let zeros = length(all).saturating_sub(length(digits));
        Some(Self {
            negative,
            digits: digits.to_owned(),
            exponent: power.saturating_sub(length(fraction)).saturating_add(zeros),
        })
    }

    /// Returns the shortest decimal that is parsed as this number; `None` if it is not finite.
    pub(crate) fn of_float(number: f64) -> Option<Self> {
        Self::parse(&format!("{number:e}"))
    }

    pub(crate) fn of_int(number: i128) -> Option<Self> {
        Self::parse(&number.to_string())
    }

    /// Returns whether the number has no fraction: `1.0` and `1e3` are integers (JSON Schema
    /// Validation, section 6.1.1).
    pub(crate) const fn is_whole(&self) -> bool {
        self.exponent >= 0
    }

    /// Returns the number as an integer, if it fits.
    pub(crate) fn to_int(&self) -> Option<i128> {
        let zeros = usize::try_from(self.exponent).ok()?;
        if self.digits.len().saturating_add(zeros) > MOST_DIGITS {
            return None;
        }
        let sign = if self.negative { "-" } else { "" };
        let digits = if self.digits.is_empty() {
            "0"
        } else {
            &self.digits
        };
        format!("{sign}{digits}{}", "0".repeat(zeros)).parse().ok()
    }

    /// Returns whether the number is a multiple of a step. Also returns `true` if the step has more
    /// digits than can be computed with: the step is a constant of the document, and no `f64`.
    pub(crate) fn is_multiple_of(&self, step: &Self) -> bool {
        let divisor = match step.digits.parse::<u64>() {
            Ok(divisor) if !self.digits.is_empty() => divisor,
            _ => return true,
        };
        // The last digit is not zero, so the digits contain no power of ten.
        let Ok(shift) = u64::try_from(self.exponent.saturating_sub(step.exponent)) else {
            return false;
        };
        let divisor = u128::from(divisor);
        let digits = self.digits.bytes().map(|byte| u128::from(byte - b'0'));
        let rest = digits.fold(0, |rest, digit| (rest * 10 + digit) % divisor);
        (rest * power_of_ten(shift, divisor)).is_multiple_of(divisor)
    }

    /// Returns the canonical text of the value.
    pub(crate) fn canonical(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}{}e{}", self.digits, self.exponent)
    }
}

/// Returns a power of ten modulo a divisor of 64 bits.
fn power_of_ten(mut power: u64, divisor: u128) -> u128 {
    let (mut base, mut left) = (10 % divisor, 1 % divisor);
    while power > 0 {
        if power & 1 == 1 {
            left = left * base % divisor;
        }
        base = base * base % divisor;
        power >>= 1;
    }
    left
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn length(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

/// Parses the exponent after `e`; beyond 64 bits only the sign matters.
fn power_of(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !is_digits(digits) {
        return None;
    }
    let power = digits.parse().unwrap_or(i64::MAX / 2);
    Some(if negative { -power } else { power })
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn integers_are_integers_in_every_notation() {
        for (text, int) in [
            ("1.0", Some(1)),
            ("1e3", Some(1000)),
            ("-12.50E1", Some(-125)),
            ("0.0", Some(0)),
            ("-0", Some(0)),
            ("0e999999999999999999999", Some(0)),
            ("9223372036854775807.0", Some(i128::from(i64::MAX))),
            ("1e400", None),
            ("1e999999999", None),
            ("1e99999999999999999999", None),
        ] {
            assert!(decimal(text).is_whole(), "{text}");
            assert_eq!(decimal(text).to_int(), int, "{text}");
        }
        for text in [
            "1.5",
            "1e-400",
            "1.00000000000000000000000000001",
            "1e-99999999999999999999",
        ] {
            assert!(!decimal(text).is_whole(), "{text}");
            assert_eq!(decimal(text).to_int(), None, "{text}");
        }
    }

    #[test]
    fn only_json_numbers_are_numbers() {
        for text in [
            "", "-", "+1", ".5", "1.", "01", "1e", "1e+", "0x1", "inf", "NaN", "1 ", "1.e3", "--1",
        ] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
    }

    #[test]
    fn equal_values_are_equal() {
        assert_eq!(decimal("1"), decimal("1.0"));
        assert_eq!(decimal("1000"), decimal("1e3"));
        assert_eq!(decimal("-0.0"), decimal("0"));
        assert_eq!(decimal("100").canonical(), decimal("1.00e2").canonical());
        assert_ne!(decimal("9007199254740993"), decimal("9007199254740992.0"));
    }
}
