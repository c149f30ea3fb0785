//! Operations: requests and responses.

use super::{
    Body, DefaultValue, Doc, Link, Name, Pages, Payload, Requirement, Retries, Rule, Stability,
    StatedLink, Task, TaskMethods, TypeRef, Webhook,
};
use crate::position::Origin;

/// The statuses of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StatusSpec {
    /// A single status.
    Code(u16),
    /// A range, given by its first digit: `2XX` is 2.
    Range(u8),
    /// `default`
    Default,
}

/// An operation or a webhook.
#[derive(Debug, Clone)]
pub struct Operation {
    /// The position in the document.
    pub origin: Origin,
    /// The `operationId` or its replacement; `rust` is the name of the method.
    pub name: Name,
    /// The base of its type names: `{base}Request`, `{base}Response`, `{base}Error`.
    pub base: String,
    /// The tags of the document.
    pub tags: Vec<String>,
    /// The index into [`super::Api::tags`]; `None` for webhooks.
    pub tag: Option<usize>,
    /// The HTTP method in upper case.
    pub method: String,
    /// The path template.
    pub path: String,
    /// The server of the operation, if different from the API's: a URL, possibly relative.
    pub server: Option<String>,
    /// The segments of the path template, for the router.
    pub segments: Vec<Segment>,
    /// The rustdoc.
    pub doc: Doc,
    /// The summary of the document, unless the description starts with it.
    pub summary: Option<String>,
    /// The promise of the document about changes (`x-stability-level`).
    pub stability: Stability,
    /// The client method that accepts the whole request, if the other method accepts no arguments.
    pub with_request: Option<String>,
    /// The client methods for the task that the operation starts.
    pub task_methods: TaskMethods,
    /// The parameters: path parameters first, in template order.
    pub params: Vec<Param>,
    /// The request body.
    pub body: Option<Body>,
    /// The success responses: documented 2xx; if there are none, documented statuses below 400; if there
    /// are none, the 2xx of a `default`.
    pub successes: Vec<Response>,
    /// The headers of all success responses, without duplicates.
    pub success_headers: Vec<Header>,
    /// The headers of all error responses, without duplicates; each is optional.
    pub error_headers: Vec<Header>,
    /// The error responses. `default` is always an error response, except for webhooks without a
    /// success response.
    pub errors: Vec<Response>,
    /// The index into [`super::Api::error_sets`] of the type shared with other operations that have
    /// equal errors.
    pub error_set: Option<usize>,
    /// The index into [`super::Api::header_sets`] of the type shared with other operations whose
    /// success responses have equal headers.
    pub header_set: Option<usize>,
    /// The security alternatives, each a combination of schemes; empty for anonymous access.
    pub security: Vec<Vec<Requirement>>,
    /// The variants of the body's union with the alternatives that each accepts
    /// (`x-bothends-security`). Other variants accept all alternatives.
    pub security_by_body: Vec<(usize, Vec<Vec<Requirement>>)>,
    /// The links of its responses, but for those to other pages.
    pub links: Vec<Link>,
    /// All links of its successful responses, which contract tests follow.
    pub stated_links: Vec<StatedLink>,
    /// The task that the operation starts.
    pub task: Option<Task>,
    /// The pages in which the operation returns a list.
    pub pages: Option<Pages>,
    /// What the document states about retries.
    pub retries: Option<Retries>,
    /// The header for the idempotency key that a client creates.
    pub idempotency_key: Option<String>,
    /// The additional properties of a webhook.
    pub webhook: Option<Webhook>,
}

/// A segment of a path template.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Segment {
    /// Literal text, percent-decoded.
    Static(String),
    /// A single variable.
    Variable(String),
    /// Text mixed with variables, as in the template.
    Mixed(String),
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct Param {
    /// The position in the document.
    pub origin: Origin,
    /// The name; `rust` is the name of the field.
    pub name: Name,
    /// The location in the request.
    pub place: Place,
    /// Differences from the default style of the location.
    pub style: Vec<StyleWord>,
    /// The complete type, including `Option`.
    pub ty: TypeRef,
    /// Whether the request may be created without the parameter.
    pub optional: bool,
    /// Whether the document requires the parameter; clients create a required idempotency key.
    pub required: bool,
    /// The default of the document for an absent parameter.
    pub default: Option<DefaultValue>,
    /// The rustdoc.
    pub doc: Doc,
    /// The validation rules.
    pub rules: Vec<Rule>,
}

/// The only required value of a request.
#[derive(Debug, Clone, Copy)]
pub enum Only<'a> {
    /// A parameter.
    Param(&'a Param),
    /// The body.
    Body(&'a Body),
}

/// The location of a parameter in the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the variants are OpenAPI's `in`")]
pub enum Place {
    Path,
    Query,
    QueryString,
    Header,
    Cookie,
}

/// A style of a parameter; the runtime's `Style` has a method with the same name.
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
    /// `style: cookie` (OpenAPI 3.2), without encoding.
    Cookie,
    /// `explode: true` where the default is false.
    Explode,
    /// `explode: false` where the default is true.
    Flat,
    /// `allowReserved`
    Reserved,
    /// `allowEmptyValue`
    Empty,
    /// Serialized as JSON (`content`).
    Json,
}

/// A documented response.
#[derive(Debug, Clone)]
pub struct Response {
    /// The position in the document.
    pub origin: Origin,
    /// The statuses.
    pub status: StatusSpec,
    /// The name of the variant.
    pub name: Name,
    /// The body.
    pub payload: Option<Payload>,
    /// The media types of the body that generated code leaves out.
    pub left_out: Vec<String>,
    /// The rustdoc.
    pub doc: Doc,
    /// The path to the error code in the body: field indices, and whether each field may be absent.
    pub code_path: Option<Vec<(usize, bool)>>,
    /// The path to the message for people in the body.
    pub message_path: Option<Vec<(usize, bool)>>,
}

/// A documented response header.
#[derive(Debug, Clone)]
pub struct Header {
    /// The name; `rust` is the name of the field.
    pub name: Name,
    /// The style, if different from the default (`simple`, not exploded).
    pub style: Vec<StyleWord>,
    /// The complete type, including `Option`.
    pub ty: TypeRef,
    /// Whether the header may be absent.
    pub optional: bool,
    /// Whether each response that has the header requires it. The field may be optional nevertheless.
    pub required: bool,
    /// Validation rules of the value.
    pub rules: Vec<Rule>,
    /// The rustdoc.
    pub doc: Doc,
}

/// The responses to requests that are rejected before or in place of a handler
/// (`x-bothends-rejections`).
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the fields are the rejections of the guide")]
pub struct RejectionBodies {
    pub not_found: Option<Rejection>,
    pub method_not_allowed: Option<Rejection>,
    pub validation: Option<Rejection>,
    pub unauthorized: Option<Rejection>,
    pub forbidden: Option<Rejection>,
    pub not_acceptable: Option<Rejection>,
    pub unsupported_media_type: Option<Rejection>,
    pub too_large: Option<Rejection>,
    pub internal: Option<Rejection>,
    pub not_implemented: Option<Rejection>,
    /// The validation rejections of operations that differ from `validation`, with indices into
    /// [`super::Api::operations`].
    pub validation_of: Vec<(Vec<usize>, Rejection)>,
}

/// A response to a rejected request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The status.
    pub status: u16,
    /// The media type.
    pub content_type: String,
    /// The body, as JSON text.
    pub body: String,
    /// The JSON pointer of the value that receives the field errors.
    pub fields: Option<String>,
    /// The format of the field errors.
    pub fields_as: FieldErrorFormat,
}

/// The format of field errors, as in the runtime's type of the same name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are those of the runtime")]
pub enum FieldErrorFormat {
    #[default]
    Map,
    Lists,
    Texts,
    /// A list of objects with these members.
    Objects(Vec<(String, FieldErrorPart)>),
}

/// The content of a member of a field error, as in the runtime's type of the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are those of the runtime")]
pub enum FieldErrorPart {
    Location,
    LocationTexts,
    Place,
    Path,
    Pointer,
    Message,
    Kind,
    /// JSON text.
    Fixed(String),
}

/// A reusable response with which handlers and authenticators may reject requests, selected by its
/// examples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejections {
    /// The name.
    pub name: Name,
    /// The status.
    pub status: u16,
    /// The media type.
    pub content_type: String,
    /// The names of examples with the bodies as JSON text; a single example has no wire name.
    pub bodies: Vec<(Name, String)>,
}

/// A set of documented errors with its own type, shared by all operations that have these errors.
#[derive(Debug, Clone)]
pub struct ErrorSet {
    /// The name, built from the responses.
    pub name: Name,
    /// All parts by which the set differs from others, as text. The stage `names` writes it, because
    /// it contains the names of types.
    pub content: String,
    /// Whether the set belongs to webhooks.
    pub of_webhooks: bool,
    /// The responses; their texts are those on which all operations agree.
    pub responses: Vec<Response>,
    /// The headers of all responses, without duplicates, by name; each is optional.
    pub headers: Vec<Header>,
}

/// A set of documented headers of successes with its own type, shared by all operations that have
/// these headers.
#[derive(Debug, Clone)]
pub struct HeaderSet {
    /// The name, built from the headers.
    pub name: Name,
    /// The headers by name; their texts are those on which all operations agree.
    pub headers: Vec<Header>,
    /// The name of the struct of the required headers, as in [`super::Object::init`].
    pub init: Option<String>,
}

impl StatusSpec {
    /// Returns the order of matching: codes before ranges, and ranges before `default`.
    #[must_use]
    pub const fn rank(self) -> u8 {
        match self {
            Self::Code(_) => 0,
            Self::Range(_) => 1,
            Self::Default => 2,
        }
    }
}

impl Operation {
    /// Returns `true` if the operation has no required parameters and no required body.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        let body = self.body.as_ref().is_some_and(|body| !body.optional);
        !body && self.params.iter().all(|param| param.optional)
    }

    /// Returns the required parameters in the order of constructor arguments. Path parameters are
    /// in the order of the path. The others are sorted by name, so that reordering them in the
    /// document changes no call.
    #[must_use]
    pub fn required(&self) -> Vec<&Param> {
        let mut required: Vec<&Param> =
            self.params.iter().filter(|param| !param.optional).collect();
        required.sort_by(|left, right| match (left.place, right.place) {
            (Place::Path, Place::Path) => std::cmp::Ordering::Equal,
            (Place::Path, _) => std::cmp::Ordering::Less,
            (_, Place::Path) => std::cmp::Ordering::Greater,
            _ => left.name.rust.cmp(&right.name.rust),
        });
        required
    }

    /// Returns the required value of the request, if there is exactly one.
    #[must_use]
    pub fn only_required(&self) -> Option<Only<'_>> {
        let body = self.body.as_ref().filter(|body| !body.optional);
        match (self.required().as_slice(), body) {
            ([param], None) => Some(Only::Param(param)),
            ([], Some(body)) => Some(Only::Body(body)),
            _ => None,
        }
    }

    /// Returns the bodies: the request body, then the response bodies.
    pub fn payloads_mut(&mut self) -> impl Iterator<Item = &mut Payload> {
        let responses = self.successes.iter_mut().chain(&mut self.errors);
        let body = self.body.iter_mut().map(|body| &mut body.payload);
        body.chain(responses.filter_map(|response| response.payload.as_mut()))
    }

    /// Calls `visit` with the type of each parameter, header and body.
    pub fn parts(&self, visit: &mut dyn FnMut(&TypeRef)) {
        self.params.iter().for_each(|param| visit(&param.ty));
        if let Some(body) = &self.body {
            body.payload.parts(visit);
        }
        self.successes
            .iter()
            .chain(&self.errors)
            .for_each(|response| response.parts(visit));
        self.response_headers().for_each(|header| visit(&header.ty));
    }

    /// Returns the headers of the responses: those of the successes, then those of the errors.
    pub fn response_headers(&self) -> impl Iterator<Item = &Header> {
        self.success_headers.iter().chain(&self.error_headers)
    }
}

impl Header {
    /// Returns the required headers in the order of constructor arguments: by name, so that
    /// reordering them in the document changes no call.
    #[must_use]
    pub fn required(headers: &[Self]) -> Vec<&Self> {
        let mut required: Vec<&Self> = headers.iter().filter(|header| !header.optional).collect();
        required.sort_by(|left, right| left.name.rust.cmp(&right.name.rust));
        required
    }
}

impl Response {
    /// Calls `visit` with each type in the body.
    pub fn parts(&self, visit: &mut dyn FnMut(&TypeRef)) {
        if let Some(payload) = &self.payload {
            payload.parts(visit);
        }
    }
}
