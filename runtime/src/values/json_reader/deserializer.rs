//! The deserializer of a value.

use super::access::{Items, Members};
use super::number::short_float;
use super::{Cursor, Rejected};
use crate::values::same_as::same_as;
use serde::de::{Deserializer, Visitor};
use std::borrow::Cow;

/// The beginning of the names by which the types of serde_json ask its deserializer for the text of a value.
const OF_SERDE_JSON: &str = "$serde_json::private::";

impl<'de> Cursor<'de> {
    /// Passes the next value to the deserializer of serde_json.
    fn by_serde_json<T>(
        &mut self,
        read: impl FnOnce(
            &mut serde_json::Deserializer<serde_json::de::StrRead<'de>>,
        ) -> serde_json::Result<T>,
    ) -> Result<T, Rejected> {
        let mut json = serde_json::Deserializer::from_str(self.skip()?);
        Ok(read(&mut json)?)
    }

    fn list<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Rejected> {
        self.enter()?;
        let value = visitor.visit_seq(Items::new(self))?;
        self.leave(b']')?;
        Ok(value)
    }

    #[inline]
    fn object<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Rejected> {
        self.enter()?;
        let value = visitor.visit_map(Members::new(self))?;
        self.leave(b'}')?;
        Ok(value)
    }
}

macro_rules! integers {
    ($($method:ident)*) => {
        $(#[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
            match self.integer() {
                Some((false, value)) => visitor.visit_u64(value),
                Some((true, value)) => visitor.visit_i64(0_i64.wrapping_sub_unsigned(value)),
                None => Err(Rejected),
            }
        })*
    };
}

macro_rules! parsed {
    ($($method:ident $visit:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
            match self.number()?.parse() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(Rejected),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for &mut Cursor<'de> {
    type Error = Rejected;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        match self.peek() {
            b'"' => self.deserialize_str(visitor),
            b'{' => self.object(visitor),
            b'[' => self.list(visitor),
            b't' | b'f' => self.deserialize_bool(visitor),
            b'n' => self.deserialize_unit(visitor),
            _ => match self.integer() {
                Some((false, value)) => visitor.visit_u64(value),
                Some((true, value)) => visitor.visit_i64(0_i64.wrapping_sub_unsigned(value)),
                // serde_json passes other numbers as numbers of its own, if it keeps their text.
                _ => self.by_serde_json(|json| json.deserialize_any(visitor)),
            },
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        let value = self.peek() == b't';
        self.take_word(if value { "true" } else { "false" })?;
        visitor.visit_bool(value)
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    parsed! {
        deserialize_i128 visit_i128;
        deserialize_u128 visit_u128;
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        match self.number()?.parse::<f32>() {
            Ok(value) if value.is_finite() => visitor.visit_f32(value),
            _ => Err(Rejected),
        }
    }

    #[inline]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        let text = self.number()?;
        match short_float(text).or_else(|| text.parse().ok()) {
            Some(value) if value.is_finite() => visitor.visit_f64(value),
            _ => Err(Rejected),
        }
    }

    #[inline]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        match self.string()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_str(&text),
        }
    }

    #[inline]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        match self.string()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        match self.peek() {
            b'[' => self.list(visitor),
            _ => match self.string()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
                Cow::Owned(text) => visitor.visit_byte_buf(text.into_bytes()),
            },
        }
    }

    #[inline]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        if self.peek() == b'n' {
            self.take_word("null")?;
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        self.peek();
        self.take_word("null")?;
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Rejected> {
        match name.starts_with(OF_SERDE_JSON) {
            true => self.by_serde_json(|json| json.deserialize_newtype_struct(name, visitor)),
            false => visitor.visit_newtype_struct(self),
        }
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        match self.peek() {
            b'[' => self.list(visitor),
            _ => Err(Rejected),
        }
    }

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        match self.peek() {
            b'{' => self.object(visitor),
            _ => Err(Rejected),
        }
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Rejected> {
        match self.peek() {
            b'[' => self.list(visitor),
            _ => self.deserialize_map(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Rejected> {
        self.by_serde_json(|json| json.deserialize_enum(name, variants, visitor))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Rejected> {
        self.skip()?;
        visitor.visit_unit()
    }

    same_as! {
        deserialize_char() => deserialize_str;
        deserialize_identifier() => deserialize_str;
        deserialize_byte_buf() => deserialize_bytes;
        deserialize_unit_struct(name: &'static str) => deserialize_unit;
        deserialize_tuple(length: usize) => deserialize_seq;
        deserialize_tuple_struct(name: &'static str, length: usize) => deserialize_seq;
    }
}
