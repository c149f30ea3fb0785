//! The one model of an OpenAPI document, whatever its dialect.
//!
//! `dialect` reads Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 into these types, in the shape of
//! OpenAPI 3.1 (`nullable` is a type, `exclusiveMinimum` is a number, a body is a request body).
//! Every `$ref` is bound: a [`SchemaId`] points into [`Model::schemas`], everything else is
//! inlined. Nothing is decided here; `lower` decides.

use crate::source::{Origin, Value};

/// A whole API description.
#[derive(Debug, Clone, Default)]
pub struct Model {
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
pub type Extensions = Vec<(String, Value)>;

/// Index of a schema in [`Model::schemas`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SchemaId(pub u32);

/// The `info` object.
#[derive(Debug, Clone, Default)]
pub struct Info {
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
pub struct Server {
    /// The URL template.
    pub url: String,
    /// `description`
    pub description: Option<String>,
    /// Variables of the template: name, default, allowed values.
    pub variables: Vec<(String, String, Vec<String>)>,
}

/// A declared tag.
#[derive(Debug, Clone)]
pub struct Tag {
    /// `name`
    pub name: String,
    /// `description`
    pub description: Option<String>,
    /// `parent` (OpenAPI 3.2)
    pub parent: Option<String>,
}

/// Set of JSON types a schema allows by its `type` keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Types(pub u8);

impl Types {
    /// No `type` keyword: everything is allowed.
    pub const UNSTATED: Self = Self(0);
    /// `null`
    pub const NULL: Self = Self(1);
    /// `boolean`
    pub const BOOLEAN: Self = Self(2);
    /// `integer`
    pub const INTEGER: Self = Self(4);
    /// `number`
    pub const NUMBER: Self = Self(8);
    /// `string`
    pub const STRING: Self = Self(16);
    /// `array`
    pub const ARRAY: Self = Self(32);
    /// `object`
    pub const OBJECT: Self = Self(64);

    /// Whether every type of `other` is in the set.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
    /// Both sets together.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
    /// The set without the types of `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
    /// Whether the keyword is absent.
    #[must_use]
    pub const fn is_unstated(self) -> bool {
        self.0 == 0
    }
    /// How many types the set holds.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }
    /// The type of a keyword value, if it is one.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }
}

/// A schema object. A pure `$ref` never becomes a `Schema`: its users hold the target's id.
#[derive(Debug, Clone, Default)]
pub struct Schema {
    /// Where it stands.
    pub origin: Origin,
    /// Component name, when it is a direct entry of a section of reusable schemas.
    pub name: Option<String>,
    /// What it could be called: the last step of the reference to it, or the name of its file.
    /// Only for schemas that references lead to and that have no `name`.
    pub suggested_name: Option<String>,
    /// Target of a `$ref` whose siblings mean something in this dialect; the siblings are the
    /// other fields of this value.
    pub reference: Option<SchemaId>,
    /// `true` or `false` instead of an object.
    pub boolean: Option<bool>,
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `type`, with OpenAPI 3.0's `nullable` folded in where a `type` is stated.
    pub types: Types,
    /// `nullable` / `x-nullable` was true, with or without a `type`.
    pub nullable: bool,
    /// `format`
    pub format: Option<String>,
    /// `enum`
    pub enumeration: Option<Vec<Value>>,
    /// `const`
    pub constant: Option<Value>,
    /// `default`
    pub default: Option<Value>,
    /// `allOf`
    pub all_of: Vec<SchemaId>,
    /// `anyOf`
    pub any_of: Vec<SchemaId>,
    /// `oneOf`
    pub one_of: Vec<SchemaId>,
    /// `not`
    pub not: Option<SchemaId>,
    /// `discriminator`
    pub discriminator: Option<Discriminator>,
    /// `properties`, in the document's order.
    pub properties: Vec<(String, SchemaId)>,
    /// `required`
    pub required: Vec<String>,
    /// `additionalProperties`; a boolean is a boolean schema.
    pub additional_properties: Option<SchemaId>,
    /// `unevaluatedProperties: false`, or `true` for anything else that was stated.
    pub unevaluated_properties: Option<bool>,
    /// `patternProperties`
    pub pattern_properties: Vec<(String, SchemaId)>,
    /// `items`
    pub items: Option<SchemaId>,
    /// `prefixItems`
    pub prefix_items: Vec<SchemaId>,
    /// Bounds and patterns.
    pub constraints: Constraints,
    /// `readOnly`
    pub read_only: bool,
    /// `writeOnly`
    pub write_only: bool,
    /// `deprecated`
    pub deprecated: bool,
    /// `contentEncoding`
    pub content_encoding: Option<String>,
    /// `contentMediaType`
    pub content_media_type: Option<String>,
    /// `x-` keys.
    pub extensions: Extensions,
}

/// Constraints that do not change the Rust shape of a value.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Constraints {
    /// `minimum`; beside it whether the bound itself is excluded.
    pub minimum: Option<(Value, bool)>,
    /// `maximum`; beside it whether the bound itself is excluded.
    pub maximum: Option<(Value, bool)>,
    /// `multipleOf`
    pub multiple_of: Option<Value>,
    /// `minLength`, in characters
    pub min_length: Option<u64>,
    /// `maxLength`, in characters
    pub max_length: Option<u64>,
    /// `pattern`
    pub pattern: Option<String>,
    /// `minItems`
    pub min_items: Option<u64>,
    /// `maxItems`
    pub max_items: Option<u64>,
    /// `uniqueItems`
    pub unique_items: bool,
    /// `minProperties`
    pub min_properties: Option<u64>,
    /// `maxProperties`
    pub max_properties: Option<u64>,
}

/// `discriminator`
#[derive(Debug, Clone)]
pub struct Discriminator {
    /// `propertyName`
    pub property: String,
    /// `mapping`: the tag value, and the schema it names (`None` when it names nothing).
    pub mapping: Vec<(String, Option<SchemaId>)>,
    /// `defaultMapping` (OpenAPI 3.2): the schema of values whose tag is absent or not known.
    pub default: Option<SchemaId>,
}

/// One operation.
#[derive(Debug, Clone)]
pub struct Operation {
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
pub type SecurityRequirement = Vec<(String, Vec<String>)>;

/// Where a parameter travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
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
pub enum Style {
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
pub struct Parameter {
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
    /// `x-` keys.
    pub extensions: Extensions,
}

/// `requestBody`
#[derive(Debug, Clone)]
pub struct RequestBody {
    /// Where it stands.
    pub origin: Origin,
    /// `description`
    pub description: Option<String>,
    /// `required`
    pub required: bool,
    /// `content`, in the document's order.
    pub content: Vec<MediaType>,
}

/// One entry of `content`.
#[derive(Debug, Clone)]
pub struct MediaType {
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
}

/// One entry of `encoding`.
#[derive(Debug, Clone)]
pub struct Encoding {
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
pub enum StatusSpec {
    /// One status.
    Code(u16),
    /// A range by its first digit: `2XX` is 2.
    Range(u8),
    /// `default`
    Default,
}

/// One response.
#[derive(Debug, Clone)]
pub struct Response {
    /// Where it stands (at the operation, not at what it refers to).
    pub origin: Origin,
    /// Name of the reusable response it refers to.
    pub component: Option<String>,
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
pub struct Header {
    /// Where it stands.
    pub origin: Origin,
    /// Its name.
    pub name: String,
    /// `description`
    pub description: Option<String>,
    /// `required`
    pub required: bool,
    /// `explode`
    pub explode: bool,
    /// `schema`
    pub schema: Option<SchemaId>,
    /// The one entry of `content`.
    pub content: Option<MediaType>,
}

/// One link of a response.
#[derive(Debug, Clone)]
pub struct Link {
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
pub struct Webhook {
    /// The key under `webhooks`.
    pub name: String,
    /// Its operation; `path` is empty.
    pub operation: Operation,
}

/// One security scheme.
#[derive(Debug, Clone)]
pub struct SecurityScheme {
    /// Where it stands.
    pub origin: Origin,
    /// `description`
    pub description: Option<String>,
    /// `deprecated` (OpenAPI 3.2)
    pub deprecated: bool,
    /// What kind of credential.
    pub kind: SecurityKind,
    /// `x-` keys.
    pub extensions: Extensions,
}

/// Kinds of security schemes.
#[derive(Debug, Clone)]
pub enum SecurityKind {
    /// `http` with `basic`
    Basic,
    /// `http` with `bearer`, and its `bearerFormat`
    Bearer(Option<String>),
    /// `http` with any other scheme
    Http(String),
    /// `apiKey`: where, and under which name
    ApiKey(Location, String),
    /// `oauth2`, with its flows
    OAuth2(Vec<OAuthFlow>),
    /// `openIdConnect`, with its discovery URL
    OpenIdConnect(String),
    /// `mutualTLS`
    MutualTls,
}

/// One OAuth2 flow.
#[derive(Debug, Clone)]
pub struct OAuthFlow {
    /// `clientCredentials`, `authorizationCode`, `password`, `implicit`, `deviceAuthorization`
    pub name: String,
    /// `authorizationUrl`
    pub authorization_url: Option<String>,
    /// `tokenUrl`
    pub token_url: Option<String>,
    /// `refreshUrl`
    pub refresh_url: Option<String>,
    /// `deviceAuthorizationUrl` (OpenAPI 3.2)
    pub device_authorization_url: Option<String>,
    /// Scopes and their descriptions.
    pub scopes: Vec<(String, String)>,
}
