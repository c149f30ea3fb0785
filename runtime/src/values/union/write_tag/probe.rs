//! A serializer that finds the string under one key.

use serde::ser::{self, Impossible, Serialize, SerializeMap, SerializeStruct, Serializer};

/// A serializer that looks for a key; a value that is not an object has none.
pub(super) struct Probe {
    key: &'static str,
    found: Option<String>,
    here: bool,
}

impl Probe {
    pub(super) const fn new(key: &'static str) -> Self {
        Self {
            key,
            found: None,
            here: false,
        }
    }
}

/// The error of a value that is not an object, and of a key or tag that is not a string.
#[derive(Debug)]
pub(super) struct Nothing;

impl std::fmt::Display for Nothing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not an object")
    }
}

impl std::error::Error for Nothing {}

impl ser::Error for Nothing {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Self
    }
}

impl SerializeStruct for Probe {
    type Ok = Option<String>;
    type Error = Nothing;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Nothing> {
        if key == self.key {
            self.found = value.serialize(Text).ok();
        }
        Ok(())
    }

    fn end(self) -> Result<Self::Ok, Nothing> {
        Ok(self.found)
    }
}

impl SerializeMap for Probe {
    type Ok = Option<String>;
    type Error = Nothing;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Nothing> {
        self.here = key.serialize(Text).is_ok_and(|key| key == self.key);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Nothing> {
        if self.here {
            self.found = value.serialize(Text).ok();
        }
        Ok(())
    }

    fn end(self) -> Result<Self::Ok, Nothing> {
        Ok(self.found)
    }
}

/// Methods that reject all other types.
macro_rules! refuse {
    ($Ok:ty; $($method:ident($($Type:ty),*);)*) => {
        $(fn $method(self $(, _: $Type)*) -> Result<$Ok, Nothing> {
            Err(Nothing)
        })*
    };
}

macro_rules! refuse_compound {
    ($($method:ident -> $Out:ident ($($Type:ty),*);)*) => {
        $(type $Out = Impossible<Self::Ok, Nothing>;

        fn $method(self $(, _: $Type)*) -> Result<Self::$Out, Nothing> {
            Err(Nothing)
        })*
    };
}

impl Serializer for Probe {
    type Ok = Option<String>;
    type Error = Nothing;
    type SerializeMap = Self;
    type SerializeStruct = Self;

    refuse! { Self::Ok;
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char);
        serialize_str(&str); serialize_bytes(&[u8]); serialize_none(); serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    refuse_compound! {
        serialize_seq -> SerializeSeq (Option<usize>);
        serialize_tuple -> SerializeTuple (usize);
        serialize_tuple_struct -> SerializeTupleStruct (&'static str, usize);
        serialize_tuple_variant -> SerializeTupleVariant (&'static str, u32, &'static str, usize);
        serialize_struct_variant -> SerializeStructVariant (&'static str, u32, &'static str, usize);
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok, Nothing> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Self::Ok, Nothing> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Self::Ok, Nothing> {
        Err(Nothing)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Nothing> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Nothing> {
        Ok(self)
    }
}

/// A serializer that accepts only a string.
struct Text;

impl Serializer for Text {
    type Ok = String;
    type Error = Nothing;

    refuse! { String;
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char);
        serialize_bytes(&[u8]); serialize_none(); serialize_unit();
        serialize_unit_struct(&'static str);
    }

    refuse_compound! {
        serialize_seq -> SerializeSeq (Option<usize>);
        serialize_tuple -> SerializeTuple (usize);
        serialize_tuple_struct -> SerializeTupleStruct (&'static str, usize);
        serialize_tuple_variant -> SerializeTupleVariant (&'static str, u32, &'static str, usize);
        serialize_struct_variant -> SerializeStructVariant (&'static str, u32, &'static str, usize);
        serialize_map -> SerializeMap (Option<usize>);
        serialize_struct -> SerializeStruct (&'static str, usize);
    }

    fn serialize_str(self, text: &str) -> Result<String, Nothing> {
        Ok(text.to_owned())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
    ) -> Result<String, Nothing> {
        Ok(name.to_owned())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<String, Nothing> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<String, Nothing> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<String, Nothing> {
        Err(Nothing)
    }
}
