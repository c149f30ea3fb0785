//! Lists and objects that are being written.

use super::{Done, Refused, Writer, text};
use crate::values::number::NUMBER;
use serde::ser::{self, Serialize};

/// A list that is being written.
pub(super) struct Items<'o> {
    pub(super) out: &'o mut Vec<u8>,
    pub(super) count: usize,
    pub(super) end: &'static str,
}

impl Items<'_> {
    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        if self.count > 0 {
            self.out.push(b',');
        }
        let index = self.count;
        self.count += 1;
        let written = value.serialize(Writer(self.out));
        written.map_err(|error| error.at(index))
    }

    fn close(self) -> Done {
        self.out.extend_from_slice(self.end.as_bytes());
        Ok(())
    }
}

macro_rules! items {
    ($($Trait:ident $method:ident;)*) => {
        $(impl ser::$Trait for Items<'_> {
            type Ok = ();
            type Error = Refused;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                self.item(value)
            }

            fn end(self) -> Done {
                self.close()
            }
        })*
    };
}

items! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

/// An object that is being written.
pub(super) struct Members<'o> {
    pub(super) out: &'o mut Vec<u8>,
    pub(super) is_empty: bool,
    /// Whether the only member is JSON text that is written as it is.
    pub(super) is_raw: bool,
    /// The place of the last key of a map in the output.
    pub(super) key: std::ops::Range<usize>,
    pub(super) end: &'static str,
}

impl Members<'_> {
    #[inline]
    fn comma(&mut self) {
        if !self.is_empty {
            self.out.push(b',');
        }
        self.is_empty = false;
    }

    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Done {
        if self.is_raw {
            let is_number = key == NUMBER;
            return value.serialize(text::Raw {
                out: self.out,
                is_number,
            });
        }
        self.comma();
        text::write(self.out, key);
        self.out.push(b':');
        let written = value.serialize(Writer(self.out));
        written.map_err(|error| error.within(key))
    }

    /// Returns the last key, which is read from the output.
    fn last_key(&self) -> String {
        let written = self.out.get(self.key.clone()).unwrap_or_default();
        serde_json::from_slice(written).unwrap_or_default()
    }

    fn close(self) -> Done {
        self.out.extend_from_slice(self.end.as_bytes());
        Ok(())
    }
}

macro_rules! members {
    ($($Trait:ident)*) => {
        $(impl ser::$Trait for Members<'_> {
            type Ok = ();
            type Error = Refused;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Done {
                self.field(key, value)
            }

            fn end(self) -> Done {
                self.close()
            }
        })*
    };
}

members!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Refused;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        self.comma();
        let start = self.out.len();
        key.serialize(text::Key(self.out))?;
        self.key = start..self.out.len();
        self.out.push(b':');
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        let written = value.serialize(Writer(self.out));
        written.map_err(|error| error.within(&self.last_key()))
    }

    fn end(self) -> Done {
        self.close()
    }
}
