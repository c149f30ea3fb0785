//! Types generated from schemas.

use super::{Doc, Module, Name, Object, Rule, Traits};
use crate::position::Origin;

/// The index of a type in [`super::Api::types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A named type.
#[derive(Debug, Clone)]
pub struct TypeDef {
    /// The position of its schema in the document.
    pub origin: Origin,
    /// The name; the `wire` of an inline type is only its own part, see `parent`.
    pub name: Name,
    /// The parent of an inline type, whose words precede its own name.
    pub parent: Option<Parent>,
    /// The `title` of an inline schema, if it may be the name of the type.
    pub title: Option<String>,
    /// The module that defines the type.
    pub module: Module,
    /// The rustdoc.
    pub doc: Doc,
    /// The kind of the type.
    pub kind: TypeKind,
    /// The validation rules of a whole value: of an object, or of the inner value of a newtype.
    pub rules: Vec<Rule>,
    /// Whether responses or webhooks may contain values of the type.
    pub output: bool,
    /// Whether requests may contain values of the type.
    pub input: bool,
    /// Whether the type is `#[non_exhaustive]`, because the document may add fields or variants.
    pub non_exhaustive: bool,
    /// The derived traits, in addition to those of all types.
    pub traits: Traits,
    /// The paths of further derive macros, from the configuration.
    pub derives: Vec<String>,
    /// The contents of further attributes, from the configuration.
    pub attributes: Vec<String>,
    /// Where the type is defined, if the module of another document has it.
    pub imported: Option<Imported>,
}

/// A type without a definition in this module, from a document with a module of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Imported {
    /// The module of the other document has the type, at this path.
    From(String),
    /// Imported types alone contain the type.
    Within,
}

/// The parent of an inline type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Parent {
    /// Another type.
    Type(TypeId),
    /// An operation by index, in `operations` (false) or `webhooks` (true).
    Operation(usize, bool),
    /// A reusable parameter, header, body or response, whose name starts the name of the type.
    Reusable,
    /// No place: the type is that of several places, which are aliases of it. The type around the
    /// places, if it is of several places too.
    Shared(Option<TypeId>),
}

/// The kind of a named type.
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// Reserved but not converted yet; never reaches `emit`.
    Pending,
    /// A struct.
    Object(Object),
    /// An enum of strings.
    StringEnum(StringEnum),
    /// An enum of other JSON scalars, or of mixed scalars.
    LiteralEnum(LiteralEnum),
    /// An enum of types.
    Union(Union),
    /// A struct around one value, transparent on the wire. `true` if the type implements `Display`.
    Newtype(TypeRef, bool),
    /// `type A = B;`
    Alias(TypeRef),
}

/// A reference to a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeRef {
    /// A named type.
    Named(TypeId),
    /// A type of Rust or of a crate.
    Primitive(Primitive),
    /// `Box<T>`
    Boxed(Box<TypeRef>),
    /// `Vec<T>`
    Vec(Box<TypeRef>),
    /// `Map<T>`
    Map(Box<TypeRef>),
    /// `Option<T>`
    Option(Box<TypeRef>),
    /// `Nullable<T>`: absent, null or a value.
    Nullable(Box<TypeRef>),
    /// `(A, B)`
    Tuple(Vec<TypeRef>),
    /// `JsonText<T>`: a string that contains JSON (`contentSchema`).
    JsonText(Box<TypeRef>),
    /// `TupleList<(A,), (Option<B>,), C>`: a list that starts with these items.
    Prefix(Box<Prefix>),
    /// A type of the user, in place of the type of a schema.
    Replaced(Box<Replaced>),
}

/// A type of the user, in place of the type of a schema.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Replaced {
    /// The path of the type, from the configuration.
    pub path: String,
    /// The type that the schema has by itself: a server checks values by it. `None` if no request
    /// and no union contains the type.
    pub schema: Option<TypeRef>,
}

/// A list whose first items have their own types (`prefixItems`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Prefix {
    /// The types of the items that are always present.
    pub required: Vec<TypeRef>,
    /// The types of the items that a shorter list lacks, including `Option`.
    pub optional: Vec<TypeRef>,
    /// The type of the remaining items; `None` if there are no more items.
    pub rest: Option<TypeRef>,
}

impl Prefix {
    /// Returns all types of the items.
    pub fn parts(&self) -> impl Iterator<Item = &TypeRef> {
        let first = self.required.iter().chain(&self.optional);
        first.chain(&self.rest)
    }
}

/// Types that the generator does not define.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// `bool`
    Bool,
    /// `i8` to `i128`, `u8` to `u128`, `f32`, `f64`, by their Rust name.
    Number(&'static str),
    /// `String`
    String,
    /// Any JSON value.
    Json,
    /// `()`, for null.
    Null,
    /// `uuid::Uuid`
    Uuid,
    /// `bothends_runtime::DateTime`
    DateTime,
    /// `jiff::civil::Date`
    Date,
    /// `std::net::Ipv4Addr`
    Ipv4,
    /// `std::net::Ipv6Addr`
    Ipv6,
    /// Bytes that are sent as base64.
    Base64,
    /// A file in a multipart body.
    Binary,
    /// A raw body.
    Bytes,
    /// A type of the user, by path, from the format map of the configuration.
    Custom(String),
}

/// An enum of strings.
#[derive(Debug, Clone)]
pub struct StringEnum {
    /// The values.
    pub variants: Vec<StringVariant>,
    /// The name of the variant that keeps unknown values; `None` for a closed enum.
    pub fallback: Option<Name>,
}

/// A value of an enum of strings.
#[derive(Debug, Clone)]
pub struct StringVariant {
    /// The value and the name of its variant.
    pub name: Name,
    /// The rustdoc.
    pub doc: Doc,
}

/// An enum of JSON scalars.
#[derive(Debug, Clone)]
pub struct LiteralEnum {
    /// The values.
    pub variants: Vec<LiteralVariant>,
    /// The name of the variant that keeps unknown values; `None` for a closed enum.
    pub fallback: Option<Name>,
}

/// A value of an enum of scalars.
#[derive(Debug, Clone)]
pub struct LiteralVariant {
    /// The name of the variant.
    pub name: Name,
    /// The value.
    pub value: Literal,
    /// The rustdoc.
    pub doc: Doc,
}

/// A JSON scalar.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `null`
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A number.
    Float(f64),
    /// A string.
    String(String),
}

/// An enum of types.
#[derive(Debug, Clone)]
pub struct Union {
    /// The property that selects the variant.
    pub tag: Option<String>,
    /// Whether the tag is the name of the event that has the value as its data.
    pub by_event: bool,
    /// The variants, in document order.
    pub variants: Vec<UnionVariant>,
    /// Whether a value may match several variants (`anyOf`): a struct with a field for each.
    pub several: bool,
    /// The name of the variant that keeps objects with unknown tags; `None` for a closed union.
    pub fallback: Option<Name>,
}

/// A variant of a union.
#[derive(Debug, Clone)]
pub struct UnionVariant {
    /// The name of the variant.
    pub name: Name,
    /// The type of its content.
    pub ty: TypeRef,
    /// The tag values of the variant; the first is written.
    pub tags: Vec<String>,
    /// Whether other tag values and an absent tag also select the variant.
    pub takes_others: bool,
    /// The rustdoc.
    pub doc: Doc,
    /// The validation rules of its content.
    pub rules: Vec<Rule>,
}

impl TypeKind {
    /// Returns the value of a type that has exactly one: a closed enum with one variant.
    #[must_use]
    pub fn constant(&self) -> Option<Literal> {
        match self {
            Self::StringEnum(string_enum) if string_enum.fallback.is_none() => {
                match string_enum.variants.as_slice() {
                    [only] => Some(Literal::String(only.name.wire.clone())),
                    _ => None,
                }
            }
            Self::LiteralEnum(literal_enum) if literal_enum.fallback.is_none() => {
                match literal_enum.variants.as_slice() {
                    [only] => Some(only.value.clone()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the name of the variant that keeps unknown values, if the type can have one: an enum
    /// of scalars, or a union with a tag and without a default variant.
    pub const fn fallback_mut(&mut self) -> Option<&mut Option<Name>> {
        match self {
            Self::StringEnum(string_enum) => Some(&mut string_enum.fallback),
            Self::LiteralEnum(literal_enum) => Some(&mut literal_enum.fallback),
            Self::Union(union) if union.tag.is_some() => Some(&mut union.fallback),
            _ => None,
        }
    }

    /// Returns `true` if the type keeps unknown values.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        match self {
            Self::StringEnum(string_enum) => string_enum.fallback.is_some(),
            Self::LiteralEnum(literal_enum) => literal_enum.fallback.is_some(),
            Self::Union(union) => union.fallback.is_some(),
            _ => false,
        }
    }
}
