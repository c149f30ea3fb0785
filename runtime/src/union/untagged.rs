//! Unions without a tag.

use super::buffer::Buffered;
use super::outline::{Outline, Shape};
use super::rank;
use serde::de::{DeserializeOwned, Deserializer, Error};
use std::cell::Cell;
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

/// How many unions may be within each other: one that holds itself, and nothing else, would
/// never come to an end.
const LEVELS: u16 = 256;

thread_local! {
    static LEVEL: Cell<u16> = const { Cell::new(0) };
}

/// A union being read.
struct Level;

impl Level {
    fn enter() -> Option<Self> {
        let level = LEVEL.get();
        (level < LEVELS).then(|| {
            LEVEL.set(level + 1);
            Self
        })
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        LEVEL.set(LEVEL.get().saturating_sub(1));
    }
}

/// Reads a union: the variants are tried in the order of how well they fit.
pub fn read_union<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    name: &'static str,
    variants: &[&dyn UnionVariant<T>],
) -> Result<T, D::Error> {
    let value = Buffered::read(deserializer)?;
    let _level = Level::enter()
        .ok_or_else(|| D::Error::custom(format_args!("{name} is nested too deeply")))?;
    let outlines: Vec<Outline> = variants.iter().map(|variant| variant.outline()).collect();
    let mut tried = String::new();
    for index in rank::order(value.json(), value.is_text(), &outlines) {
        let Some(variant) = variants.get(index) else {
            continue;
        };
        match variant.decode(&value) {
            Ok(value) => return Ok(value),
            Err(error) => {
                let mark = if tried.is_empty() { ": " } else { "; " };
                let _ = write!(tried, "{mark}{}: {error}", variant.name());
            }
        }
    }
    Err(D::Error::custom(format_args!(
        "no variant of {name} fits{tried}"
    )))
}
