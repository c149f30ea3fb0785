//! The deserializer: parses texts into the types that are requested.

use super::access::{Fields, Items, OneVariant, drop_value};
use super::words::{OUT_OF_RANGE, integer_in_range};
use super::{FieldErrors, Source, TABLE, hand_over};
use crate::values::Json;
use crate::values::binary::{FILE, received};
use crate::values::decimal::Decimal;
use crate::values::syntax;
use crate::values::union::HELD;
use crate::values::{Node, Whole, WireError};
use serde::de::{self, Deserializer, Error, Unexpected, Visitor};
use std::borrow::Cow;
use std::rc::Rc;

/// A node that is being read.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    source: &'a Rc<Source>,
    node: &'a Node,
    /// Whether the node is the tag of a union, which is known without being kept.
    pub(super) is_tag: bool,
}

/// The expectation of a visitor, as a text.
struct Expected<'v, V>(&'v V);

impl<'de, V: Visitor<'de>> std::fmt::Display for Expected<'_, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.expecting(f)
    }
}

impl<'a> Reader<'a> {
    pub(super) const fn new(source: &'a Rc<Source>, node: &'a Node) -> Self {
        Self {
            source,
            node,
            is_tag: false,
        }
    }

    fn goes_on(&self) -> bool {
        self.source.walk.goes_on.get()
    }

    /// Returns the only value of a name that may be repeated.
    fn single(self) -> Result<Self, FieldErrors> {
        match self.node {
            Node::Repeated(items) => match &items[..] {
                [only] => Ok(Self { node: only, ..self }),
                [] => Err(WireError::absent().into()),
                _ => Err(WireError::new("is given more than once").into()),
            },
            _ => Ok(self),
        }
    }

    fn wrong(&self, expected: &dyn de::Expected) -> FieldErrors {
        FieldErrors::invalid_type(self.node.unexpected(), expected)
    }

    /// Returns the text of a scalar.
    fn scalar(self, wanted: &dyn de::Expected) -> Result<Cow<'a, str>, FieldErrors> {
        let this = self.single()?;
        match this.node {
            Node::Bare(text) | Node::Text(text) | Node::Field(text) => Ok(text.into()),
            Node::File(file) => {
                // A JSON string has quotes, which do not belong to the text.
                let json = file.is_json().then(|| serde_json::from_slice(&file.data));
                if let Some(Ok(Json::String(text))) = json {
                    return Ok(text.into());
                }
                let text = std::str::from_utf8(&file.data);
                let text = text.map_err(|_| WireError::new("is not UTF-8"))?;
                Ok(text.into())
            }
            _ => Err(this.wrong(wanted)),
        }
    }

    /// Parses a text as JSON, if only JSON can represent the requested type.
    fn nested(&self) -> Result<Option<Rc<Source>>, FieldErrors> {
        let read = match self.node {
            Node::Field(text) => super::tree(text),
            Node::File(file) if file.content_type.as_deref().is_some_and(syntax::is_xml) => {
                return Err(WireError::new("is XML, where JSON is read").into());
            }
            Node::File(file) => match std::str::from_utf8(&file.data) {
                Ok(text) => super::tree(text),
                Err(_) => return Err(WireError::new("is not UTF-8").into()),
            },
            _ => return Ok(None),
        };
        let node = read.map_err(|error| WireError::new(format!("is not JSON: {error}")))?;
        Ok(Some(self.source.within(self.node, false, || node)))
    }

    /// Visits a string; if the type cannot parse it, the error states what the type expects.
    fn string<'de, V: Visitor<'de>>(
        &self,
        text: &str,
        visitor: V,
    ) -> Result<V::Value, FieldErrors> {
        if !self.goes_on() {
            return visitor.visit_str(text);
        }
        let expected = Expected(&visitor).to_string();
        let expectation = super::words::must_be(Unexpected::Str(text), &expected);
        let own = |error: &WireError| error.path.is_empty() && error.message.starts_with("must be");
        visitor
            .visit_str(text)
            .map_err(|field_errors: FieldErrors| {
                let errors = field_errors.into_errors();
                match &errors[..] {
                    [only] if own(only) || expectation == "must be a string" => only.clone().into(),
                    _ => WireError::new(expectation).into(),
                }
            })
    }

    /// Visits a list, of any length or of a `fixed` one.
    fn list<'de, V: Visitor<'de>>(
        self,
        visitor: V,
        fixed: Option<usize>,
    ) -> Result<V::Value, FieldErrors> {
        let items = |items: &'a [Node]| match fixed {
            Some(_) => Items::fixed(self.source, items),
            None => Items::of(self.source, items, self.node),
        };
        match self.node {
            // The visitor of a tuple stops after its last item, so the length is checked here.
            Node::List(values) | Node::Repeated(values)
                if fixed.is_some_and(|most| values.len() > most) =>
            {
                let most = fixed.unwrap_or_default();
                Err(
                    WireError::new(format!("must have {most} items, and has {}", values.len()))
                        .into(),
                )
            }
            Node::List(values) | Node::Repeated(values) => visitor.visit_seq(items(values)),
            // A value that may be repeated, and occurs once.
            Node::Bare(_) | Node::Text(_) if self.source.text => {
                visitor.visit_seq(items(std::slice::from_ref(self.node)))
            }
            Node::Numbered(fields) => {
                let values = || Node::List(fields.iter().map(|(_, value)| value.clone()).collect());
                let list = self.source.within(self.node, self.source.text, values);
                list.reader().list(visitor, fixed)
            }
            _ => match self.nested()? {
                Some(json) => json.reader().list(visitor, fixed),
                None => Err(self.wrong(&visitor)),
            },
        }
    }

    fn file<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        let this = self.single()?;
        let Node::File(file) = this.node else {
            return visitor.visit_newtype_struct(this);
        };
        received(file.clone(), || visitor.visit_unit())
    }
}

macro_rules! integers {
    ($($method:ident $visit:ident $Type:ty;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
            let wanted = stringify!($Type);
            let (whole, text) = match self.source.text {
                false => (self.node.whole(), None),
                true => {
                    let text = self.scalar(&wanted)?;
                    if let Ok(value) = text.parse::<$Type>() {
                        return visitor.$visit(value);
                    }
                    (whole_of(&text), Some(text))
                }
            };
            match (whole, text) {
                (Whole::Is(int), _) => match <$Type>::try_from(int) {
                    Ok(value) => visitor.$visit(value),
                    Err(_) => Err(WireError::new(integer_in_range(wanted)).into()),
                },
                (Whole::TooLarge, _) => Err(WireError::new(integer_in_range(wanted)).into()),
                (Whole::Not, Some(text)) => {
                    Err(FieldErrors::invalid_type(Unexpected::Str(&text), &wanted))
                }
                (Whole::Not, None) => self.deserialize_any(visitor),
            }
        })*
    };
}

macro_rules! parsed {
    ($($method:ident $visit:ident $Type:ty, $what:literal, $fits:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
            if !self.source.text {
                return self.deserialize_any(visitor);
            }
            let text = self.scalar(&$what)?;
            match text.parse::<$Type>() {
                Ok(value) if $fits(value) => visitor.$visit(value),
                // A number that is too large for the type is still a number.
                Ok(_) if Decimal::parse(&text).is_some() => Err(WireError::new(OUT_OF_RANGE).into()),
                _ => Err(FieldErrors::invalid_type(Unexpected::Str(&text), &$what)),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = FieldErrors;

    integers! {
        deserialize_i8 visit_i8 i8;
        deserialize_i16 visit_i16 i16;
        deserialize_i32 visit_i32 i32;
        deserialize_i64 visit_i64 i64;
        deserialize_i128 visit_i128 i128;
        deserialize_u8 visit_u8 u8;
        deserialize_u16 visit_u16 u16;
        deserialize_u32 visit_u32 u32;
        deserialize_u64 visit_u64 u64;
        deserialize_u128 visit_u128 u128;
    }

    // Only JSON numbers are accepted, not `inf` or `nan`.
    parsed! {
        deserialize_bool visit_bool bool, "a boolean", |_| true;
        deserialize_f32 visit_f32 f32, "f32", f32::is_finite;
        deserialize_f64 visit_f64 f64, "f64", f64::is_finite;
        deserialize_char visit_char char, "one character", |_| true;
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        match self.node {
            Node::Null => visitor.visit_unit(),
            Node::Scalar(Json::Bool(value)) => visitor.visit_bool(*value),
            Node::Scalar(Json::Number(number)) => match (number.as_u64(), number.as_i64()) {
                (Some(value), _) => visitor.visit_u64(value),
                (_, Some(value)) => visitor.visit_i64(value),
                _ => visitor.visit_f64(number.as_f64().unwrap_or_default()),
            },
            Node::Scalar(_) => visitor.visit_unit(),
            Node::Decimal(text) => match text.parse::<f64>() {
                Ok(value) if value.is_finite() => visitor.visit_f64(value),
                _ => Err(WireError::new(OUT_OF_RANGE).into()),
            },
            Node::Bare(text) | Node::Text(text) => self.string(text, visitor),
            Node::Field(text) => match serde_json::from_str::<Json>(text) {
                Ok(json @ (Json::Object(_) | Json::Array(_))) => {
                    let make = || Node::from_json(json);
                    let inner = self.source.within(self.node, false, make);
                    inner.reader().deserialize_any(visitor)
                }
                _ => self.string(text, visitor),
            },
            Node::Repeated(items) if items.len() == 1 => self.single()?.deserialize_any(visitor),
            Node::List(_) | Node::Repeated(_) | Node::Numbered(_) => self.list(visitor, None),
            Node::Object(fields) => {
                Fields::new(self.source, fields, self.node, false).visit(visitor)
            }
            Node::File(file) => match std::str::from_utf8(&file.data) {
                Ok(text) if file.is_json() => {
                    let make = || Node::Field(text.to_owned());
                    let inner = self.source.within(self.node, true, make);
                    inner.reader().deserialize_any(visitor)
                }
                Ok(text) => self.string(text, visitor),
                Err(_) => visitor.visit_byte_buf(file.data.to_vec()),
            },
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        if !self.source.text {
            return self.deserialize_any(visitor);
        }
        let this = self.single()?;
        let (source, node) = (this.source, this.node);
        let text = this.scalar(&visitor)?;
        Reader::new(source, node).string(&text, visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        if !self.source.text {
            return self.deserialize_any(visitor);
        }
        let this = self.single()?;
        match this.node {
            Node::File(file) => visitor.visit_byte_buf(file.data.to_vec()),
            _ => visitor.visit_bytes(this.scalar(&"a string")?.as_bytes()),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        match self.node {
            Node::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        let this = self.single()?;
        match this.node {
            Node::Null => visitor.visit_unit(),
            Node::Bare(text) | Node::Text(text) | Node::Field(text)
                if this.source.text && text.is_empty() =>
            {
                visitor.visit_unit()
            }
            _ => Err(this.wrong(&"null")),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, FieldErrors> {
        match name {
            HELD if !self.source.text || self.node.is_settled() => {
                let way = self.source.way.borrow().clone();
                hand_over(self.source, way, visitor)
            }
            HELD => {
                let settled = || self.node.settled();
                let held = self.source.within(self.node, true, settled);
                hand_over(&held, Vec::new(), visitor)
            }
            FILE => self.file(visitor),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        self.list(visitor, None)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, FieldErrors> {
        self.list(visitor, Some(length))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        let this = self.single()?;
        match this.node {
            Node::Object(fields) | Node::Numbered(fields) => {
                let by_table = this.goes_on() && Expected(&visitor).to_string() == TABLE;
                Fields::new(this.source, fields, this.node, by_table).visit(visitor)
            }
            _ => match this.nested()? {
                Some(json) => json.reader().deserialize_map(visitor),
                None => Err(this.wrong(&visitor)),
            },
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldErrors> {
        let this = self.single()?;
        let source = this.source;
        let (name, value) = match this.node {
            Node::Object(fields) => match &fields[..] {
                [(name, value)] => (Cow::from(name), Some(value)),
                _ => return Err(WireError::new("must be an object with one property").into()),
            },
            _ => (this.scalar(&"a string")?, None),
        };
        visitor.visit_enum(OneVariant {
            source,
            name: &name,
            value,
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldErrors> {
        if !self.is_tag {
            drop_value(self.node);
        }
        visitor.visit_unit()
    }

    super::same_as! {
        deserialize_unit_struct(name: &'static str) => deserialize_unit;
        deserialize_tuple_struct(name: &'static str, length: usize) => deserialize_seq;
        deserialize_struct(name: &'static str, keys: &'static [&'static str]) => deserialize_map;
    }
}

/// Parses a text as an integer; leading zeros and a plus are ignored.
fn whole_of(text: &str) -> Whole {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let digits = match digits.trim_start_matches('0') {
            "" => "0",
            digits => digits,
        };
        return Whole::of(&format!("{sign}{digits}"));
    }
    Whole::of(text)
}
