//! Access to the content of lists, objects and variants.

use super::reader::Reader;
use super::{FieldErrors, GO_ON, Source, Walk, address, count_part};
use crate::values::error::is_step;
use crate::values::union::lose;
use crate::values::{Node, WireError};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use std::rc::Rc;

/// Returns whether a failed value contains items that the next pass has to read.
fn goes_deeper(walk: &Walk, before: u32) -> bool {
    walk.unfinished.get() > before
}

/// The items of a list.
pub(super) struct Items<'a> {
    source: &'a Rc<Source>,
    items: &'a [Node],
    next: usize,
    /// The list, if its first items may be skipped.
    list: Option<usize>,
}

impl<'a> Items<'a> {
    /// Creates the access to a list of any length: after an invalid item, the next pass starts
    /// behind it.
    pub(super) fn of(source: &'a Rc<Source>, items: &'a [Node], list: &Node) -> Self {
        let list = address(list);
        let start = match source.walk.goes_on.get() {
            true => source.walk.starts.borrow().get(&list).copied(),
            false => None,
        };
        if start.is_some() {
            count_part();
        }
        Self {
            source,
            items,
            next: start.unwrap_or_default(),
            list: Some(list),
        }
    }

    /// Creates the access to a list of a fixed length.
    pub(super) const fn fixed(source: &'a Rc<Source>, items: &'a [Node]) -> Self {
        Self {
            source,
            items,
            next: 0,
            list: None,
        }
    }

    /// Records where the next pass starts.
    fn failed(&self, index: usize, before: u32) {
        let walk = &self.source.walk;
        let Some(list) = self.list.filter(|_| walk.goes_on.get()) else {
            return;
        };
        let deeper = goes_deeper(walk, before);
        let start = if deeper { index } else { index + 1 };
        walk.starts.borrow_mut().insert(list, start);
        if !deeper && start < self.items.len() {
            walk.unfinished.set(before + 1);
        }
    }
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = FieldErrors;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, FieldErrors> {
        let index = self.next;
        let Some(node) = self.items.get(index) else {
            return Ok(None);
        };
        self.next += 1;
        self.source.walk.step();
        let before = self.source.walk.unfinished.get();
        self.source.way.borrow_mut().push(index);
        let read = seed.deserialize(Reader::new(self.source, node));
        self.source.way.borrow_mut().pop();
        if read.is_err() {
            self.failed(index, before);
        }
        read.map(Some)
            .map_err(|field_errors| field_errors.within(&format!("[{index}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len().saturating_sub(self.next))
    }
}

/// The fields of an object.
pub(super) struct Fields<'a> {
    source: &'a Rc<Source>,
    fields: &'a [(String, Node)],
    object: usize,
    next: usize,
    /// Whether the visitor continues after an invalid field.
    by_table: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn new(
        source: &'a Rc<Source>,
        fields: &'a [(String, Node)],
        object: &Node,
        by_table: bool,
    ) -> Self {
        Self {
            source,
            fields,
            object: address(object),
            next: 0,
            by_table: by_table && source.walk.goes_on.get(),
        }
    }

    /// Passes the fields to a visitor. Skipped fields are not reported as missing.
    pub(super) fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        let (source, fields, object) = (self.source, self.fields, self.object);
        visitor.visit_map(self).map_err(|mut field_errors| {
            let left_out = source.walk.left_out.borrow();
            if !left_out.is_empty() {
                field_errors.without_missing(|name| {
                    let mut places = fields.iter().enumerate();
                    places.any(|(index, (key, _))| {
                        is_step(key, name) && left_out.contains(&(object, index))
                    })
                });
            }
            field_errors
        })
    }

    fn is_left_out(&self, index: usize) -> bool {
        let walk = &self.source.walk;
        walk.goes_on.get() && walk.left_out.borrow().contains(&(self.object, index))
    }

    /// Skips a field in the next pass.
    fn failed(&self, index: usize, before: u32) {
        let walk = &self.source.walk;
        if !self.by_table && walk.goes_on.get() && !goes_deeper(walk, before) {
            walk.left_out.borrow_mut().insert((self.object, index));
            walk.unfinished.set(before + 1);
        }
    }
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = FieldErrors;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, FieldErrors> {
        while self.is_left_out(self.next) {
            count_part();
            self.next += 1;
        }
        let index = self.next;
        let Some((key, _)) = self.fields.get(index) else {
            return Ok(None);
        };
        self.next += 1;
        self.source.walk.step();
        let before = self.source.walk.unfinished.get();
        let read = seed.deserialize(StrDeserializer::<FieldErrors>::new(key));
        if read.is_err() {
            self.failed(index, before);
        }
        read.map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, FieldErrors> {
        let index = self.next.checked_sub(1);
        let field = index.and_then(|index| Some((index, self.fields.get(index)?)));
        let Some((index, (key, value))) = field else {
            return Err(WireError::absent().into());
        };
        let before = self.source.walk.unfinished.get();
        self.source.way.borrow_mut().push(index);
        let mut reader = Reader::new(self.source, value);
        reader.is_tag = self.source.walk.is_tag(self.object, key);
        let read = seed.deserialize(reader);
        self.source.way.borrow_mut().pop();
        if read.is_err() {
            self.failed(index, before);
        }
        read.map_err(|field_errors| field_errors.within(key))
    }

    fn size_hint(&self) -> Option<usize> {
        match self.by_table {
            true => Some(GO_ON),
            false => Some(self.fields.len().saturating_sub(self.next)),
        }
    }
}

/// A variant with its content.
pub(super) struct OneVariant<'a> {
    pub(super) source: &'a Rc<Source>,
    pub(super) name: &'a str,
    pub(super) value: Option<&'a Node>,
}

impl<'a, 'de> EnumAccess<'de> for OneVariant<'a> {
    type Error = FieldErrors;
    type Variant = Inside<'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Inside<'a>), FieldErrors> {
        let name: StrDeserializer<'_, FieldErrors> = self.name.into_deserializer();
        let value = self.value.unwrap_or(&Node::Null);
        let inside = Inside(Reader::new(self.source, value));
        Ok((seed.deserialize(name)?, inside))
    }
}

/// The content of a variant.
pub(super) struct Inside<'a>(Reader<'a>);

impl<'de> VariantAccess<'de> for Inside<'_> {
    type Error = FieldErrors;

    fn unit_variant(self) -> Result<(), FieldErrors> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, FieldErrors> {
        seed.deserialize(self.0)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, FieldErrors> {
        self.0.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldErrors> {
        self.0.deserialize_map(visitor)
    }
}

/// Counts the members of a dropped value, and the value itself.
pub(super) fn drop_value(node: &Node) {
    fn members(node: &Node) -> u64 {
        match node {
            Node::List(items) | Node::Repeated(items) => items.iter().map(members).sum(),
            Node::Object(fields) | Node::Numbered(fields) => {
                fields.iter().map(|(_, value)| 1 + members(value)).sum()
            }
            _ => 0,
        }
    }
    lose(1 + members(node));
}
