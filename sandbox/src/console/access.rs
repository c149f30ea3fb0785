//! The console API as a service: its token, and the bodies of its errors.

use super::api::server::{self, Credentials};
use super::failure::{Failure, problem};
use super::handlers::Handlers;
use crate::app::Shared;
use crate::ids;
use bothends_runtime::SecurityRequirement;
use bothends_runtime::server::{
    AuthError, Authenticate, Context, Rejection, RejectionKind, Response, Router, Secret,
};

/// The largest body of a request: snapshots are large.
const BODY_LIMIT: usize = 64 << 20;

/// Returns the service of the console API.
pub(super) fn service(app: Shared) -> Router<Handlers> {
    let token = Token(Secret::from(app.console_token_hash.clone()));
    server::router(Handlers(app))
        .guard(token)
        .body_limit(BODY_LIMIT)
        .on_rejection(body)
        .on_failure(|failure| tracing::error!(%failure, "the console API"))
}

/// Admits the holder of the token, of which only the hash is known.
struct Token(Secret);

impl Authenticate for Token {
    type Credentials = Credentials;
    type Principal = ();

    async fn authenticate(
        &self,
        presented: Credentials,
        _: &'static [SecurityRequirement],
        _: &Context,
    ) -> Result<(), AuthError> {
        let token = presented.console_token.ok_or(AuthError::Unauthenticated)?;
        // Secrets are compared in constant time.
        if self.0 == ids::hash(token.expose()) {
            Ok(())
        } else {
            Err(AuthError::Unauthenticated)
        }
    }
}

/// Returns the body of a request that is not valid, with the first field that is wrong. The other
/// rejections have the bodies of the document.
fn body(rejection: &Rejection) -> Option<Response> {
    match rejection.kind() {
        RejectionKind::Validation => {
            let field = rejection.fields().first()?;
            let failure = Failure::field(field.field.clone(), &field.message);
            let status = rejection.kind().status();
            Some(problem(status, failure.to_string(), failure.field_name()))
        }
        _ => None,
    }
}
