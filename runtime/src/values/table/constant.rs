//! Properties with a single value, which have no field: `"object" = "list"` in a table.

use super::slots::{Slot, is_first};
use super::write::{Emit, Fields};
use crate::values::Json;
use crate::values::enums::{Literal, read_listed, read_word};
use crate::values::read::State;
use serde::de::{DeserializeSeed, Deserializer, MapAccess};

/// The value of a property without a field. Reading accepts it alone, and writing writes it.
pub struct Constant {
    value: Single,
    is_filled: bool,
}

/// A value, as the list of all values that its property accepts.
enum Single {
    Text(&'static [&'static str]),
    Scalar([Json; 1]),
}

/// Creates the value of a property from the literal in its row.
pub fn constant<L: Literal + Copy>(value: &'static [L; 1]) -> Constant {
    let [literal] = *value;
    Constant {
        value: L::texts(value).map_or_else(|| Single::Scalar([literal.json()]), Single::Text),
        is_filled: false,
    }
}

/// Returns the text of a string literal without escapes, given as it is written.
pub const fn text_of(literal: &'static str) -> Option<&'static str> {
    let [b'"', inner @ .., b'"'] = literal.as_bytes() else {
        return None;
    };
    let mut rest = inner;
    while let [byte, others @ ..] = rest {
        if *byte == b'\\' {
            return None;
        }
        rest = others;
    }
    Some(literal.split_at(1).1.split_at(inner.len()).0)
}

impl<'de, A: MapAccess<'de>> Slot<'de, A> for Constant {
    fn put(&mut self, key: &'static str, map: &mut A, state: &State<'_>) -> Result<(), A::Error> {
        is_first(self.is_filled, key, map, state)?;
        map.next_value_seed(ConstantSeed {
            value: &self.value,
            state,
        })?;
        self.is_filled = true;
        Ok(())
    }

    fn is_filled(&self) -> bool {
        self.is_filled
    }
}

impl<F: Fields> Emit<F> for Constant {
    fn is_absent(&self) -> bool {
        false
    }

    fn emit(&self, key: &'static str, fields: &mut F) -> Result<(), F::Error> {
        match &self.value {
            Single::Text(text) => text.iter().try_for_each(|text| fields.field(key, text)),
            Single::Scalar([json]) => fields.field(key, json),
        }
    }
}

struct ConstantSeed<'s, 't> {
    value: &'s Single,
    state: &'s State<'t>,
}

impl<'de> DeserializeSeed<'de> for ConstantSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.value {
            Single::Text(known) => read_word(deserializer, self.state, known),
            Single::Scalar(known) => read_listed(deserializer, self.state, known).map(drop),
        }
    }
}
