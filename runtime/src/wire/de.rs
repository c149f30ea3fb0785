//! A [`Node`] into any type: texts are parsed into what the type asks for.

mod access;

use super::{Node, WireError};
use crate::Json;
use crate::binary::FILE;
use crate::union::HELD;
use access::{Fields, Items, OneVariant};
use serde::de::{self, Deserializer, Error, Unexpected, Visitor};

impl Node {
    /// What to call it when it is not what was asked for.
    fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Self::Null => Unexpected::Unit,
            Self::Bare(text) | Self::Text(text) | Self::Field(text) => Unexpected::Str(text),
            Self::List(_) | Self::Repeated(_) | Self::Numbered(_) => Unexpected::Seq,
            Self::Object(_) => Unexpected::Map,
            Self::File(file) => Unexpected::Bytes(&file.data),
        }
    }

    /// The text of a scalar.
    fn into_scalar(self, wanted: &dyn de::Expected) -> Result<String, WireError> {
        match self.single()? {
            Self::Bare(text) | Self::Text(text) | Self::Field(text) => Ok(text),
            Self::File(file) => {
                String::from_utf8(file.data.to_vec()).map_err(|_| WireError::new("not UTF-8"))
            }
            other => Err(WireError::invalid_type(other.unexpected(), wanted)),
        }
    }

    /// JSON where only JSON can hold what is asked for.
    fn nested(self) -> Result<Result<Json, Self>, WireError> {
        let this = self.single()?;
        let read = match &this {
            Self::Field(text) => serde_json::from_str(text),
            Self::File(file) => serde_json::from_slice(&file.data),
            _ => return Ok(Err(this)),
        };
        read.map(Ok)
            .map_err(|error| WireError::new(format!("not JSON: {error}")))
    }
}

fn from_json(error: &serde_json::Error) -> WireError {
    WireError::new(error.to_string())
}

macro_rules! parsed {
    ($($method:ident $visit:ident $Type:ty, $what:literal;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
            let text = self.into_scalar(&$what)?;
            match text.parse::<$Type>() {
                Ok(value) => visitor.$visit(value),
                Err(_) => Err(WireError::new(format!("`{text}` is not {}", $what))),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Node {
    type Error = WireError;

    parsed! {
        deserialize_bool visit_bool bool, "true or false";
        deserialize_i8 visit_i8 i8, "a whole number in range";
        deserialize_i16 visit_i16 i16, "a whole number in range";
        deserialize_i32 visit_i32 i32, "a whole number in range";
        deserialize_i64 visit_i64 i64, "a whole number in range";
        deserialize_i128 visit_i128 i128, "a whole number in range";
        deserialize_u8 visit_u8 u8, "a whole number in range";
        deserialize_u16 visit_u16 u16, "a whole number in range";
        deserialize_u32 visit_u32 u32, "a whole number in range";
        deserialize_u64 visit_u64 u64, "a whole number in range";
        deserialize_u128 visit_u128 u128, "a whole number in range";
        deserialize_char visit_char char, "one character";
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        let text = self.into_scalar(&"a number")?;
        match finite::<f32>(&text, |value| value.is_finite()) {
            Some(value) => visitor.visit_f32(value),
            None => Err(WireError::new(format!("`{text}` is not a number"))),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        let text = self.into_scalar(&"a number")?;
        match finite::<f64>(&text, |value| value.is_finite()) {
            Some(value) => visitor.visit_f64(value),
            None => Err(WireError::new(format!("`{text}` is not a number"))),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Bare(text) | Self::Text(text) => visitor.visit_string(text),
            Self::Field(text) => match serde_json::from_str::<Json>(&text) {
                Ok(json @ (Json::Object(_) | Json::Array(_))) => json
                    .deserialize_any(visitor)
                    .map_err(|error| from_json(&error)),
                _ => visitor.visit_string(text),
            },
            Self::Repeated(mut items) if items.len() == 1 => {
                items.pop().unwrap_or(Self::Null).deserialize_any(visitor)
            }
            Self::List(items) | Self::Repeated(items) => visitor.visit_seq(Items::new(items)),
            Self::Object(fields) => visitor.visit_map(Fields::new(fields)),
            Self::Numbered(fields) => {
                let items: Vec<Self> = fields.into_iter().map(|(_, value)| value).collect();
                visitor.visit_seq(Items::new(items))
            }
            Self::File(file) => match String::from_utf8(file.data.to_vec()) {
                Ok(text) if file.is_json() => Self::Field(text).deserialize_any(visitor),
                Ok(text) => visitor.visit_string(text),
                Err(bytes) => visitor.visit_byte_buf(bytes.into_bytes()),
            },
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        let text = self.into_scalar(&visitor)?;
        visitor.visit_string(text)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self.single()? {
            Self::File(file) => visitor.visit_byte_buf(file.data.to_vec()),
            other => {
                let text = other.into_scalar(&visitor)?;
                visitor.visit_byte_buf(text.into_bytes())
            }
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self {
            Self::Null => visitor.visit_none(),
            some => visitor.visit_some(some),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self.single()? {
            Self::Null => visitor.visit_unit(),
            Self::Bare(text) | Self::Text(text) | Self::Field(text) if text.is_empty() => {
                visitor.visit_unit()
            }
            other => Err(WireError::invalid_type(other.unexpected(), &visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, WireError> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, WireError> {
        if name == HELD {
            return visitor.visit_some(self);
        }
        if name != FILE {
            return visitor.visit_newtype_struct(self);
        }
        match self.single()? {
            Self::File(file) => {
                let text = |text: Option<String>| text.map_or(Self::Null, Self::Text);
                let parts = vec![
                    text(file.name.clone()),
                    text(file.content_type.clone()),
                    Self::File(file),
                ];
                visitor.visit_seq(Items::new(parts))
            }
            other => visitor.visit_newtype_struct(other),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self {
            Self::List(items) | Self::Repeated(items) => visitor.visit_seq(Items::new(items)),
            // What can be repeated, and comes once.
            Self::Bare(_) | Self::Text(_) => visitor.visit_seq(Items::new(vec![self])),
            Self::Numbered(fields) => {
                let items: Vec<Self> = fields.into_iter().map(|(_, value)| value).collect();
                visitor.visit_seq(Items::new(items))
            }
            other => match other.nested()? {
                Ok(json) => json
                    .deserialize_seq(visitor)
                    .map_err(|error| from_json(&error)),
                Err(other) => Err(WireError::invalid_type(other.unexpected(), &visitor)),
            },
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, WireError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, WireError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        match self.single()? {
            Self::Object(fields) | Self::Numbered(fields) => visitor.visit_map(Fields::new(fields)),
            other => match other.nested()? {
                Ok(json) => json
                    .deserialize_map(visitor)
                    .map_err(|error| from_json(&error)),
                Err(other) => Err(WireError::invalid_type(other.unexpected(), &visitor)),
            },
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WireError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WireError> {
        match self.single()? {
            Self::Object(fields) => {
                let mut fields = fields.into_iter();
                match (fields.next(), fields.next()) {
                    (Some((name, value)), None) => {
                        visitor.visit_enum(OneVariant::new(name, Some(value)))
                    }
                    _ => Err(WireError::new("expected one variant")),
                }
            }
            other => {
                let name = other.into_scalar(&visitor)?;
                visitor.visit_enum(OneVariant::new(name, None))
            }
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, WireError> {
        visitor.visit_unit()
    }
}

/// A number as JSON writes it, and not `inf` or `nan`.
fn finite<T: std::str::FromStr>(text: &str, is_finite: fn(&T) -> bool) -> Option<T> {
    text.parse().ok().filter(is_finite)
}
