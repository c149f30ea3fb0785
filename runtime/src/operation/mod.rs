//! Operations: what is sent, and what comes back.

pub(crate) mod body;
mod macros;
#[cfg(any(feature = "client", feature = "server"))]
pub(crate) mod negotiate;
mod outcome;
mod request;
mod response;

pub use body::{Body, RawBody};
pub use outcome::{CodedError, NoError, Outcome};
pub use request::{EncodedRequest, FieldFault, RequestDecoder, RequestEncoder};
pub use response::{EncodedResponse, ResponseDecoder, ResponseEncoder};

use crate::Validate;

/// A security scheme that is asked for, with its scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Requirement {
    /// The name of the scheme in the document.
    pub scheme: &'static str,
    /// The scopes that are needed.
    pub scopes: &'static [&'static str],
}

impl Requirement {
    /// A scheme with scopes.
    pub const fn new(scheme: &'static str, scopes: &'static [&'static str]) -> Self {
        Self { scheme, scopes }
    }
}

/// What is known of an operation without its types.
#[derive(Debug)]
pub struct OperationMeta {
    /// The name of the operation in the document.
    pub id: &'static str,
    /// The method, in capitals.
    pub method: &'static str,
    /// The path, with variables in braces.
    pub path: &'static str,
    /// Where it is served, when that is elsewhere than the rest: a URL, which may be relative to
    /// that of the client's server.
    pub server: Option<&'static str>,
    /// The places and names of its parameters.
    pub parameters: &'static [(&'static str, &'static str)],
    /// The ways to be let in: one of them is enough, and each needs all of its schemes. With no
    /// way at all, nothing is asked for.
    pub security: &'static [&'static [Requirement]],
    /// The media types of the body, and whether one of them is read as it comes; empty when all
    /// are read whole.
    pub streams: &'static [(&'static str, bool)],
}

/// A request that [`operation!`](crate::operation) describes.
pub trait Operation: Validate + Sized {
    /// What comes back when all is well.
    type Response: Outcome;
    /// What comes back otherwise.
    type Error: Outcome;
    /// What is known of the operation without its types.
    const META: &'static OperationMeta;

    /// The alternatives of [`OperationMeta::security`] that this request accepts. All of them,
    /// unless the document has some for each variant of the body (`x-bothends-security`).
    fn security(&self) -> &'static [&'static [Requirement]] {
        Self::META.security
    }

    /// Writes the request.
    fn encode(&self, request: &mut RequestEncoder);

    /// Reads the request; `None` when something is wrong with it, which the decoder is told.
    fn decode(request: &mut RequestDecoder<'_>) -> Option<Self>;
}

/// `showPet answered 404 Not Found`
pub fn answered(f: &mut std::fmt::Formatter<'_>, id: &str, status: u16) -> std::fmt::Result {
    write!(f, "{id} answered {status}")?;
    let reason = http::StatusCode::from_u16(status)
        .ok()
        .and_then(|of| of.canonical_reason());
    reason.map_or(Ok(()), |reason| write!(f, " {reason}"))
}
