//! Lists and objects that are being written.
//!
//! Each part begins with a comma, and the first comma becomes the bracket in the end.

use super::{Done, Refused, Writer, text};
use crate::values::number::NUMBER;
use serde::ser::{self, Serialize};

/// A list that is being written.
pub(super) struct Items<'o> {
    pub(super) out: &'o mut Vec<u8>,
    /// The place of the bracket in the output.
    pub(super) start: usize,
    pub(super) count: usize,
    /// Whether the list is the content of a variant, an object that ends with it.
    pub(super) is_variant: bool,
}

/// Ends a list or an object.
fn close(out: &mut Vec<u8>, start: usize, open: u8, close: u8, is_variant: bool) {
    match out.get_mut(start) {
        Some(comma) => *comma = open,
        None => out.push(open),
    }
    out.push(close);
    if is_variant {
        out.push(b'}');
    }
}

impl Items<'_> {
    #[inline]
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.out.push(b',');
        let index = self.count;
        self.count += 1;
        let written = value.serialize(Writer(self.out));
        written.map_err(|error| error.at(index))
    }

    fn close(self) -> Done {
        close(self.out, self.start, b'[', b']', self.is_variant);
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
    /// The place of the brace in the output.
    pub(super) start: usize,
    /// Whether the only member is JSON text that is written as it is.
    pub(super) is_raw: bool,
    /// Whether the object is the content of a variant, an object that ends with it.
    pub(super) is_variant: bool,
    /// The place of the last key of a map in the output.
    pub(super) key: std::ops::Range<usize>,
}

impl Members<'_> {
    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Done {
        if self.is_raw {
            let is_number = key == NUMBER;
            return value.serialize(text::Raw {
                out: self.out,
                is_number,
            });
        }
        text::name(self.out, key);
        let written = value.serialize(Writer(self.out));
        written.map_err(|error| error.within(key))
    }

    /// Returns the last key, which is read from the output.
    fn last_key(&self) -> String {
        let written = self.out.get(self.key.clone()).unwrap_or_default();
        serde_json::from_slice(written).unwrap_or_default()
    }

    fn close(self) -> Done {
        if !self.is_raw {
            close(self.out, self.start, b'{', b'}', self.is_variant);
        }
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
        self.out.push(b',');
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
