//! Links of responses: the request of another operation, whose values are in a response and in the
//! request for it (OpenAPI 3.1.1, section 4.8.20).

#[cfg(any(feature = "server", feature = "links"))]
pub(super) mod follow;
mod found;
mod link;

#[cfg(any(feature = "tasks", feature = "test"))]
pub(in crate::ends) use found::Sent;
pub(in crate::ends) use found::{Exchange, Row};
pub use link::{Exchanged, Link, LinkBasis, Received};
