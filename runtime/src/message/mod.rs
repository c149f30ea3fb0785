//! HTTP messages: parameters, media types, forms, multipart bodies, streams, content codings and
//! credentials, and the tables of operations.
//!
//! This layer imports [`values`](crate::values), and knows neither clients nor servers.

#[cfg(any(feature = "client", feature = "server"))]
pub(crate) mod chain;
#[cfg(any(feature = "client", feature = "server"))]
pub(crate) mod credential;
#[cfg(any(feature = "client", feature = "server"))]
pub(crate) mod expression;
#[cfg(feature = "server")]
mod link;
pub(crate) mod media;
pub(crate) mod operation;
mod outgoing;
#[cfg_attr(
    not(any(feature = "client", feature = "server")),
    allow(dead_code, unreachable_pub)
)]
pub(crate) mod payload;
mod retry_after;
pub(crate) mod stream;
pub(crate) mod wire;

#[cfg(any(feature = "client", feature = "server"))]
pub use expression::Expression;
#[cfg(feature = "server")]
pub use link::StatedLink;
pub use operation::body::{BodyDecoder, BodyEncoder};
pub use operation::{
    Body, EncodedRequest, EncodedResponse, NoError, Operation, OperationError, OperationMeta,
    OptionalParam, ParameterStyle, RawBody, RequestDecoder, RequestEncoder, Response,
    ResponseDecoder, ResponseEncoder, ResponseHeaders, ResponseSet, RetryRules,
    SecurityRequirement,
};
pub use outgoing::OutgoingWebhook;
pub use retry_after::retry_after;
pub use stream::{ByteStream, Event, StreamError, Streamed};
pub use wire::{Param, Part, parts};
