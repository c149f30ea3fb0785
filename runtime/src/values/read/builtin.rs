//! Reading of the types of Rust.

use super::value::{Builtin, Kind, Own, ReadAs, Seed, Value};
use super::{Arena, State, TextDeserializer};
#[cfg(feature = "jiff")]
use crate::values::DateTime;
#[cfg(feature = "sample")]
use crate::values::form::Form;
use crate::values::outline::Outline;
use crate::values::words::OUT_OF_RANGE;
use crate::values::{Base64, Bytes, Json, Map, Nullable, Strictness};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor,
};
use std::fmt;
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Types without members, which need no state.
macro_rules! plain {
    ($($outline:expr => $($Type:ty),*;)*) => {
        $($(impl Value for $Type {
            type Kind = Builtin;
        }

        impl Kind<$Type> for Builtin {
            #[inline]
            fn decode<'de, D: Deserializer<'de>>(
                deserializer: D,
                _: &State<'_>,
            ) -> Result<$Type, D::Error> {
                <$Type>::deserialize(deserializer)
            }

            fn outline() -> Outline {
                $outline
            }
        })*)*
    };
}

plain! {
    Outline::Null => (), crate::values::NoItem;
    Outline::Bool => bool;
    Outline::Integer => i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize;
    Outline::Number => f64;
    Outline::String => char, String, Bytes;
    Outline::Any => Json;
}

impl Value for Base64 {
    type Kind = Builtin;
}

impl Kind<Base64> for Builtin {
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<Base64, D::Error> {
        Base64::read(deserializer, state.is_strict())
    }

    fn outline() -> Outline {
        Outline::Formatted(|text| Base64::parse(text).is_ok())
    }
}

#[cfg(feature = "jiff")]
plain! {
    Outline::Formatted(|text| text.parse::<DateTime>().is_ok()) => DateTime;
}

impl Value for f32 {
    type Kind = Builtin;
}

impl Kind<f32> for Builtin {
    #[inline]
    fn decode<'de, D: Deserializer<'de>>(deserializer: D, _: &State<'_>) -> Result<f32, D::Error> {
        deserializer.deserialize_f32(Single)
    }

    fn outline() -> Outline {
        Outline::Number
    }
}

/// The visitor of an `f32`. That of serde makes a number that is out of range infinite.
struct Single;

impl Visitor<'_> for Single {
    type Value = f32;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number")
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<f32, E> {
        match value.is_finite() {
            true => Ok(value),
            false => Err(E::custom(OUT_OF_RANGE)),
        }
    }

    #[allow(clippy::cast_possible_truncation)]
    fn visit_f64<E: Error>(self, value: f64) -> Result<f32, E> {
        self.visit_f32(value as f32)
    }

    #[allow(clippy::cast_precision_loss)]
    fn visit_i64<E: Error>(self, value: i64) -> Result<f32, E> {
        Ok(value as f32)
    }

    #[allow(clippy::cast_precision_loss)]
    fn visit_u64<E: Error>(self, value: u64) -> Result<f32, E> {
        Ok(value as f32)
    }
}

/// Types that are written as strings, with the name of their format.
macro_rules! formatted {
    ($($Type:ty: $what:literal;)*) => {
        $(impl Value for $Type {
            type Kind = Builtin;
        }

        impl Kind<$Type> for Builtin {
            fn decode<'de, D: Deserializer<'de>>(
                deserializer: D,
                _: &State<'_>,
            ) -> Result<$Type, D::Error> {
                deserializer.deserialize_str(Formatted {
                    what: $what,
                    parse: |text| text.parse::<$Type>().ok(),
                })
            }

            fn outline() -> Outline {
                Outline::Formatted(|text| text.parse::<$Type>().is_ok())
            }
        })*
    };
}

formatted! {
    IpAddr: "an IP address";
    Ipv4Addr: "an IPv4 address";
    Ipv6Addr: "an IPv6 address";
}

#[cfg(feature = "uuid")]
formatted! {
    uuid::Uuid: "a UUID";
}

#[cfg(feature = "jiff")]
formatted! {
    jiff::Timestamp: "a date-time";
    jiff::Zoned: "a date-time with a time zone";
    jiff::Span: "a duration";
    jiff::SignedDuration: "a duration";
    jiff::civil::Date: "a date";
    jiff::civil::Time: "a time";
    jiff::civil::DateTime: "a date-time without an offset";
}

struct Formatted<T> {
    what: &'static str,
    parse: fn(&str) -> Option<T>,
}

impl<T> Visitor<'_> for Formatted<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.parse)(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

impl<T: Value> Value for Box<T> {
    type Kind = Builtin;
}

impl<T: Value> Kind<Box<T>> for Builtin {
    #[inline]
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<Box<T>, D::Error> {
        T::decode(deserializer, state).map(Box::new)
    }

    fn decode_map<'de, A: MapAccess<'de>>(map: A, state: &State<'_>) -> Result<Box<T>, A::Error> {
        T::decode_map(map, state).map(Box::new)
    }

    // A `Box` makes types recursive only through an enum, a list or an option, all of which compute
    // the inner outline lazily.
    fn outline() -> Outline {
        T::outline()
    }

    #[cfg(feature = "sample")]
    fn form() -> Form {
        T::form()
    }
}

/// The visitor of a type with a state.
struct With<'s, 't, T> {
    state: &'s State<'t>,
    marker: PhantomData<T>,
}

const fn with<'s, 't, T>(state: &'s State<'t>) -> With<'s, 't, T> {
    With {
        state,
        marker: PhantomData,
    }
}

macro_rules! optional {
    ($($Type:ident $none:ident $some:ident $Visitor:ident;)*) => {
        $(impl<T: Value> Value for $Type<T> {
            type Kind = Builtin;
        }

        impl<T: Value> Kind<$Type<T>> for Builtin {
            #[inline]
            fn decode<'de, D: Deserializer<'de>>(
                deserializer: D,
                state: &State<'_>,
            ) -> Result<$Type<T>, D::Error> {
                deserializer.deserialize_option($Visitor(with(state)))
            }

            fn outline() -> Outline {
                Outline::Nullable(T::outline)
            }

            #[cfg(feature = "sample")]
            fn form() -> Form {
                Form::Nullable(T::form)
            }
        }

        struct $Visitor<'s, 't, T>(With<'s, 't, T>);

        impl<'de, T: Value> Visitor<'de> for $Visitor<'_, '_, T> {
            type Value = $Type<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("null or a value")
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok($Type::$none)
            }

            fn visit_none<E>(self) -> Result<Self::Value, E> {
                Ok($Type::$none)
            }

            #[inline]
            fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
                T::decode(inner, self.0.state).map($Type::$some)
            }
        })*
    };
}

optional! {
    Option None Some OptionVisitor;
    Nullable Null Value NullableVisitor;
}

/// Limit for the capacity that a list reserves by the hint of a format.
const RESERVED: usize = 4096;

impl<T: Value + serde::Serialize> Value for Vec<T> {
    type Kind = Builtin;
}

impl<T: Value> Kind<Vec<T>> for Builtin {
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<Vec<T>, D::Error> {
        deserializer.deserialize_seq(ListVisitor(with(state)))
    }

    fn outline() -> Outline {
        Outline::List(T::outline)
    }

    #[cfg(feature = "sample")]
    fn form() -> Form {
        Form::List(T::form)
    }
}

struct ListVisitor<'s, 't, T>(With<'s, 't, T>);

impl<'de, T: Value> Visitor<'de> for ListVisitor<'_, '_, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let size = seq.size_hint().unwrap_or_default();
        let mut items = Vec::with_capacity(size.min(RESERVED));
        while let Some(item) = seq.next_element_seed(Seed::<T>::new(self.0.state))? {
            items.push(item);
        }
        Ok(items)
    }
}

impl<T: Value> Value for Map<T> {
    type Kind = Builtin;
}

impl<T: Value> Kind<Map<T>> for Builtin {
    fn decode<'de, D: Deserializer<'de>>(
        deserializer: D,
        state: &State<'_>,
    ) -> Result<Map<T>, D::Error> {
        deserializer.deserialize_map(MapVisitor(with(state)))
    }

    fn outline() -> Outline {
        Outline::Map(T::outline)
    }

    #[cfg(feature = "sample")]
    fn form() -> Form {
        Form::Map(T::form)
    }
}

/// The seed of an additional property; `None` for a null that counts as absent.
pub(crate) struct Member<'s, 't, T> {
    state: &'s State<'t>,
    marker: PhantomData<T>,
}

impl<'s, 't, T> Member<'s, 't, T> {
    pub(crate) const fn new(state: &'s State<'t>) -> Self {
        Self {
            state,
            marker: PhantomData,
        }
    }
}

impl<'de, T: Value> DeserializeSeed<'de> for Member<'_, '_, T> {
    type Value = Option<T>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        let value = Option::<T>::decode(deserializer, self.state)?.or_else(null_as::<T, Own>);
        if value.is_none() {
            let absent = self.state.null_as_absent();
            absent.map_err(|error| self.state.raise(error.into()))?;
        }
        Ok(value)
    }
}

struct MapVisitor<'s, 't, T>(With<'s, 't, T>);

impl<'de, T: Value> Visitor<'de> for MapVisitor<'_, '_, T> {
    type Value = Map<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Map<T>, A::Error> {
        let mut map = Map::default();
        while let Some(key) = fields.next_key()? {
            if let Some(value) = fields.next_value_seed(Member::<T>::new(self.0.state))? {
                map.insert(key, value);
            }
        }
        Ok(map)
    }
}

macro_rules! tuples {
    ($($count:literal $what:literal: $($T:ident)*;)*) => {
        $(impl<$($T: Value),*> Value for ($($T,)*) {
            type Kind = Builtin;
        }

        impl<$($T: Value),*> Kind<($($T,)*)> for Builtin {
            fn outline() -> Outline {
                Outline::Tuple($count)
            }

            #[cfg(feature = "sample")]
            fn form() -> Form {
                Form::Tuple(|| vec![$($T::form()),*])
            }

            fn decode<'de, De: Deserializer<'de>>(
                deserializer: De,
                state: &State<'_>,
            ) -> Result<($($T,)*), De::Error> {
                struct Tuple<'s, 't, V>(With<'s, 't, V>);

                impl<'de, $($T: Value),*> Visitor<'de> for Tuple<'_, '_, ($($T,)*)> {
                    type Value = ($($T,)*);

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str($what)
                    }

                    fn visit_seq<Seq: SeqAccess<'de>>(
                        self,
                        mut seq: Seq,
                    ) -> Result<Self::Value, Seq::Error> {
                        let Self(With { state, .. }) = self;
                        let short = || Seq::Error::invalid_type(Unexpected::Seq, &$what);
                        Ok(($(
                            seq.next_element_seed(Seed::<$T>::new(state))?.ok_or_else(short)?,
                        )*))
                    }
                }

                deserializer.deserialize_tuple($count, Tuple(with(state)))
            }
        })*
    };
}

tuples! {
    1 "an array of 1 items": A;
    2 "an array of 2 items": A B;
    3 "an array of 3 items": A B C;
    4 "an array of 4 items": A B C D;
    5 "an array of 5 items": A B C D E;
    6 "an array of 6 items": A B C D E F;
    7 "an array of 7 items": A B C D E F G;
    8 "an array of 8 items": A B C D E F G H;
    9 "an array of 9 items": A B C D E F G H I;
    10 "an array of 10 items": A B C D E F G H I J;
    11 "an array of 11 items": A B C D E F G H I J K;
    12 "an array of 12 items": A B C D E F G H I J K L;
}

/// Returns the value of null, if the type has one: a type for any JSON does.
pub(crate) fn null_as<T, R: ReadAs<T>>() -> Option<T> {
    type Plain = serde::de::value::Error;
    let arena = Arena::default();
    let null = serde::de::value::UnitDeserializer::<Plain>::new();
    R::read(null, &State::direct(&arena, Strictness::Lenient)).ok()
}

/// Parses a text; `None` if it is not a value of the type.
pub(crate) fn text_as<T, R: ReadAs<T>>(text: &str, strictness: Strictness) -> Option<T> {
    type Plain = serde::de::value::Error;
    let arena = Arena::default();
    let text = TextDeserializer::<Plain>::new(text);
    R::read(text, &State::direct(&arena, strictness)).ok()
}
