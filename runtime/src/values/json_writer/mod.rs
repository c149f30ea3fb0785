//! Writing of JSON, with the place of a value that JSON cannot represent.
//!
//! JSON has no NaN and no infinity (RFC 8259, section 6). serde_json writes them as `null`, which is
//! another value; here they are errors. Other numbers are written as `JSON.stringify` writes them,
//! see [`number`]. Everything else is written as serde_json writes it.

mod compound;
mod text;

use crate::values::{WireError, number};
use compound::{Items, Members};
use serde::ser::{self, Serialize, Serializer};
use std::fmt::{self, Write as _};

/// The error message for a non-finite number.
pub(crate) const NOT_FINITE: &str = "a number that is not finite cannot be written";

/// The beginning of the names of structs by which serde_json passes JSON text to its own serializer:
/// numbers with arbitrary precision, and raw values, if a program enables them.
pub(crate) const RAW: &str = "$serde_json::private::";

/// Serializes a value as JSON.
///
/// # Errors
///
/// Returns an error with the path to the number if a number is not finite, and if the value cannot
/// be serialized as JSON.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, WireError> {
    let mut out = Vec::with_capacity(512);
    match value.serialize(Writer(&mut out)) {
        Ok(()) => Ok(out),
        Err(Refused(error)) => Err(*error),
    }
}

/// The error of the serializer: small, because every value returns a result.
#[derive(Debug)]
struct Refused(Box<WireError>);

impl Refused {
    #[cold]
    fn new(message: impl Into<String>) -> Self {
        Self(Box::new(WireError::new(message)))
    }

    #[cold]
    fn within(mut self, step: &str) -> Self {
        self.0.add_step(step);
        self
    }

    #[cold]
    fn at(self, index: usize) -> Self {
        self.within(&format!("[{index}]"))
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Refused {}

impl ser::Error for Refused {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}

/// The serializer.
struct Writer<'o>(&'o mut Vec<u8>);

type Done = Result<(), Refused>;

impl<'o> Writer<'o> {
    #[inline]
    fn float<T: number::Float>(self, value: T) -> Done {
        match number::write(self.0, value) {
            true => Ok(()),
            false => Err(Refused::new(NOT_FINITE)),
        }
    }

    #[inline]
    fn literal(self, text: &str) -> Done {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn list(self) -> Items<'o> {
        Items {
            start: self.0.len(),
            out: self.0,
            count: 0,
            is_variant: false,
        }
    }

    fn object(self) -> Members<'o> {
        Members {
            start: self.0.len(),
            out: self.0,
            is_raw: false,
            is_variant: false,
            key: 0..0,
        }
    }

    /// Writes the beginning of an object with one member.
    fn variant(&mut self, name: &str) {
        self.0.push(b'{');
        text::write(self.0, name);
        self.0.push(b':');
    }
}

macro_rules! integers {
    ($($method:ident $Type:ty;)*) => {
        $(#[inline]
        fn $method(self, value: $Type) -> Done {
            let mut digits = itoa::Buffer::new();
            self.literal(digits.format(value))
        })*
    };
}

impl<'o> Serializer for Writer<'o> {
    type Ok = ();
    type Error = Refused;
    type SerializeSeq = Items<'o>;
    type SerializeTuple = Items<'o>;
    type SerializeTupleStruct = Items<'o>;
    type SerializeTupleVariant = Items<'o>;
    type SerializeMap = Members<'o>;
    type SerializeStruct = Members<'o>;
    type SerializeStructVariant = Members<'o>;

    integers! {
        serialize_i8 i8; serialize_i16 i16; serialize_i32 i32; serialize_i64 i64;
        serialize_i128 i128; serialize_u8 u8; serialize_u16 u16; serialize_u32 u32;
        serialize_u64 u64; serialize_u128 u128;
    }

    fn serialize_bool(self, value: bool) -> Done {
        match value {
            true => self.literal("true"),
            false => self.literal("false"),
        }
    }

    fn serialize_f32(self, value: f32) -> Done {
        self.float(value)
    }

    fn serialize_f64(self, value: f64) -> Done {
        self.float(value)
    }

    fn serialize_char(self, value: char) -> Done {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Done {
        text::write(self.0, value);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        value.serialize(self)
    }

    fn serialize_none(self) -> Done {
        self.literal("null")
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.literal("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.literal("null")
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        self.variant(variant);
        let written = value.serialize(Writer(self.0));
        written.map_err(|error| error.within(variant))?;
        self.literal("}")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'o>, Refused> {
        Ok(self.list())
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'o>, Refused> {
        Ok(self.list())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'o>, Refused> {
        Ok(self.list())
    }

    fn serialize_tuple_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'o>, Refused> {
        self.variant(variant);
        Ok(Items {
            is_variant: true,
            ..self.list()
        })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'o>, Refused> {
        Ok(self.object())
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members<'o>, Refused> {
        Ok(Members {
            is_raw: name.starts_with(RAW),
            ..self.object()
        })
    }

    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members<'o>, Refused> {
        self.variant(variant);
        Ok(Members {
            is_variant: true,
            ..self.object()
        })
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Done {
        self.0.push(b'"');
        let written = write!(text::Escaped(self.0), "{value}");
        self.0.push(b'"');
        written.map_err(|_| Refused::new("cannot be written as a string"))
    }
}

#[cfg(test)]
mod tests;
