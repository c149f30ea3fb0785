//! The one model of an OpenAPI document, whatever its dialect.
//!
//! `dialect` reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 into these types, in the shape of
//! OpenAPI 3.1 (`nullable` is a type, `exclusiveMinimum` is a number, a body is a request body).
//! Every `$ref` is bound: a [`SchemaId`] points into [`Model::schemas`], everything else is
//! inlined. Nothing is decided here; `lower` decides.

mod operation;
mod schema;
mod security;

pub(crate) use operation::{
    Encoding, Header, Link, Location, MediaType, Operation, Parameter, RequestBody, Response,
    SecurityRequirement, StatusSpec, Style, Webhook,
};
pub(crate) use schema::{Constraints, Discriminator, RequiredGroups, Schema, Types};
pub(crate) use security::{OAuthFlow, SecurityKind, SecurityScheme};

use crate::source::Value;

/// A whole API description.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    /// Title, version and description of the API.
    pub info: Info,
    /// `servers`, or what Swagger 2.0 says with `host`, `basePath` and `schemes`.
    pub servers: Vec<Server>,
    /// Declared tags, in the document's order.
    pub tags: Vec<Tag>,
    /// All schemas; a [`SchemaId`] is an index into this arena.
    pub schemas: Vec<Schema>,
    /// Reusable schemas by name (`components/schemas`, `definitions`), in the document's order.
    pub named_schemas: Vec<(String, SchemaId)>,
    /// Reusable responses by name, in the document's order.
    pub named_responses: Vec<(String, Response)>,
    /// All operations under `paths`, in the document's order.
    pub operations: Vec<Operation>,
    /// OpenAPI 3.1 `webhooks` (or `x-webhooks`): the key and its operations.
    pub webhooks: Vec<Webhook>,
    /// Security schemes by name, in the document's order.
    pub security_schemes: Vec<(String, SecurityScheme)>,
    /// `x-` keys of the root.
    pub extensions: Extensions,
}

/// `x-` keys of an object, in the document's order.
pub(crate) type Extensions = Vec<(String, Value)>;

/// Index of a schema in [`Model::schemas`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SchemaId(pub u32);

/// The `info` object.
#[derive(Debug, Clone, Default)]
pub(crate) struct Info {
    /// `title`
    pub title: String,
    /// `version`
    pub version: String,
    /// `summary`
    pub summary: Option<String>,
    /// `description`
    pub description: Option<String>,
}

/// A server the API is offered at.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    /// The URL template.
    pub url: String,
    /// `name` (OpenAPI 3.2)
    pub name: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// Variables of the template: name, default, allowed values.
    pub variables: Vec<(String, String, Vec<String>)>,
}

/// A declared tag.
#[derive(Debug, Clone)]
pub(crate) struct Tag {
    /// `name`
    pub name: String,
    /// `description`
    pub description: Option<String>,
    /// `parent` (OpenAPI 3.2)
    pub parent: Option<String>,
}
