//! Writing of JSON, with the place of a value that JSON cannot represent.
//!
//! JSON has no NaN and no infinity (RFC 8259, section 6). serde_json writes them as `null`, which is
//! another value; here they are errors. Everything else is written as serde_json writes it.

mod text;

use crate::values::WireError;
use serde::ser::{self, Serialize, Serializer};
use std::fmt::{self, Write as _};

/// The error message for a non-finite number.
pub(crate) const NOT_FINITE: &str = "a number that is not finite cannot be written";

/// The beginning of the names of structs by which serde_json passes JSON text to its own serializer:
/// numbers with arbitrary precision, and raw values, if a program enables them.
const RAW: &str = "$serde_json::private::";

/// Serializes a value as JSON.
///
/// # Errors
///
/// Returns an error with the path to the number if a number is not finite, and if the value cannot
/// be serialized as JSON.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, WireError> {
    let mut out = Vec::with_capacity(128);
    value.serialize(Writer(&mut out))?;
    Ok(out)
}

/// The serializer.
struct Writer<'o>(&'o mut Vec<u8>);

type Done = Result<(), WireError>;

impl<'o> Writer<'o> {
    /// Writes a number that serde_json knows how to write.
    fn float<T: Serialize>(self, value: T, is_finite: bool) -> Done {
        if !is_finite {
            return Err(WireError::new(NOT_FINITE));
        }
        serde_json::to_writer(self.0, &value).map_err(|error| WireError::new(error.to_string()))
    }

    fn literal(self, text: &str) -> Done {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn list(self) -> Items<'o> {
        self.0.push(b'[');
        Items {
            out: self.0,
            count: 0,
            end: "]",
        }
    }

    fn object(self) -> Members<'o> {
        self.0.push(b'{');
        Members {
            key: self.0.len()..self.0.len(),
            out: self.0,
            is_empty: true,
            is_raw: false,
            end: "}",
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
    type Error = WireError;
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
        self.literal(if value { "true" } else { "false" })
    }

    fn serialize_f32(self, value: f32) -> Done {
        self.float(value, value.is_finite())
    }

    fn serialize_f64(self, value: f64) -> Done {
        self.float(value, value.is_finite())
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

    fn serialize_seq(self, _: Option<usize>) -> Result<Items<'o>, WireError> {
        Ok(self.list())
    }

    fn serialize_tuple(self, _: usize) -> Result<Items<'o>, WireError> {
        Ok(self.list())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items<'o>, WireError> {
        Ok(self.list())
    }

    fn serialize_tuple_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items<'o>, WireError> {
        self.variant(variant);
        let items = self.list();
        Ok(Items { end: "]}", ..items })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'o>, WireError> {
        Ok(self.object())
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Members<'o>, WireError> {
        if name.starts_with(RAW) {
            return Ok(Members {
                key: 0..0,
                out: self.0,
                is_empty: true,
                is_raw: true,
                end: "",
            });
        }
        Ok(self.object())
    }

    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members<'o>, WireError> {
        self.variant(variant);
        let members = self.object();
        Ok(Members {
            end: "}}",
            ..members
        })
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Done {
        self.0.push(b'"');
        let written = write!(text::Escaped(self.0), "{value}");
        self.0.push(b'"');
        written.map_err(|_| WireError::new("cannot be written as a string"))
    }
}

/// A list that is being written.
struct Items<'o> {
    out: &'o mut Vec<u8>,
    count: usize,
    end: &'static str,
}

impl Items<'_> {
    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        if self.count > 0 {
            self.out.push(b',');
        }
        let index = self.count;
        self.count += 1;
        let written = value.serialize(Writer(self.out));
        written.map_err(|error| error.within(&format!("[{index}]")))
    }

    fn close(self) -> Done {
        self.out.extend_from_slice(self.end.as_bytes());
        Ok(())
    }
}

macro_rules! items {
    ($($Trait:ident $method:ident;)*) => {
        $(impl ser::$Trait for Items<'_> {
            type Ok = ();
            type Error = WireError;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                self.item(value)
            }

            fn end(self) -> Done {
                self.close()
            }
        })*
    };
}

items! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

/// An object that is being written.
struct Members<'o> {
    out: &'o mut Vec<u8>,
    is_empty: bool,
    /// Whether the only member is JSON text that is written as it is.
    is_raw: bool,
    /// The place of the last key of a map in the output.
    key: std::ops::Range<usize>,
    end: &'static str,
}

impl Members<'_> {
    #[inline]
    fn comma(&mut self) {
        if !self.is_empty {
            self.out.push(b',');
        }
        self.is_empty = false;
    }

    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Done {
        if self.is_raw {
            return value.serialize(text::Raw(self.out));
        }
        self.comma();
        text::write(self.out, key);
        self.out.push(b':');
        let written = value.serialize(Writer(self.out));
        written.map_err(|error| error.within(key))
    }

    /// Returns the last key, which is read from the output.
    fn last_key(&self) -> String {
        let written = self.out.get(self.key.clone()).unwrap_or_default();
        serde_json::from_slice(written).unwrap_or_default()
    }

    fn close(self) -> Done {
        self.out.extend_from_slice(self.end.as_bytes());
        Ok(())
    }
}

macro_rules! members {
    ($($Trait:ident)*) => {
        $(impl ser::$Trait for Members<'_> {
            type Ok = ();
            type Error = WireError;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Done {
                self.field(key, value)
            }

            fn end(self) -> Done {
                self.close()
            }
        })*
    };
}

members!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Members<'_> {
    type Ok = ();
    type Error = WireError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        self.comma();
        let start = self.out.len();
        key.serialize(text::Key(self.out))?;
        self.key = start..self.out.len();
        self.out.push(b':');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        let written = value.serialize(Writer(self.out));
        written.map_err(|error| error.within(&self.last_key()))
    }

    fn end(self) -> Done {
        self.close()
    }
}

#[cfg(test)]
mod tests;
