//! Serialization of any value to a [`Node`].

use crate::values::Binary;
use crate::values::binary::FILE;
use crate::values::file::sent;
use crate::values::json_writer::{NOT_FINITE, RAW};
use crate::values::number::{self, Float, NUMBER};
use crate::values::{Node, WireError};
use serde::ser::{self, Serialize, Serializer};

impl Node {
    /// Converts a value to a tree.
    pub(crate) fn new<T: Serialize + ?Sized>(value: &T) -> Result<Self, WireError> {
        value.serialize(PLAIN)
    }
}

/// The serializer.
#[derive(Clone, Copy)]
struct ToNode;

const PLAIN: ToNode = ToNode;

macro_rules! bare {
    ($($method:ident: $Type:ty;)*) => {
        $(fn $method(self, value: $Type) -> Result<Node, WireError> {
            Ok(Node::Bare(value.to_string()))
        })*
    };
}

impl Serializer for ToNode {
    type Ok = Node;
    type Error = WireError;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Variant<Items>;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Variant<Entries>;

    bare! {
        serialize_bool: bool;
        serialize_i8: i8;
        serialize_i16: i16;
        serialize_i32: i32;
        serialize_i64: i64;
        serialize_i128: i128;
        serialize_u8: u8;
        serialize_u16: u16;
        serialize_u32: u32;
        serialize_u64: u64;
        serialize_u128: u128;
    }

    fn serialize_f32(self, value: f32) -> Result<Node, WireError> {
        float(value)
    }

    fn serialize_f64(self, value: f64) -> Result<Node, WireError> {
        float(value)
    }

    fn serialize_char(self, value: char) -> Result<Node, WireError> {
        Ok(Node::Text(value.to_string()))
    }

    fn serialize_str(self, value: &str) -> Result<Node, WireError> {
        Ok(Node::Text(value.to_owned()))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Node, WireError> {
        Ok(Node::File(Box::new(Binary::new(value.to_vec()))))
    }

    fn serialize_none(self) -> Result<Node, WireError> {
        Ok(Node::Null)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Node, WireError> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Node, WireError> {
        Ok(Node::Null)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<Node, WireError> {
        Ok(Node::Null)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<Node, WireError> {
        Ok(Node::Text(variant.to_owned()))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<Node, WireError> {
        if name != FILE {
            return value.serialize(self);
        }
        let (file, node) = sent(|| value.serialize(PLAIN));
        file.map_or(node, |file| Ok(Node::File(file)))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Node, WireError> {
        Ok(Node::Object(vec![(
            variant.to_owned(),
            value.serialize(PLAIN)?,
        )]))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Items, WireError> {
        Ok(Items(Vec::new()))
    }

    fn serialize_tuple(self, _: usize) -> Result<Items, WireError> {
        Ok(Items(Vec::new()))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Items, WireError> {
        Ok(Items(Vec::new()))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<Items>, WireError> {
        Ok(Variant {
            name: variant,
            inner: Items(Vec::new()),
        })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries, WireError> {
        Ok(Entries::default())
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Entries, WireError> {
        Ok(Entries {
            is_raw: name.starts_with(RAW),
            ..Entries::default()
        })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<Entries>, WireError> {
        Ok(Variant {
            name: variant,
            inner: Entries::default(),
        })
    }
}

fn float<T: Float>(value: T) -> Result<Node, WireError> {
    let text = number::text(value).ok_or_else(|| WireError::new(NOT_FINITE))?;
    Ok(bare(&text))
}

/// Creates the node of a number. A plus is omitted, because some servers decode it as a space.
fn bare(text: &str) -> Node {
    Node::Bare(text.replace("e+", "e"))
}

/// Converts what serde_json passes as JSON text: a number, or a raw value.
fn raw(key: &str, text: &str) -> Result<Node, WireError> {
    if number::is_infinite(text) {
        return Err(WireError::new(NOT_FINITE));
    }
    if key == NUMBER {
        return Ok(bare(&number::canonical(text)));
    }
    let json = serde_json::from_str(text);
    let json = json.map_err(|_| WireError::new("a raw value must be JSON text"))?;
    Ok(Node::from_json(json))
}

/// A list that is being serialized.
struct Items(Vec<Node>);

impl Items {
    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WireError> {
        self.0.push(value.serialize(PLAIN)?);
        Ok(())
    }
}

/// An object that is being serialized.
#[derive(Default)]
struct Entries {
    fields: Vec<(String, Node)>,
    key: Option<String>,
    /// Whether the only member is JSON text.
    is_raw: bool,
}

impl Entries {
    fn push<T: Serialize + ?Sized>(&mut self, key: String, value: &T) -> Result<(), WireError> {
        let value = value.serialize(PLAIN).map_err(|error| error.within(&key))?;
        self.fields.push((key, value));
        Ok(())
    }
}

/// A variant that is being serialized, under its name.
struct Variant<I> {
    name: &'static str,
    inner: I,
}

impl ser::SerializeSeq for Items {
    type Ok = Node;
    type Error = WireError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WireError> {
        self.push(value)
    }

    fn end(self) -> Result<Node, WireError> {
        Ok(Node::List(self.0))
    }
}

impl ser::SerializeTuple for Items {
    type Ok = Node;
    type Error = WireError;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WireError> {
        self.push(value)
    }

    fn end(self) -> Result<Node, WireError> {
        Ok(Node::List(self.0))
    }
}

impl ser::SerializeTupleStruct for Items {
    type Ok = Node;
    type Error = WireError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WireError> {
        self.push(value)
    }

    fn end(self) -> Result<Node, WireError> {
        Ok(Node::List(self.0))
    }
}

impl ser::SerializeTupleVariant for Variant<Items> {
    type Ok = Node;
    type Error = WireError;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WireError> {
        self.inner.push(value)
    }

    fn end(self) -> Result<Node, WireError> {
        Ok(Node::Object(vec![(
            self.name.to_owned(),
            Node::List(self.inner.0),
        )]))
    }
}

impl ser::SerializeMap for Entries {
    type Ok = Node;
    type Error = WireError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), WireError> {
        self.key = Some(key.serialize(PLAIN)?.text()?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), WireError> {
        let key = self.key.take().unwrap_or_default();
        self.push(key, value)
    }

    fn end(self) -> Result<Node, WireError> {
        Ok(Node::Object(self.fields))
    }
}

impl ser::SerializeStruct for Entries {
    type Ok = Node;
    type Error = WireError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), WireError> {
        self.push(key.to_owned(), value)
    }

    fn end(self) -> Result<Node, WireError> {
        match (self.is_raw, &self.fields[..]) {
            (true, [(key, Node::Text(text))]) => raw(key, text),
            _ => Ok(Node::Object(self.fields)),
        }
    }
}

impl ser::SerializeStructVariant for Variant<Entries> {
    type Ok = Node;
    type Error = WireError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), WireError> {
        self.inner.push(key.to_owned(), value)
    }

    fn end(self) -> Result<Node, WireError> {
        Ok(Node::Object(vec![(
            self.name.to_owned(),
            Node::Object(self.inner.fields),
        )]))
    }
}
