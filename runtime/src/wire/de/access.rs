//! The inside of lists, objects and variants.

use crate::wire::{Node, WireError};
use serde::de::value::StringDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

/// The items of a list, with the number of the next.
pub(super) struct Items(std::vec::IntoIter<Node>, usize);

impl Items {
    pub(super) fn new(items: Vec<Node>) -> Self {
        Self(items.into_iter(), 0)
    }
}

impl<'de> SeqAccess<'de> for Items {
    type Error = WireError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, WireError> {
        let Some(node) = self.0.next() else {
            return Ok(None);
        };
        let index = self.1;
        self.1 += 1;
        seed.deserialize(node)
            .map(Some)
            .map_err(|error| error.within(&format!("[{index}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The fields of an object.
pub(super) struct Fields {
    fields: std::vec::IntoIter<(String, Node)>,
    value: Option<(String, Node)>,
}

impl Fields {
    pub(super) fn new(fields: Vec<(String, Node)>) -> Self {
        Self {
            fields: fields.into_iter(),
            value: None,
        }
    }
}

impl<'de> MapAccess<'de> for Fields {
    type Error = WireError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, WireError> {
        let Some((key, value)) = self.fields.next() else {
            return Ok(None);
        };
        let read = seed.deserialize(StringDeserializer::<WireError>::new(key.clone()));
        self.value = Some((key, value));
        read.map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, WireError> {
        let (key, value) = self.value.take().ok_or_else(WireError::absent)?;
        seed.deserialize(value).map_err(|error| error.within(&key))
    }
}

/// A variant, with what is in it.
pub(super) struct OneVariant {
    name: String,
    value: Option<Node>,
}

impl OneVariant {
    pub(super) const fn new(name: String, value: Option<Node>) -> Self {
        Self { name, value }
    }
}

impl<'de> EnumAccess<'de> for OneVariant {
    type Error = WireError;
    type Variant = Inside;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Inside), WireError> {
        let name: StringDeserializer<WireError> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, Inside(self.value)))
    }
}

/// What is in a variant.
pub(super) struct Inside(Option<Node>);

impl Inside {
    fn node(self) -> Node {
        self.0.unwrap_or(Node::Null)
    }
}

impl<'de> VariantAccess<'de> for Inside {
    type Error = WireError;

    fn unit_variant(self) -> Result<(), WireError> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, WireError> {
        seed.deserialize(self.node())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, WireError> {
        self.node().deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, WireError> {
        self.node().deserialize_map(visitor)
    }
}
