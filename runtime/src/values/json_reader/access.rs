//! The items of arrays, and the members of objects.

use super::key::Key;
use super::{Cursor, Rejected};
use serde::de::{DeserializeSeed, MapAccess, SeqAccess};

/// The items of an array.
pub(crate) struct Items<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    is_first: bool,
}

impl<'c, 't> Items<'c, 't> {
    pub(super) const fn new(cursor: &'c mut Cursor<'t>) -> Self {
        Self {
            cursor,
            is_first: true,
        }
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Rejected;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Rejected> {
        if !self.cursor.goes_on(self.is_first, b']')? {
            return Ok(None);
        }
        self.is_first = false;
        seed.deserialize(&mut *self.cursor).map(Some)
    }
}

/// The members of an object.
pub(crate) struct Members<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    is_first: bool,
}

impl<'c, 't> Members<'c, 't> {
    pub(super) const fn new(cursor: &'c mut Cursor<'t>) -> Self {
        Self {
            cursor,
            is_first: true,
        }
    }
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Rejected;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Rejected> {
        if !self.cursor.goes_on(self.is_first, b'}')? {
            return Ok(None);
        }
        let start = self.cursor.at;
        let key = seed.deserialize(Key(self.cursor))?;
        // A key that was only looked at is read again, without a comma before it.
        self.is_first = self.cursor.at == start;
        Ok(Some(key))
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Rejected> {
        self.cursor.take(b':')?;
        seed.deserialize(&mut *self.cursor)
    }
}
