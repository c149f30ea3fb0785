//! The deserializer of a parameter, which parses the kind of value that the type requests.

use super::{Ask, ParamSource};
use crate::values::WireError;
use crate::values::read::{FieldErrors, same_as};
use crate::values::union::HELD;
use serde::de::{Deserializer, Visitor};

macro_rules! scalars {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
            self.ask(Ask::Scalar)?.$method(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for &ParamSource<'_> {
    type Error = FieldErrors;

    scalars! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_i128 deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_u128 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit
        deserialize_identifier
    }

    same_as! {
        deserialize_unit_struct(name: &'static str) => deserialize_unit;
        deserialize_tuple_struct(name: &'static str, length: usize) => deserialize_seq;
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        self.ask(Ask::Any)?.deserialize_any(visitor)
    }

    // The parameter, not this deserializer, distinguishes absent from null.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        if self.values.is_empty() && !self.spreads() {
            return Err(WireError::absent().into());
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, FieldErrors> {
        if name == HELD {
            return self
                .ask(Ask::Any)?
                .deserialize_newtype_struct(name, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        self.ask(Ask::List)?.deserialize_seq(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, FieldErrors> {
        self.ask(Ask::List)?.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        self.ask(Ask::Map)?.deserialize_map(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldErrors> {
        self.ask(Ask::Struct(keys))?.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldErrors> {
        self.ask(Ask::Scalar)?
            .deserialize_enum(name, variants, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        visitor.visit_unit()
    }
}
