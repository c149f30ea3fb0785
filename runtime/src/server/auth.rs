//! Who is let in.

use super::challenge::Schemes;
use super::{BoxFuture, Context, Error, guard};
use crate::NoError;
use std::sync::Arc;

/// Decides who is let in.
///
/// It sees the request before its parameters and its body are read, and finds what the operation
/// asks for in `context.security()`: one of the alternatives is enough, and each needs all of its
/// schemes; none at all means that everybody is let in. What it finds out about the caller, it leaves
/// in `context.extensions_mut()` for the handler.
///
/// Where the document has credentials for each variant of a body (`x-bothends-security`), it is asked
/// again once the body is read, and `context.security()` then has what the variant accepts.
///
/// A router without an authenticator answers 401 wherever the operation asks for credentials, unless
/// [`Router::allow_unauthenticated`](super::Router::allow_unauthenticated) was called.
pub trait Authenticator: Send + Sync {
    /// Lets the request in, or says what to answer.
    fn authenticate<'a>(
        &'a self,
        context: &'a mut Context,
    ) -> BoxFuture<'a, Result<(), Error<NoError>>>;
}

/// Who is let in by a router.
#[derive(Clone)]
pub(super) struct Admission {
    pub(super) policy: Policy,
    /// The security schemes of the document, for the challenges of a 401.
    pub(super) schemes: Schemes,
}

#[derive(Clone)]
pub(super) enum Policy {
    /// Nothing was said: nobody is, where the operation asks for credentials.
    Closed,
    /// Everybody is.
    Open,
    /// This one decides.
    By(Arc<dyn Authenticator>),
}

impl Admission {
    /// Lets a request in, or says what to answer.
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
                crate::trace::no_authenticator(context.operation());
                Err(guard::unauthorized(self.schemes, security, "").into())
            }
        }
    }
}
