//! Servers: a trait that the user implements, behind a `tower` service.

mod auth;
mod call;
#[cfg(any(feature = "idempotency", feature = "receiver"))]
mod caught;
mod challenge;
#[cfg(feature = "check-responses")]
mod checked;
mod content;
mod context;
mod error;
mod failure;
mod fields;
mod future;
mod guard;
mod handlers;
#[cfg(feature = "idempotency")]
mod idempotency;
mod matcher;
mod methods;
mod no_operations;
mod page_link;
mod presented;
#[cfg(feature = "test")]
mod probe;
mod rejection;
mod rejection_bodies;
mod router;
#[cfg(feature = "serve")]
mod serve;
mod settings;
mod unimplemented;
mod url_of;

pub use crate::message::StatedLink;
pub use crate::message::credential::{Basic, MutualTls, Secret};
pub use crate::message::payload::{Body, BodyError, CollectError};
#[doc(hidden)]
pub use crate::message::wire::template::fits;
pub use crate::values::Leniency;
pub use auth::Authenticator;
#[doc(hidden)]
pub use call::{Call, Finish, OperationCall, Reached, Responder};
#[cfg(any(feature = "idempotency", feature = "receiver"))]
pub(crate) use caught::handle;
pub use context::Context;
pub use error::{EncodedHeaders, Error};
pub(crate) use failure::OnFailure;
pub use failure::{Failure, HandlerPanic};
pub use fields::{FieldErrorFormat, FieldErrorPart};
pub use future::RouteFuture;
pub(crate) use future::{ReachedLater, Seen};
pub use guard::{AuthError, Authenticate};
#[cfg(feature = "idempotency")]
pub use idempotency::{
    IdempotencyKey, IdempotencyState, IdempotencyStore, Idempotent, MemoryIdempotencyStore,
    StoredResponse,
};
#[doc(hidden)]
pub use matcher::{Condition, Segment};
#[doc(hidden)]
pub use methods::{Method, Route};
#[doc(hidden)]
pub use no_operations::NoOperations;
pub use presented::{CredentialReader, PresentedCredentials};
#[cfg(feature = "test")]
pub(in crate::ends) use probe::{Probe, read};
pub use rejection::{Rejection, RejectionKind};
#[cfg(any(feature = "idempotency", feature = "receiver"))]
pub(crate) use rejection_bodies::problem;
pub use rejection_bodies::{RejectionBodies, RejectionBody};
#[doc(hidden)]
pub use router::Find;
pub use router::Router;
#[cfg(feature = "serve")]
pub use serve::{Listener, Serve, serve};
#[cfg(any(feature = "idempotency", feature = "receiver"))]
pub(crate) use settings::BODY_TIMEOUT;
pub(crate) use settings::Settings;
pub use unimplemented::unimplemented;
pub use url_of::url_of;

/// An HTTP response with a body that may be streamed.
pub type Response = http::Response<Body>;

/// A boxed future.
pub type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;
