//! Serialization of the fields of an object to any format.

use super::{Meta, Object};
use crate::values::{Map, Presence};
use serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

/// The destination of fields: a struct, or a map if there are unknown keys as well.
pub trait Fields {
    /// The error type of the format.
    type Error;
    /// Serializes a field.
    fn field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), Self::Error>;
    /// Skips a field.
    fn skip(&mut self, key: &'static str) -> Result<(), Self::Error>;
}

/// The fields of a struct.
pub(super) struct Closed<S: Serializer>(S::SerializeStruct);

impl<S: Serializer> Fields for Closed<S> {
    type Error = S::Error;

    fn field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        self.0.serialize_field(key, value)
    }

    fn skip(&mut self, key: &'static str) -> Result<(), S::Error> {
        self.0.skip_field(key)
    }
}

/// The fields of a map.
pub(super) struct Open<S: Serializer>(S::SerializeMap);

impl<S: Serializer> Fields for Open<S> {
    type Error = S::Error;

    fn field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        self.0.serialize_entry(key, value)
    }

    fn skip(&mut self, _: &'static str) -> Result<(), S::Error> {
        Ok(())
    }
}

/// The value of a field.
pub trait Emit<F: Fields> {
    /// Returns whether the field is skipped.
    fn is_absent(&self) -> bool;
    /// Serializes the field.
    fn emit(&self, key: &'static str, fields: &mut F) -> Result<(), F::Error>;
}

impl<T: Serialize, F: Fields> Emit<F> for &T {
    fn is_absent(&self) -> bool {
        false
    }

    fn emit(&self, key: &'static str, fields: &mut F) -> Result<(), F::Error> {
        fields.field(key, *self)
    }
}

/// The value of an optional field.
pub struct May<'a, T>(pub &'a T);

impl<T: Serialize + Presence, F: Fields> Emit<F> for May<'_, T> {
    fn is_absent(&self) -> bool {
        self.0.is_absent()
    }

    fn emit(&self, key: &'static str, fields: &mut F) -> Result<(), F::Error> {
        if self.0.is_absent() {
            fields.skip(key)
        } else {
            fields.field(key, self.0)
        }
    }
}

/// A destination of the fields of an object.
///
/// A table has one function for all destinations, because each function of its own would be checked
/// for every type.
pub trait Sink: Sized {
    /// The destination of each field.
    type Fields: Fields;
    /// The result.
    type Out;
    /// The destination if there are unknown keys as well.
    type Open<'r, T: Serialize + 'r>: Sink<Out = Self::Out>;

    /// Adds the unknown keys, which are serialized last.
    fn rest<T: Serialize>(self, rest: &Map<T>) -> Self::Open<'_, T>;

    /// Accepts the fields, in the order of the table.
    fn fields(self, fields: &[&dyn Emit<Self::Fields>]) -> Self::Out;
}

/// Serializes an object.
#[inline]
pub fn write<T: Object, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.emit(Writer {
        serializer,
        meta: T::META,
    })
}

/// A serializer of an object.
struct Writer<S> {
    serializer: S,
    meta: &'static Meta,
}

impl<S: Serializer> Sink for Writer<S> {
    type Fields = Closed<S>;
    type Out = Result<S::Ok, S::Error>;
    type Open<'r, T: Serialize + 'r> = OpenWriter<'r, S, T>;

    fn rest<T: Serialize>(self, rest: &Map<T>) -> OpenWriter<'_, S, T> {
        OpenWriter { writer: self, rest }
    }

    fn fields(self, fields: &[&dyn Emit<Closed<S>>]) -> Self::Out {
        let present = fields.iter().filter(|field| !field.is_absent()).count();
        let mut out = Closed::<S>(self.serializer.serialize_struct(self.meta.name, present)?);
        for (key, field) in self.meta.keys.iter().zip(fields) {
            field.emit(key, &mut out)?;
        }
        out.0.end()
    }
}

/// A serializer of an object with unknown keys.
struct OpenWriter<'a, S, T> {
    writer: Writer<S>,
    rest: &'a Map<T>,
}

impl<'a, S: Serializer, T: Serialize> Sink for OpenWriter<'a, S, T> {
    type Fields = Open<S>;
    type Out = Result<S::Ok, S::Error>;
    type Open<'r, U: Serialize + 'r> = OpenWriter<'r, S, U>;

    fn rest<U: Serialize>(self, rest: &Map<U>) -> OpenWriter<'_, S, U> {
        self.writer.rest(rest)
    }

    // Keys that repeat a known key are skipped.
    fn fields(self, fields: &[&dyn Emit<Open<S>>]) -> Self::Out {
        let Writer { serializer, meta } = self.writer;
        let mut out = Open::<S>(serializer.serialize_map(None)?);
        for (key, field) in meta.keys.iter().zip(fields) {
            field.emit(key, &mut out)?;
        }
        for (key, value) in self.rest {
            if meta.find(key, 0).is_none() {
                out.0.serialize_entry(key, value)?;
            }
        }
        out.0.end()
    }
}
