//! Serialization of the fields of an object to any format.

use super::Meta;
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
pub struct Closed<S: Serializer>(S::SerializeStruct);

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
pub struct Open<S: Serializer>(S::SerializeMap);

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

/// Starts to serialize an object.
pub const fn write<S: Serializer>(serializer: S, meta: &'static Meta) -> Writer<S> {
    Writer { serializer, meta }
}

/// A serializer of an object.
pub struct Writer<S> {
    serializer: S,
    meta: &'static Meta,
}

impl<S: Serializer> Writer<S> {
    /// Adds the unknown keys, which are serialized last.
    pub fn rest<T>(self, rest: &Map<T>) -> OpenWriter<'_, S, T> {
        OpenWriter {
            serializer: self.serializer,
            meta: self.meta,
            rest,
        }
    }

    /// Serializes the fields.
    pub fn fields(self, fields: &[&dyn Emit<Closed<S>>]) -> Result<S::Ok, S::Error> {
        let present = fields.iter().filter(|field| !field.is_absent()).count();
        let mut out = Closed::<S>(self.serializer.serialize_struct(self.meta.name, present)?);
        for (key, field) in self.meta.keys.iter().zip(fields) {
            field.emit(key, &mut out)?;
        }
        out.0.end()
    }
}

/// A serializer of an object with unknown keys.
pub struct OpenWriter<'a, S, T> {
    serializer: S,
    meta: &'static Meta,
    rest: &'a Map<T>,
}

impl<S: Serializer, T: Serialize> OpenWriter<'_, S, T> {
    /// Serializes the fields, and then the unknown keys; those that repeat a known key are skipped.
    pub fn fields(self, fields: &[&dyn Emit<Open<S>>]) -> Result<S::Ok, S::Error> {
        let mut out = Open::<S>(self.serializer.serialize_map(None)?);
        for (key, field) in self.meta.keys.iter().zip(fields) {
            field.emit(key, &mut out)?;
        }
        for (key, value) in self.rest {
            if self.meta.find(key, 0).is_none() {
                out.0.serialize_entry(key, value)?;
            }
        }
        out.0.end()
    }
}
