use super::{canonical, text};
use proptest::prelude::*;
use std::io::Write;
use std::process::{Command, Stdio};

/// Numbers with their texts, from the steps of ECMA-262, `Number::toString`.
const KNOWN: [(f64, &str); 22] = [
    (3600.0, "3600"),
    (-3600.0, "-3600"),
    (1.0, "1"),
    (0.0, "0"),
    (-0.0, "0"),
    (0.5, "0.5"),
    (-1.5e-5, "-0.000015"),
    (1e-6, "0.000001"),
    (1.25e-6, "0.00000125"),
    (1e-7, "1e-7"),
    (1.25e-7, "1.25e-7"),
    (5e-324, "5e-324"),
    (1e15, "1000000000000000"),
    (1e16, "10000000000000000"),
    (123_456_789_012_345_680_000.0, "123456789012345680000"),
    (1e20, "100000000000000000000"),
    (1e21, "1e+21"),
    (1.5e21, "1.5e+21"),
    (-1e21, "-1e+21"),
    (f64::MAX, "1.7976931348623157e+308"),
    (0.1 + 0.2, "0.30000000000000004"),
    (9_007_199_254_740_993.0, "9007199254740992"),
];

#[test]
fn numbers_are_written_as_ecmascript_writes_them() {
    for (number, expected) in KNOWN {
        assert_eq!(text(number).as_deref(), Some(expected));
    }
    for (number, expected) in [
        (0.1_f32, "0.1"),
        (3600.0, "3600"),
        (1e-7, "1e-7"),
        (1e21, "1e+21"),
        (16_777_216.0, "16777216"),
        (f32::MAX, "3.4028235e+38"),
    ] {
        assert_eq!(text(number).as_deref(), Some(expected));
    }
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(text(number), None);
    }
    assert_eq!(text(f32::NAN), None);
}

#[test]
fn digits_that_a_float_does_not_have_are_kept() {
    for (from, to) in [
        ("1.0", "1"),
        ("-0.0", "0"),
        ("1e16", "10000000000000000"),
        ("1e+16", "10000000000000000"),
        ("1e300", "1e+300"),
        ("1.50", "1.50"),
        ("1e+400", "1e+400"),
        ("0.1000000000000000000001", "0.1000000000000000000001"),
        ("18446744073709551616", "18446744073709551616"),
        ("-7", "-7"),
    ] {
        assert_eq!(canonical(from), to);
    }
}

/// Numbers of all magnitudes: random bits, and the borders of the notations.
fn numbers() -> Vec<f64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let random = std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        f64::from_bits(state)
    });
    let mut all: Vec<f64> = random
        .filter(|number| number.is_finite())
        .take(20_000)
        .collect();
    for power in -330..309 {
        let number: f64 = format!("1e{power}").parse().unwrap_or_default();
        all.extend([
            number,
            -number,
            number * 1.5,
            number.next_down(),
            number.next_up(),
        ]);
    }
    all.extend(KNOWN.map(|(number, _)| number));
    all
}

const SCRIPT: &str = "
const input = require('fs').readFileSync(0);
const bits = new DataView(new ArrayBuffer(8));
const all = input.toString().split('\\n').filter(Boolean).map(line => {
  bits.setBigUint64(0, BigInt(line));
  return JSON.stringify(bits.getFloat64(0));
});
process.stdout.write(all.join('\\n'));
";

#[test]
fn numbers_are_written_as_node_writes_them() {
    let child = Command::new("node")
        .args(["-e", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        let line = "SKIPPED numbers_are_written_as_node_writes_them: no `node`; install Node.js\n";
        let _ = std::io::stderr().write_all(line.as_bytes());
        return;
    };
    let numbers = numbers();
    let bits: Vec<String> = numbers
        .iter()
        .map(|number| number.to_bits().to_string())
        .collect();
    let mut input = child.stdin.take().expect("standard input");
    input
        .write_all(bits.join("\n").as_bytes())
        .expect("written");
    drop(input);
    let output = child.wait_with_output().expect("the output");
    let expected = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(expected.lines().count(), numbers.len());
    for (number, expected) in numbers.iter().zip(expected.lines()) {
        assert_eq!(text(*number).as_deref(), Some(expected), "{number:e}");
    }
}

proptest! {
    #[test]
    fn every_number_is_read_back(bits in any::<u64>(), small in any::<u32>()) {
        let number = f64::from_bits(bits);
        match text(number) {
            Some(text) => prop_assert_eq!(text.parse(), Ok(number)),
            None => prop_assert!(!number.is_finite()),
        }
        let number = f32::from_bits(small);
        match text(number) {
            Some(text) => prop_assert_eq!(text.parse(), Ok(number)),
            None => prop_assert!(!number.is_finite()),
        }
    }
}
