//! Objects as tables.
use crate::reader::{Error, Failed, Reader};
use crate::rules::Checker;
use crate::tree::Node;
use crate::{Map, Value, Writer};

#[derive(Debug)]
pub struct Meta {
    pub name: &'static str,
    pub keys: &'static [&'static str],
    /// `,"key":` of each key, or nothing if a key has to be escaped.
    pub members: &'static [&'static str],
    pub optional: &'static [u8],
    pub closed: &'static [&'static str],
}

/// Returns the members, unless a key has to be escaped.
pub const fn members(members: &'static [&'static str]) -> &'static [&'static str] {
    let mut rest = members;
    while let [member, others @ ..] = rest {
        let bytes = member.as_bytes();
        let mut at = 2;
        while at + 2 < bytes.len() {
            if bytes[at] < 0x20 || bytes[at] == b'"' || bytes[at] == b'\\' {
                return &[];
            }
            at += 1;
        }
        rest = others;
    }
    members
}

impl Meta {
    #[inline(never)]
    fn find(&self, key: &str, from: usize) -> Option<usize> {
        let (head, tail) = self.keys.split_at_checked(from).unwrap_or((self.keys, &[]));
        match tail.iter().position(|known| *known == key) {
            Some(index) => Some(index + head.len()),
            None => head.iter().position(|known| *known == key),
        }
    }
}

/// The destination of a value.
pub trait Slot {
    fn put(&mut self, key: &'static str, reader: &mut Reader<'_>) -> Result<(), Failed>;
    fn is_filled(&self) -> bool;
}

impl<T: Value> Slot for Option<T> {
    #[inline]
    fn put(&mut self, key: &'static str, reader: &mut Reader<'_>) -> Result<(), Failed> {
        let _ = key;
        if self.is_some() {
            return Err(reader.fail("is given more than once"));
        }
        *self = Some(T::read(reader)?);
        Ok(())
    }
    fn is_filled(&self) -> bool {
        self.is_some()
    }
}

/// The slot of an optional key, without and with a null.
pub struct Leave<'a, T>(pub &'a mut Option<Option<T>>);

impl<T: Value> Slot for Leave<'_, T> {
    #[inline]
    fn put(&mut self, _: &'static str, reader: &mut Reader<'_>) -> Result<(), Failed> {
        if self.0.is_some() {
            return Err(reader.fail("is given more than once"));
        }
        *self.0 = Some(match reader.takes_null()? {
            false => Some(T::read(reader)?),
            true => match T::null() {
                Some(null) => Some(null),
                None if reader.policy.is_strict && !reader.policy.null_as_absent => {
                    return Err(reader.fail("must not be null"));
                }
                None => {
                    reader.lost += 1;
                    None
                }
            },
        });
        Ok(())
    }
    fn is_filled(&self) -> bool {
        self.0.is_some()
    }
}

/// The destination of unknown keys.
pub trait Rest {
    fn put(&mut self, key: String, reader: &mut Reader<'_>) -> Result<(), Failed>;
}

/// All fields of an object have been read; whether the object was invalid, and which keys were.
pub struct Filled {
    is_spoilt: bool,
    spoilt: Vec<usize>,
}

impl Filled {
    pub fn finish(self, _: &Reader<'_>) -> Result<(), Failed> {
        match self.is_spoilt {
            false => Ok(()),
            true => Err(Failed),
        }
    }

    #[inline]
    pub fn check(
        self,
        reader: &mut Reader<'_>,
        mut rules: impl FnMut(&mut Checker),
    ) -> Result<(), Failed> {
        match reader.goes_on {
            false => self.finish(reader),
            true => self.checked(reader, &mut rules),
        }
    }

    #[cold]
    #[inline(never)]
    fn checked(
        self,
        reader: &mut Reader<'_>,
        rules: &mut dyn FnMut(&mut Checker),
    ) -> Result<(), Failed> {
        if !reader.policy.is_strict {
            return self.finish(reader);
        }
        let mut checker = Checker::default();
        rules(&mut checker);
        let is_spoilt = self.is_spoilt || !checker.errors.is_empty();
        for error in checker.errors {
            reader.push(error);
        }
        match is_spoilt {
            false => Ok(()),
            true => Err(Failed),
        }
    }
}

/// Fills the slots.
pub fn fill<'a>(
    reader: &mut Reader<'a>,
    meta: &'static Meta,
    slots: &mut [&mut dyn Slot],
    mut rest: Option<&mut dyn Rest>,
) -> Result<Filled, Failed> {
    if reader.node.is_some() {
        return fill_tree(reader, meta, slots, rest);
    }
    if reader.peek() != b'{' {
        return Err(reader.wrong("an object"));
    }
    reader.enter()?;
    reader.at += 1;
    let depth = reader.depth;
    let mut filled = Filled {
        is_spoilt: false,
        spoilt: Vec::new(),
    };
    let mut next = 0;
    let mut is_more = match reader.peek() {
        b'}' => {
            reader.at += 1;
            false
        }
        _ => true,
    };
    while is_more {
        let expected = meta
            .members
            .get(next)
            .and_then(|member| member.as_bytes().get(1..));
        let index = match expected {
            Some(expected) if reader.takes(expected) => Some(next),
            _ => read_key(reader, meta, next, &mut rest, &mut filled)?,
        };
        if let Some(index) = index
            && let (Some(slot), Some(key)) = (slots.get_mut(index), meta.keys.get(index))
        {
            next = index + 1;
            let (start, mark) = (reader.at, reader.mark());
            if slot.put(key, reader).is_err() {
                invalid(reader, (start, mark, depth), index, key, &mut filled)?;
            }
        }
        is_more = reader.more(b'}')?;
    }
    reader.leave();
    missing(reader, meta, slots, filled)
}

/// Continues after an invalid member.
#[cold]
#[inline(never)]
fn invalid(
    reader: &mut Reader<'_>,
    (start, mark, depth): (usize, usize, u32),
    index: usize,
    key: &str,
    filled: &mut Filled,
) -> Result<(), Failed> {
    reader.recover(mark, (start, depth), || key.to_owned())?;
    filled.is_spoilt = true;
    filled.spoilt.push(index);
    Ok(())
}

/// Reads a key that is not the expected one, and its value unless the key is known.
#[inline(never)]
fn read_key<'a>(
    reader: &mut Reader<'a>,
    meta: &'static Meta,
    next: usize,
    rest: &mut Option<&mut dyn Rest>,
    filled: &mut Filled,
) -> Result<Option<usize>, Failed> {
    if reader.peek() != b'"' {
        return Err(reader.broken("a key must be a string"));
    }
    let key = reader.quoted()?;
    if reader.peek() != b':' {
        return Err(reader.broken("expected `:`"));
    }
    reader.at += 1;
    if let Some(index) = meta.find(&key, next) {
        return Ok(Some(index));
    }
    let (start, mark, depth) = (reader.at, reader.mark(), reader.depth);
    let read = match rest {
        Some(rest) => rest.put(key.clone().into_owned(), reader),
        None if !meta.closed.is_empty() && reader.policy.is_strict => {
            Err(reader.fail("is not known here"))
        }
        None => {
            reader.lost += 1;
            return reader.skip().map(|()| None);
        }
    };
    if read.is_err() {
        reader.recover(mark, (start, depth), || key.clone().into_owned())?;
        filled.is_spoilt = true;
    }
    Ok(None)
}

#[inline]
fn missing(
    reader: &mut Reader<'_>,
    meta: &'static Meta,
    slots: &mut [&mut dyn Slot],
    mut filled: Filled,
) -> Result<Filled, Failed> {
    for (index, (slot, optional)) in slots.iter().zip(meta.optional).enumerate() {
        if *optional == 0 && !slot.is_filled() && !filled.spoilt.contains(&index) {
            let key = meta.keys.get(index).copied().unwrap_or_default();
            let failed = reader.fail_within(key, "is required");
            if !reader.goes_on {
                return Err(failed);
            }
            filled.is_spoilt = true;
        }
    }
    Ok(filled)
}

#[cold]
#[inline(never)]
fn fill_tree<'a>(
    reader: &mut Reader<'a>,
    meta: &'static Meta,
    slots: &mut [&mut dyn Slot],
    mut rest: Option<&mut dyn Rest>,
) -> Result<Filled, Failed> {
    let Some(Node::Object(fields)) = reader.node else {
        return Err(reader.wrong("an object"));
    };
    let (object, depth) = (reader.node, reader.depth);
    let mut filled = Filled {
        is_spoilt: false,
        spoilt: Vec::new(),
    };
    let mut next = 0;
    for (key, node) in fields {
        reader.node = Some(node);
        let mark = reader.mark();
        let index = match meta.keys.get(next) {
            Some(known) if known == key => Some(next),
            _ => meta.find(key, next),
        };
        let read = match (index, &mut rest) {
            (Some(index), _) => {
                next = index + 1;
                match (slots.get_mut(index), meta.keys.get(index)) {
                    (Some(slot), Some(key)) => slot.put(key, reader),
                    _ => Ok(()),
                }
            }
            (None, Some(rest)) => rest.put(key.clone(), reader),
            (None, None) if !meta.closed.is_empty() && reader.policy.is_strict => {
                Err(reader.fail("is not known here"))
            }
            (None, None) => {
                reader.lost += 1;
                Ok(())
            }
        };
        if read.is_err() {
            reader.recover(mark, (0, depth), || key.clone())?;
            filled.is_spoilt = true;
            filled.spoilt.extend(index);
        }
    }
    reader.node = object;
    missing(reader, meta, slots, filled)
}

/// The value of a field that is written.
pub trait Emit {
    fn emit(&self, member: &'static str, writer: &mut Writer) -> Result<(), Failed>;
}

impl<T: Value> Emit for T {
    #[inline]
    fn emit(&self, member: &'static str, writer: &mut Writer) -> Result<(), Failed> {
        writer.out.extend_from_slice(member.as_bytes());
        self.write(writer)
    }
}

pub struct May<'a, T>(pub &'a Option<T>);

impl<T: Value> Emit for May<'_, T> {
    #[inline]
    fn emit(&self, member: &'static str, writer: &mut Writer) -> Result<(), Failed> {
        match self.0 {
            Some(value) => value.emit(member, writer),
            None => Ok(()),
        }
    }
}

/// Writes the fields of an object.
pub fn write(writer: &mut Writer, meta: &'static Meta, fields: &[&dyn Emit]) -> Result<(), Failed> {
    let start = writer.out.len();
    members_of(writer, meta, fields)?;
    writer.close(start, b'{', b'}');
    Ok(())
}

#[inline]
fn members_of(
    writer: &mut Writer,
    meta: &'static Meta,
    fields: &[&dyn Emit],
) -> Result<(), Failed> {
    for (index, (field, member)) in fields.iter().zip(meta.members).enumerate() {
        if field.emit(member, writer).is_err() {
            return Err(writer.step(meta.keys.get(index).copied().unwrap_or_default()));
        }
    }
    Ok(())
}

/// Writes the fields of an object with unknown keys.
pub fn write_open<T: Value>(
    writer: &mut Writer,
    meta: &'static Meta,
    fields: &[&dyn Emit],
    rest: &Map<T>,
) -> Result<(), Failed> {
    let start = writer.out.len();
    members_of(writer, meta, fields)?;
    for (key, value) in rest {
        if meta.find(key, 0).is_none() {
            writer.out.push(b',');
            writer.text(key);
            writer.out.push(b':');
            if value.write(writer).is_err() {
                return Err(writer.step(key));
            }
        }
    }
    writer.close(start, b'{', b'}');
    Ok(())
}

/// Whether one error is more than the others.
pub fn unfilled(reader: &mut Reader<'_>) -> Failed {
    reader.push(Error::new("a field was not read"));
    Failed
}

#[macro_export]
macro_rules! object {
    (
        $Type:ident
        $(closed $($closed:lifetime)?)?
        {
            $($key:literal $(: $Optional:ty)? => $field:ident $(? $($opt:lifetime)?)? $(where [$($rule:expr),*])?),*
            $(,)?
            $(.. $extra:ident $(,)?)?
        }
    ) => {
        impl $Type {
            const META: &'static $crate::object::Meta = &$crate::object::Meta {
                name: ::core::stringify!($Type),
                keys: &[$($key),*],
                members: $crate::object::members(&[$(::core::concat!(",\"", $key, "\":")),*]),
                optional: &[$(0 $(| 1 $($opt)?)?),*],
                closed: &[$("closed" $($closed)?)?],
            };
        }
        impl $crate::Value for $Type {
            fn read(reader: &mut $crate::Reader<'_>) -> ::core::result::Result<Self, $crate::Failed> {
                $(let mut $field = ::core::option::Option::None;)*
                $(let mut $extra = $crate::Map::default();)?
                let filled = $crate::object::fill(
                    reader,
                    Self::META,
                    &mut [$($crate::__slot!($field $(? $($opt)?)?)),*],
                    $crate::__rest!($($extra)?),
                )?;
                filled.check(reader, |checker| {
                    let _ = &checker;
                    $($crate::__check!(checker $key $field $(? $($opt)?)? $([$($rule),*])?);)*
                })?;
                match ($($(::core::option::Option::Some $($opt)?)? ($field $(.unwrap_or_default() $($opt)?)?),)*) {
                    ($(::core::option::Option::Some($field),)*) => {
                        ::core::result::Result::Ok(Self { $($field,)* $($extra,)? })
                    }
                    _ => ::core::result::Result::Err($crate::object::unfilled(reader)),
                }
            }
            fn write(&self, writer: &mut $crate::Writer) -> ::core::result::Result<(), $crate::Failed> {
                $crate::__write!(writer self [$($extra)?] [$($crate::__emit!(self $field $(? $($opt)?)?)),*])
            }
        }
        impl $crate::serde::Serialize for $Type {
            #[inline]
            fn serialize<S: $crate::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::serialize(self, serializer)
            }
        }
        impl<'de> $crate::serde::Deserialize<'de> for $Type {
            #[inline]
            fn deserialize<D: $crate::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                $crate::deserialize(deserializer)
            }
        }
    };
}
#[macro_export]
macro_rules! __slot {
    ($field:ident) => {
        &mut $field
    };
    ($field:ident ? $($opt:lifetime)?) => {
        &mut $crate::object::Leave(&mut $field)
    };
}
#[macro_export]
macro_rules! __rest {
    () => {
        ::core::option::Option::None
    };
    ($extra:ident) => {
        ::core::option::Option::Some(&mut $extra)
    };
}
#[macro_export]
macro_rules! __check {
    ($checker:ident $key:literal $field:ident $(? $($opt:lifetime)?)?) => {
        $checker.field($key, &$field, &[])
    };
    ($checker:ident $key:literal $field:ident $(? $($opt:lifetime)?)? [$($rule:expr),*]) => {
        $checker.field($key, &$field, const {
            #[allow(unused_imports)]
            use $crate::rules::*;
            const RULES: &[$crate::rules::Rule] = &[$($rule),*];
            RULES
        })
    };
}
#[macro_export]
macro_rules! __emit {
    ($self:ident $field:ident) => {
        &$self.$field
    };
    ($self:ident $field:ident ? $($opt:lifetime)?) => {
        &$crate::object::May(&$self.$field)
    };
}
#[macro_export]
macro_rules! __write {
    ($writer:ident $self:ident [] [$($emit:expr),*]) => {
        $crate::object::write($writer, Self::META, &[$($emit),*])
    };
    ($writer:ident $self:ident [$extra:ident] [$($emit:expr),*]) => {
        $crate::object::write_open($writer, Self::META, &[$($emit),*], &$self.$extra)
    };
}
