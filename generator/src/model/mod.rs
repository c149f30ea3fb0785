//! The model of an OpenAPI document, independent of its dialect.
//!
//! `dialect` reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 into these types, in the shape of
//! OpenAPI 3.1 (`nullable` is a type, `exclusiveMinimum` is a number, a body is a request body).
//! Every `$ref` is resolved: a [`SchemaId`] points into [`Model::schemas`], and everything else is
//! inlined. The model makes no decisions; `lower` does.

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

/// A complete API description.
#[derive(Debug, Clone, Default)]
pub(crate) struct Model {
    /// The title, version and description of the API.
    pub info: Info,
    /// `servers`, or the `host`, `basePath` and `schemes` of Swagger 2.0.
    pub servers: Vec<Server>,
    /// The declared tags, in document order.
    pub tags: Vec<Tag>,
    /// All schemas; a [`SchemaId`] is an index into this arena.
    pub schemas: Vec<Schema>,
    /// The reusable schemas by name (`components/schemas`, `definitions`), in document order.
    pub named_schemas: Vec<(String, SchemaId)>,
    /// The other schemas to which references lead.
    pub pointed_schemas: Vec<Pointed>,
    /// The reusable responses by name, in document order.
    pub named_responses: Vec<(String, Response)>,
    /// All operations under `paths`, in document order.
    pub operations: Vec<Operation>,
    /// `webhooks` (OpenAPI 3.1) or `x-webhooks`: the key and its operations.
    pub webhooks: Vec<Webhook>,
    /// The security schemes by name, in document order.
    pub security_schemes: Vec<(String, SecurityScheme)>,
    /// The `x-` keys of the root.
    pub extensions: Extensions,
}

/// A schema without a name to which a reference leads, such as that of a property. It is named by its
/// place.
#[derive(Debug, Clone)]
pub(crate) struct Pointed {
    /// The schema.
    pub schema: SchemaId,
    /// The named schema that contains it.
    pub around: Option<SchemaId>,
    /// The words of the pointer, from `around` or from the root of the file.
    pub words: String,
}

/// The `x-` keys of an object, in document order.
pub(crate) type Extensions = Vec<(String, Value)>;

/// The index of a schema in [`Model::schemas`].
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

/// A server of the API.
#[derive(Debug, Clone)]
pub(crate) struct Server {
    /// The URL template.
    pub url: String,
    /// `name` (OpenAPI 3.2)
    pub name: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// The variables of the template: name, default, allowed values.
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
