//! The visitor that makes a [`Value`] of a text, for both formats.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::{Format, Number, Object, Value, repair};
use crate::position::Pointer;

/// A parsed document with its non-fatal problems.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Read {
    pub(super) value: Value,
    pub(super) format: Format,
    /// Duplicate keys, each with whether the choice between its values makes no difference.
    pub(super) duplicates: Vec<(Pointer, bool)>,
}

/// A parse error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReadError {
    pub(super) kind: ReadErrorKind,
    pub(super) message: String,
    /// The byte offset in the text.
    pub(super) offset: usize,
    /// What to write instead, if known.
    pub(super) help: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadErrorKind {
    Syntax,
    TooDeep,
    ExpandsTooFar,
}

/// The name of the member by which serde_json passes a number as a map, if a program enables its
/// feature `arbitrary_precision`. The value is an owned string there, which no string of a JSON text
/// is.
const NUMBER: &str = "$serde_json::private::Number";

/// The message that marks an error of this module inside a parser's error type.
pub(super) const EXPANDS: &str = "aliases expand too far";

/// The state that all nodes of one read share.
pub(super) struct Reader {
    format: Format,
    /// The remaining budget: each node costs one, and each byte of a string costs one.
    budget: Cell<usize>,
    /// Whether characters were replaced before parsing, see [`repair`].
    disguised: bool,
    duplicates: RefCell<Vec<(Pointer, bool)>>,
}

impl Reader {
    pub(super) fn new(text: &str, format: Format, disguised: bool) -> Self {
        // Without aliases, a text needs less budget than its length. Documents with the usual
        // anchors and aliases need a few times their length.
        let budget = text.len().saturating_mul(8).saturating_add(1 << 20);
        Self {
            format,
            budget: Cell::new(budget),
            disguised,
            duplicates: RefCell::default(),
        }
    }

    pub(super) fn seed(&self) -> NodeSeed<'_> {
        NodeSeed {
            reader: self,
            path: None,
            number: None,
        }
    }

    pub(super) fn finish(self, value: Value) -> Read {
        Read {
            value,
            format: self.format,
            duplicates: self.duplicates.into_inner(),
        }
    }

    fn spend<E: Error>(&self, amount: usize) -> Result<(), E> {
        let left = self
            .budget
            .get()
            .checked_sub(amount)
            .ok_or_else(|| E::custom(EXPANDS))?;
        self.budget.set(left);
        Ok(())
    }

    fn string<E: Error>(&self, string: &str) -> Result<String, E> {
        self.spend(string.len())?;
        Ok(if self.disguised {
            repair::reveal(string)
        } else {
            string.to_owned()
        })
    }
}

/// The path from the root, on the stack. A pointer is created only for a report; it then exists for
/// the enclosing nodes too.
struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
    pointer: OnceCell<Pointer>,
}

enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    const fn new(parent: Option<&'a Path<'a>>, step: Step<'a>) -> Self {
        Self {
            parent,
            step,
            pointer: OnceCell::new(),
        }
    }

    fn pointer(&self) -> &Pointer {
        self.pointer.get_or_init(|| {
            let around = self.parent.map(Path::pointer).cloned();
            let around = around.unwrap_or_default();
            match self.step {
                Step::Key(key) => around.child(key),
                Step::Index(index) => around.item(index),
            }
        })
    }
}

/// A seed that reads one node.
pub(super) struct NodeSeed<'a> {
    reader: &'a Reader,
    path: Option<&'a Path<'a>>,
    /// Set if the node is the text of a number, see [`NUMBER`].
    number: Option<&'a Cell<bool>>,
}

impl NodeSeed<'_> {
    fn integer<E: Error>(self, int: i128) -> Result<Value, E> {
        self.reader.spend(1)?;
        Ok(Value::Number(Number::Int(int)))
    }
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: Error>(self, bool: bool) -> Result<Value, E> {
        self.reader.spend(1)?;
        Ok(Value::Bool(bool))
    }

    fn visit_i64<E: Error>(self, int: i64) -> Result<Value, E> {
        self.integer(int.into())
    }

    fn visit_u64<E: Error>(self, int: u64) -> Result<Value, E> {
        self.integer(int.into())
    }

    fn visit_i128<E: Error>(self, int: i128) -> Result<Value, E> {
        self.integer(int)
    }

    #[allow(clippy::cast_precision_loss)]
    fn visit_u128<E: Error>(self, int: u128) -> Result<Value, E> {
        match i128::try_from(int) {
            Ok(int) => self.integer(int),
            Err(_) => self.visit_f64(int as f64),
        }
    }

    fn visit_f64<E: Error>(self, float: f64) -> Result<Value, E> {
        self.reader.spend(1)?;
        Ok(Value::Number(Number::Float(float)))
    }

    fn visit_str<E: Error>(self, string: &str) -> Result<Value, E> {
        self.reader.spend(1)?;
        self.reader.string(string).map(Value::String)
    }

    fn visit_string<E: Error>(self, string: String) -> Result<Value, E> {
        match (self.number, string.parse::<f64>()) {
            (Some(is_number), Ok(float)) => {
                is_number.set(true);
                self.visit_f64(float)
            }
            _ => self.visit_str(&string),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        self.reader.spend(1)?;
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        self.reader.spend(1)?;
        let mut items = Vec::new();
        loop {
            let path = Path::new(self.path, Step::Index(items.len()));
            match access.next_element_seed(NodeSeed {
                reader: self.reader,
                path: Some(&path),
                number: None,
            })? {
                Some(item) => items.push(item),
                None => return Ok(Value::Array(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        self.reader.spend(1)?;
        let mut object = Object::new();
        let mut merged = Vec::new();
        while let Some(key) = access.next_key_seed(KeySeed(self.reader))? {
            let path = Path::new(self.path, Step::Key(&key));
            let is_number = Cell::new(false);
            let value = access.next_value_seed(NodeSeed {
                reader: self.reader,
                path: Some(&path),
                number: (key == NUMBER).then_some(&is_number),
            })?;
            if is_number.get() {
                return Ok(value);
            }
            if key == "<<" && self.reader.format == Format::Yaml && is_mergeable(&value) {
                merged.push(value);
                continue;
            }
            if let Some(known) = object.get(&key) {
                let harmless = *known == value || is_for_people(&key, known, &value);
                let duplicate = (path.pointer().clone(), harmless);
                self.reader.duplicates.borrow_mut().push(duplicate);
            }
            object.insert(key, value);
        }
        for value in merged {
            merge(&mut object, value);
        }
        object.shrink_to_fit();
        Ok(Value::Object(object))
    }

    /// Reads YAML's local tags (`!Ref x`), which are deserialized as enums. The tag is ignored.
    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Value, A::Error> {
        let (_, variant) = access.variant_seed(KeySeed(self.reader))?;
        variant.newtype_variant_seed(self)
    }
}

/// Returns whether a key probably contains descriptive text. A property of such a name would be an
/// object.
fn is_for_people(key: &str, left: &Value, right: &Value) -> bool {
    matches!(key, "description" | "summary" | "title" | "example")
        && left.as_object().is_none()
        && right.as_object().is_none()
}

fn is_mergeable(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|item| item.as_object().is_some())
        }
        _ => false,
    }
}

/// Adds the entries that the object does not have. With several sources, the first has precedence.
fn merge(object: &mut Object, value: Value) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                object.entry(key).or_insert(value);
            }
        }
        Value::Array(items) => items.into_iter().for_each(|item| merge(object, item)),
        _ => {}
    }
}

/// A seed that reads a key: any scalar, as written (`200`, `on`, `1.10`).
struct KeySeed<'a>(&'a Reader);

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        // For a string, both parsers return the text of a scalar without a type.
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for KeySeed<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key that is text, a number or a boolean")
    }

    fn visit_str<E: Error>(self, string: &str) -> Result<String, E> {
        self.0.string(string)
    }
}
