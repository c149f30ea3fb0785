//! Operations: parameters, bodies, responses, webhooks.

use super::{Extensions, SchemaId, Server};
use crate::position::Origin;
use crate::source::Value;

/// One operation.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    /// Where it stands.
    pub origin: Origin,
    /// `operationId`
    pub id: Option<String>,
    /// HTTP method, upper case.
    pub method: String,
    /// The path template as the document writes it (with Swagger 2.0's `basePath` left to servers).
    pub path: String,
    /// `summary`
    pub summary: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `tags`
    pub tags: Vec<String>,
    /// `deprecated`
    pub deprecated: bool,
    /// `servers` of the operation or of its path item; empty where those of the root hold.
    pub servers: Vec<Server>,
    /// Parameters of the operation and of its path item; the operation's own win.
    pub parameters: Vec<Parameter>,
    /// `requestBody`
    pub body: Option<RequestBody>,
    /// `responses`, in the document's order.
    pub responses: Vec<Response>,
    /// Effective security: alternatives (OR) of combinations (AND). `None`: nothing is stated
    /// anywhere. `Some(vec![])`: stated as none.
    pub security: Option<Vec<SecurityRequirement>>,
    /// `callbacks`: the name, the runtime expression, and the operation the client answers.
    pub callbacks: Vec<(String, String, Operation)>,
    /// `x-` keys.
    pub extensions: Extensions,
}

/// One alternative of `security`: every scheme named here is needed. Empty: anonymous is fine.
pub(crate) type SecurityRequirement = Vec<(String, Vec<String>)>;

/// Where a parameter travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Location {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// The whole query is one value (OpenAPI 3.2).
    QueryString,
    /// In a header.
    Header,
    /// In the `Cookie` header.
    Cookie,
}

/// How a parameter's value is written.
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
    /// Tab separated (Swagger 2.0's `tsv`).
    TabDelimited,
    /// `cookie` (OpenAPI 3.2)
    Cookie,
}

/// One parameter.
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    /// Where it stands.
    pub origin: Origin,
    /// `name`
    pub name: String,
    /// `in`
    pub location: Location,
    /// `description`
    pub description: Option<String>,
    /// `required`; always true in a path.
    pub required: bool,
    /// `deprecated`
    pub deprecated: bool,
    /// `style`, with the location's default filled in.
    pub style: Style,
    /// `explode`, with the style's default filled in.
    pub explode: bool,
    /// `allowReserved`
    pub allow_reserved: bool,
    /// `allowEmptyValue`
    pub allow_empty: bool,
    /// `schema`
    pub schema: Option<SchemaId>,
    /// The one entry of `content`, when the parameter is serialised by media type.
    pub content: Option<MediaType>,
    /// `example` and `examples`, the first of them, as far as they are shown.
    pub examples: Vec<String>,
    /// Name of the reusable parameter that it is a reference to.
    pub reusable: Option<String>,
    /// `x-` keys.
    pub extensions: Extensions,
}

/// `requestBody`
#[derive(Debug, Clone)]
pub(crate) struct RequestBody {
    /// Where it stands.
    pub origin: Origin,
    /// `description`
    pub description: Option<String>,
    /// `required`
    pub required: bool,
    /// `content`, in the document's order.
    pub content: Vec<MediaType>,
    /// Name of the reusable body that it is a reference to.
    pub reusable: Option<String>,
}

/// One entry of `content`.
#[derive(Debug, Clone)]
pub(crate) struct MediaType {
    /// Where it stands.
    pub origin: Origin,
    /// The media type or range, as written.
    pub name: String,
    /// `schema`
    pub schema: Option<SchemaId>,
    /// `itemSchema` (OpenAPI 3.2)
    pub item_schema: Option<SchemaId>,
    /// `encoding`, by property.
    pub encoding: Vec<(String, Encoding)>,
    /// `examples` by name; a lone `example` has the empty name.
    pub examples: Vec<(String, Value)>,
    /// `x-` keys.
    pub extensions: Extensions,
}

/// One entry of `encoding`.
#[derive(Debug, Clone)]
pub(crate) struct Encoding {
    /// `contentType`
    pub content_type: Option<String>,
    /// `headers`
    pub headers: Vec<Header>,
    /// `style`
    pub style: Option<Style>,
    /// `explode`
    pub explode: Option<bool>,
    /// `allowReserved`
    pub allow_reserved: bool,
}

/// Which statuses a response stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum StatusSpec {
    /// One status.
    Code(u16),
    /// A range by its first digit: `2XX` is 2.
    Range(u8),
    /// `default`
    Default,
}

/// One response.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    /// Where it stands (at the operation, not at what it refers to).
    pub origin: Origin,
    /// Name of the response among the reusable ones of the root document it refers to.
    pub component: Option<String>,
    /// Name of the reusable response that it is a reference to, in whichever file that stands.
    pub reusable: Option<String>,
    /// The status key.
    pub status: StatusSpec,
    /// `description`
    pub description: Option<String>,
    /// `headers`, in the document's order.
    pub headers: Vec<Header>,
    /// `content`, in the document's order.
    pub content: Vec<MediaType>,
    /// `links`
    pub links: Vec<Link>,
    /// `x-` keys.
    pub extensions: Extensions,
}

/// One response header.
#[derive(Debug, Clone)]
pub(crate) struct Header {
    /// Where it stands.
    pub origin: Origin,
    /// Its name.
    pub name: String,
    /// `description`
    pub description: Option<String>,
    /// `required`
    pub required: bool,
    /// `simple`, or what Swagger 2.0's `collectionFormat` says.
    pub style: Style,
    /// `explode`
    pub explode: bool,
    /// `schema`
    pub schema: Option<SchemaId>,
    /// The one entry of `content`.
    pub content: Option<MediaType>,
    /// Name of the reusable header that it is a reference to.
    pub reusable: Option<String>,
}

/// One link of a response.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    /// Where it stands.
    pub origin: Origin,
    /// Its name.
    pub name: String,
    /// `operationId`
    pub operation_id: Option<String>,
    /// `operationRef`
    pub operation_ref: Option<String>,
    /// `parameters`: name and value or runtime expression.
    pub parameters: Vec<(String, Value)>,
    /// `description`
    pub description: Option<String>,
    /// `x-` keys.
    pub extensions: Extensions,
}

/// One webhook: the name under `webhooks`, and one operation a method.
#[derive(Debug, Clone)]
pub(crate) struct Webhook {
    /// The key under `webhooks`.
    pub name: String,
    /// Its operation; `path` is empty.
    pub operation: Operation,
}
