//! Operations: parameters, bodies, responses, webhooks.

use super::{Extensions, SchemaId, Server};
use crate::position::Origin;
use crate::source::Value;

/// An operation.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    /// The position in the document.
    pub origin: Origin,
    /// `operationId`
    pub id: Option<String>,
    /// The name of the reusable callback that contains the operation.
    pub reusable: Option<String>,
    /// The HTTP method in upper case.
    pub method: String,
    /// The path template of the document (without the `basePath` of Swagger 2.0, which belongs to
    /// the servers).
    pub path: String,
    /// `summary`
    pub summary: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `tags`
    pub tags: Vec<String>,
    /// `deprecated`
    pub deprecated: bool,
    /// `servers` of the operation or its path item; empty if the servers of the root apply.
    pub servers: Vec<Server>,
    /// The parameters of the operation and its path item; parameters of the operation take
    /// precedence.
    pub parameters: Vec<Parameter>,
    /// `requestBody`
    pub body: Option<RequestBody>,
    /// `responses`, in document order.
    pub responses: Vec<Response>,
    /// The effective security: alternatives (OR) of combinations (AND). `None` if the document
    /// states no security. `Some(vec![])` if the document states that no security is required.
    pub security: Option<Vec<SecurityRequirement>>,
    /// The position of each alternative of `security`.
    pub security_at: Vec<Origin>,
    /// `callbacks`: the name, the runtime expression, and the operation that the client serves.
    pub callbacks: Vec<(String, String, Operation)>,
    /// The `x-` keys.
    pub extensions: Extensions,
}

/// An alternative of `security`, which requires all of its schemes. An empty alternative allows
/// anonymous requests.
pub(crate) type SecurityRequirement = Vec<(String, Vec<String>)>;

/// The location of a parameter in the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Location {
    /// The path.
    Path,
    /// The query.
    Query,
    /// The whole query as one value (OpenAPI 3.2).
    QueryString,
    /// A header.
    Header,
    /// The `Cookie` header.
    Cookie,
}

/// The serialization style of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Style {
    /// `simple`
    Simple,
    /// `label`
    Label,
    /// `matrix`
    Matrix,
    /// `form`
    Form,
    /// `spaceDelimited`
    SpaceDelimited,
    /// `pipeDelimited`
    PipeDelimited,
    /// `deepObject`
    DeepObject,
    /// Tab-separated (`tsv` of Swagger 2.0).
    TabDelimited,
    /// `cookie` (OpenAPI 3.2)
    Cookie,
}

/// A parameter.
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    /// The position in the document.
    pub origin: Origin,
    /// `name`
    pub name: String,
    /// `in`
    pub location: Location,
    /// `description`
    pub description: Option<String>,
    /// `required`; always true for path parameters.
    pub required: bool,
    /// `deprecated`
    pub deprecated: bool,
    /// `style`, or the default of the location.
    pub style: Style,
    /// `explode`, or the default of the style.
    pub explode: bool,
    /// `allowReserved`
    pub allow_reserved: bool,
    /// `allowEmptyValue`
    pub allow_empty: bool,
    /// `schema`
    pub schema: Option<SchemaId>,
    /// The single entry of `content`, if the parameter is serialized by media type.
    pub content: Option<MediaType>,
    /// The first of `example` and `examples`, as shown in docs.
    pub examples: Vec<String>,
    /// The name of the reusable parameter, if the parameter is a reference, or a name made of the
    /// path and the parameter, if the parameter belongs to all operations of a path.
    pub reusable: Option<String>,
    /// The `x-` keys.
    pub extensions: Extensions,
}

/// `requestBody`
#[derive(Debug, Clone)]
pub(crate) struct RequestBody {
    /// The position in the document.
    pub origin: Origin,
    /// `description`
    pub description: Option<String>,
    /// `required`
    pub required: bool,
    /// `content`, in document order.
    pub content: Vec<MediaType>,
    /// The name of the reusable body, if the body is a reference, or the words of the path, if the
    /// body belongs to all operations of a path (Swagger 2.0).
    pub reusable: Option<String>,
}

/// An entry of `content`.
#[derive(Debug, Clone)]
pub(crate) struct MediaType {
    /// The position in the document.
    pub origin: Origin,
    /// The media type or range, as written.
    pub name: String,
    /// `schema`
    pub schema: Option<SchemaId>,
    /// `itemSchema` (OpenAPI 3.2)
    pub item_schema: Option<SchemaId>,
    /// `encoding`, by property.
    pub encoding: Vec<(String, Encoding)>,
    /// `examples` by name; a single `example` has an empty name.
    pub examples: Vec<(String, Value)>,
    /// The `x-` keys.
    pub extensions: Extensions,
}

/// An entry of `encoding`.
#[derive(Debug, Clone)]
pub(crate) struct Encoding {
    /// `contentType`
    pub content_type: Option<String>,
    /// Whether `contentType` is that of a whole list, and not of each of its items.
    pub whole: bool,
    /// `headers`
    pub headers: Vec<Header>,
    /// `style`
    pub style: Option<Style>,
    /// `explode`
    pub explode: Option<bool>,
    /// `allowReserved`
    pub allow_reserved: bool,
}

/// The statuses of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum StatusSpec {
    /// A single status.
    Code(u16),
    /// A range, given by its first digit: `2XX` is 2.
    Range(u8),
    /// `default`
    Default,
}

/// A response.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    /// The position in the document (at the operation, not at the target of a reference).
    pub origin: Origin,
    /// The name of the reusable response of the root document, if the response is a reference.
    pub component: Option<String>,
    /// The name of the reusable response in any file, if the response is a reference.
    pub reusable: Option<String>,
    /// The status key.
    pub status: StatusSpec,
    /// `description`
    pub description: Option<String>,
    /// `headers`, in document order.
    pub headers: Vec<Header>,
    /// `content`, in document order.
    pub content: Vec<MediaType>,
    /// `links`
    pub links: Vec<Link>,
    /// The `x-` keys.
    pub extensions: Extensions,
}

/// A response header.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    /// The position in the document.
    pub origin: Origin,
    /// The name.
    pub name: String,
    /// `description`
    pub description: Option<String>,
    /// `required`
    pub required: bool,
    /// `deprecated`
    pub deprecated: bool,
    /// `simple`, or the `collectionFormat` of Swagger 2.0.
    pub style: Style,
    /// `explode`
    pub explode: bool,
    /// `schema`
    pub schema: Option<SchemaId>,
    /// The single entry of `content`.
    pub content: Option<MediaType>,
    /// The name of the reusable header, if the header is a reference.
    pub reusable: Option<String>,
}

/// A link of a response.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// The position in the document.
    pub origin: Origin,
    /// The name.
    pub name: String,
    /// `operationId`
    pub operation_id: Option<String>,
    /// `operationRef`
    pub operation_ref: Option<String>,
    /// `parameters`: the name, and the value or runtime expression.
    pub parameters: Vec<(String, Value)>,
    /// `description`
    pub description: Option<String>,
    /// The `x-` keys.
    pub extensions: Extensions,
}

/// A webhook: the name under `webhooks`, and the operation of one method.
#[derive(Debug, Clone)]
pub(crate) struct Webhook {
    /// The key under `webhooks`.
    pub name: String,
    /// The operation; its `path` is empty.
    pub operation: Operation,
}
