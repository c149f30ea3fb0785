//! Checks that a table names nothing twice, at compile time.

/// Returns the keys of a table, and checks that they are distinct.
///
/// # Panics
///
/// Panics if a key is repeated. Tables are constants, so this is an error at compile time.
pub const fn distinct(keys: &'static [&'static str]) -> &'static [&'static str] {
    distinct_of("key", keys)
}

/// Returns the names in a table, and checks that they are distinct. The kind of the names is part
/// of the error.
///
/// # Panics
///
/// Panics if a name is repeated.
pub const fn distinct_of(
    kind: &'static str,
    names: &'static [&'static str],
) -> &'static [&'static str] {
    if let Some(name) = repeated(names) {
        duplicate(&[kind], name);
    }
    names
}

/// Returns the first name that is equal to one before it. The time is proportional to the length of
/// the names: a table may have hundreds of rows, and rustc rejects constants that take long.
const fn repeated(names: &[&'static str]) -> Option<&'static str> {
    if names.len() > FEW {
        return repeated_of_many(names);
    }
    // Comparing all names with each other would be a twentieth of the time of checking a large
    // crate. Most names have a fingerprint of their own, and are compared with no other. The
    // evaluator checks each index and each addition, so there are few of them.
    let (mut rest, mut seen) = (names, [0_u32; LENGTHS]);
    while let [name, others @ ..] = rest {
        let (row, mark) = fingerprint(name);
        let marks = seen[row];
        if marks & mark != 0 && contains(names, names.len() - rest.len(), name) {
            return Some(name);
        }
        seen[row] = marks | mark;
        rest = others;
    }
    None
}

/// The number of names of which few have the same fingerprint.
const FEW: usize = 64;

/// The number of lengths that a fingerprint distinguishes.
const LENGTHS: usize = 64;

/// Returns a number below [`LENGTHS`] and one bit, which differ for most names: the length, and three
/// bytes.
const fn fingerprint(name: &str) -> (usize, u32) {
    let bytes = name.as_bytes();
    let [first, .., last] = bytes else {
        return (bytes.len(), 1);
    };
    let length = bytes.len();
    let middle = bytes[length / 2];
    (length % LENGTHS, 1 << ((*first ^ middle ^ *last) % 32))
}

/// The number of slots of a hash table. It is at most half full.
const SLOTS: usize = 1 << 14;

const fn repeated_of_many(names: &[&'static str]) -> Option<&'static str> {
    // The index of a name plus 1, or 0.
    let mut slots = [0_usize; SLOTS];
    let mut index = 0;
    // Tables with more names than that are not checked to their end.
    while index < names.len() && index < SLOTS / 2 {
        let mut slot = hash(names[index]) % SLOTS;
        while slots[slot] > 0 {
            if same(names[slots[slot] - 1], names[index]) {
                return Some(names[index]);
            }
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = index + 1;
        index += 1;
    }
    None
}

/// Returns the hash of a text (FNV-1a, of 32 bits).
const fn hash(text: &str) -> usize {
    let (text, mut index) = (text.as_bytes(), 0);
    let mut hash: u32 = 0x811c_9dc5;
    while index < text.len() {
        hash = (hash ^ text[index] as u32).wrapping_mul(0x0100_0193);
        index += 1;
    }
    hash as usize
}

/// Checks that the names of headers are distinct, whatever their case.
///
/// # Panics
///
/// Panics if a header is repeated.
pub const fn distinct_headers(names: &'static [&'static str]) {
    let mut index = 1;
    while index < names.len() {
        let (name, mut before) = (names[index], 0);
        while before < index {
            if names[before].eq_ignore_ascii_case(name) {
                duplicate(&["header"], name);
            }
            before += 1;
        }
        index += 1;
    }
}

/// Returns the parameters of an operation, and checks that they are distinct.
///
/// # Panics
///
/// Panics if a parameter is repeated.
pub const fn distinct_parameters(
    parameters: &'static [(&'static str, &'static str)],
) -> &'static [(&'static str, &'static str)] {
    let mut index = 1;
    while index < parameters.len() {
        let ((place, name), mut before) = (parameters[index], 0);
        while before < index {
            let (other_place, other) = parameters[before];
            // Most names differ in length, which saves the evaluator the calls.
            if other.len() == name.len()
                && same(other_place, place)
                && (same(other, name)
                    || (same(place, "header") && other.eq_ignore_ascii_case(name)))
            {
                duplicate(&[place, "parameter"], name);
            }
            before += 1;
        }
        index += 1;
    }
    parameters
}

/// Returns the values of a discriminator by variant, and checks that they are distinct.
///
/// # Panics
///
/// Panics if a value is repeated, in one variant or in two.
pub const fn distinct_values(
    variants: &'static [&'static [&'static str]],
) -> &'static [&'static [&'static str]] {
    let mut variant = 0;
    while variant < variants.len() {
        let values = distinct_of("value", variants[variant]);
        let mut before = 0;
        while before < variant {
            let mut index = 0;
            while index < values.len() {
                if contains(variants[before], variants[before].len(), values[index]) {
                    duplicate(&["value"], values[index]);
                }
                index += 1;
            }
            before += 1;
        }
        variant += 1;
    }
    variants
}

/// Returns whether one of the first `end` names is equal to another.
const fn contains(names: &[&str], end: usize, name: &str) -> bool {
    let mut index = 0;
    while index < end {
        // Most names differ in length, which saves the evaluator a call.
        if names[index].len() == name.len() && same(names[index], name) {
            return true;
        }
        index += 1;
    }
    false
}

/// Returns whether two texts are equal. The comparison starts at the end, where keys differ most.
const fn same(text: &str, other: &str) -> bool {
    let (text, other) = (text.as_bytes(), other.as_bytes());
    if text.len() != other.len() {
        return false;
    }
    let mut rest = text.len();
    while rest > 0 {
        rest -= 1;
        if text[rest] != other[rest] {
            return false;
        }
    }
    true
}

/// Stops the compiler with an error that contains the name: ``duplicate key `id` in a table``.
#[cold]
#[expect(clippy::panic, reason = "evaluated at compile time")]
const fn duplicate(kind: &[&str], name: &str) -> ! {
    let mut message = Message {
        bytes: [0; 256],
        len: 0,
    };
    message.push("duplicate ");
    let mut index = 0;
    while index < kind.len() {
        message.push(kind[index]);
        message.push(" ");
        index += 1;
    }
    message.push("`");
    message.push(name);
    message.push("` in a table");
    panic!("{}", message.text())
}

/// A text that a constant function puts together. A constant cannot format more than one text.
struct Message {
    bytes: [u8; 256],
    len: usize,
}

impl Message {
    /// Appends a text, or as much of it as fits.
    const fn push(&mut self, text: &str) {
        let (text, mut index) = (text.as_bytes(), 0);
        while index < text.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = text[index];
            self.len += 1;
            index += 1;
        }
    }

    const fn text(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            // The end is within a character.
            Err(_) => "duplicate name in a table",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        distinct, distinct_headers, distinct_of, distinct_parameters, distinct_values, fingerprint,
    };
    use std::collections::BTreeSet;
    use std::panic::catch_unwind;

    /// Returns the error of a check.
    fn error_of(check: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let error = catch_unwind(check).expect_err("a duplicate");
        let text = error.downcast_ref::<String>().cloned();
        let text = text.or_else(|| error.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        text.expect("a text")
    }

    #[test]
    fn distinct_names_pass() {
        assert_eq!(distinct(&["a", "b", "ab"]), ["a", "b", "ab"]);
        assert_eq!(
            distinct_parameters(&[("path", "id"), ("query", "id"), ("query", "ID")]).len(),
            3
        );
        distinct_headers(&["X-A", "X-B"]);
        assert_eq!(distinct_values(&[&["a", "b"], &["c"], &[]]).len(), 3);
    }

    #[test]
    fn the_error_names_the_duplicate() {
        assert_eq!(
            error_of(|| assert_eq!(distinct(&["id", "tag", "id"]), [""])),
            "duplicate key `id` in a table"
        );
        assert_eq!(
            error_of(|| assert_eq!(distinct_of("status", &["404", "404"]), [""])),
            "duplicate status `404` in a table"
        );
        assert_eq!(
            error_of(|| assert_eq!(distinct_parameters(&[("query", "a"), ("query", "a")]), [])),
            "duplicate query parameter `a` in a table"
        );
        assert_eq!(
            error_of(|| assert_eq!(distinct_parameters(&[("header", "A"), ("header", "a")]), [])),
            "duplicate header parameter `a` in a table"
        );
        assert_eq!(
            error_of(|| distinct_headers(&["X-Total", "x-total"])),
            "duplicate header `x-total` in a table"
        );
        assert_eq!(
            error_of(|| assert!(distinct_values(&[&["a", "b"], &["b"]]).is_empty())),
            "duplicate value `b` in a table"
        );
        assert_eq!(
            error_of(|| assert!(distinct_values(&[&["b", "b"]]).is_empty())),
            "duplicate value `b` in a table"
        );
    }

    #[test]
    fn names_with_equal_fingerprints_are_compared() {
        let alike = (0..60_u32).map(|number| &*format!("p{number:02}x").leak());
        let mut names: Vec<&'static str> = alike.collect();
        let prints: BTreeSet<_> = names.iter().map(|name| fingerprint(name)).collect();
        assert!(prints.len() < 20, "{prints:?}");
        assert_eq!(distinct(names.clone().leak()).len(), 60);
        names.push("p41x");
        let error = error_of(|| assert_eq!(distinct(names.leak()), [""]));
        assert_eq!(error, "duplicate key `p41x` in a table");
        assert_eq!(
            error_of(|| assert_eq!(distinct(&["", ""]), [""])),
            "duplicate key `` in a table"
        );
    }

    #[test]
    fn many_names_are_checked() {
        let numbers = (0..5_000_u32).map(|number| &*number.to_string().leak());
        let mut names: Vec<&'static str> = numbers.collect();
        assert_eq!(distinct(names.clone().leak()).len(), 5_000);
        names.push("77");
        let error = error_of(|| assert_eq!(distinct(names.leak()), [""]));
        assert_eq!(error, "duplicate key `77` in a table");
    }

    #[test]
    fn a_long_name_is_cut() {
        let name: &'static str = Box::leak("a".repeat(300).into_boxed_str());
        let names: &'static [&'static str] = Box::leak(vec![name, name].into_boxed_slice());
        let error = error_of(|| assert_eq!(distinct(names), [""]));
        assert!(
            error.starts_with("duplicate key `aaa") && error.len() == 256,
            "{error}"
        );
        let name: &'static str = Box::leak("ä€".repeat(100).into_boxed_str());
        let names: &'static [&'static str] = Box::leak(vec![name, name].into_boxed_slice());
        let error = error_of(|| assert_eq!(distinct(names), [""]));
        assert!(error.starts_with("duplicate "), "{error}");
    }
}
