//! Authentication by the security schemes of the document.

use super::challenge::{self, Schemes};
use super::{
    Authenticator, BodyError, BoxFuture, Context, Error, PresentedCredentials, Rejection,
    RejectionBody, RejectionKind, Response,
};
use crate::message::{NoError, SecurityRequirement};
use http::HeaderValue;
use http::header::WWW_AUTHENTICATE;

/// An authenticator of callers by the security schemes of the document.
///
/// It is called only for operations with `security`, once for each alternative whose schemes are
/// all present in the request, the alternative with the most schemes first. The first principal
/// that is returned admits the request. Every other caller is refused, unless the operation allows
/// anonymous callers (`{}`) and the request has no credentials.
///
/// If the credentials of one alternative are wrong, another alternative that merely omits some of
/// them does not admit the caller: a wrong secret is never ignored.
///
/// ```
/// use bothends_runtime::server::{Authenticate, Context, AuthError, Secret};
/// # use bothends_runtime::SecurityRequirement;
///
/// #[derive(Debug, Clone, Default)]
/// pub struct Credentials {
///     pub key: Option<Secret>,
/// }
/// bothends_runtime::presented_credentials! { Credentials { key: header "key" "X-Key" } }
///
/// /// Who calls.
/// #[derive(Debug, Clone)]
/// struct User(u64);
///
/// struct Users;
///
/// impl Authenticate for Users {
///     type Credentials = Credentials;
///     type Principal = User;
///
///     async fn authenticate(
///         &self,
///         shown: Credentials,
///         _: &'static [SecurityRequirement],
///         _: &Context,
///     ) -> Result<User, AuthError> {
///         match shown.key.as_ref().map(Secret::expose) {
///             Some("open sesame") => Ok(User(7)),
///             _ => Err(AuthError::Unauthenticated),
///         }
///     }
/// }
/// ```
///
/// A handler then gets the principal from `context.principal::<User>()`.
pub trait Authenticate: Send + Sync + 'static {
    /// The credentials of callers: `server::Credentials` of the generated code.
    type Credentials: PresentedCredentials;
    /// The authenticated caller.
    type Principal: Clone + Send + Sync + 'static;

    /// Authenticates a caller by the given credentials. `shown` contains exactly the schemes in
    /// `needed`, which also has the scopes that the operation requires.
    ///
    /// # Errors
    ///
    /// Returns an error if the caller is refused: see [`AuthError`].
    fn authenticate(
        &self,
        shown: Self::Credentials,
        needed: &'static [SecurityRequirement],
        context: &Context,
    ) -> impl Future<Output = Result<Self::Principal, AuthError>> + Send;
}

/// The reason why a caller is refused.
///
/// A documented response may be a reason, too: generated code has constants for these in
/// `server::rejections`, which `?` and `into()` convert to this type.
///
/// ```
/// use bothends_runtime::server::{AuthError, RejectionBody};
///
/// // In generated code: `server::rejections::unauthorized::TOKEN_EXPIRED`.
/// const EXPIRED: RejectionBody = RejectionBody::new(401, "application/json", r#"{"code":"expired"}"#);
///
/// fn check(expired: bool) -> Result<(), AuthError> {
///     if expired { Err(EXPIRED.into()) } else { Ok(()) }
/// }
/// # assert!(check(true).is_err());
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum AuthError {
    /// The credentials are unknown (401).
    Unauthenticated,
    /// The caller is known but not permitted, because scopes are missing (403, or the documented
    /// response).
    Forbidden,
    /// Another rejection, such as the failure of the authenticator.
    Rejection(Rejection),
    /// A documented response. A response with the status 401 also gets the challenges.
    Response(RejectionBody),
}

impl AuthError {
    /// Returns the error of an authenticator that failed (500). The source is reported to
    /// [`Router::on_failure`](super::Router::on_failure), and never sent to the caller.
    pub fn internal(source: impl Into<BodyError>) -> Self {
        Self::Rejection(Rejection::internal().with_cause(source))
    }
}

impl From<Rejection> for AuthError {
    fn from(rejection: Rejection) -> Self {
        Self::Rejection(rejection)
    }
}

impl From<RejectionBody> for AuthError {
    fn from(response: RejectionBody) -> Self {
        Self::Response(response)
    }
}

/// The adapter from [`Authenticate`] to [`Authenticator`].
pub(super) struct Guard<A> {
    pub(super) users: A,
    /// The documented response for a caller who is not permitted.
    pub(super) forbidden: Option<RejectionBody>,
}

impl<A: Authenticate> Authenticator for Guard<A> {
    fn authenticate<'a>(
        &'a self,
        context: &'a mut Context,
    ) -> BoxFuture<'a, Result<(), Error<NoError>>> {
        Box::pin(self.authenticate_caller(context))
    }
}

impl<A: Authenticate> Guard<A> {
    async fn authenticate_caller(&self, context: &mut Context) -> Result<(), Error<NoError>> {
        let security = context.security();
        let mut alternatives: Vec<&'static [SecurityRequirement]> = security.to_vec();
        alternatives.sort_by_key(|needed| std::cmp::Reverse(needed.len()));
        let mut refused = None;
        let mut wrong: Vec<&'static [SecurityRequirement]> = Vec::new();
        for needed in alternatives
            .iter()
            .copied()
            .filter(|alternative| !alternative.is_empty())
        {
            // A wrong credential is never ignored.
            if wrong
                .iter()
                .any(|alternative| leaves_out::<A>(alternative, needed))
            {
                continue;
            }
            let Some(shown) = A::Credentials::all(needed, context) else {
                continue;
            };
            match self.users.authenticate(shown, needed, context).await {
                Ok(principal) => {
                    context.extensions_mut().insert(principal);
                    context.admit(needed);
                    return Ok(());
                }
                Err(denied) => {
                    if !matches!(denied, AuthError::Forbidden) {
                        wrong.push(needed);
                    }
                    // A 403 is more specific than a 401.
                    if refused.is_none() || !matches!(denied, AuthError::Unauthenticated) {
                        refused = Some((denied, needed));
                    }
                }
            }
        }
        let open = alternatives.is_empty()
            || alternatives
                .iter()
                .any(|alternative| alternative.is_empty());
        match refused {
            None if open => Ok(()),
            None => Err(unauthorized(A::Credentials::SCHEMES, security, "").into()),
            Some((denied, needed)) => Err(self.denied(denied, security, needed)),
        }
    }

    fn denied(
        &self,
        denied: AuthError,
        security: &'static [&'static [SecurityRequirement]],
        needed: &'static [SecurityRequirement],
    ) -> Error<NoError> {
        let schemes = A::Credentials::SCHEMES;
        match denied {
            AuthError::Unauthenticated => unauthorized(schemes, security, INVALID_TOKEN).into(),
            AuthError::Rejection(rejection) => rejection.into(),
            AuthError::Forbidden => {
                let status = self.forbidden.map_or(403, |body| body.status);
                let challenges = self.missing_scopes(status, security, needed);
                with_challenges(Rejection::new(RejectionKind::Forbidden), challenges).into()
            }
            AuthError::Response(body) => {
                let mut response = Response::from(body);
                let challenges = if self.forbidden == Some(body) {
                    self.missing_scopes(body.status, security, needed)
                } else if body.status == 401 {
                    challenge::of_all(schemes, security, INVALID_TOKEN)
                } else {
                    Vec::new()
                };
                challenge::add(&mut response, challenges);
                response.into()
            }
        }
    }

    /// Returns the challenges for missing scopes of bearer tokens; a 401 always has a challenge.
    fn missing_scopes(
        &self,
        status: u16,
        security: &'static [&'static [SecurityRequirement]],
        needed: &'static [SecurityRequirement],
    ) -> Vec<HeaderValue> {
        let schemes = A::Credentials::SCHEMES;
        let bearers = challenge::bearers(schemes, needed);
        if bearers.is_empty() && status == 401 {
            return challenge::of_all(schemes, security, "");
        }
        let error = challenge::insufficient_scope(&bearers);
        challenge::of_all(schemes, &[&bearers], &error)
    }
}

/// Returns whether an alternative has the schemes of a refused one, except for a credential that is
/// in the request.
fn leaves_out<A: Authenticate>(
    refused: &[SecurityRequirement],
    needed: &[SecurityRequirement],
) -> bool {
    let asks = |all: &[SecurityRequirement], scheme: &str| {
        all.iter().any(|requirement| requirement.scheme == scheme)
    };
    // The request does not show whether the connection has credentials.
    let is_seen = |scheme: &str| {
        let mut known = A::Credentials::SCHEMES.iter();
        known.any(|(name, kind, _)| *name == scheme && *kind != "transport")
    };
    needed
        .iter()
        .all(|requirement| asks(refused, requirement.scheme))
        && (refused.iter())
            .any(|requirement| !asks(needed, requirement.scheme) && is_seen(requirement.scheme))
}

/// The error attribute of `Bearer` for a refused token (RFC 6750, section 3.1).
const INVALID_TOKEN: &str = ", error=\"invalid_token\"";

/// Returns a 401 with a challenge for each accepted scheme.
pub(super) fn unauthorized(
    schemes: Schemes,
    security: &[&[SecurityRequirement]],
    error: &str,
) -> Rejection {
    let challenges = challenge::of_all(schemes, security, error);
    with_challenges(Rejection::unauthorized(), challenges)
}

fn with_challenges(rejection: Rejection, challenges: Vec<HeaderValue>) -> Rejection {
    let add = |rejection: Rejection, value| rejection.header(WWW_AUTHENTICATE, value);
    challenges.into_iter().fold(rejection, add)
}
