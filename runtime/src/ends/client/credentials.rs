//! Credentials that a client sends.

use super::options::CredentialMode;
use super::{Basic, MutualTls, Secret};
use crate::message::SecurityRequirement;
use crate::message::operation::Target;
use crate::message::wire::cookie;
use crate::message::wire::percent::encode_unreserved;
use crate::values::EncodeError;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue};
use std::sync::Arc;
use zeroize::Zeroizing;

/// The credential of one security scheme, and its place in the request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Credential {
    /// `Authorization: Basic …`
    Basic(Basic),
    /// `Authorization: Bearer …`
    Bearer(Secret),
    /// `Authorization` with another authentication scheme.
    Http(&'static str, Secret),
    /// A header.
    Header(&'static str, Secret),
    /// A query parameter.
    Query(&'static str, Secret),
    /// A cookie.
    Cookie(&'static str, Secret),
    /// A credential of the connection, which is not part of the request: mutual TLS.
    Transport,
}

impl Credential {
    /// Creates the credential `Authorization: Basic …`.
    pub fn basic(basic: &Basic) -> Self {
        Self::Basic(basic.clone())
    }

    /// Creates the credential `Authorization: Bearer …`.
    pub fn bearer(secret: &Secret) -> Self {
        Self::Bearer(secret.clone())
    }

    /// Creates a credential in `Authorization` with another authentication scheme.
    pub fn http(secret: &Secret, word: &'static str) -> Self {
        Self::Http(word, secret.clone())
    }

    /// Creates a credential in a header.
    pub fn header(secret: &Secret, name: &'static str) -> Self {
        Self::Header(name, secret.clone())
    }

    /// Creates a credential in a query parameter.
    pub fn query(secret: &Secret, name: &'static str) -> Self {
        Self::Query(name, secret.clone())
    }

    /// Creates a credential in a cookie.
    pub fn cookie(secret: &Secret, name: &'static str) -> Self {
        Self::Cookie(name, secret.clone())
    }

    /// Creates a credential of the connection, which is not part of the request.
    pub const fn transport(_: &MutualTls) -> Self {
        Self::Transport
    }

    /// Returns the name of a query parameter, as a request has it.
    #[cfg(feature = "test")]
    pub(super) fn in_query(&self) -> Option<String> {
        let Self::Query(name, _) = self else {
            return None;
        };
        let mut encoded = String::new();
        encode_unreserved(&mut encoded, name);
        Some(encoded)
    }

    /// Adds the credential to a request; `cookies` is not yet a header.
    pub(super) fn apply(
        &self,
        headers: &mut HeaderMap,
        target: &mut Target,
        cookies: &mut String,
    ) -> Result<(), EncodeError> {
        match self {
            Self::Basic(basic) if basic.user().contains(':') => {
                Err(EncodeError::new("user", "a user cannot have a colon"))
            }
            Self::Basic(basic) => {
                let pair =
                    Zeroizing::new(format!("{}:{}", basic.user(), basic.password().expose()));
                let code = Zeroizing::new(format!("Basic {}", STANDARD.encode(pair.as_bytes())));
                append(headers, AUTHORIZATION, &code)
            }
            Self::Bearer(token) => {
                let code = Zeroizing::new(["Bearer ", token.expose()].concat());
                append(headers, AUTHORIZATION, &code)
            }
            Self::Http(word, secret) => {
                let code = Zeroizing::new(format!("{word} {}", secret.expose()));
                append(headers, AUTHORIZATION, &code)
            }
            Self::Header(name, secret) => {
                let name = HeaderName::from_bytes(name.as_bytes())
                    .map_err(|_| EncodeError::new(*name, "this cannot be the name of a header"))?;
                append(headers, name, secret.expose())
            }
            Self::Query(name, secret) => {
                let query = target.begin_pair();
                encode_unreserved(query, name);
                query.push('=');
                encode_unreserved(query, secret.expose());
                Ok(())
            }
            Self::Cookie(name, secret) => cookie_pair(cookies, name, secret),
            Self::Transport => Ok(()),
        }
    }
}

/// Adds a key to the cookies without encoding it, because no standard defines an encoding of
/// cookies (RFC 6265, section 4.1.1). A key that a cookie cannot contain is an error, which does
/// not show the key.
fn cookie_pair(cookies: &mut String, name: &str, secret: &Secret) -> Result<(), EncodeError> {
    if !cookie::is_name(name) {
        return Err(EncodeError::new(
            name,
            "this cannot be the name of a cookie",
        ));
    }
    if !cookie::is_value(secret.expose()) {
        let why = "a cookie cannot hold space, quotes, commas, semicolons, backslashes, control \
                   characters or what is not ASCII";
        return Err(EncodeError::new(name, why));
    }
    if !cookies.is_empty() {
        cookies.push_str("; ");
    }
    cookies.push_str(name);
    cookies.push('=');
    cookies.push_str(secret.expose());
    Ok(())
}

fn append(headers: &mut HeaderMap, name: HeaderName, text: &str) -> Result<(), EncodeError> {
    let mut value = crate::message::wire::header::value(name.as_str(), text)?;
    value.set_sensitive(true);
    headers.append(name, value);
    Ok(())
}

/// Returns the cookies as a header.
pub(super) fn cookie_header(
    cookies: &str,
) -> Result<Option<(HeaderName, HeaderValue)>, EncodeError> {
    if cookies.is_empty() {
        return Ok(None);
    }
    let mut value = crate::message::wire::header::value("cookie", cookies)?;
    value.set_sensitive(true);
    Ok(Some((COOKIE, value)))
}

/// A source of credentials: implemented by [`credentials!`](crate::credentials).
pub trait CredentialSource: Send + Sync {
    /// Returns the credential for a security scheme of the document, if there is one.
    fn find(&self, scheme: &str) -> Option<Credential>;
}

/// A source without credentials.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCredentials;

impl CredentialSource for NoCredentials {
    fn find(&self, _: &str) -> Option<Credential> {
        None
    }
}

/// A source that takes precedence over another.
pub(super) struct CredentialOverrides {
    pub(super) first: Arc<dyn CredentialSource>,
    pub(super) then: Arc<dyn CredentialSource>,
}

impl CredentialSource for CredentialOverrides {
    fn find(&self, scheme: &str) -> Option<Credential> {
        self.first.find(scheme).or_else(|| self.then.find(scheme))
    }
}

/// A source with the token of a [`TokenProvider`](super::TokenProvider).
pub(super) struct WithToken<'a> {
    pub(super) source: &'a dyn CredentialSource,
    pub(super) scheme: &'a str,
    pub(super) token: Secret,
}

impl CredentialSource for WithToken<'_> {
    fn find(&self, scheme: &str) -> Option<Credential> {
        // Credentials that the caller has set take precedence over a token.
        let given = self.source.find(scheme);
        given.or_else(|| (scheme == self.scheme).then(|| Credential::bearer(&self.token)))
    }
}

/// Chooses the credentials of a request: of the alternatives whose credentials are all available,
/// the one with the most schemes, and the first of several.
///
/// An alternative without schemes is always possible: it is chosen if no credentials are available.
pub(super) fn choose(
    security: &[&[SecurityRequirement]],
    source: &dyn CredentialSource,
    mode: CredentialMode,
) -> Result<Vec<Credential>, Vec<&'static str>> {
    if mode == CredentialMode::None {
        return Ok(Vec::new());
    }
    let all = |schemes: &[SecurityRequirement]| -> Option<Vec<Credential>> {
        schemes
            .iter()
            .map(|requirement| source.find(requirement.scheme))
            .collect()
    };
    let mut best: Option<Vec<Credential>> = None;
    for found in security.iter().filter_map(|schemes| all(schemes)) {
        if best.as_ref().is_none_or(|best| found.len() > best.len()) {
            best = Some(found);
        }
    }
    match best {
        Some(best) => Ok(best),
        None if security.is_empty() => Ok(Vec::new()),
        None if mode == CredentialMode::Optional => Ok(most(security, source)),
        None => {
            let mut schemes: Vec<&'static str> = Vec::new();
            for requirement in security.iter().flat_map(|schemes| schemes.iter()) {
                if !schemes.contains(&requirement.scheme) {
                    schemes.push(requirement.scheme);
                }
            }
            Err(schemes)
        }
    }
}

/// The scopes of a requirement.
pub(super) type Scopes = &'static [&'static str];

/// Returns the scopes of a scheme in the alternative that [`choose`] chooses; those of the first
/// alternative with the scheme if no alternative is complete.
pub(super) fn scopes(
    security: &[&[SecurityRequirement]],
    source: &dyn CredentialSource,
    scheme: &str,
) -> Scopes {
    let mut best: Option<(usize, Scopes)> = None;
    for schemes in security {
        let Some(requirement) = schemes
            .iter()
            .find(|requirement| requirement.scheme == scheme)
        else {
            continue;
        };
        let is_complete = schemes
            .iter()
            .all(|requirement| source.find(requirement.scheme).is_some());
        let count = if is_complete { schemes.len() } else { 0 };
        if best.is_none_or(|(most, _)| count > most) {
            best = Some((count, requirement.scopes));
        }
    }
    best.map_or(&[], |(_, scopes)| scopes)
}

/// Returns the credentials of the alternative for which most are available; the first of several.
fn most(security: &[&[SecurityRequirement]], source: &dyn CredentialSource) -> Vec<Credential> {
    let mut most = Vec::new();
    for schemes in security {
        let found = schemes
            .iter()
            .filter_map(|requirement| source.find(requirement.scheme));
        let found: Vec<Credential> = found.collect();
        if found.len() > most.len() {
            most = found;
        }
    }
    most
}

/// Implements `client::CredentialSource` for a struct with a field for each security scheme of the
/// document.
///
/// ```
/// use bothends_runtime::client::{Basic, Secret};
///
/// #[derive(Debug, Clone, Default)]
/// pub struct Credentials {
///     pub client_basic: Option<Basic>,
///     pub bearer: Option<Secret>,
///     pub client_id: Option<Secret>,
/// }
/// bothends_runtime::credentials! {
///     Credentials {
///         client_basic: basic "clientBasic",
///         bearer: bearer "oauth",
///         client_id: header "clientId" "X-Client-Id",
///     }
/// }
///
/// let shown = Credentials { bearer: Some("t0ken".into()), ..Credentials::default() };
/// assert!(!format!("{shown:?}").contains("t0ken"));
/// ```
///
/// A line consists of the field, the kind (`basic`, `bearer`, `http`, `header`, `query`, `cookie`,
/// `transport`), the scheme, and the name of the header, query parameter or cookie.
#[macro_export]
macro_rules! credentials {
    ($Type:ident { $($field:ident : $kind:ident $scheme:literal $($name:literal)?),* $(,)? }) => {
        const _: &[&str] = $crate::private::distinct_of("scheme", &[$($scheme),*]);

        impl $crate::client::CredentialSource for $Type {
            fn find(
                &self,
                scheme: &str,
            ) -> ::core::option::Option<$crate::client::Credential> {
                match scheme {
                    $($scheme => {
                        self.$field.as_ref().map(|value| {
                            $crate::client::Credential::$kind(value $(, $name)?)
                        })
                    })*
                    _ => ::core::option::Option::None,
                }
            }
        }
    };
}
