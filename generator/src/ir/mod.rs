//! The API as Rust will see it: every decision is taken, nothing is printed yet.
//!
//! `lower` builds an [`Api`] from the model, `names` fills in every [`Name::rust`], and `emit`
//! turns it into items by matching alone. Nothing in here knows of schemas or of tokens; the only
//! thing imported is where a node came from.

mod body;
mod operation;
mod outline;
mod rule;
mod security;
mod task;
mod traits;
mod types;
mod uses;
mod webhook;
mod webhook_rules;

pub use body::{Body, Codec, Content, Media, Part, PartShape, Payload};
pub use operation::{
    ErrorSet, FieldErrorFormat, FieldErrorPart, Header, Only, Operation, Param, Place, Rejection,
    RejectionBodies, Rejections, Response, Segment, StatusSpec, StyleWord,
};
pub use outline::Outline;
#[cfg(test)]
pub(crate) use outline::shown;
pub use rule::{Bound, Rule, Ruled};
pub use security::{ClientAuthentication, Requirement, Scheme, SchemeKind, TokenFlow};
pub use task::{Expression, Source, Task};
pub use traits::Traits;
pub use types::{
    DefaultValue, Field, Literal, LiteralEnum, LiteralVariant, Object, Parent, Prefix, Primitive,
    StringEnum, StringVariant, TypeDef, TypeId, TypeKind, TypeRef, Union, UnionVariant, Unknown,
    Writer,
};
pub use webhook::{Callback, UrlPart, Webhook};

pub use webhook_rules::{
    DeliveryRules, KeySigning, SigningRules, SubscriptionRules, TokenSigning, WebhookRules,
};

use crate::position::Origin;

/// One API, lowered.
#[derive(Debug, Clone, Default)]
pub struct Api {
    /// Title, for headings.
    pub title: String,
    /// Description of the API.
    pub doc: Doc,
    /// URL of the first server with its variables' defaults put in, if it is absolute.
    pub base_url: Option<String>,
    /// The servers of the document, its paths and its operations, each once; empty where
    /// `base_url` says as much.
    pub servers: Vec<Server>,
    /// Path of the first server, without a slash at its end; empty when it is the root.
    pub base_path: String,
    /// Every type; a [`TypeId`] is an index.
    pub types: Vec<TypeDef>,
    /// Enums of media types of reusable bodies and responses, and where these stand; `types` defines them.
    pub contents: Vec<(Origin, Payload)>,
    /// Operations under `paths`, in the document's order.
    pub operations: Vec<Operation>,
    /// Documented errors that are a type of their own, by name.
    pub error_sets: Vec<ErrorSet>,
    /// Operations under `webhooks`, in the document's order; their `path` is empty.
    pub webhooks: Vec<Operation>,
    /// Tags that own at least one operation: those that the document lists in its order, then the others
    /// by name.
    pub tags: Vec<Tag>,
    /// Security schemes that some operation names, in the document's order.
    pub schemes: Vec<Scheme>,
    /// What the server answers before or instead of a handler.
    pub rejection_bodies: RejectionBodies,
    /// The responses that handlers and authenticators may name, in the document's order.
    pub rejections: Vec<Rejections>,
    /// What the document says of all its webhooks.
    pub webhook_rules: WebhookRules,
    /// The enum of error codes, when the document has one.
    pub error_code: Option<TypeId>,
}

impl Api {
    /// The definition behind an id.
    #[must_use]
    pub fn type_def(&self, id: TypeId) -> &TypeDef {
        &self.types[id.0 as usize]
    }

    /// Whether a type is, or holds, one of the user's own, also under another name.
    #[must_use]
    pub fn is_foreign(&self, ty: &TypeRef) -> bool {
        let mut foreign = false;
        ty.each_custom(&mut |_| foreign = true);
        if foreign {
            return true;
        }
        let mut ty = ty;
        for _ in 0..16 {
            match ty {
                TypeRef::Boxed(inner)
                | TypeRef::Vec(inner)
                | TypeRef::Option(inner)
                | TypeRef::Map(inner)
                | TypeRef::Nullable(inner) => ty = inner,
                TypeRef::Named(id) => match &self.type_def(*id).kind {
                    TypeKind::Alias(inner) => {
                        inner.each_custom(&mut |_| foreign = true);
                        ty = inner;
                    }
                    _ => return foreign,
                },
                _ => return foreign,
            }
        }
        foreign
    }

    /// Whether a type is `String`, also under another name.
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

/// A name on the wire, and the Rust name the `names` stage gives it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Name {
    /// What the document calls it, or the words a name is to be made of.
    pub wire: String,
    /// The Rust identifier (may be raw, `r#type`); empty until named.
    pub rust: String,
    /// A Rust name asked for by the document (`x-enum-varnames`) or by configuration.
    pub wanted: Option<String>,
}

impl Name {
    /// A name to be made from `wire`.
    #[must_use]
    pub fn new(wire: impl Into<String>) -> Self {
        Self {
            wire: wire.into(),
            rust: String::new(),
            wanted: None,
        }
    }
}

/// What ends up as rustdoc.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doc {
    /// The document's own text, as written (CommonMark).
    pub text: Option<String>,
    /// Lines of ours that follow it.
    pub notes: Vec<String>,
    /// Examples of the document, as JSON that may be cut off.
    pub examples: Vec<String>,
    /// JSON pointer of the node, shown last when it is set.
    pub pointer: Option<String>,
    /// The document marks it as deprecated.
    pub deprecated: bool,
}

/// A server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// What its constant is called.
    pub name: Name,
    /// The URL, with variables in braces.
    pub url: String,
    /// Its description, and who is called there.
    pub doc: Doc,
    /// Variables that the URL has: name, default, allowed values.
    pub variables: Vec<(String, String, Vec<String>)>,
}

/// A tag that groups operations: one module, one server trait.
#[derive(Debug, Clone)]
pub struct Tag {
    /// The tag; its `rust` is the module name.
    pub name: Name,
    /// Name of the server trait.
    pub trait_name: String,
    /// Description of the tag.
    pub doc: Doc,
}

/// Where a type is defined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Module {
    /// Reusable types: `types`.
    Types,
    /// Types that belong to the operations of one tag: an index into [`Api::tags`].
    Tag(usize),
    /// Types that belong to webhooks.
    Webhooks,
}
