//! Deserialization of unions with a discriminator property.
//!
//! In JSON text, the property is looked for among all members, and the variant is read from them directly. In another
//! format this is so if the property is the first member, as most writers put it; otherwise the value is read as a tree
//! first.

use super::write_tag::write_tagged;
use crate::values::json_reader::AHEAD;
use crate::values::outline::Outline;
use crate::values::read::bounds::{Level, too_deep};
use crate::values::read::members::declare;
use crate::values::read::{
    Ask, FieldErrors, Kind, NODE, NodeSeed, Reader, Schema, State, TextDeserializer, Value, direct,
    read_by_schema,
};
use crate::values::tag::{TagTable, probe};
use crate::values::{Node, UnrecognizedValue, WireError};
#[cfg(feature = "sample")]
use crate::values::{Rule, form::Form};
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error, MapAccess, Unexpected, Visitor,
};
use serde::ser::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A union that [`tagged!`](crate::tagged) describes.
pub trait Tagged: Sized + 'static {
    /// The discriminator property.
    const TABLE: &'static TagTable;
    /// The constructor of the variant that keeps an object with an unlisted value, if there is one.
    const KEEP: &'static [fn(UnrecognizedValue) -> Self];
    /// The rules of each variant, and those of unlisted values.
    #[cfg(feature = "sample")]
    const RULES: (&'static [&'static [Rule]], &'static [Rule]);

    /// Passes the variants to a function.
    fn variants<R>(then: impl FnOnce(&[&dyn TaggedVariant<Self>]) -> R) -> R;

    /// Deserializes a variant from the members of an object.
    fn variant_of_map<'de, A: MapAccess<'de>>(
        index: usize,
        map: A,
        state: &State<'_>,
    ) -> Result<Self, A::Error>;
}

/// A variant of a tagged union.
pub trait TaggedVariant<E> {
    /// Returns the form, for drawing values.
    #[cfg(feature = "sample")]
    fn form(&self) -> Form;

    /// Deserializes the variant.
    #[doc(hidden)]
    #[allow(private_interfaces)]
    fn decode(&self, reader: Reader<'_, '_>) -> Result<E, FieldErrors>;
}

/// A variant of a type with a table.
pub struct MadeBy<T, E>(fn(T) -> E);

/// A variant of a type that has only serde's traits, and of a schema.
pub struct SchemaMadeBy<T, E, C>(fn(T) -> E, PhantomData<C>);

#[allow(private_interfaces)]
impl<T: Value, E> TaggedVariant<E> for MadeBy<T, E> {
    #[cfg(feature = "sample")]
    fn form(&self) -> Form {
        T::form()
    }

    fn decode(&self, reader: Reader<'_, '_>) -> Result<E, FieldErrors> {
        reader.value::<T>().map(self.0)
    }
}

#[allow(private_interfaces)]
impl<T: DeserializeOwned, E, C: Schema> TaggedVariant<E> for SchemaMadeBy<T, E, C> {
    #[cfg(feature = "sample")]
    fn form(&self) -> Form {
        Form::Ruled(C::Value::form, C::RULES)
    }

    fn decode(&self, reader: Reader<'_, '_>) -> Result<E, FieldErrors> {
        read_by_schema::<T, C>(reader).map(self.0)
    }
}

impl<T, E> MadeBy<T, E> {
    /// Makes the variant one of a type that has only serde's traits.
    pub fn schema<C: Schema>(self, _: C) -> SchemaMadeBy<T, E, C> {
        SchemaMadeBy(self.0, PhantomData)
    }

    /// Deserializes the variant from the members of an object.
    ///
    /// # Errors
    ///
    /// Returns an error if the members are not those of the type.
    #[inline]
    pub fn of_map<'de, A: MapAccess<'de>>(self, map: A, state: &State<'_>) -> Result<E, A::Error>
    where
        T: Value,
    {
        T::decode_map(map, state).map(self.0)
    }

    /// Serializes the variant with its tag: see [`write_tagged`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the serializer.
    #[inline]
    pub fn write<S: Serializer>(
        self,
        value: &T,
        key: &'static str,
        names: &[&'static str],
        others: &[&[&[&str]]],
        serializer: S,
    ) -> Result<S::Ok, S::Error>
    where
        T: Value + Serialize,
    {
        let tag = value.tag(key, names);
        write_tagged(value, tag, key, names, others, serializer)
    }
}

impl<T: DeserializeOwned + Serialize, E, C: Schema> SchemaMadeBy<T, E, C> {
    /// Deserializes the variant from the members of an object.
    ///
    /// # Errors
    ///
    /// Returns an error if the members are not those of the schema or of the type.
    pub fn of_map<'de, A: MapAccess<'de>>(self, map: A, state: &State<'_>) -> Result<E, A::Error> {
        let node = Node::of_members(Vec::new(), map)?;
        direct(&node, state, read_by_schema::<T, C>).map(self.0)
    }

    /// Serializes the variant with its tag: see [`write_tagged`].
    ///
    /// # Errors
    ///
    /// Returns the errors of the serializer.
    pub fn write<S: Serializer>(
        self,
        value: &T,
        key: &'static str,
        names: &[&'static str],
        others: &[&[&[&str]]],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let tag = probe(value, key, names);
        write_tagged(value, tag, key, names, others, serializer)
    }
}

/// Creates a variant from its constructor.
pub const fn tagged_variant<T, E>(make: fn(T) -> E) -> MadeBy<T, E> {
    MadeBy(make)
}

/// The kind of a union with a discriminator property.
#[derive(Debug)]
pub enum ByTag {}

impl<T: Tagged> Kind<T> for ByTag {
    const IS_OPEN: bool = !T::KEEP.is_empty();

    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<T, D::Error> {
        T::variants(|variants| read_tagged(deserializer, state, variants))
    }

    fn outline() -> Outline {
        Outline::Tagged {
            key: T::TABLE.key,
            values: T::TABLE.values,
            others: T::TABLE.others,
            open: !T::KEEP.is_empty(),
        }
    }

    #[cfg(feature = "sample")]
    fn form() -> Form {
        Form::Tagged {
            table: T::TABLE,
            variants: || {
                T::variants(|variants| variants.iter().map(|variant| variant.form()).collect())
            },
            rules: T::RULES,
            open: !T::KEEP.is_empty(),
        }
    }
}

/// Deserializes a tagged union.
fn read_tagged<'de, T: Tagged, D: Deserializer<'de>>(
    deserializer: D,
    state: &State<'_>,
    variants: &[&dyn TaggedVariant<T>],
) -> Result<T, D::Error> {
    let table = T::TABLE;
    declare(state, || match table.default() {
        Some(_) => vec![Outline::AnyObject],
        None => vec![Outline::Tagged {
            key: table.key,
            values: &[],
            others: &[],
            open: false,
        }],
    });
    state.ask(Ask::Node);
    let visitor = TaggedVisitor {
        state,
        table,
        variants,
        keep: T::KEEP.first().copied(),
    };
    deserializer.deserialize_newtype_struct(NODE, visitor)
}

struct TaggedVisitor<'a, 's, 't, T> {
    state: &'s State<'t>,
    table: &'static TagTable,
    variants: &'a [&'a dyn TaggedVariant<T>],
    keep: Option<fn(UnrecognizedValue) -> T>,
}

impl<T> TaggedVisitor<'_, '_, '_, T> {
    /// Reads a tree.
    fn pick(&self, reader: Reader<'_, '_>) -> Result<T, FieldErrors> {
        let index = self.table.variant_of(reader.node(), self.keep.is_some())?;
        if let (None, Some(keep)) = (index, self.keep) {
            // Another variant of a surrounding union may list the tag.
            reader.state().lose_unlisted();
            return Ok(keep(UnrecognizedValue::new(reader.node().to_json())));
        }
        let state = reader.state();
        let _level = Level::enter(&state.unions, reader.node()).ok_or_else(too_deep)?;
        let variant = index.and_then(|index| self.variants.get(index));
        let variant = variant.ok_or_else(|| WireError::missing(self.table.key))?;
        variant.decode(reader.with_tag(self.table.key))
    }

    /// Reads the members of an object, of which the first ones are read already, as a tree.
    fn pick_from<'de, A: MapAccess<'de>>(
        &self,
        fields: Vec<(String, Node)>,
        map: A,
    ) -> Result<T, A::Error> {
        let node = Node::of_members(fields, map)?;
        direct(&node, self.state, |reader| self.pick(reader))
    }
}

impl<'de, T: Tagged> Visitor<'de> for TaggedVisitor<'_, '_, '_, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_unit<E: Error>(self) -> Result<T, E> {
        let tags = self.state.tags.take();
        match self.state.take_handed() {
            Some((node, is_text)) => {
                let reader = Reader::new(self.state, node, is_text).with_tags(tags);
                self.pick(reader).map_err(|errors| self.state.raise(errors))
            }
            None => Err(E::invalid_type(Unexpected::Unit, &self)),
        }
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<T, D::Error> {
        inner.deserialize_map(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        let (state, table) = (self.state, self.table);
        let key = match map.next_key_seed(FirstKey { table, state })? {
            None | Some(First::Ahead(None)) => return self.pick_from(Vec::new(), map),
            Some(First::Ahead(Some(index))) => return T::variant_of_map(index, map, state),
            Some(First::Other(other)) => {
                let value = map.next_value_seed(NodeSeed)?;
                return self.pick_from(vec![(other, value)], map);
            }
            Some(First::Tag) => table.key,
        };
        match map.next_value_seed(TagValue(table))? {
            Ok((index, tag)) => {
                let tag = Some(tag);
                T::variant_of_map(index, WithTag { map, key, tag }, state)
            }
            Err(tag) => self.pick_from(vec![(key.to_owned(), Node::Text(tag))], map),
        }
    }
}

/// The first key of an object.
enum First {
    /// The discriminator property.
    Tag,
    /// Another key.
    Other(String),
    /// No key was read: the variant by the discriminator property, wherever it is in the object; `None` if it is
    /// absent, or no listed string.
    Ahead(Option<usize>),
}

/// The seed of the first key.
#[derive(Clone, Copy)]
struct FirstKey<'s, 't> {
    table: &'static TagTable,
    state: &'s State<'t>,
}

impl<'de> DeserializeSeed<'de> for FirstKey<'_, '_> {
    type Value = First;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<First, D::Error> {
        match self.state.is_json() {
            true => {
                let key = std::slice::from_ref(&self.table.key);
                deserializer.deserialize_struct(AHEAD, key, self)
            }
            false => deserializer.deserialize_identifier(self),
        }
    }
}

impl Visitor<'_> for FirstKey<'_, '_> {
    type Value = First;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<First, E> {
        Ok(match key == self.table.key {
            true => First::Tag,
            false => First::Other(key.to_owned()),
        })
    }

    fn visit_bytes<E: Error>(self, tag: &[u8]) -> Result<First, E> {
        if !self.state.is_json() {
            return Err(E::invalid_type(Unexpected::Bytes(tag), &self));
        }
        let is = |names: &&[&str]| names.iter().any(|name| name.as_bytes() == tag);
        Ok(First::Ahead(self.table.values.iter().position(is)))
    }

    fn visit_unit<E: Error>(self) -> Result<First, E> {
        Ok(First::Ahead(None))
    }
}

/// The value of the discriminator property: the variant with the listed value, or an unlisted value.
struct TagValue(&'static TagTable);

impl<'de> DeserializeSeed<'de> for TagValue {
    type Value = Result<(usize, &'static str), String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for TagValue {
    type Value = Result<(usize, &'static str), String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_str<E: Error>(self, tag: &str) -> Result<Self::Value, E> {
        let names = self.0.values.iter().enumerate();
        let found = names.into_iter().find_map(|(index, names)| {
            let name = names.iter().find(|name| **name == tag)?;
            Some((index, *name))
        });
        Ok(found.ok_or_else(|| tag.to_owned()))
    }
}

/// The members of an object after its discriminator property, with that property.
struct WithTag<A> {
    map: A,
    key: &'static str,
    /// The value, until its key is read.
    tag: Option<&'static str>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithTag<A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        match self.tag {
            Some(_) => seed.deserialize(StrDeserializer::new(self.key)).map(Some),
            None => self.map.next_key_seed(seed),
        }
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match self.tag.take() {
            Some(tag) => seed.deserialize(TextDeserializer::new(tag)),
            None => self.map.next_value_seed(seed),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.map.size_hint()
    }
}
