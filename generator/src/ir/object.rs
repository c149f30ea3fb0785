//! Structs.

use super::{Doc, Literal, Name, Rule, TypeId, TypeRef};
use crate::position::Origin;

/// A struct.
#[derive(Debug, Clone, Default)]
pub struct Object {
    /// The fields, in document order.
    pub fields: Vec<Field>,
    /// The required properties with a single value, which have no field, in document order.
    pub constants: Vec<Constant>,
    /// The handling of unknown fields.
    pub unknown: Unknown,
    /// The validation rules of each unknown field that is kept.
    pub each: Vec<Rule>,
    /// The name of the struct of the required fields from which a value is created, if the
    /// constructor takes them by name. The stage `names` writes it.
    pub init: Option<String>,
}

impl Object {
    /// Returns the properties in document order.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let mut constants = self.constants.iter().peekable();
        let mut fields = self.fields.iter().enumerate().peekable();
        std::iter::from_fn(move || {
            let next = fields.peek().map_or(usize::MAX, |(index, _)| *index);
            match constants.next_if(|constant| constant.index <= next) {
                Some(constant) => Some(Row::Constant(constant)),
                None => fields.next().map(|(_, field)| Row::Field(field)),
            }
        })
    }

    /// Returns the fields that a constructor accepts: in the order of the document if it takes them
    /// by name, and otherwise sorted by name, so that reordering properties changes no call.
    #[must_use]
    pub fn required(&self) -> Vec<&Field> {
        let required = self
            .fields
            .iter()
            .filter(|field| !field.optional && !field.fixed);
        let mut required: Vec<&Field> = required.collect();
        if self.init.is_none() {
            required.sort_by(|left, right| left.name.rust.cmp(&right.name.rust));
        }
        required
    }
}

/// A property of an object.
#[derive(Debug, Clone, Copy)]
pub enum Row<'o> {
    /// A property with a field.
    Field(&'o Field),
    /// A property without a field.
    Constant(&'o Constant),
}

/// A property without a field: it is required, and has a single value.
#[derive(Debug, Clone, PartialEq)]
pub struct Constant {
    /// The position of its schema in the document.
    pub origin: Origin,
    /// The name of the property.
    pub wire: String,
    /// The value.
    pub value: Literal,
    /// The number of fields before it.
    pub index: usize,
    /// The side that writes the property (`readOnly`, `writeOnly`).
    pub writer: Writer,
}

/// The handling of fields that a struct does not name.
#[derive(Debug, Clone, Default)]
pub enum Unknown {
    /// Unknown fields are ignored.
    #[default]
    Ignored,
    /// Unknown fields are rejected (`additionalProperties: false`).
    Refused,
    /// Unknown fields are kept, with this type, in a field of this name.
    Kept(Name, TypeRef),
}

/// A field.
#[derive(Debug, Clone)]
pub struct Field {
    /// The position of its schema in the document.
    pub origin: Origin,
    /// The name.
    pub name: Name,
    /// The complete type, including `Option`: see `lower/schema/presence.rs`.
    pub ty: TypeRef,
    /// Whether the field may be absent.
    pub optional: bool,
    /// Whether the document requires the property, in the messages of the side that writes it.
    pub required: bool,
    /// The rustdoc.
    pub doc: Doc,
    /// The default of the document for an absent field.
    pub default: Option<DefaultValue>,
    /// Whether the field is required and its type has a single value (`const`, or an enum of one), so
    /// that callers need not set it. Most such properties are [constants](Object::constants).
    pub fixed: bool,
    /// Whether an invalid date received from the service is read as `None`.
    pub or_none: bool,
    /// The validation rules.
    pub rules: Vec<Rule>,
    /// The side that writes the field (`readOnly`, `writeOnly`).
    pub writer: Writer,
}

/// The side that writes a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Writer {
    /// Both sides.
    #[default]
    Both,
    /// Only the server: `readOnly`.
    Server,
    /// Only the client: `writeOnly`.
    Client,
}

/// A default, already checked against its type.
#[derive(Debug, Clone, PartialEq)]
pub enum DefaultValue {
    /// `true` or `false`
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A number.
    Float(f64),
    /// A string.
    String(String),
    /// A variant of an enum type, by index.
    Variant(TypeId, usize),
    /// An empty list.
    EmptyList,
    /// A list.
    List(Vec<DefaultValue>),
}
