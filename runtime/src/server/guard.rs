//! From the security of an operation to who is let in.

use super::challenge::{self, Schemes};
use super::{
    Authenticator, BodyError, BoxFuture, Context, Error, PresentedCredentials, Rejection,
    RejectionBody, RejectionKind, Response,
};
use crate::{NoError, Requirement};
use http::HeaderValue;
use http::header::WWW_AUTHENTICATE;

/// Finds out who a caller is.
///
/// It is asked for operations with `security` alone, and once for each alternative of which the
/// caller shows every scheme, the alternative with most schemes first; the first principal lets the
/// request in. Nobody else is, unless anonymous callers are (`{}`) and nothing was shown. A caller whose
/// credentials are wrong for one alternative is not let in by another that merely leaves some of them
/// out: a wrong secret is refused, not overlooked.
///
/// ```
/// use bothends_runtime::server::{Authenticate, Context, AuthError, Secret};
/// # use bothends_runtime::Requirement;
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
///         _: &'static [Requirement],
///         _: &Context,
///     ) -> Result<User, AuthError> {
///         match shown.key.as_ref().map(Secret::expose) {
///             Some("open sesame") => Ok(User(7)),
///             _ => Err(AuthError::Unknown),
///         }
///     }
/// }
/// ```
///
/// A handler then has `context.principal::<User>()`.
pub trait Authenticate: Send + Sync + 'static {
    /// What callers show: `server::Credentials` of the generated code.
    type Credentials: PresentedCredentials;
    /// Who a caller is.
    type Principal: Clone + Send + Sync + 'static;

    /// Finds out who shows these credentials. Of `shown`, the schemes in `needed` are there and no
    /// other; `needed` also has the scopes that the operation asks for.
    fn authenticate(
        &self,
        shown: Self::Credentials,
        needed: &'static [Requirement],
        context: &Context,
    ) -> impl Future<Output = Result<Self::Principal, AuthError>> + Send;
}

/// Why a caller is not let in.
///
/// A response that the document has for a reason is a reason by itself: generated code has
/// constants for those in `server::rejections`, which `?` and `into()` turn into this.
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
    /// Nobody has such credentials (401).
    Unknown,
    /// The caller is known, and may not do this: scopes are missing (403, or what the document has
    /// for it).
    Forbidden,
    /// It cannot be found out, or something else is to be answered.
    Rejection(Rejection),
    /// A response of the document. One with the status 401 gets its challenges.
    Response(RejectionBody),
}

impl AuthError {
    /// Returns the reason for an authenticator that failed (500). The source is reported to
    /// [`Router::on_failure`](super::Router::on_failure), and never to the caller.
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

/// An [`Authenticate`] as the router knows it.
pub(super) struct Guard<A> {
    pub(super) users: A,
    /// What the document has for a caller who may not do this.
    pub(super) forbidden: Option<RejectionBody>,
}

impl<A: Authenticate> Authenticator for Guard<A> {
    fn authenticate<'a>(
        &'a self,
        context: &'a mut Context,
    ) -> BoxFuture<'a, Result<(), Error<NoError>>> {
        Box::pin(self.let_in(context))
    }
}

impl<A: Authenticate> Guard<A> {
    async fn let_in(&self, context: &mut Context) -> Result<(), Error<NoError>> {
        let security = context.security();
        let mut alternatives: Vec<&'static [Requirement]> = security.to_vec();
        alternatives.sort_by_key(|needed| std::cmp::Reverse(needed.len()));
        let mut refused = None;
        let mut wrong: Vec<&'static [Requirement]> = Vec::new();
        for needed in alternatives.iter().copied().filter(|of| !of.is_empty()) {
            // A credential that is wrong is not overlooked.
            if wrong.iter().any(|of| leaves_out::<A>(of, needed)) {
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
                    // To be known and not allowed says more than not to be known.
                    if refused.is_none() || !matches!(denied, AuthError::Unknown) {
                        refused = Some((denied, needed));
                    }
                }
            }
        }
        let open = alternatives.is_empty() || alternatives.iter().any(|of| of.is_empty());
        match refused {
            None if open => Ok(()),
            None => Err(unauthorized(A::Credentials::SCHEMES, security, "").into()),
            Some((denied, needed)) => Err(self.denied(denied, security, needed)),
        }
    }

    fn denied(
        &self,
        denied: AuthError,
        security: &'static [&'static [Requirement]],
        needed: &'static [Requirement],
    ) -> Error<NoError> {
        let schemes = A::Credentials::SCHEMES;
        match denied {
            AuthError::Unknown => unauthorized(schemes, security, INVALID_TOKEN).into(),
            AuthError::Rejection(rejection) => rejection.into(),
            AuthError::Forbidden => {
                let status = self.forbidden.map_or(403, |of| of.status);
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

    /// The challenge of a bearer token without the scopes; a 401 has one in any case.
    fn missing_scopes(
        &self,
        status: u16,
        security: &'static [&'static [Requirement]],
        needed: &'static [Requirement],
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

/// Whether an alternative asks for the same as one that was refused, but for a credential that the
/// caller shows.
fn leaves_out<A: Authenticate>(refused: &[Requirement], needed: &[Requirement]) -> bool {
    let asks = |all: &[Requirement], scheme: &str| all.iter().any(|of| of.scheme == scheme);
    // Whether a connection shows anything is not known.
    let is_seen = |scheme: &str| {
        let mut known = A::Credentials::SCHEMES.iter();
        known.any(|(name, kind, _)| *name == scheme && *kind != "transport")
    };
    needed.iter().all(|of| asks(refused, of.scheme))
        && (refused.iter()).any(|of| !asks(needed, of.scheme) && is_seen(of.scheme))
}

/// What `Bearer` says of a token that is not taken (RFC 6750, section 3.1).
const INVALID_TOKEN: &str = ", error=\"invalid_token\"";

/// 401, with a challenge for each scheme that would help.
pub(super) fn unauthorized(
    schemes: Schemes,
    security: &[&[Requirement]],
    error: &str,
) -> Rejection {
    let challenges = challenge::of_all(schemes, security, error);
    with_challenges(Rejection::unauthorized(), challenges)
}

fn with_challenges(rejection: Rejection, challenges: Vec<HeaderValue>) -> Rejection {
    let add = |rejection: Rejection, value| rejection.header(WWW_AUTHENTICATE, value);
    challenges.into_iter().fold(rejection, add)
}
