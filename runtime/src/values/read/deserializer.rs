//! The deserializer: parses texts into the types that are requested.

use super::Failed;
use super::access::{Fields, Items, OneVariant, drop_value};
use super::buffer::NODE;
use super::reader::Reader;
use super::state::Ask;
use crate::values::binary::FILE;
use crate::values::decimal::Decimal;
use crate::values::leniency::boolean_of;
use crate::values::same_as::same_as;
use crate::values::words::OUT_OF_RANGE;
use crate::values::{Json, Leniency, Node, Whole, WireError};
use serde::de::{Deserializer, Visitor};
use std::borrow::Cow;

impl<'t> Reader<'_, 't> {
    /// Visits a list, of any length or of a `fixed` one.
    fn list<'de, V: Visitor<'de>>(
        self,
        visitor: V,
        fixed: Option<usize>,
    ) -> Result<V::Value, Failed> {
        let items = |items: &'t [Node]| match fixed {
            Some(_) => Items::fixed(self, items),
            None => Items::new(self, items),
        };
        match self.node {
            // The visitor of a tuple stops after its last item, so the length is checked here.
            Node::List(values) | Node::Repeated(values)
                if fixed.is_some_and(|most| values.len() > most) =>
            {
                let (most, count) = (fixed.unwrap_or_default(), values.len());
                Err(WireError::new(format!("must have {most} items, and has {count}")).into())
            }
            Node::List(values) | Node::Repeated(values) => visitor.visit_seq(items(values)),
            // A value that may be repeated, and occurs once.
            Node::Bare(_) | Node::Text(_) if self.is_text => {
                visitor.visit_seq(items(std::slice::from_ref(self.node)))
            }
            Node::Numbered(fields) => {
                let values = || Node::List(fields.iter().map(|(_, value)| value.clone()).collect());
                self.inner(self.is_text, values).list(visitor, fixed)
            }
            _ => match self.nested()? {
                Some(json) => json.list(visitor, fixed),
                None => Err(self.wrong(&visitor)),
            },
        }
    }

    fn file<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        let is_asked = self.state.is_asked(Ask::File);
        let this = self.single()?;
        match this.node {
            Node::File(file) if is_asked => {
                self.state.hand_file(file);
                visitor.visit_unit()
            }
            _ => visitor.visit_newtype_struct(this),
        }
    }

    /// Visits the members of an object.
    fn object<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        let is_table = self.state.is_asked(Ask::Table);
        let this = self.single()?;
        match this.node {
            Node::Object(fields) | Node::Numbered(fields) => {
                Fields::new(this, fields, is_table).visit(visitor)
            }
            _ => match this.nested()? {
                Some(json) => {
                    if is_table {
                        self.state.ask(Ask::Table);
                    }
                    json.object(visitor)
                }
                None => Err(this.wrong(&visitor)),
            },
        }
    }
}

macro_rules! integers {
    ($($method:ident $visit:ident $Type:ty;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
            let wanted = "an integer";
            let out_of_range = || {
                let (least, most) = (<$Type>::MIN, <$Type>::MAX);
                WireError::new(format!("must be an integer from {least} to {most}"))
            };
            let (whole, text) = match self.is_text {
                false => (self.node.whole(), None),
                true => {
                    let text = self.scalar(&wanted)?;
                    if let Ok(value) = text.parse::<$Type>() {
                        return visitor.$visit(value);
                    }
                    (whole_of(&text), Some(text))
                }
            };
            match (whole, text) {
                (Whole::Is(int), _) => match <$Type>::try_from(int) {
                    Ok(value) => visitor.$visit(value),
                    Err(_) => Err(out_of_range().into()),
                },
                (Whole::TooLarge, _) => Err(out_of_range().into()),
                (Whole::Not, Some(_)) => Err(WireError::new("must be an integer").into()),
                (Whole::Not, None) => {
                    let read = self.deserialize_any(visitor);
                    read.map_err(|failed| failed.or_must_be(wanted))
                }
            }
        })*
    };
}

macro_rules! parsed {
    ($($method:ident $visit:ident $Type:ty, $what:literal, $fits:expr, $fits_node:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
            if !self.is_text {
                if !$fits_node(self.node) {
                    return Err(WireError::new(OUT_OF_RANGE).into());
                }
                let read = self.deserialize_any(visitor);
                return read.map_err(|failed| failed.or_must_be($what));
            }
            let text = self.scalar(&$what)?;
            match text.parse::<$Type>() {
                Ok(value) if $fits(value) => visitor.$visit(value),
                // A number that is too large for the type is still a number.
                Ok(_) if Decimal::parse(&text).is_some() => Err(WireError::new(OUT_OF_RANGE).into()),
                _ => Err(WireError::new(concat!("must be ", $what)).into()),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Reader<'_, '_> {
    type Error = Failed;

    integers! {
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_i128 visit_i128 i128;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
        deserialize_u64 visit_u64 u64;
        deserialize_u128 visit_u128 u128;
    }

    // Only JSON numbers are accepted, not `inf` or `nan`.
    parsed! {
        deserialize_f32 visit_f32 f32, "a number", f32::is_finite, is_single;
        deserialize_f64 visit_f64 f64, "a number", f64::is_finite, |_| true;
        deserialize_char visit_char char, "one character", |_| true, |_| true;
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        const WANTED: &str = "true or false";
        if !self.is_text {
            let read = self.deserialize_any(visitor);
            return read.map_err(|failed| failed.or_must_be(WANTED));
        }
        let text = self.scalar(&WANTED)?;
        let wrong = || WireError::new("must be true or false");
        match (text.parse::<bool>(), boolean_of(&text)) {
            (Ok(value), _) => visitor.visit_bool(value),
            (_, None) => Err(wrong().into()),
            (_, Some(value)) if self.state.accepts_boolean_texts() => {
                // Another variant of a union may accept the text as it is.
                self.state.lose(1);
                visitor.visit_bool(value)
            }
            (_, Some(_)) => Err(wrong().unless(Leniency::BooleanTexts).into()),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        match self.node {
            Node::Null => visitor.visit_unit(),
            Node::Scalar(Json::Bool(value)) => visitor.visit_bool(*value),
            Node::Scalar(Json::Number(number)) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => visitor.visit_u64(value),
                (_, Some(value)) => visitor.visit_i64(value),
                _ => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Node::Scalar(_) => visitor.visit_unit(),
            Node::Decimal(text) => match text.parse::<f64>() {
                Ok(value) if value.is_finite() => visitor.visit_f64(value),
                _ => Err(WireError::new(OUT_OF_RANGE).into()),
            },
            Node::Bare(text) | Node::Text(text) => visitor.visit_str(text),
            Node::Field(text) => match serde_json::from_str::<Json>(text) {
                Ok(json @ (Json::Object(_) | Json::Array(_))) => {
                    let make = || Node::from_json(json);
                    self.inner(false, make).deserialize_any(visitor)
                }
                _ => visitor.visit_str(text),
            },
            Node::Repeated(items) if items.len() == 1 => self.single()?.deserialize_any(visitor),
            Node::List(_) | Node::Repeated(_) | Node::Numbered(_) => self.list(visitor, None),
            Node::Object(fields) => Fields::new(self, fields, false).visit(visitor),
            Node::File(file) => match std::str::from_utf8(&file.data) {
                Ok(text) if file.is_json() => {
                    let make = || Node::Field(text.to_owned());
                    self.inner(true, make).deserialize_any(visitor)
                }
                Ok(text) => visitor.visit_str(text),
                Err(_) => visitor.visit_byte_buf(file.data.to_vec()),
            },
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        if !self.is_text {
            return self.deserialize_any(visitor);
        }
        let text = self.scalar(&visitor)?;
        visitor.visit_str(&text)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        if !self.is_text {
            return self.deserialize_any(visitor);
        }
        let this = self.single()?;
        match this.node {
            Node::File(file) => visitor.visit_byte_buf(file.data.to_vec()),
            _ => visitor.visit_bytes(this.scalar(&"a string")?.as_bytes()),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        match self.node {
            Node::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        let this = self.single()?;
        match this.node {
            Node::Null => visitor.visit_unit(),
            Node::Bare(text) | Node::Text(text) | Node::Field(text)
                if this.is_text && text.is_empty() =>
            {
                visitor.visit_unit()
            }
            _ => Err(this.wrong(&"null")),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failed> {
        match name {
            NODE if self.state.is_asked(Ask::Node) => {
                // A text that may have several meanings is settled, because the type is not known.
                let held = match self.is_text && !self.node.is_settled() {
                    true => self.inner(true, || self.node.settled()),
                    false => self,
                };
                self.state.hand(held.node, held.is_text);
                visitor.visit_unit()
            }
            FILE => self.file(visitor),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        let read = self.list(visitor, None);
        read.map_err(|failed| failed.or_must_be("an array"))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Failed> {
        let read = self.list(visitor, Some(length));
        read.map_err(|failed| failed.or_must_be(&format!("an array of {length} items")))
    }

    /// Visits a list whose items have types by their places: every pass reads it from its start, as a tuple.
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Failed> {
        let read = self.list(visitor, Some(usize::MAX));
        read.map_err(|failed| failed.or_must_be("an array"))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        let read = self.object(visitor);
        read.map_err(|failed| failed.or_must_be("an object"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failed> {
        let this = self.single()?;
        let (name, value) = match this.node {
            Node::Object(fields) => match &fields[..] {
                [(name, value)] => (Cow::from(name), Some(value)),
                _ => return Err(WireError::new("must be an object with one property").into()),
            },
            _ => (this.scalar(&"a string")?, None),
        };
        visitor.visit_enum(OneVariant {
            name: &name,
            value: value.map(|value| this.at(value)),
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        if !self.is_tag {
            drop_value(self.node, self.state);
        }
        visitor.visit_unit()
    }

    same_as! {
        deserialize_unit_struct(name: &'static str) => deserialize_unit;
        deserialize_struct(name: &'static str, keys: &'static [&'static str]) => deserialize_map;
    }
}

/// Returns whether a number is in the range of an `f32`; serde would make it infinite.
#[allow(clippy::cast_possible_truncation)]
fn is_single(node: &Node) -> bool {
    let number = node.as_f64();
    number.is_none_or(|number| (number as f32).is_finite())
}

/// Parses a text as an integer; leading zeros and a plus are ignored.
fn whole_of(text: &str) -> Whole {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let digits = match digits.trim_start_matches('0') {
            "" => "0",
            digits => digits,
        };
        return Whole::new(&format!("{sign}{digits}"));
    }
    Whole::new(text)
}
