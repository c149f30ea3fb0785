//! Access to the content of lists, objects and variants.

use super::failed::Failed;
use super::reader::Reader;
use super::state::{State, Tags, address};
use crate::values::error::{is_missing, is_step};
use crate::values::{Node, WireError};
use serde::de::value::{StrDeserializer, UnitDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

/// Returns whether a failed value contains items that the next pass has to read.
fn goes_deeper(state: &State<'_>, before: u32) -> bool {
    state.walk().unfinished.get() > before
}

/// The items of a list.
pub(super) struct Items<'s, 't> {
    list: Reader<'s, 't>,
    items: &'t [Node],
    next: usize,
    /// Whether the list has any length, so that its first items may be skipped.
    is_open: bool,
}

impl<'s, 't> Items<'s, 't> {
    /// Creates the access to a list of any length: after an invalid item, the next pass starts
    /// behind it.
    pub(super) fn new(list: Reader<'s, 't>, items: &'t [Node]) -> Self {
        let state = list.state();
        let start = match state.goes_on() {
            true => state
                .walk()
                .starts
                .borrow()
                .get(&address(list.node()))
                .copied(),
            false => None,
        };
        if start.is_some() {
            state.count_part();
        }
        Self {
            list,
            items,
            next: start.unwrap_or_default(),
            is_open: true,
        }
    }

    /// Creates the access to a list of a fixed length.
    pub(super) const fn fixed(list: Reader<'s, 't>, items: &'t [Node]) -> Self {
        Self {
            list,
            items,
            next: 0,
            is_open: false,
        }
    }

    /// Records the error of an item, and where the next pass starts.
    fn failure(&self, index: usize, before: u32, mark: usize, failed: Failed) -> Failed {
        let state = self.list.state();
        state.record(failed);
        state.step(mark, &format!("[{index}]"));
        self.failed(index, before);
        Failed::recorded()
    }

    /// Records where the next pass starts.
    fn failed(&self, index: usize, before: u32) {
        if !self.is_open || !self.list.state().goes_on() {
            return;
        }
        let walk = self.list.state().walk();
        let deeper = goes_deeper(self.list.state(), before);
        let start = if deeper { index } else { index + 1 };
        walk.starts
            .borrow_mut()
            .insert(address(self.list.node()), start);
        if !deeper && start < self.items.len() {
            walk.unfinished.set(before + 1);
        }
    }
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Failed;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failed> {
        let index = self.next;
        let Some(node) = self.items.get(index) else {
            return Ok(None);
        };
        self.next += 1;
        let state = self.list.state();
        let (before, mark) = (state.enter(), state.mark());
        seed.deserialize(self.list.at(node))
            .map(Some)
            .map_err(|failed| self.failure(index, before, mark, failed))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len().saturating_sub(self.next))
    }
}

/// The fields of an object.
pub(super) struct Fields<'s, 't> {
    object: Reader<'s, 't>,
    fields: &'t [(String, Node)],
    next: usize,
    /// Whether the visitor continues after an invalid field.
    is_table: bool,
    tags: Tags,
}

impl<'s, 't> Fields<'s, 't> {
    pub(super) fn new(
        object: Reader<'s, 't>,
        fields: &'t [(String, Node)],
        is_table: bool,
    ) -> Self {
        Self {
            object,
            fields,
            next: 0,
            is_table,
            tags: object.state().tags.take(),
        }
    }

    /// Passes the fields to a visitor. Skipped fields are not reported as missing.
    pub(super) fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failed> {
        let (object, fields) = (self.object, self.fields);
        let mark = object.state().mark();
        visitor
            .visit_map(self)
            .map_err(|failed| without_left_out(object, fields, mark, failed))
    }

    fn is_left_out(&self, index: usize) -> bool {
        let state = self.object.state();
        let place = (address(self.object.node()), index);
        state.goes_on() && state.walk().left_out.borrow().contains(&place)
    }

    /// Records the error of a field, and skips the field in the next pass.
    fn failure(
        &self,
        (index, key): (usize, &str),
        before: u32,
        mark: usize,
        failed: Failed,
    ) -> Failed {
        let state = self.object.state();
        state.record(failed);
        state.step(mark, key);
        self.failed(index, before);
        Failed::recorded()
    }

    /// Skips a field in the next pass.
    fn failed(&self, index: usize, before: u32) {
        let state = self.object.state();
        if !self.is_table && state.goes_on() && !goes_deeper(state, before) {
            let place = (address(self.object.node()), index);
            state.walk().left_out.borrow_mut().insert(place);
            state.walk().unfinished.set(before + 1);
        }
    }
}

/// Removes the errors since a mark that state that a skipped field is missing.
fn without_left_out(
    object: Reader<'_, '_>,
    fields: &[(String, Node)],
    mark: usize,
    failed: Failed,
) -> Failed {
    let state = object.state();
    if !state.goes_on() {
        return failed;
    }
    let left_out = state.walk().left_out.borrow();
    state.record(failed);
    state.retain(mark, |error| {
        !is_missing(error, |name| {
            let mut places = fields.iter().enumerate();
            places.any(|(index, (key, _))| {
                is_step(key, name) && left_out.contains(&(address(object.node()), index))
            })
        })
    });
    Failed::recorded()
}

impl<'de> MapAccess<'de> for Fields<'_, '_> {
    type Error = Failed;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Failed> {
        let state = self.object.state();
        while self.is_left_out(self.next) {
            state.count_part();
            self.next += 1;
        }
        let index = self.next;
        let Some((key, _)) = self.fields.get(index) else {
            return Ok(None);
        };
        self.next += 1;
        let before = state.enter();
        seed.deserialize(StrDeserializer::<Failed>::new(key))
            .map(Some)
            .map_err(|failed| {
                state.record(failed);
                self.failed(index, before);
                Failed::recorded()
            })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Failed> {
        let index = self.next.checked_sub(1);
        let field = index.and_then(|index| Some((index, self.fields.get(index)?)));
        let Some((index, (key, value))) = field else {
            return Err(WireError::absent().into());
        };
        let state = self.object.state();
        let (before, mark) = (state.unfinished(), state.mark());
        let mut reader = self.object.at(value);
        reader.is_tag = self.tags.contains(&Some(key.as_str()));
        seed.deserialize(reader)
            .map_err(|failed| self.failure((index, key), before, mark, failed))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.fields.len().saturating_sub(self.next))
    }
}

/// A variant with its content.
pub(super) struct OneVariant<'a, 's, 't> {
    pub(super) name: &'a str,
    pub(super) value: Option<Reader<'s, 't>>,
}

impl<'de, 's, 't> EnumAccess<'de> for OneVariant<'_, 's, 't> {
    type Error = Failed;
    type Variant = Inside<'s, 't>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Inside<'s, 't>), Failed> {
        let name: StrDeserializer<'_, Failed> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, Inside(self.value)))
    }
}

/// The content of a variant.
pub(super) struct Inside<'s, 't>(Option<Reader<'s, 't>>);

impl<'de> VariantAccess<'de> for Inside<'_, '_> {
    type Error = Failed;

    fn unit_variant(self) -> Result<(), Failed> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Failed> {
        match self.0 {
            Some(reader) => seed.deserialize(reader),
            None => seed.deserialize(UnitDeserializer::new()),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Failed> {
        match self.0 {
            Some(reader) => reader.deserialize_seq(visitor),
            None => UnitDeserializer::new().deserialize_any(visitor),
        }
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failed> {
        match self.0 {
            Some(reader) => reader.deserialize_map(visitor),
            None => UnitDeserializer::new().deserialize_any(visitor),
        }
    }
}

/// Counts the members of a dropped value, and the value itself.
pub(super) fn drop_value(node: &Node, state: &State<'_>) {
    fn members(node: &Node) -> u64 {
        match node {
            Node::List(items) | Node::Repeated(items) => items.iter().map(members).sum(),
            Node::Object(fields) | Node::Numbered(fields) => {
                fields.iter().map(|(_, value)| 1 + members(value)).sum()
            }
            _ => 0,
        }
    }
    state.lose(1 + members(node));
}
