//! Unions without a tag.

use super::bounds::Level;
use super::buffer::Buffered;
use super::outline::{Outline, Shape};
use super::rank;
use serde::de::{DeserializeOwned, Deserializer, Error};
use std::fmt::Write;

/// A variant of a union.
pub trait UnionVariant<E> {
    /// Its name.
    fn name(&self) -> &'static str;
    /// What it looks like.
    fn outline(&self) -> Outline;
    /// Reads it.
    fn decode(&self, value: &Buffered) -> Result<E, String>;
}

struct Of<T, E> {
    name: &'static str,
    make: fn(T) -> E,
}

impl<T: DeserializeOwned + Shape, E> UnionVariant<E> for Of<T, E> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn outline(&self) -> Outline {
        T::outline()
    }

    fn decode(&self, value: &Buffered) -> Result<E, String> {
        value.decode::<T>().map(self.make)
    }
}

/// A variant by its constructor.
pub const fn union_variant<T: DeserializeOwned + Shape, E>(
    name: &'static str,
    make: fn(T) -> E,
) -> impl UnionVariant<E> {
    Of { name, make }
}

/// How much is said of why the variants do not fit.
const LONGEST: usize = 2000;

/// Reads a union: the variants are tried in the order of how well they fit.
pub fn read_union<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    name: &'static str,
    variants: &[&dyn UnionVariant<T>],
) -> Result<T, D::Error> {
    let value = Buffered::read(deserializer)?;
    let too_deep = || D::Error::custom(format_args!("{name} is nested too deeply"));
    let level = Level::enter().ok_or_else(too_deep)?;
    let outlines: Vec<Outline> = variants.iter().map(|variant| variant.outline()).collect();
    let mut tried = String::new();
    for index in rank::order(value.json(), value.is_text(), &outlines) {
        let Some(variant) = variants.get(index) else {
            continue;
        };
        let error = match variant.decode(&value) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        let mark = if tried.is_empty() { ": " } else { "; " };
        if tried.len() + error.len() < LONGEST {
            let _ = write!(tried, "{mark}{}: {error}", variant.name());
        } else if !tried.ends_with('…') {
            tried.push_str("; …");
        }
        if !level.may_go_on() {
            return Err(too_deep());
        }
    }
    Err(D::Error::custom(format_args!(
        "no variant of {name} fits{tried}"
    )))
}
