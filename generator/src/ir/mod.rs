//! The intermediate representation: an API in terms of Rust, with all decisions made, before any
//! code is emitted.
//!
//! `lower` builds an [`Api`] from the model, `names` fills in every [`Name::rust`], and `emit`
//! converts the API to items by matching alone. This module depends neither on schemas nor on
//! tokens; it imports only the positions of nodes.

mod arguments;
mod body;
mod condition;
mod examples;
mod link;
mod object;
mod operation;
mod outline;
mod pages;
mod parts;
mod retain;
mod retries;
mod rule;
mod samples;
mod security;
mod stability;
mod task;
mod traits;
mod types;
mod uncompared;
mod uses;
mod webhook;
mod webhook_rules;

pub use body::{Body, Codec, Content, Media, Part, PartShape, Payload};
pub use condition::{Condition, Conditions, TagFeature, any_of, condition};
pub use examples::{Example, Exchange, PartExample};
pub use link::{Expression, Link, LinkedCall, Source, StatedLink};
pub use object::{Constant, DefaultValue, Field, Object, Row, Unknown, Writer};
pub use operation::{
    ErrorSet, FieldErrorFormat, FieldErrorPart, Header, HeaderSet, Only, Operation, Param, Place,
    Rejection, RejectionBodies, Rejections, Response, Segment, StatusSpec, StyleWord,
};
pub use outline::Outline;
#[cfg(test)]
pub(crate) use outline::shown;
pub use pages::{NextPage, PageParam, Pages};
pub use retain::Kept;
pub use retries::Retries;
pub use rule::{Bound, Rule, Ruled};
pub use samples::Samples;
pub use security::{ClientAuthentication, Requirement, Scheme, SchemeKind, TokenFlow};
pub use stability::Stability;
pub use task::{Task, TaskMethods, TaskStatus};
pub use traits::Traits;
pub use types::{
    Imported, Literal, LiteralEnum, LiteralVariant, Parent, Prefix, Primitive, Replaced,
    StringEnum, StringVariant, TypeDef, TypeId, TypeKind, TypeRef, Union, UnionVariant,
};
pub use uncompared::{Holder, Uncompared};
pub use webhook::{Callback, UrlPart, Webhook};

pub use webhook_rules::{
    DeliveryRules, KeySigning, SigningRules, SubscriptionRules, TokenSigning, WebhookRules,
};

use std::collections::{BTreeMap, BTreeSet};

use crate::position::Origin;

/// A lowered API.
#[derive(Debug, Clone, Default)]
pub struct Api {
    /// The title, for headings.
    pub title: String,
    /// The description of the API.
    pub doc: Doc,
    /// The URL of the first server, with the defaults of its variables, if absolute.
    pub base_url: Option<String>,
    /// The servers of the document, its paths and its operations, without duplicates. Empty if
    /// `base_url` contains the same information.
    pub servers: Vec<Server>,
    /// The path of the first server without a trailing slash; empty for the root.
    pub base_path: String,
    /// All types; a [`TypeId`] is an index into this list.
    pub types: Vec<TypeDef>,
    /// The enums of media types of reusable bodies and responses, with their positions. Their
    /// definitions are in `types`.
    pub contents: Vec<(Origin, Payload)>,
    /// The operations under `paths`, in document order.
    pub operations: Vec<Operation>,
    /// The client method that follows links.
    pub follow: Option<String>,
    /// Sets of documented errors that have their own type, by name.
    pub error_sets: Vec<ErrorSet>,
    /// Headers of successes that several operations share, by name. Their definitions are in `types`.
    pub header_sets: Vec<HeaderSet>,
    /// The operations under `webhooks`, in document order. Their `path` is empty.
    pub webhooks: Vec<Operation>,
    /// The tags with at least one operation: declared tags in document order, then the others by
    /// name.
    pub tags: Vec<Tag>,
    /// The security schemes that operations use, in document order.
    pub schemes: Vec<Scheme>,
    /// The responses to requests that are rejected before or in place of a handler.
    pub rejection_bodies: RejectionBodies,
    /// The responses that handlers and authenticators may reject requests with, in document order.
    pub rejections: Vec<Rejections>,
    /// The rules of the document for all webhooks.
    pub webhook_rules: WebhookRules,
    /// The enum of error codes, if the document has one.
    pub error_code: Option<TypeId>,
    /// The types that stand for inline types, which are aliases of them in the code. Of a comparison only: there, each place
    /// keeps its own type.
    pub shared: BTreeMap<TypeId, TypeId>,
    /// The parts of the document that do not become code. Read for comparisons only.
    pub uncompared: Vec<Uncompared>,
    /// The Cargo features of the items.
    pub conditions: Conditions,
    /// Valid values of the replaced schemas, if a test of the types is generated.
    pub samples: Vec<Samples>,
    /// The examples of the document, for a test.
    pub examples: Vec<Example>,
    /// The examples of operations, for a test.
    pub exchanges: Vec<Exchange>,
}

impl Api {
    /// Returns the definition of a type.
    #[must_use]
    pub fn type_def(&self, id: TypeId) -> &TypeDef {
        &self.types[id.0 as usize]
    }

    /// Returns `true` if a type is or contains a type of the user, possibly through an alias.
    #[must_use]
    pub fn is_foreign(&self, ty: &TypeRef) -> bool {
        ty.is_foreign(&self.types)
    }

    /// Returns the type by which a server checks values of a type that contains types of the user:
    /// the same type with the types that the schemas have by themselves. `None` if values are not
    /// checked.
    #[must_use]
    pub fn schema_of(&self, ty: &TypeRef) -> Option<TypeRef> {
        self.schema_at(ty, 0)
    }

    fn schema_at(&self, ty: &TypeRef, depth: usize) -> Option<TypeRef> {
        let inner_schema = |ty: &TypeRef| Some(Box::new(self.schema_at(ty, depth + 1)?));
        let all = |parts: &[TypeRef]| -> Option<Vec<TypeRef>> {
            let parts = parts.iter().map(|ty| self.schema_at(ty, depth + 1));
            parts.collect()
        };
        Some(match ty {
            _ if depth > 64 => return None,
            TypeRef::Replaced(replaced) => return replaced.schema.clone(),
            TypeRef::Primitive(Primitive::Custom(_)) => return None,
            TypeRef::Named(id) => match &self.type_def(*id).kind {
                TypeKind::Alias(inner) if self.is_foreign(inner) => {
                    return self.schema_at(inner, depth + 1);
                }
                _ => ty.clone(),
            },
            TypeRef::Primitive(_) => ty.clone(),
            TypeRef::Boxed(inner) => TypeRef::Boxed(inner_schema(inner)?),
            TypeRef::Vec(inner) => TypeRef::Vec(inner_schema(inner)?),
            TypeRef::Map(inner) => TypeRef::Map(inner_schema(inner)?),
            TypeRef::Option(inner) | TypeRef::Nullable(inner) => {
                TypeRef::Option(inner_schema(inner)?)
            }
            TypeRef::JsonText(inner) => TypeRef::JsonText(inner_schema(inner)?),
            TypeRef::Tuple(parts) => TypeRef::Tuple(all(parts)?),
            TypeRef::Prefix(prefix) => TypeRef::Prefix(Box::new(Prefix {
                required: all(&prefix.required)?,
                optional: all(&prefix.optional)?,
                rest: match &prefix.rest {
                    Some(rest) => Some(self.schema_at(rest, depth + 1)?),
                    None => None,
                },
            })),
        })
    }

    /// Returns the paths of the types of the user in place of the types of schemas, sorted and without
    /// duplicates.
    #[must_use]
    pub fn replacing_types(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.each_type(&mut |_, ty| {
            ty.leaves(&mut |leaf| {
                if let TypeRef::Replaced(replaced) = leaf {
                    found.insert(replaced.path.clone());
                }
            });
        });
        found
    }

    /// Returns `true` if a type is `String`, possibly through an alias.
    #[must_use]
    pub fn is_text(&self, ty: &TypeRef) -> bool {
        let mut ty = ty;
        for _ in 0..16 {
            match ty {
                TypeRef::Primitive(primitive) => return *primitive == Primitive::String,
                TypeRef::Named(id) => match &self.type_def(*id).kind {
                    TypeKind::Alias(inner) => ty = inner,
                    _ => return false,
                },
                _ => return false,
            }
        }
        false
    }
}

/// A wire name, with the Rust name that the `names` stage assigns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Name {
    /// The name in the document, or the words from which the Rust name is built.
    pub wire: String,
    /// The Rust identifier (possibly raw, `r#type`); empty until assigned.
    pub rust: String,
    /// A Rust name requested by the document (`x-enum-varnames`) or the configuration.
    pub wanted: Option<String>,
}

impl Name {
    /// Creates a name whose Rust name is built from `wire`.
    #[must_use]
    pub fn new(wire: impl Into<String>) -> Self {
        Self {
            wire: wire.into(),
            rust: String::new(),
            wanted: None,
        }
    }
}

/// The rustdoc of an item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doc {
    /// The text of the document, as written (CommonMark).
    pub text: Option<String>,
    /// Additional lines of the generator.
    pub notes: Vec<String>,
    /// Examples of the document as JSON, possibly truncated.
    pub examples: Vec<String>,
    /// The JSON pointer of the node, shown last if present.
    pub pointer: Option<String>,
    /// Whether the document marks the item as deprecated.
    pub deprecated: bool,
    /// The day after which the item may be removed (`x-sunset`), as `YYYY-MM-DD`.
    pub sunset: Option<String>,
}

/// A server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The name of its constant.
    pub name: Name,
    /// The URL, with variables in braces.
    pub url: String,
    /// The description, and the operations called at this server.
    pub doc: Doc,
    /// The variables of the URL: name, default, allowed values.
    pub variables: Vec<(String, String, Vec<String>)>,
    /// The indices of the operations that are called at the server. Empty for a server of the
    /// whole document.
    pub operations: Vec<usize>,
}

/// A tag that groups operations into one module and one server trait.
#[derive(Debug, Clone)]
pub struct Tag {
    /// The tag; its `rust` is the name of the module.
    pub name: Name,
    /// The name of the server trait.
    pub trait_name: String,
    /// The description of the tag.
    pub doc: Doc,
}

/// The module that defines a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Module {
    /// `types`, for reusable types.
    Types,
    /// The module of a tag, as an index into [`Api::tags`], for types of its operations.
    Tag(usize),
    /// The module of webhooks.
    Webhooks,
}
