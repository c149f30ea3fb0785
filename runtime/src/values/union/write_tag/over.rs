//! A serializer that writes the tag first, and replaces the object's own tag.

use crate::values::refuse::{look_inside, refuse, refuse_lists};
use serde::ser::{Error, Serialize, SerializeMap, SerializeStruct, Serializer};

/// A serializer that adds a tag to an object.
pub(super) struct Over<S> {
    pub(super) inner: S,
    pub(super) key: &'static str,
    pub(super) tag: &'static str,
}

impl<S: Serializer> Over<S> {
    fn begin(self) -> Result<OverMap<S::SerializeMap>, S::Error> {
        let mut inner = self.inner.serialize_map(None)?;
        inner.serialize_entry(self.key, self.tag)?;
        Ok(OverMap {
            inner,
            key: self.key,
            pending: None,
        })
    }

    fn refusal(&self) -> S::Error {
        S::Error::custom(format_args!(
            "a variant with the property `{}` must be an object",
            self.key
        ))
    }
}

/// The object that is being serialized.
pub(super) struct OverMap<M> {
    inner: M,
    key: &'static str,
    /// Whether the last key is that of the tag.
    pending: Option<bool>,
}

impl<M: SerializeMap> SerializeStruct for OverMap<M> {
    type Ok = M::Ok;
    type Error = M::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), M::Error> {
        if key == self.key {
            Ok(())
        } else {
            self.inner.serialize_entry(key, value)
        }
    }

    fn end(self) -> Result<M::Ok, M::Error> {
        self.inner.end()
    }
}

impl<M: SerializeMap> SerializeMap for OverMap<M> {
    type Ok = M::Ok;
    type Error = M::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), M::Error> {
        let is_tag = crate::values::tag::text_is(key, &[self.key]);
        self.pending = Some(is_tag);
        if is_tag {
            Ok(())
        } else {
            self.inner.serialize_key(key)
        }
    }

    fn serialize_entry<K: Serialize + ?Sized, V: Serialize + ?Sized>(
        &mut self,
        key: &K,
        value: &V,
    ) -> Result<(), M::Error> {
        match crate::values::tag::text_is(key, &[self.key]) {
            true => Ok(()),
            false => self.inner.serialize_entry(key, value),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), M::Error> {
        match self.pending.take() {
            Some(true) => Ok(()),
            _ => self.inner.serialize_value(value),
        }
    }

    fn end(self) -> Result<M::Ok, M::Error> {
        self.inner.end()
    }
}

impl<S: Serializer> Serializer for Over<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeMap = OverMap<S::SerializeMap>;
    type SerializeStruct = OverMap<S::SerializeMap>;

    refuse! { S::Ok, S::Error;
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char);
        serialize_str(&str); serialize_bytes(&[u8]); serialize_none(); serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    refuse_lists!(S::Ok, S::Error);
    look_inside!(S::Ok, S::Error);

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        self.begin()
    }

    fn serialize_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStruct, S::Error> {
        self.begin()
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}
