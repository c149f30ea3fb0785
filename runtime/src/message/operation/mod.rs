//! Operations: requests, responses and their metadata.

pub(crate) mod body;
#[cfg(feature = "check-responses")]
pub(crate) mod checked;
#[cfg(feature = "check-responses")]
mod findings;
mod macros;
#[cfg(any(feature = "client", feature = "server"))]
pub(crate) mod negotiate;
mod param;
mod request;
mod request_decoder;
mod response;
mod response_header;
mod response_macros;
mod response_parts;
mod retries;
#[cfg(feature = "sample")]
mod sampled;
mod scalar;
mod set;
mod style;
mod success;
mod typed;

pub use body::row::{Decode, Row, RowCodec, Statuses, codec, is_live, streams};
pub use body::{Body, RawBody};
pub use param::OptionalParam;
pub use request::{EncodedRequest, RequestEncoder};
#[cfg(feature = "client")]
pub(crate) use request::{Target, text_of};
pub use request_decoder::RequestDecoder;
pub use response::{EncodedResponse, ResponseDecoder, ResponseEncoder};
pub use retries::RetryRules;
#[cfg(feature = "sample")]
pub use sampled::{
    Carrier, Content, Format, InvalidRequest, RequestPart, SampledPart, SampledRequest,
};
pub use set::{NoError, OperationError, Perhaps, ResponseSet, Step, write_error};
pub use style::ParameterStyle;
pub use success::{Empty, One, ResponseHeaders, Several, SuccessSet};
pub use typed::Response;

use crate::values::Validate;

/// A required security scheme with its scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SecurityRequirement {
    /// The name of the scheme in the document.
    pub scheme: &'static str,
    /// The required scopes.
    pub scopes: &'static [&'static str],
}

impl SecurityRequirement {
    /// Creates the requirement of a scheme with scopes.
    pub const fn new(scheme: &'static str, scopes: &'static [&'static str]) -> Self {
        Self { scheme, scopes }
    }
}

/// The metadata of an operation, independent of its types.
#[derive(Debug)]
pub struct OperationMeta {
    /// The id of the operation in the document.
    pub id: &'static str,
    /// The method, in capitals.
    pub method: &'static str,
    /// The path, with variables in braces.
    pub path: &'static str,
    /// The server of the operation, if it is different from that of the API: a URL, which may be
    /// relative to the base URL of the client.
    pub server: Option<&'static str>,
    /// The locations and names of the parameters.
    pub parameters: &'static [(&'static str, &'static str)],
    /// The alternatives of credentials: one of them is sufficient, and each requires all of its
    /// schemes. Without alternatives, no credentials are required.
    pub security: &'static [&'static [SecurityRequirement]],
    /// The media types of the request body, and whether each of them is streamed; empty if all are
    /// buffered.
    pub streams: &'static [(&'static str, bool)],
    /// The row of the success response. Empty if the document describes none, or several: those are
    /// rows of the enum.
    pub success: &'static [Row],
    /// What the document states about retries.
    pub retries: Option<RetryRules>,
    /// The header for an idempotency key, which a client fills.
    pub idempotency_key: Option<&'static str>,
}

/// A request that [`operation!`](crate::operation!) describes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the request of an operation",
    label = "needs a table of `bothends_runtime::operation!`"
)]
pub trait Operation: Validate + Sized {
    /// The successful response: a [`Response`] with a typed body.
    type Response: Send;
    /// The encoding of the successful response.
    type Success: SuccessSet<Self::Response>;
    /// The documented errors.
    type Error: OperationError;
    /// The metadata of the operation.
    const META: &'static OperationMeta;
    /// The parts of a request, for drawing them.
    #[cfg(feature = "sample")]
    #[doc(hidden)]
    const PARTS: &'static [RequestPart] = &[];

    /// Returns the alternatives of [`OperationMeta::security`] that this request accepts: all of
    /// them, unless the document states some for each variant of the body (`x-bothends-security`).
    fn security(&self) -> &'static [&'static [SecurityRequirement]] {
        Self::META.security
    }

    /// Encodes the request.
    fn encode(&self, request: &mut RequestEncoder);

    /// Decodes a request. Returns `None` if it is invalid; the decoder then contains the field
    /// errors.
    #[cfg(any(feature = "server", feature = "links"))]
    fn decode(request: &mut RequestDecoder<'_>) -> Option<Self>;
}
