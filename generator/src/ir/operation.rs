//! Operations: requests, responses, security.

use super::{Doc, Name, Rule, TypeRef};
use crate::source::Origin;

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

/// One operation, or one webhook.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Where it stands.
    pub origin: Origin,
    /// The `operationId`, or what stands in for it; `rust` is the method name.
    pub name: Name,
    /// Base of its type names: `{base}Request`, `{base}Response`, `{base}Error`.
    pub base: String,
    /// Index into [`super::Api::tags`]; webhooks have none.
    pub tag: Option<usize>,
    /// HTTP method, upper case.
    pub method: String,
    /// Path template.
    pub path: String,
    /// Where it is served, when that is elsewhere than the rest: a URL, which may be relative.
    pub server: Option<String>,
    /// The template by segments, for the router.
    pub segments: Vec<Segment>,
    /// Its rustdoc.
    pub doc: Doc,
    /// Parameters: those of the path first, in the template's order.
    pub params: Vec<Param>,
    /// Request body.
    pub body: Option<Body>,
    /// Responses that are a success: 1xx to 3xx, and `default` when nothing else is.
    pub successes: Vec<Response>,
    /// Responses that are an error.
    pub errors: Vec<Response>,
    /// Alternatives of combinations of schemes; empty: anonymous.
    pub security: Vec<Vec<Requirement>>,
    /// The task this operation starts.
    pub task: Option<Task>,
}

/// A piece of a path template between slashes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Segment {
    /// Literal text, percent-decoded.
    Static(String),
    /// Exactly one variable.
    Variable(String),
    /// Text and variables mixed, as the template writes it.
    Mixed(String),
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct Param {
    /// Where it stands.
    pub origin: Origin,
    /// Its name; `rust` is the field.
    pub name: Name,
    /// Where it travels.
    pub place: Place,
    /// Deviations from the place's default style.
    pub style: Vec<StyleWord>,
    /// Its whole type, presence included.
    pub ty: TypeRef,
    /// Whether it may be absent.
    pub optional: bool,
    /// Its rustdoc.
    pub doc: Doc,
    /// What is asked of its value.
    pub rules: Vec<Rule>,
}

/// Where a parameter travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are OpenAPI's `in`")]
pub enum Place {
    Path,
    Query,
    QueryString,
    Header,
    Cookie,
}

/// A word that changes how a parameter is written; the runtime's `Style` has a method of each name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are OpenAPI's `style`")]
pub enum StyleWord {
    Simple,
    Label,
    Matrix,
    Form,
    Space,
    Pipe,
    Tab,
    Deep,
    /// `style: cookie` (OpenAPI 3.2): nothing is encoded.
    Cookie,
    /// `explode: true` where the default is false.
    Explode,
    /// `explode: false` where the default is true.
    Flat,
    /// `allowReserved`
    Reserved,
    /// Serialised as JSON (`content`).
    Json,
}

/// A request body.
#[derive(Debug, Clone)]
pub struct Body {
    /// What it holds.
    pub payload: Payload,
    /// Its field.
    pub name: Name,
    /// Whether it may be absent.
    pub optional: bool,
    /// Its rustdoc.
    pub doc: Doc,
}

/// What a body holds.
#[derive(Debug, Clone)]
pub enum Payload {
    /// One type, written as the first media type.
    One(Media),
    /// Several types by media type: an enum with this name and these variants.
    Many(Name, Vec<(Name, Media)>),
}

/// A media type and what travels as it.
#[derive(Debug, Clone)]
pub struct Media {
    /// The media type as it is written on the wire; a range where the value says which.
    pub name: String,
    /// Further ones that are taken for the same.
    pub also: Vec<String>,
    /// How it is coded.
    pub codec: Codec,
    /// What it holds.
    pub ty: TypeRef,
    /// How single properties are written, of a form or of parts.
    pub parts: Vec<Part>,
    /// What is asked of it, in a request.
    pub rules: Vec<Rule>,
}

/// How a property of a form or of a multipart body is written, where it is not as all are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The property.
    pub name: String,
    /// Its media types with commas between; the first is what is sent.
    pub media: Option<String>,
    /// Its style.
    pub style: Vec<StyleWord>,
    /// What it holds.
    pub shape: PartShape,
}

/// What a property holds, as far as its style asks for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartShape {
    /// One value.
    Value,
    /// Several.
    List,
    /// An object with these properties.
    Object(Vec<String>),
}

/// How a body is coded; the runtime has a method of each name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are named for the media types")]
pub enum Codec {
    Json,
    Form,
    Multipart,
    Text,
    /// Bytes, all at once.
    Bytes,
    /// Bytes, which may come in pieces.
    Chunks,
    /// Items of JSON, a line each.
    Lines,
    /// Items of JSON, as RFC 7464 has them.
    Sequence,
    /// Server-sent events; the type is that of their data.
    Events,
}

impl Codec {
    /// Whether the body comes item by item.
    #[must_use]
    pub const fn is_items(self) -> bool {
        matches!(self, Self::Lines | Self::Sequence | Self::Events)
    }

    /// Whether the body is read as it comes.
    #[must_use]
    pub const fn is_stream(self) -> bool {
        self.is_items() || matches!(self, Self::Chunks)
    }
}

impl Media {
    /// All media types that are taken.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let also = self.also.iter().map(String::as_str);
        std::iter::once(self.name.as_str()).chain(also)
    }

    /// All of them as one text, with commas between.
    #[must_use]
    pub fn key(&self) -> String {
        self.names().collect::<Vec<_>>().join(", ")
    }
}

/// A documented response.
#[derive(Debug, Clone)]
pub struct Response {
    /// Where it stands.
    pub origin: Origin,
    /// Which statuses.
    pub status: StatusSpec,
    /// Its variant.
    pub name: Name,
    /// Typed headers.
    pub headers: Vec<Header>,
    /// Its body.
    pub payload: Option<Payload>,
    /// Its rustdoc.
    pub doc: Doc,
    /// How to reach the error code in its body: field names, and whether each may be absent.
    pub code_path: Option<Vec<(usize, bool)>>,
}

/// A documented response header.
#[derive(Debug, Clone)]
pub struct Header {
    /// Its name; `rust` is the field.
    pub name: Name,
    /// How it is written, where that is not as all are: `simple`, not exploded.
    pub style: Vec<StyleWord>,
    /// Its whole type, presence included.
    pub ty: TypeRef,
    /// Whether it may be absent.
    pub optional: bool,
    /// Its rustdoc.
    pub doc: Doc,
}

/// One scheme that a combination needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// Name of the scheme in the document.
    pub scheme: String,
    /// Scopes that are needed.
    pub scopes: Vec<String>,
}

/// A security scheme.
#[derive(Debug, Clone)]
pub struct Scheme {
    /// Its name; `rust` is the field of the credentials.
    pub name: Name,
    /// What it is.
    pub kind: SchemeKind,
    /// Its rustdoc.
    pub doc: Doc,
    /// Where a client gets its token by itself: OAuth 2.0 with client credentials.
    pub token: Option<TokenFlow>,
}

/// How a client gets a token with its own credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenFlow {
    /// The `tokenUrl`.
    pub url: String,
    /// JSON pointer of the object that holds the members of the answer; empty for its root.
    pub envelope: String,
    /// How the client says who it is, when it obtains a pair and when it refreshes one; `None` for
    /// the way of RFC 6749.
    pub authentication: Option<(ClientAuthentication, ClientAuthentication)>,
    /// JSON pointer of the code in a 401, and the codes that another token does not cure.
    pub incurable: Option<(String, Vec<String>)>,
}

/// How a client says who it is to a token endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientAuthentication {
    /// HTTP Basic.
    Basic,
    /// A header with the client's id.
    IdHeader(String),
}

/// What a client needs for a scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemeKind {
    /// User and password.
    Basic,
    /// A bearer token: `http` bearer, OAuth2, OpenID Connect.
    Bearer,
    /// `Authorization` with another scheme word.
    Http(String),
    /// A key in a header of this name.
    Header(String),
    /// A key in a query parameter of this name.
    Query(String),
    /// A key in a cookie of this name.
    Cookie(String),
    /// Shown by the transport: a certificate (mutual TLS), or what the document does not declare.
    Transport,
}

/// How webhooks are delivered (`x-bothends-webhooks`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryRules {
    /// How long one call may take.
    pub timeout_seconds: u64,
    /// How often a call is made again after the first one.
    pub max_retries: u32,
    /// The statuses after which it is.
    pub retry_statuses: Vec<u16>,
}

/// What the server answers before or instead of a handler (`x-bothends-faults`).
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the fields are the faults of the guide")]
pub struct Faults {
    pub not_found: Option<Fault>,
    pub method_not_allowed: Option<Fault>,
    pub validation: Option<Fault>,
    pub unauthorized: Option<Fault>,
    pub forbidden: Option<Fault>,
    pub not_acceptable: Option<Fault>,
    pub unsupported_media_type: Option<Fault>,
    pub too_large: Option<Fault>,
    pub internal: Option<Fault>,
}

/// One such answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Status.
    pub status: u16,
    /// Media type.
    pub content_type: String,
    /// Body, as JSON text.
    pub body: String,
    /// JSON pointer of the map that receives field and message.
    pub fields: Option<String>,
}

/// The task that an operation starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// Index of the operation that tells its status.
    pub status_operation: usize,
    /// Parameter of that operation that takes the task's id.
    pub parameter: String,
    /// Parameters of that operation, and where their values are found; the first is the task's id.
    /// Empty when the document does not tell.
    pub from: Vec<(Place, String, Expression)>,
    /// JSON pointer of the status in the answer to the status operation, when the document tells.
    pub status: Option<String>,
    /// Statuses that end it.
    pub terminal: Vec<String>,
    /// Webhooks that tell of its end, and the JSON pointers of its id in their bodies.
    pub webhooks: Vec<(String, String)>,
}

/// A runtime expression (OpenAPI 3.1.1, section 4.8.20.4), or a constant in place of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// No expression.
    Constant(String),
    /// `$url`
    Url,
    /// `$method`
    Method,
    /// `$statusCode`
    StatusCode,
    /// `$request.…`
    Request(Source),
    /// `$response.…`
    Response(Source),
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// `header.…`
    Header(String),
    /// `query.…`
    Query(String),
    /// `path.…`
    Path(String),
    /// `body`, with its JSON pointer.
    Body(String),
}

impl Payload {
    /// Its media types.
    #[must_use]
    pub fn media(&self) -> Vec<&Media> {
        match self {
            Self::One(media) => vec![media],
            Self::Many(_, variants) => variants.iter().map(|(_, media)| media).collect(),
        }
    }

    /// The same, to change them.
    #[must_use]
    pub fn media_mut(&mut self) -> Vec<&mut Media> {
        match self {
            Self::One(media) => vec![media],
            Self::Many(_, variants) => variants.iter_mut().map(|(_, media)| media).collect(),
        }
    }

    /// Calls `of` with the type of each media type.
    pub fn parts(&self, of: &mut dyn FnMut(&TypeRef)) {
        match self {
            Self::One(media) => of(&media.ty),
            Self::Many(_, variants) => variants.iter().for_each(|(_, media)| of(&media.ty)),
        }
    }
}

impl Operation {
    /// Calls `of` with the type of each parameter, header and body.
    pub fn parts(&self, of: &mut dyn FnMut(&TypeRef)) {
        self.params.iter().for_each(|param| of(&param.ty));
        if let Some(body) = &self.body {
            body.payload.parts(of);
        }
        self.successes
            .iter()
            .chain(&self.errors)
            .for_each(|response| response.parts(of));
    }
}

impl Response {
    /// Calls `of` with the type of each header and of the body.
    pub fn parts(&self, of: &mut dyn FnMut(&TypeRef)) {
        self.headers.iter().for_each(|header| of(&header.ty));
        if let Some(payload) = &self.payload {
            payload.parts(of);
        }
    }
}
