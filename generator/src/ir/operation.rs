//! Operations: requests and responses.

use super::{Body, DefaultValue, Doc, Name, Payload, Requirement, Rule, Task, TypeRef, Webhook};
use crate::position::Origin;

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
    /// The document's summary, where it is not the beginning of the description.
    pub summary: Option<String>,
    /// The method of a client that takes the whole request, where the other takes nothing.
    pub with_request: Option<String>,
    /// Parameters: those of the path first, in the template's order.
    pub params: Vec<Param>,
    /// Request body.
    pub body: Option<Body>,
    /// Responses that are a success: documented ones of 1xx to 3xx, and the 2xx of a `default` when
    /// there is none.
    pub successes: Vec<Response>,
    /// The headers of all successes, each once.
    pub success_headers: Vec<Header>,
    /// Responses that are an error: `default` always is one, but for webhooks without a success.
    pub errors: Vec<Response>,
    /// The type that it shares with all operations of equal errors, in [`super::Api::error_sets`].
    pub error_set: Option<usize>,
    /// Alternatives of combinations of schemes; empty: anonymous.
    pub security: Vec<Vec<Requirement>>,
    /// Variants of the union that the body is, each with the alternatives that it accepts
    /// (`x-bothends-security`); other variants accept all.
    pub security_by_body: Vec<(usize, Vec<Vec<Requirement>>)>,
    /// The task this operation starts.
    pub task: Option<Task>,
    /// What a webhook has beside.
    pub webhook: Option<Webhook>,
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
    /// What the document says it is when absent.
    pub default: Option<DefaultValue>,
    /// Its rustdoc.
    pub doc: Doc,
    /// What is asked of its value.
    pub rules: Vec<Rule>,
}

/// The only value that a request needs.
#[derive(Debug, Clone, Copy)]
pub enum Only<'a> {
    /// A parameter.
    Param(&'a Param),
    /// The body.
    Body(&'a Body),
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
    /// `allowEmptyValue`
    Empty,
    /// Serialised as JSON (`content`).
    Json,
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
    /// How to reach the error code in its body: fields, and whether each may be absent.
    pub code_path: Option<Vec<(usize, bool)>>,
    /// How to reach the message for people in its body.
    pub message_path: Option<Vec<(usize, bool)>>,
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

/// What the server answers before or instead of a handler (`x-bothends-rejections`).
#[derive(Debug, Clone, Default)]
#[expect(
    missing_docs,
    reason = "the fields are the rejection_bodies of the guide"
)]
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
    /// What operations have for a validation rejection where that is not `validation`: indices into
    /// [`super::Api::operations`].
    pub validation_of: Vec<(Vec<usize>, Rejection)>,
}

/// One such answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// Status.
    pub status: u16,
    /// Media type.
    pub content_type: String,
    /// Body, as JSON text.
    pub body: String,
    /// JSON pointer of what receives the fields and their messages.
    pub fields: Option<String>,
    /// How they are written there.
    pub fields_as: FieldErrorFormat,
}

/// How field errors are written; the runtime's type of the same name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are those of the runtime")]
pub enum FieldErrorFormat {
    #[default]
    Map,
    Lists,
    Texts,
    /// The members of each object.
    Objects(Vec<(String, FieldErrorPart)>),
}

/// What a member says of a field error; the runtime's type of the same name.
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

/// A reusable response that handlers and authenticators may name, by its examples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejections {
    /// Its name.
    pub name: Name,
    /// Status.
    pub status: u16,
    /// Media type.
    pub content_type: String,
    /// Names of examples, and the bodies as JSON text; a lone example has no name on the wire.
    pub bodies: Vec<(Name, String)>,
}

/// Documented errors that are a type of their own, for all operations that have them.
#[derive(Debug, Clone)]
pub struct ErrorSet {
    /// Its name, made of the responses.
    pub name: Name,
    /// Whether it belongs to webhooks.
    pub of_webhooks: bool,
    /// The responses; their texts are those that all operations agree on.
    pub responses: Vec<Response>,
}

impl StatusSpec {
    /// Codes go before ranges, and ranges before the default.
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
    /// Whether nothing has to be said to call it.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        let body = self.body.as_ref().is_some_and(|body| !body.optional);
        !body && self.params.iter().all(|param| param.optional)
    }

    /// The required parameters in the order in which a constructor takes them: those of the path as
    /// the path has them, others by their names, so that nothing is swapped when the document lists
    /// them in another order.
    #[must_use]
    pub fn required(&self) -> Vec<&Param> {
        let mut required: Vec<&Param> = self.params.iter().filter(|of| !of.optional).collect();
        required.sort_by(|one, other| match (one.place, other.place) {
            (Place::Path, Place::Path) => std::cmp::Ordering::Equal,
            (Place::Path, _) => std::cmp::Ordering::Less,
            (_, Place::Path) => std::cmp::Ordering::Greater,
            _ => one.name.rust.cmp(&other.name.rust),
        });
        required
    }

    /// The only required value, if it is the only one.
    #[must_use]
    pub fn only_required(&self) -> Option<Only<'_>> {
        let body = self.body.as_ref().filter(|body| !body.optional);
        match (self.required().as_slice(), body) {
            ([param], None) => Some(Only::Param(param)),
            ([], Some(body)) => Some(Only::Body(body)),
            _ => None,
        }
    }

    /// Its bodies: that of the request, then those of the responses.
    pub fn payloads_mut(&mut self) -> impl Iterator<Item = &mut Payload> {
        let responses = self.successes.iter_mut().chain(&mut self.errors);
        let body = self.body.iter_mut().map(|body| &mut body.payload);
        body.chain(responses.filter_map(|response| response.payload.as_mut()))
    }

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
        self.success_headers
            .iter()
            .for_each(|header| of(&header.ty));
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
