//! Serialization of scalar parameters without a tree.
//!
//! Most parameters are texts, integers, booleans or string enums in the default style of their
//! place. Such a value is written straight into the request. All other values, and all errors, go
//! through a [`Node`](crate::values::Node): this module only ever writes what the tree would have
//! given.

use super::RequestEncoder;
use crate::message::wire::{Notation, Param, Place};
use crate::values::binary::FILE;
use serde::ser::{Impossible, Serialize, Serializer};
use std::fmt;

/// What became of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    /// The value was written.
    Written,
    /// The value is null.
    Null,
    /// The value needs a tree.
    Other,
}

/// Writes a scalar in the default style of its place.
#[inline]
pub(super) fn write<T: Serialize>(
    param: Param,
    key: &'static str,
    value: &T,
    request: &mut RequestEncoder,
) -> Scalar {
    let is_plain = matches!(
        (param.place, param.form),
        (Place::Path | Place::Header, Notation::Simple) | (Place::Query, Notation::Form)
    );
    if !is_plain || param.reserved {
        return Scalar::Other;
    }
    let place = param.place;
    let target = Target {
        place,
        key,
        request,
    };
    value.serialize(target).unwrap_or(Scalar::Other)
}

/// The place of a parameter in a request.
struct Target<'r> {
    place: Place,
    key: &'static str,
    request: &'r mut RequestEncoder,
}

impl Target<'_> {
    fn text(self, text: &str) -> Scalar {
        let written = match self.place {
            Place::Path => self.request.put_in_path(self.key, text),
            Place::Query => self.request.put_in_query(self.key, text),
            Place::Header => self.request.put_in_header(self.key, text),
            Place::QueryString | Place::Cookie => false,
        };
        if written {
            Scalar::Written
        } else {
            Scalar::Other
        }
    }
}

/// The value is not a scalar, or cannot be serialized at all, which the tree will find too.
#[derive(Debug)]
struct NotScalar;

impl fmt::Display for NotScalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value is not a scalar")
    }
}

impl std::error::Error for NotScalar {}

impl serde::ser::Error for NotScalar {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

type Written = Result<Scalar, NotScalar>;
type Never = Impossible<Scalar, NotScalar>;

macro_rules! integers {
    ($($method:ident $Type:ty;)*) => {
        $(fn $method(self, value: $Type) -> Written {
            Ok(self.text(itoa::Buffer::new().format(value)))
        })*
    };
}

macro_rules! others {
    ($($method:ident($($Type:ty),*) -> $Result:ty;)*) => {
        $(fn $method(self, $(_: $Type),*) -> Result<$Result, NotScalar> {
            Err(NotScalar)
        })*
    };
}

impl Serializer for Target<'_> {
    type Ok = Scalar;
    type Error = NotScalar;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    integers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_i128 i128;
        serialize_u128 u128;
    }

    others! {
        serialize_f32(f32) -> Scalar;
        serialize_f64(f64) -> Scalar;
        serialize_bytes(&[u8]) -> Scalar;
        serialize_seq(Option<usize>) -> Never;
        serialize_tuple(usize) -> Never;
        serialize_tuple_struct(&'static str, usize) -> Never;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never;
        serialize_map(Option<usize>) -> Never;
        serialize_struct(&'static str, usize) -> Never;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never;
    }

    fn serialize_bool(self, value: bool) -> Written {
        Ok(self.text(if value { "true" } else { "false" }))
    }

    fn serialize_char(self, value: char) -> Written {
        Ok(self.text(value.encode_utf8(&mut [0; 4])))
    }

    fn serialize_str(self, value: &str) -> Written {
        Ok(self.text(value))
    }

    fn serialize_none(self) -> Written {
        Ok(Scalar::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        Ok(Scalar::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        Ok(Scalar::Null)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        Ok(self.text(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Written {
        if name == FILE {
            return Err(NotScalar);
        }
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Written {
        Err(NotScalar)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::OperationMeta;
    use crate::message::operation::ParameterStyle;
    use crate::values::Node;

    const META: OperationMeta = OperationMeta {
        id: "scalars",
        method: "GET",
        path: "/a/{x}/v{y}/{y}",
        server: None,
        parameters: &[],
        security: &[],
        streams: &[],
        success: &[],
        retries: None,
        idempotency_key: None,
    };

    /// What a way of encoding makes of `x`, `y`, and the same two again in the query and as headers.
    fn encoded(write: impl Fn(Param, &'static str, &mut RequestEncoder)) -> String {
        let mut request = RequestEncoder::new(&META);
        for place in [
            ParameterStyle::path(),
            ParameterStyle::query(),
            ParameterStyle::header(),
        ] {
            write(place, "x", &mut request);
            write(place, "y", &mut request);
        }
        format!("{:?}", request.finish())
    }

    fn same<T: Serialize>(value: &T) {
        let direct = encoded(|place, key, request| place.encode(key, value, request));
        let tree = encoded(|place, key, request| place.put(key, Node::new(value), true, request));
        assert_eq!(direct, tree);
        let direct = encoded(|place, key, request| place.optional().encode(key, value, request));
        let tree = encoded(|place, key, request| match Node::new(value) {
            Ok(Node::Null) => {}
            node => place.put(key, node, false, request),
        });
        assert_eq!(direct, tree);
    }

    #[test]
    fn scalars_are_written_as_their_trees_are() {
        for text in [
            "",
            "a",
            "v",
            "a b",
            "é/?#[]@!$&'()*+,;=:%25-._~",
            ".",
            "..",
            " a",
            "a\n",
            "\u{7f}",
        ] {
            same(&text);
            same(&Some(text));
            same(&text.chars().next());
        }
        for number in [0, 1, -1, i64::MIN, i64::MAX] {
            same(&number);
            same(&number.unsigned_abs());
            same(&i128::from(number));
        }
        same(&i8::MIN);
        same(&true);
        same(&1.5);
        same(&f32::NAN);
        same(&None::<i32>);
        same(&());
        same(&["a", "b"]);
        same(&std::collections::BTreeMap::from([("a", 1)]));
    }
}
