//! Strings of JSON, and the names of members.

use super::{Done, NOT_FINITE, Refused, Writer};
use crate::values::escape::{need_escapes, needs_escape};
use crate::values::number;
use crate::values::refuse::{look_inside, refuse, refuse_lists, refuse_objects};
use serde::ser::Serializer;
use std::fmt;

/// Writes a string with its quotes.
pub(super) fn write(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    escape(out, text);
    out.push(b'"');
}

/// Writes a comma, the name of a member and a colon.
pub(super) fn name(out: &mut Vec<u8>, name: &str) {
    out.extend_from_slice(b",\"");
    escape(out, name);
    out.extend_from_slice(b"\":");
}

/// Writes the content of a string. A call would be a fifth of the work for a short text.
#[inline(always)]
fn escape(out: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    match needs_escapes(bytes) {
        false => out.extend_from_slice(bytes),
        true => escape_each(out, bytes),
    }
}

/// Returns whether one of sixteen bytes needs an escape. There is no early end, so that the bytes
/// are compared at once.
#[inline]
fn any_of_sixteen(sixteen: &[u8; 16]) -> bool {
    let bytes = sixteen.iter();
    bytes.fold(false, |found, byte| found | needs_escape(*byte))
}

/// The last bytes of a text are compared together with some of those before them.
#[inline]
fn needs_escapes(bytes: &[u8]) -> bool {
    if let Some(last) = bytes.last_chunk::<16>() {
        let (sixteens, _) = bytes.as_chunks::<16>();
        return any_of_sixteen(last) || sixteens.iter().any(any_of_sixteen);
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        return need_escapes(u64::from_ne_bytes(*first)) | need_escapes(u64::from_ne_bytes(*last))
            != 0;
    }
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let [first, last] = [first, last].map(|four| u64::from(u32::from_ne_bytes(*four)));
        return need_escapes(first << 32 | last) != 0;
    }
    bytes.iter().copied().any(needs_escape)
}

#[cold]
fn escape_each(out: &mut Vec<u8>, bytes: &[u8]) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| needs_escape(*byte)) {
        let (plain, after) = rest.split_at(at);
        out.extend_from_slice(plain);
        let Some((byte, after)) = after.split_first() else {
            return;
        };
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            0x08 => out.extend_from_slice(b"\\b"),
            0x09 => out.extend_from_slice(b"\\t"),
            0x0a => out.extend_from_slice(b"\\n"),
            0x0c => out.extend_from_slice(b"\\f"),
            0x0d => out.extend_from_slice(b"\\r"),
            control => {
                let [high, low] = [control >> 4, control & 15].map(|digit| HEX[usize::from(digit)]);
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
            }
        }
        rest = after;
    }
    out.extend_from_slice(rest);
}

/// The destination of a formatted value, as the content of a string.
pub(super) struct Escaped<'o>(pub(super) &'o mut Vec<u8>);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(self.0, text);
        Ok(())
    }
}

/// The methods of values that are neither strings nor numbers.
macro_rules! only_scalars {
    () => {
        refuse_lists!((), Refused);
        refuse_objects!((), Refused);
        look_inside!((), Refused);

        refuse! { (), Refused;
            serialize_bytes(&[u8]); serialize_none(); serialize_unit();
            serialize_unit_struct(&'static str);
        }

        fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
            self.serialize_str(variant)
        }
    };
}

/// The name of a member: a string, or the text of a scalar.
pub(super) struct Key<'o>(pub(super) &'o mut Vec<u8>);

impl Key<'_> {
    fn refusal(&self) -> Refused {
        Refused::new("a name of a member must be a string")
    }
}

macro_rules! quoted {
    ($($method:ident $Type:ty;)*) => {
        $(fn $method(self, value: $Type) -> Done {
            self.0.push(b'"');
            Writer(self.0).$method(value)?;
            self.0.push(b'"');
            Ok(())
        })*
    };
}

impl Serializer for Key<'_> {
    type Ok = ();
    type Error = Refused;

    only_scalars!();

    quoted! {
        serialize_bool bool;
        serialize_i8 i8; serialize_i16 i16; serialize_i32 i32; serialize_i64 i64;
        serialize_i128 i128; serialize_u8 u8; serialize_u16 u16; serialize_u32 u32;
        serialize_u64 u64; serialize_u128 u128; serialize_f32 f32; serialize_f64 f64;
    }

    fn serialize_char(self, value: char) -> Done {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Done {
        write(self.0, value);
        Ok(())
    }
}

/// JSON text that is written as it is, or the text of a number.
pub(super) struct Raw<'o> {
    pub(super) out: &'o mut Vec<u8>,
    pub(super) is_number: bool,
}

impl Raw<'_> {
    fn refusal(&self) -> Refused {
        Refused::new("a raw value must be JSON text")
    }
}

impl Serializer for Raw<'_> {
    type Ok = ();
    type Error = Refused;

    only_scalars!();

    refuse! { (), Refused;
        serialize_bool(bool); serialize_i8(i8); serialize_i16(i16); serialize_i32(i32);
        serialize_i64(i64); serialize_u8(u8); serialize_u16(u16); serialize_u32(u32);
        serialize_u64(u64); serialize_f32(f32); serialize_f64(f64); serialize_char(char);
    }

    fn serialize_str(self, text: &str) -> Done {
        if number::is_infinite(text) {
            return Err(Refused::new(NOT_FINITE));
        }
        match self.is_number {
            true => self
                .out
                .extend_from_slice(number::canonical(text).as_bytes()),
            false => self.out.extend_from_slice(text.as_bytes()),
        }
        Ok(())
    }
}
