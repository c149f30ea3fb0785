//! Types: what a schema became.

use super::{Doc, Module, Name, Rule, Traits};
use crate::position::Origin;

/// Index of a type in [`super::Api::types`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// One named type.
#[derive(Debug, Clone)]
pub struct TypeDef {
    /// Where its schema stands.
    pub origin: Origin,
    /// Its name; an inline type's `wire` is its own part only, see `parent`.
    pub name: Name,
    /// The words of what it stands in, put before its own when it is inline.
    pub parent: Option<Parent>,
    /// Where it is defined.
    pub module: Module,
    /// Its rustdoc.
    pub doc: Doc,
    /// What it is.
    pub kind: TypeKind,
    /// What is asked of a value as a whole: of an object, or of what a newtype is around.
    pub rules: Vec<Rule>,
    /// Whether a value of it may come back in a response or a webhook.
    pub output: bool,
    /// Whether a value of it may go out in a request.
    pub input: bool,
    /// The traits that are derived beside those that all types have.
    pub traits: Traits,
}

/// What an inline type stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parent {
    /// Another type.
    Type(TypeId),
    /// An operation, by index, of `operations` (false) or `webhooks` (true).
    Operation(usize, bool),
    /// A reusable parameter, header, body or response, whose name is the first of its own words.
    Reusable,
}

/// What a named type is.
#[derive(Debug, Clone)]
pub enum TypeKind {
    /// Reserved, not converted yet; never reaches `emit`.
    Pending,
    /// A struct.
    Object(Object),
    /// An enum of strings.
    StringEnum(StringEnum),
    /// An enum of other JSON scalars, or of mixed ones.
    LiteralEnum(LiteralEnum),
    /// An enum of types.
    Union(Union),
    /// A struct around one value, transparent on the wire. `true`: it is worth a `Display`.
    Newtype(TypeRef, bool),
    /// `type A = B;`
    Alias(TypeRef),
}

/// How a type is referred to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeRef {
    /// A named type.
    Named(TypeId),
    /// A type that Rust or a crate has.
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
    /// `JsonText<T>`: a string that holds JSON (`contentSchema`).
    JsonText(Box<TypeRef>),
    /// `Prefix<(A,), (Option<B>,), C>`: a list that begins with these.
    Prefix(Box<Prefix>),
}

/// A list whose first items have types of their own (`prefixItems`).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Prefix {
    /// Of the items that are always there.
    pub required: Vec<TypeRef>,
    /// Of the items that a shorter list does not have, presence included.
    pub optional: Vec<TypeRef>,
    /// Of the items behind them; `None` when there are no more.
    pub rest: Option<TypeRef>,
}

impl Prefix {
    /// All types in it.
    pub fn parts(&self) -> impl Iterator<Item = &TypeRef> {
        let first = self.required.iter().chain(&self.optional);
        first.chain(&self.rest)
    }
}

/// Types that need no definition of ours.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Primitive {
    /// `bool`
    Bool,
    /// `i8` to `i128`, `u8` to `u128`, `f32`, `f64` by their Rust name.
    Number(&'static str),
    /// `String`
    String,
    /// Any JSON value.
    Json,
    /// `()`: null and nothing else.
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
    /// Bytes that travel as base64.
    Base64,
    /// A file: a part of a multipart body.
    Binary,
    /// A raw body.
    Bytes,
    /// A type of the user's, by path, from the format map of the configuration.
    Custom(String),
}

/// A struct.
#[derive(Debug, Clone, Default)]
pub struct Object {
    /// Its fields, in the document's order.
    pub fields: Vec<Field>,
    /// What happens to fields that are not named.
    pub unknown: Unknown,
    /// What is asked of each that is kept.
    pub each: Vec<Rule>,
}

impl Object {
    /// The fields that a constructor takes, by their names: so that nothing is swapped when the document
    /// lists properties in another order.
    #[must_use]
    pub fn required(&self) -> Vec<&Field> {
        let required = self.fields.iter().filter(|of| !of.optional && !of.fixed);
        let mut required: Vec<&Field> = required.collect();
        required.sort_by(|one, other| one.name.rust.cmp(&other.name.rust));
        required
    }
}

/// What happens to fields that a struct does not name.
#[derive(Debug, Clone, Default)]
pub enum Unknown {
    /// They are read over.
    #[default]
    Ignored,
    /// They are refused (`additionalProperties: false`).
    Refused,
    /// They are kept, each of this type, in a field of this name.
    Kept(Name, TypeRef),
}

/// A field.
#[derive(Debug, Clone)]
pub struct Field {
    /// Where its schema stands.
    pub origin: Origin,
    /// Its name.
    pub name: Name,
    /// Its whole type, presence included: see `lower/presence.rs`.
    pub ty: TypeRef,
    /// Whether it may be absent.
    pub optional: bool,
    /// Its rustdoc.
    pub doc: Doc,
    /// What the document says it is when absent.
    pub default: Option<DefaultValue>,
    /// Its type has one value only (`const`, or an enum of one), so nobody has to give it.
    pub fixed: bool,
    /// What comes out of the service there and is no date is taken for nothing.
    pub or_none: bool,
    /// What is asked of its value.
    pub rules: Vec<Rule>,
    /// Which side alone writes it (`readOnly`, `writeOnly`).
    pub writer: Writer,
}

/// Which side writes a property.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Writer {
    /// Either.
    #[default]
    Both,
    /// The server alone: `readOnly`.
    Server,
    /// The client alone: `writeOnly`.
    Client,
}

/// A default, already checked against the type it belongs to.
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

/// An enum of strings.
#[derive(Debug, Clone)]
pub struct StringEnum {
    /// Its values.
    pub variants: Vec<StringVariant>,
    /// Name of the variant that keeps other values; `None` when the enum is closed.
    pub fallback: Option<Name>,
}

/// A value of an enum of strings.
#[derive(Debug, Clone)]
pub struct StringVariant {
    /// Value and variant name.
    pub name: Name,
    /// Its rustdoc.
    pub doc: Doc,
}

/// An enum of JSON scalars.
#[derive(Debug, Clone)]
pub struct LiteralEnum {
    /// Its values.
    pub variants: Vec<LiteralVariant>,
    /// Name of the variant that keeps other values; `None` when the enum is closed.
    pub fallback: Option<Name>,
}

/// A value of an enum of scalars.
#[derive(Debug, Clone)]
pub struct LiteralVariant {
    /// Variant name.
    pub name: Name,
    /// The value.
    pub value: Literal,
    /// Its rustdoc.
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
    /// The property that tells the variants apart.
    pub tag: Option<String>,
    /// Its variants, in the document's order.
    pub variants: Vec<UnionVariant>,
    /// A value may be of several variants at once (`anyOf`): a struct with a place for each.
    pub several: bool,
    /// Name of the variant that keeps objects with other tags; `None` when the union is closed.
    pub fallback: Option<Name>,
}

/// A variant of a union.
#[derive(Debug, Clone)]
pub struct UnionVariant {
    /// Variant name.
    pub name: Name,
    /// What it holds.
    pub ty: TypeRef,
    /// Values of the tag that mean this variant; the first is written.
    pub tags: Vec<String>,
    /// Any other value of the tag means it too, and so does its absence.
    pub takes_others: bool,
    /// Its rustdoc.
    pub doc: Doc,
    /// What is asked of what it holds.
    pub rules: Vec<Rule>,
}

impl TypeRef {
    /// Whether it is, or holds, a primitive, without looking into named types.
    #[must_use]
    pub fn holds(&self, primitive: &Primitive) -> bool {
        match self {
            Self::Primitive(own) => own == primitive,
            Self::Named(_) => false,
            Self::Boxed(ty)
            | Self::Vec(ty)
            | Self::Map(ty)
            | Self::Option(ty)
            | Self::Nullable(ty)
            | Self::JsonText(ty) => ty.holds(primitive),
            Self::Tuple(parts) => parts.iter().any(|ty| ty.holds(primitive)),
            Self::Prefix(of) => of.parts().any(|ty| ty.holds(primitive)),
        }
    }

    /// Calls `of` with the path of each type of the user's that it is or holds, without looking
    /// into named types.
    pub fn each_custom(&self, of: &mut dyn FnMut(&str)) {
        match self {
            Self::Primitive(Primitive::Custom(path)) => of(path),
            Self::Primitive(_) | Self::Named(_) => {}
            Self::Boxed(ty)
            | Self::Vec(ty)
            | Self::Map(ty)
            | Self::Option(ty)
            | Self::Nullable(ty)
            | Self::JsonText(ty) => ty.each_custom(of),
            Self::Tuple(parts) => parts.iter().for_each(|ty| ty.each_custom(of)),
            Self::Prefix(prefix) => prefix.parts().for_each(|ty| ty.each_custom(of)),
        }
    }
}

impl TypeKind {
    /// Whether it has exactly one value: a closed enum of one.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        match self {
            Self::StringEnum(of) => of.fallback.is_none() && of.variants.len() == 1,
            Self::LiteralEnum(of) => of.fallback.is_none() && of.variants.len() == 1,
            _ => false,
        }
    }

    /// The name of the variant that keeps values which the document does not list, if the type can have
    /// one: an enum of scalars, or a union with a tag of which no variant takes all others.
    pub const fn fallback_mut(&mut self) -> Option<&mut Option<Name>> {
        match self {
            Self::StringEnum(of) => Some(&mut of.fallback),
            Self::LiteralEnum(of) => Some(&mut of.fallback),
            Self::Union(of) if of.tag.is_some() => Some(&mut of.fallback),
            _ => None,
        }
    }

    /// Whether it keeps values which the document does not list.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        match self {
            Self::StringEnum(of) => of.fallback.is_some(),
            Self::LiteralEnum(of) => of.fallback.is_some(),
            Self::Union(of) => of.fallback.is_some(),
            _ => false,
        }
    }

    /// Calls `of` with each type that the definition refers to.
    pub fn parts(&self, of: &mut dyn FnMut(&TypeRef)) {
        match self {
            Self::Object(object) => {
                object.fields.iter().for_each(|field| of(&field.ty));
                if let Unknown::Kept(_, ty) = &object.unknown {
                    of(ty);
                }
            }
            Self::Union(union) => union.variants.iter().for_each(|variant| of(&variant.ty)),
            Self::Newtype(ty, _) | Self::Alias(ty) => of(ty),
            Self::StringEnum(_) | Self::LiteralEnum(_) | Self::Pending => {}
        }
    }
}
