//! Values that hypothesis-jsonschema, which knows nothing of generated types, draws from the schemas of documents.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value};

use crate::kinds::ranges;
use crate::subjects::{Program, run};

/// Returns a Python that has hypothesis-jsonschema: `BOTHENDS_VALUES`, or the one that `.ci/run` installs.
pub(crate) fn python(test: &str) -> Option<PathBuf> {
    let set = std::env::var_os("BOTHENDS_VALUES").map(PathBuf::from);
    let path = set.unwrap_or_else(|| bothends_tests::root().join("target/ci-values/bin/python"));
    if path.is_file() {
        return Some(path);
    }
    let missing = format!("no hypothesis-jsonschema at {}", path.display());
    let remedy = "install it and set BOTHENDS_VALUES to its Python, or run .ci/run";
    bothends_tests::skipped(test, &missing, remedy);
    None
}

/// Draws values of the schemas of a program's types: the index of the type with a value, or why there is none.
pub(crate) fn draw(
    python: &Path,
    program: &Program,
    count: usize,
) -> Vec<(usize, Result<Value, String>)> {
    let schemas = program.subjects.iter().map(|subject| {
        let mut schema = subject.schema.clone();
        ranges(&mut schema);
        format!("{schema}\n")
    });
    let script = bothends_tests::root().join("tests/python/outside_values.py");
    let mut command = Command::new(python);
    // Sets of Python have the same order in each run. Hypothesis stores what it knows of characters.
    let store = bothends_tests::scratch::target().join("hypothesis");
    let command = command
        .env("PYTHONHASHSEED", "0")
        .env("HYPOTHESIS_STORAGE_DIRECTORY", store)
        .arg(script)
        .arg(count.to_string());
    let output = run(command, &schemas.collect::<String>());
    let lines = output.lines().map(|line| {
        let (index, text) = line.split_once('\t').expect("an index and a value");
        let drawn = match text.strip_prefix('!') {
            Some(why) => Err(why.to_owned()),
            None => serde_json::from_str(text).map_err(|error| error.to_string()),
        };
        (index.parse().expect("an index"), drawn)
    });
    lines.collect()
}

/// Compares a value with what a type writes for it: numbers by value, in the precision of their format, date-times as
/// instants, IPv6 addresses as such, and objects without the order of their members. Types have no fields for properties
/// that the document does not declare.
///
/// # Errors
/// Returns where they differ, as a JSON pointer.
pub(crate) fn same(value: &Value, written: &Value, schema: &Value) -> Result<(), String> {
    let at = |name: &str, rest: Result<(), String>| rest.map_err(|rest| format!("/{name}{rest}"));
    match (value, written) {
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => Ok(()),
        (Value::Number(a), Value::Number(b)) if has_floats(schema) => {
            #[expect(clippy::cast_possible_truncation, reason = "single precision")]
            let single = |number: &serde_json::Number| number.as_f64().map(|float| float as f32);
            match single(a) == single(b) {
                true => Ok(()),
                false => Err(String::new()),
            }
        }
        (Value::String(a), Value::String(b))
            if instant(a).is_some() && instant(a) == instant(b) =>
        {
            Ok(())
        }
        (Value::String(a), Value::String(b))
            if address(a).is_some() && address(a) == address(b) =>
        {
            Ok(())
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let mut pairs = a.iter().zip(b).enumerate();
            pairs.try_for_each(|(index, (a, b))| at(&index.to_string(), same(a, b, schema)))
        }
        (Value::Object(a), Value::Object(b)) => {
            for (name, value) in a {
                match b.get(name) {
                    Some(written) => at(name, same(value, written, schema))?,
                    None if is_declared(name, schema) => return Err(format!("/{name}")),
                    None => {}
                }
            }
            let added = b.keys().find(|name| !a.contains_key(*name));
            added.map_or(Ok(()), |name| Err(format!("/{name}")))
        }
        (a, b) if a == b => Ok(()),
        _ => Err(String::new()),
    }
}

/// Reads an IPv6 address, which has several texts.
fn address(text: &str) -> Option<std::net::Ipv6Addr> {
    text.parse().ok()
}

/// Returns whether a schema has numbers of single precision.
fn has_floats(schema: &Value) -> bool {
    schema.to_string().contains(r#""x-format":"float""#)
}

/// Returns the instant of a date-time: seconds, and the digits of their fraction.
fn instant(text: &str) -> Option<(i64, &str)> {
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i64>().ok();
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let time = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
    let rest = text.get(19..)?;
    let digits = rest.strip_prefix('.').unwrap_or_default();
    let digits = digits.split(|char: char| !char.is_ascii_digit()).next()?;
    let zone = rest.trim_start_matches('.').get(digits.len()..)?;
    let offset = match zone.split_at_checked(1)? {
        ("Z" | "z", "") => 0,
        (sign, zone) => {
            let (hours, minutes) = zone.split_once(':')?;
            let east = hours.parse::<i64>().ok()? * 3600 + minutes.parse::<i64>().ok()? * 60;
            if sign == "-" { -east } else { east }
        }
    };
    // The days of a year that begins in March.
    let (year, month) = if month < 3 {
        (year - 1, month + 9)
    } else {
        (year, month - 3)
    };
    let days = 365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days = days + (153 * month + 2) / 5 + day;
    Some((days * 86_400 + time - offset, digits.trim_end_matches('0')))
}

/// Returns whether a schema declares a property of this name, at any depth.
fn is_declared(name: &str, schema: &Value) -> bool {
    match schema {
        Value::Array(all) => all.iter().any(|part| is_declared(name, part)),
        Value::Object(object) => {
            let properties = object.get("properties").and_then(Value::as_object);
            properties.is_some_and(|all: &Map<String, Value>| all.contains_key(name))
                || object.values().any(|part| is_declared(name, part))
        }
        _ => false,
    }
}
