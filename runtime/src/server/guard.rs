//! From the security of an operation to who is let in.

use super::{Authenticator, BoxFuture, Context, Error, Fault, FaultKind, Shown};
use crate::{NoError, Requirement};
use http::HeaderValue;
use http::header::WWW_AUTHENTICATE;

/// Finds out who a caller is.
///
/// It is asked for operations with `security` alone, and once for each alternative of which the
/// caller shows every scheme, the alternative with most schemes first; the first principal lets the
/// request in. Nobody else is, unless anonymous callers are (`{}`) and nothing was shown.
///
/// ```
/// use bothends_runtime::server::{Authenticate, Context, Denied, Secret};
/// # use bothends_runtime::Requirement;
///
/// #[derive(Debug, Clone, Default)]
/// pub struct Credentials {
///     pub key: Option<Secret>,
/// }
/// bothends_runtime::shown! { Credentials { key: header "key" "X-Key" } }
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
///     ) -> Result<User, Denied> {
///         match shown.key.as_ref().map(Secret::expose) {
///             Some("open sesame") => Ok(User(7)),
///             _ => Err(Denied::Unknown),
///         }
///     }
/// }
/// ```
///
/// A handler then has `context.principal::<User>()`.
pub trait Authenticate: Send + Sync + 'static {
    /// What callers show: `server::Credentials` of the generated code.
    type Credentials: Shown;
    /// Who a caller is.
    type Principal: Clone + Send + Sync + 'static;

    /// Finds out who shows these credentials. Of `shown`, the schemes in `needed` are there and no
    /// other; `needed` also has the scopes that the operation asks for.
    fn authenticate(
        &self,
        shown: Self::Credentials,
        needed: &'static [Requirement],
        context: &Context,
    ) -> impl Future<Output = Result<Self::Principal, Denied>> + Send;
}

/// Why a caller is not let in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Denied {
    /// Nobody has such credentials (401).
    Unknown,
    /// The caller is known, and may not do this: scopes are missing (403).
    Forbidden,
    /// It cannot be found out, or something else is to be answered.
    Fault(Fault),
}

/// An [`Authenticate`] as the router knows it.
pub(super) struct Guard<A>(pub(super) A);

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
        let security = context.operation().security;
        let mut alternatives: Vec<&'static [Requirement]> = security.to_vec();
        alternatives.sort_by_key(|needed| std::cmp::Reverse(needed.len()));
        let mut refused = None;
        for needed in alternatives.iter().copied().filter(|of| !of.is_empty()) {
            let Some(shown) = A::Credentials::all(needed, context) else {
                continue;
            };
            match self.0.authenticate(shown, needed, context).await {
                Ok(principal) => {
                    context.extensions_mut().insert(principal);
                    return Ok(());
                }
                // To be known and not allowed says more than not to be known.
                Err(denied) if denied == Denied::Unknown && refused.is_some() => {}
                Err(denied) => refused = Some((denied, needed)),
            }
        }
        let open = alternatives.is_empty() || alternatives.iter().any(|of| of.is_empty());
        match refused {
            None if open => Ok(()),
            None => Err(unauthorized::<A::Credentials>(security, "")),
            Some((Denied::Unknown, _)) => Err(unauthorized::<A::Credentials>(
                security,
                ", error=\"invalid_token\"",
            )),
            Some((Denied::Forbidden, needed)) => Err(forbidden::<A::Credentials>(needed)),
            Some((Denied::Fault(fault), _)) => Err(fault.into()),
        }
    }
}

/// 401, with a challenge for each scheme that would help (RFC 9110, section 11.6.1).
fn unauthorized<C: Shown>(security: &[&[Requirement]], error: &str) -> Error<NoError> {
    let mut challenges: Vec<String> = Vec::new();
    for requirement in security.iter().flat_map(|needed| needed.iter()) {
        let challenge = match scheme::<C>(requirement) {
            Some(("basic", _)) => "Basic realm=\"api\", charset=\"UTF-8\"".to_owned(),
            Some(("bearer", _)) => format!("Bearer realm=\"api\"{error}"),
            Some(("http", word)) => format!("{word} realm=\"api\""),
            Some((place @ ("header" | "query" | "cookie"), name)) => {
                format!("ApiKey in=\"{place}\", name=\"{}\"", quotable(name))
            }
            _ => continue,
        };
        if !challenges.contains(&challenge) {
            challenges.push(challenge);
        }
    }
    challenged(Fault::unauthorized(), &challenges)
}

/// 403, with the scopes that are missing (RFC 6750, section 3.1).
fn forbidden<C: Shown>(needed: &[Requirement]) -> Error<NoError> {
    let bearer = needed
        .iter()
        .find(|of| matches!(scheme::<C>(of), Some(("bearer", _))));
    let challenge = bearer.map(|of| {
        let scope = of.scopes.join(" ");
        let scope = quotable(&scope);
        format!("Bearer realm=\"api\", error=\"insufficient_scope\", scope=\"{scope}\"")
    });
    challenged(Fault::new(FaultKind::Forbidden), challenge.as_slice())
}

fn scheme<C: Shown>(requirement: &Requirement) -> Option<(&'static str, &'static str)> {
    let mut known = C::SCHEMES.iter();
    known
        .find(|(scheme, ..)| *scheme == requirement.scheme)
        .map(|(_, kind, name)| (*kind, *name))
}

/// A text within quotes in a header.
fn quotable(text: &str) -> String {
    text.replace(['\\', '"'], "")
}

fn challenged(fault: Fault, challenges: &[String]) -> Error<NoError> {
    let values = challenges
        .iter()
        .filter_map(|of| HeaderValue::from_str(of).ok());
    let fault = values.fold(fault, |fault, value| fault.header(WWW_AUTHENTICATE, value));
    Error::Fault(fault)
}
