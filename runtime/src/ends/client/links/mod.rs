//! Links of responses: the request of another operation, whose values are in a response and in the
//! request for it (OpenAPI 3.1.1, section 4.8.20).

#[cfg(any(feature = "server", feature = "links"))]
pub(super) mod follow;
mod found;
mod link;

#[cfg(feature = "tasks")]
pub(super) use found::Sent;
pub(super) use found::{Exchange, Row};
pub use link::{Exchanged, Link, LinkBasis, Received};
