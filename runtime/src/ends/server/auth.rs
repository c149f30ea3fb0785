//! Authentication of requests.

use super::challenge::Schemes;
use super::{BoxFuture, Context, Error, guard};
use crate::message::NoError;
use std::sync::Arc;

/// An authenticator that accepts or refuses requests.
///
/// It is called before the parameters and the body are decoded. `context.security()` contains what
/// the operation requires: one of the alternatives is sufficient, and each requires all of its
/// schemes; without alternatives every caller is accepted. What it learns about the caller, it
/// stores in `context.extensions_mut()` for the handler.
///
/// If the document states credentials for each variant of a body (`x-bothends-security`), the
/// authenticator is called again after the body is decoded, and `context.security()` then contains
/// what the variant accepts.
///
/// A router without an authenticator returns 401 for each operation that requires credentials,
/// unless [`Router::allow_unauthenticated`](super::Router::allow_unauthenticated) was called.
pub trait Authenticator: Send + Sync {
    /// Authenticates a request.
    ///
    /// # Errors
    ///
    /// Returns the response of a refused request as an error.
    fn authenticate<'a>(
        &'a self,
        context: &'a mut Context,
    ) -> BoxFuture<'a, Result<(), Error<NoError>>>;
}

/// The authentication of a router.
#[derive(Clone)]
pub(super) struct Admission {
    pub(super) policy: Policy,
    /// The security schemes of the document, for the challenges of a 401.
    pub(super) schemes: Schemes,
}

#[derive(Clone)]
pub(super) enum Policy {
    /// The default: operations that require credentials are closed.
    Closed,
    /// Every caller is accepted.
    Open,
    /// The authenticator decides.
    By(Arc<dyn Authenticator>),
}

impl Admission {
    /// Returns the names of the headers that contain API keys.
    pub(super) fn key_headers(&self) -> impl Iterator<Item = &'static str> {
        let keys = self.schemes.iter().filter(|(_, kind, _)| *kind == "header");
        keys.map(|(_, _, name)| *name)
    }

    /// Authenticates a request.
    ///
    /// # Errors
    ///
    /// Returns the response of a refused request as an error.
    pub(super) async fn admit(&self, context: &mut Context) -> Result<(), Error<NoError>> {
        match &self.policy {
            Policy::By(authenticator) => authenticator.authenticate(context).await,
            Policy::Open => Ok(()),
            Policy::Closed => {
                let security = context.security();
                let open = security.iter().any(|needed| needed.is_empty());
                if open || security.is_empty() {
                    return Ok(());
                }
                #[cfg(feature = "tracing")]
                crate::ends::trace::no_authenticator(context.operation());
                Err(guard::unauthorized(self.schemes, security, "").into())
            }
        }
    }
}
