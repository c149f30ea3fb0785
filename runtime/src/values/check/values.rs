//! Validation of the types of Rust and of this crate.

use super::number::{self, Bound};
use super::{Checker, Rule, Validate, constant, format, pattern, unique};
use crate::values::{Base64, Binary, Bytes, Json, Map, Nullable};
use serde::Serialize;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Checks a string.
pub(in crate::values) fn check_text(text: &str, rules: &[Rule], checker: &mut Checker) {
    for rule in rules {
        match *rule {
            // Counting the characters visits the whole text, which is rarely needed: a character
            // has one to four bytes.
            Rule::MinLength(least) if (text.len() as u64) < least.saturating_mul(4) => {
                checker.at_least(text.chars().count(), least, "character", "characters");
            }
            Rule::MaxLength(most) if text.len() as u64 > most => {
                checker.at_most(text.chars().count(), most, "character", "characters");
            }
            Rule::Pattern { regex, shown } if !pattern::is_found(regex, text) => {
                checker.error(format!("does not match `{shown}`"));
            }
            Rule::Format(name) if !format::is_of(name, text) => {
                checker.error(format!("is not of the format {name}"));
            }
            Rule::Enum(all) if !all.contains(&text) => {
                checker.error("is not one of the listed values");
            }
            _ => {}
        }
    }
}

/// Returns the rules of the items of an array.
pub(in crate::values) fn item_rules(rules: &[Rule]) -> &'static [Rule] {
    let found = rules.iter().find_map(|rule| match *rule {
        Rule::Items(rules) => Some(rules),
        _ => None,
    });
    found.unwrap_or_default()
}

/// Returns the rules of an item of an array by its position.
pub(in crate::values) fn part_rules(rules: &[Rule], place: usize) -> &'static [Rule] {
    let found = rules.iter().find_map(|rule| match *rule {
        Rule::TupleList(parts) => parts.get(place).copied(),
        _ => None,
    });
    found.unwrap_or_default()
}

/// Returns the rules of the values of a map.
pub(in crate::values) fn value_rules(rules: &[Rule]) -> &'static [Rule] {
    let found = rules.iter().find_map(|rule| match *rule {
        Rule::AdditionalProperties(rules) => Some(rules),
        _ => None,
    });
    found.unwrap_or_default()
}

/// Checks that the items are unique.
pub(super) fn check_unique<T: Serialize>(items: &[T], checker: &mut Checker) {
    if !unique::are_unique(items) {
        checker.error("has the same item more than once");
    }
}

fn check_list<T: Validate + Serialize>(items: &[T], rules: &[Rule], checker: &mut Checker) {
    checker.count(items.len(), rules);
    if rules.iter().any(|rule| matches!(rule, Rule::UniqueItems)) {
        check_unique(items, checker);
    }
    let rules = item_rules(rules);
    if rules.is_empty() && items.first().is_some_and(Validate::is_plain) {
        return;
    }
    for (index, item) in items.iter().enumerate() {
        checker.item(index, item, rules);
    }
}

impl Validate for String {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        check_text(self, rules, checker);
    }

    fn is_plain(&self) -> bool {
        true
    }
}

impl Validate for Base64 {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        // The rules apply to the text on the wire.
        if !rules.is_empty() {
            check_text(&self.to_string(), rules, checker);
        }
    }
}

macro_rules! numbers {
    ($($kind:ident as $Wide:ty: $($Type:ty),*;)*) => {
        $($(impl Validate for $Type {
            fn check(&self, rules: &[Rule], checker: &mut Checker) {
                number::check(Bound::$kind(<$Wide>::from(*self)), rules, checker);
            }

            fn is_plain(&self) -> bool {
                true
            }
        })*)*
    };
}

numbers! {
    Int as i128: i8, i16, i32, i64, i128, u8, u16, u32, u64;
    Float as f64: f64;
}

impl Validate for f32 {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        if rules.is_empty() {
            return;
        }
        // Compared as the decimal by which the number is written: 0.1 is not more than 0.1, and not
        // 0.10000000149.
        let value = self
            .to_string()
            .parse()
            .unwrap_or_else(|_| f64::from(*self));
        number::check(Bound::Float(value), rules, checker);
    }
}

impl Validate for u128 {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        let value = i128::try_from(*self).unwrap_or(i128::MAX);
        number::check(Bound::Int(value), rules, checker);
    }
}

/// Types that are fully checked by their deserialization.
macro_rules! unchecked {
    ($($Type:ty),* $(,)?) => {
        $(impl Validate for $Type {
            fn is_plain(&self) -> bool {
                true
            }
        })*
    };
}

unchecked!(
    (),
    bool,
    char,
    isize,
    usize,
    Binary,
    Bytes,
    IpAddr,
    Ipv6Addr
);

impl Validate for Ipv4Addr {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        // The text form is unique, so the rules of its text can be checked.
        if !rules.is_empty() {
            check_text(&self.to_string(), rules, checker);
        }
    }
}

#[cfg(feature = "uuid")]
unchecked!(uuid::Uuid);
#[cfg(feature = "jiff")]
unchecked!(
    crate::values::DateTime,
    jiff::Timestamp,
    jiff::Zoned,
    jiff::Span,
    jiff::SignedDuration,
    jiff::civil::Date,
    jiff::civil::Time,
    jiff::civil::DateTime,
);

impl<T: Validate> Validate for Option<T> {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        match self {
            Some(value) => value.check(rules, checker),
            None => checker.absent(rules),
        }
    }
}

impl<T: Validate> Validate for Nullable<T> {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        match self {
            Self::Value(value) => value.check(rules, checker),
            Self::Absent => checker.absent(rules),
            Self::Null => {}
        }
    }
}

impl<T: Validate + ?Sized> Validate for Box<T> {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        (**self).check(rules, checker);
    }
}

impl<T: Validate + Serialize> Validate for Vec<T> {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        check_list(self, rules, checker);
    }
}

impl<T: Validate> Validate for Map<T> {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        checker.properties(self.keys().map(String::as_str), rules);
        let rules = value_rules(rules);
        if rules.is_empty() && self.values().next().is_some_and(Validate::is_plain) {
            return;
        }
        for (key, value) in self {
            checker.field(key, value, rules);
        }
    }
}

impl Validate for Json {
    fn check(&self, rules: &[Rule], checker: &mut Checker) {
        if rules.is_empty() {
            return;
        }
        constant::check(self, rules, checker);
        match self {
            Self::String(text) => check_text(text, rules, checker),
            Self::Array(items) => check_list(items, rules, checker),
            Self::Object(members) => {
                checker.properties(members.keys().map(String::as_str), rules);
                let rules = value_rules(rules);
                for (key, value) in members {
                    checker.field(key, value, rules);
                }
            }
            Self::Number(number) => {
                let whole = number.as_i64().map(i128::from);
                let value = match whole.or_else(|| number.as_u64().map(i128::from)) {
                    Some(int) => Bound::Int(int),
                    None => Bound::Float(number.as_f64().unwrap_or_default()),
                };
                number::check(value, rules, checker);
            }
            Self::Null | Self::Bool(_) => {}
        }
    }
}

macro_rules! tuples {
    ($($($T:ident $place:tt)*;)*) => {
        $(impl<$($T: Validate),*> Validate for ($($T,)*) {
            fn check(&self, rules: &[Rule], checker: &mut Checker) {
                $(checker.item($place, &self.$place, part_rules(rules, $place));)*
            }
        })*
    };
}

tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 M 12 N 13 O 14 P 15;
}
