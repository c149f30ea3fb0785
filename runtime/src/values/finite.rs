//! JSON without non-finite numbers.
//!
//! JSON has no NaN and no infinity (RFC 8259, section 6), and serde_json writes them as `null`,
//! which is another value. If the written text contains `null`, the value is therefore serialized a
//! second time without output, to find such a number.

use crate::values::WireError;
use serde::ser::{self, Serialize, Serializer};

/// The error message for a non-finite number.
pub(crate) const NOT_FINITE: &str = "a number that is not finite cannot be written";

/// Serializes a value as JSON.
///
/// # Errors
///
/// Returns an error with the path to the number if a number is not finite, and if the value cannot
/// be serialized as JSON.
pub(crate) fn to_json<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, WireError> {
    let text = serde_json::to_vec(value).map_err(|error| WireError::new(error.to_string()))?;
    if memchr::memmem::find(&text, b"null").is_some() {
        value.serialize(Look).or_else(Found::ignore_other)?;
    }
    Ok(text)
}

/// A serializer that searches for a non-finite number, and writes nothing.
#[derive(Clone, Copy)]
struct Look;

/// The reason why a search has ended.
#[derive(Debug)]
enum Found {
    /// A non-finite number was found.
    NotFinite(WireError),
    /// Another error, which is ignored.
    Other(String),
}

impl Found {
    fn ignore_other(self) -> Result<(), WireError> {
        match self {
            Self::NotFinite(error) => Err(error),
            Self::Other(_) => Ok(()),
        }
    }

    fn within(self, step: &str) -> Self {
        match self {
            Self::NotFinite(error) => Self::NotFinite(error.within(step)),
            other => other,
        }
    }
}

impl std::fmt::Display for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotFinite(error) => error.fmt(f),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Found {}

impl ser::Error for Found {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }
}

type Done = Result<(), Found>;

fn number(is_finite: bool) -> Done {
    match is_finite {
        true => Ok(()),
        false => Err(Found::NotFinite(WireError::new(NOT_FINITE))),
    }
}

macro_rules! nothing {
    ($($method:ident($($Type:ty),*);)*) => {
        $(fn $method(self, $(_: $Type),*) -> Done {
            Ok(())
        })*
    };
}

macro_rules! containers {
    ($($method:ident($($Type:ty),*);)*) => {
        $(fn $method(self, $(_: $Type),*) -> Result<Inside, Found> {
            Ok(Inside::default())
        })*
    };
}

impl Serializer for Look {
    type Ok = ();
    type Error = Found;
    type SerializeSeq = Inside;
    type SerializeTuple = Inside;
    type SerializeTupleStruct = Inside;
    type SerializeTupleVariant = Inside;
    type SerializeMap = Inside;
    type SerializeStruct = Inside;
    type SerializeStructVariant = Inside;

    nothing! {
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
        serialize_char(char);
        serialize_str(&str);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    containers! {
        serialize_seq(Option<usize>);
        serialize_tuple(usize);
        serialize_tuple_struct(&'static str, usize);
        serialize_tuple_variant(&'static str, u32, &'static str, usize);
        serialize_map(Option<usize>);
        serialize_struct(&'static str, usize);
        serialize_struct_variant(&'static str, u32, &'static str, usize);
    }

    fn serialize_f32(self, value: f32) -> Done {
        number(value.is_finite())
    }

    fn serialize_f64(self, value: f64) -> Done {
        number(value.is_finite())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        value.serialize(self).map_err(|found| found.within(variant))
    }

    fn collect_str<T: std::fmt::Display + ?Sized>(self, _: &T) -> Done {
        Ok(())
    }
}

/// A list or an object that is searched.
#[derive(Default)]
struct Inside {
    items: usize,
    key: Option<String>,
}

impl Inside {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        let index = self.items;
        self.items += 1;
        let found = value.serialize(Look);
        found.map_err(|found| found.within(&format!("[{index}]")))
    }

    fn field<T: Serialize + ?Sized>(key: &str, value: &T) -> Done {
        value.serialize(Look).map_err(|found| found.within(key))
    }
}

macro_rules! inside {
    ($($Trait:ident $method:ident;)*) => {
        $(impl ser::$Trait for Inside {
            type Ok = ();
            type Error = Found;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                self.item(value)
            }

            fn end(self) -> Done {
                Ok(())
            }
        })*
    };
}

inside! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! named {
    ($($Trait:ident)*) => {
        $(impl ser::$Trait for Inside {
            type Ok = ();
            type Error = Found;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Done {
                Self::field(key, value)
            }

            fn end(self) -> Done {
                Ok(())
            }
        })*
    };
}

named!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Inside {
    type Ok = ();
    type Error = Found;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        let text = serde_json::to_value(key).ok();
        self.key = text.and_then(|key| key.as_str().map(str::to_owned));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        Self::field(&self.key.take().unwrap_or_default(), value)
    }

    fn end(self) -> Done {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Map;

    fn written<T: Serialize>(value: &T) -> String {
        match to_json(value) {
            Ok(text) => String::from_utf8(text).unwrap_or_default(),
            Err(error) => format!("{}: {}", error.field(""), error.message),
        }
    }

    #[test]
    fn non_finite_numbers_are_located() {
        let nan = |found: &str| format!("{found}: {NOT_FINITE}");
        assert_eq!(written(&f64::NAN), nan(""));
        assert_eq!(written(&f32::NEG_INFINITY), nan(""));
        assert_eq!(written(&(None::<i64>, Some(f64::INFINITY))), nan("[1]"));
        let map = Map::from_iter([("a".to_owned(), vec![Some(1.5), None, Some(f64::NAN)])]);
        assert_eq!(written(&map), nan("a[2]"));
    }

    #[test]
    fn null_and_its_text_are_written() {
        assert_eq!(written(&(None::<i64>, "null", 1.0)), r#"[null,"null",1.0]"#);
    }
}
