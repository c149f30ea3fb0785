//! Operations: what is sent, and what comes back.

pub(crate) mod body;
mod macros;
#[cfg(any(feature = "client", feature = "server"))]
pub(crate) mod negotiate;
mod request;
mod response;
mod response_macros;
pub(crate) mod row;
mod set;
mod success;
mod typed;

pub use body::{Body, RawBody};
pub use request::{EncodedRequest, FieldError, RequestDecoder, RequestEncoder};
pub use response::{EncodedResponse, ResponseDecoder, ResponseEncoder};
pub use row::{Row, RowCodec, Statuses, codec, is_live, streams};
pub use set::{NoError, OperationError, Perhaps, ResponseSet, Step, write_status};
pub use success::{Empty, One, ResponseHeaders, Several, SuccessSet};
pub use typed::Response;

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
    /// The row of its success, where the document has one; with several, the enum has them.
    pub success: &'static [Row],
}

/// A request that [`operation!`](crate::operation) describes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the request of an operation",
    label = "needs a table of `bothends_runtime::operation!`"
)]
pub trait Operation: Validate + Sized {
    /// The successful response: a [`Response`] with a typed body.
    type Response: Send;
    /// How the successful response is written.
    type Success: SuccessSet<Self::Response>;
    /// The documented errors.
    type Error: OperationError;
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
    #[cfg(any(feature = "server", feature = "tasks"))]
    fn decode(request: &mut RequestDecoder<'_>) -> Option<Self>;
}
