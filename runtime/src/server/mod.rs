//! Serving operations: a trait that the user implements, behind a `tower` service.

mod auth;
mod call;
mod challenge;
mod context;
mod error;
mod failure;
mod fault;
mod faults;
mod fields;
mod guard;
mod methods;
mod router;
mod shown;
mod unimplemented;

pub use crate::credential::{Basic, ByTransport, Secret};
pub use crate::payload::{Body, BodyError, CollectError};
pub use crate::wire::template::fits;
pub use auth::Authenticator;
pub use call::{Begun, Call, Finish, Responder};
pub use context::Context;
pub use error::Error;
pub(crate) use failure::OnFailure;
pub use failure::{Failure, HandlerPanic};
pub use fault::{Fault, FaultKind};
#[cfg(feature = "receiver")]
pub(crate) use faults::problem;
pub use faults::{FaultBody, Faults};
pub use fields::{FieldPart, FieldsAs};
pub use guard::{Authenticate, Denied};
pub use methods::{Method, Methods};
pub use router::{Find, RouteFuture, Router};
pub(crate) use router::{Reached, Settings};
pub use shown::{Shown, Source};
pub use unimplemented::unimplemented;

/// A response as it travels.
pub type Response = http::Response<Body>;

/// A future on the heap.
pub type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;
