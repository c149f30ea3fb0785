//! The deserializer of a parameter, which parses the kind of value that the type requests.

use super::{Ask, ParamSource};
use crate::values::read::members;
use crate::values::read::{Failed, NODE, Reader, State};
use crate::values::same_as::same_as;
use crate::values::{Node, WireError};
use serde::de::{Deserializer, Visitor};
use std::cell::OnceCell;

/// A parameter that is being read.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a, 'p, 's, 't> {
    pub(super) source: &'a ParamSource<'p>,
    pub(super) state: &'s State<'t>,
    /// The parsed value. It is cached, because the type requests the same kind each time it is
    /// read.
    pub(super) asked: &'a OnceCell<&'t Node>,
}

impl<'s, 't> Asking<'_, '_, 's, 't> {
    /// Parses the value as the type requests it.
    fn ask(self, ask: Ask) -> Result<Reader<'s, 't>, Failed> {
        let node = match self.asked.get() {
            Some(node) => node,
            None => {
                let node = self.source.node(ask, &members::take(self.state))?;
                self.asked.get_or_init(|| self.state.keep(node))
            }
        };
        Ok(Reader::new(self.state, node, true))
    }
}

macro_rules! scalars {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
            self.ask(Ask::Scalar)?.$method(visitor)
        })*
    };
}

/// Scalars that most often are written as Rust parses them, so that they need no tree.
macro_rules! parsed {
    ($($method:ident $visit:ident $Type:ty, $fits:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
            let parsed = self.source.scalar().ok().and_then(|text| text.parse::<$Type>().ok());
            match parsed {
                Some(value) if $fits(value) => visitor.$visit(value),
                _ => self.ask(Ask::Scalar)?.$method(visitor),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Asking<'_, '_, '_, '_> {
    type Error = Failed;

    parsed! {
        deserialize_bool visit_bool bool, |_| true;
        deserialize_i8 visit_i8 i8, |_| true;
        deserialize_i16 visit_i16 i16, |_| true;
        deserialize_i32 visit_i32 i32, |_| true;
        deserialize_i64 visit_i64 i64, |_| true;
        deserialize_u8 visit_u8 u8, |_| true;
        deserialize_u16 visit_u16 u16, |_| true;
        deserialize_u32 visit_u32 u32, |_| true;
        deserialize_u64 visit_u64 u64, |_| true;
        deserialize_f32 visit_f32 f32, f32::is_finite;
        deserialize_f64 visit_f64 f64, f64::is_finite;
    }

    scalars! {
        deserialize_i128 deserialize_u128 deserialize_char deserialize_bytes deserialize_byte_buf
        deserialize_unit deserialize_identifier
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        visitor.visit_str(&self.source.scalar()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        self.deserialize_str(visitor)
    }

    same_as! {
        deserialize_unit_struct(name: &'static str) => deserialize_unit;
        deserialize_tuple_struct(name: &'static str, length: usize) => deserialize_seq;
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        self.ask(Ask::Any)?.deserialize_any(visitor)
    }

    // The parameter, not this deserializer, distinguishes absent from null.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        if self.source.values.is_empty() && !self.source.spreads() {
            return Err(WireError::absent().into());
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failed> {
        if name == NODE {
            return self
                .ask(Ask::Any)?
                .deserialize_newtype_struct(name, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        self.ask(Ask::List)?.deserialize_seq(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Failed> {
        self.ask(Ask::List)?.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        self.ask(Ask::Map)?.deserialize_map(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failed> {
        self.ask(Ask::Struct(keys))?.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failed> {
        self.ask(Ask::Scalar)?
            .deserialize_enum(name, variants, visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        visitor.visit_unit()
    }
}
