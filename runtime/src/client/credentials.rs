//! What a client shows to be let in.

use super::options::Showing;
use super::{Basic, MutualTls, Secret};
use crate::wire::cookie;
use crate::wire::percent::{Keep, encode};
use crate::{EncodeError, Requirement};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, COOKIE};
use http::{HeaderMap, HeaderName, HeaderValue};
use std::sync::Arc;
use zeroize::Zeroizing;

/// What is shown for one scheme, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Credential {
    /// `Authorization: Basic …`
    Basic(Basic),
    /// `Authorization: Bearer …`
    Bearer(Secret),
    /// `Authorization` with another word.
    Http(&'static str, Secret),
    /// A header.
    Header(&'static str, Secret),
    /// A parameter in the query.
    Query(&'static str, Secret),
    /// A cookie.
    Cookie(&'static str, Secret),
    /// Nothing that could be seen in a request.
    Transport,
}

impl Credential {
    /// `Authorization: Basic …`
    pub fn basic(of: &Basic) -> Self {
        Self::Basic(of.clone())
    }

    /// `Authorization: Bearer …`
    pub fn bearer(of: &Secret) -> Self {
        Self::Bearer(of.clone())
    }

    /// `Authorization` with another word.
    pub fn http(of: &Secret, word: &'static str) -> Self {
        Self::Http(word, of.clone())
    }

    /// A header.
    pub fn header(of: &Secret, name: &'static str) -> Self {
        Self::Header(name, of.clone())
    }

    /// A parameter in the query.
    pub fn query(of: &Secret, name: &'static str) -> Self {
        Self::Query(name, of.clone())
    }

    /// A cookie.
    pub fn cookie(of: &Secret, name: &'static str) -> Self {
        Self::Cookie(name, of.clone())
    }

    /// Nothing that could be seen in a request.
    pub const fn transport(_: &MutualTls) -> Self {
        Self::Transport
    }

    /// Puts it where it belongs; the query and the cookies are still without their marks.
    pub(super) fn apply(
        &self,
        headers: &mut HeaderMap,
        query: &mut String,
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
                let code = Zeroizing::new(format!("Bearer {}", token.expose()));
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
                if !query.is_empty() {
                    query.push('&');
                }
                query.push_str(&encode(name, Keep::UNRESERVED));
                query.push('=');
                query.push_str(&encode(secret.expose(), Keep::UNRESERVED));
                Ok(())
            }
            Self::Cookie(name, secret) => cookie_pair(cookies, name, secret),
            Self::Transport => Ok(()),
        }
    }
}

/// A key is sent in a cookie as it is, since nothing says that a cookie is encoded in any way
/// (RFC 6265, section 4.1.1). A key that cannot stand there is refused, and not shown.
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
    let mut value = crate::wire::header::value(name.as_str(), text)?;
    value.set_sensitive(true);
    headers.append(name, value);
    Ok(())
}

/// Cookies as a header.
pub(super) fn cookie_header(
    cookies: &str,
) -> Result<Option<(HeaderName, HeaderValue)>, EncodeError> {
    if cookies.is_empty() {
        return Ok(None);
    }
    let mut value = crate::wire::header::value("cookie", cookies)?;
    value.set_sensitive(true);
    Ok(Some((COOKIE, value)))
}

/// Where credentials come from: implemented by [`credentials!`](crate::credentials).
pub trait CredentialSource: Send + Sync {
    /// What there is for a scheme of the document.
    fn find(&self, scheme: &str) -> Option<Credential>;
}

/// No credentials at all.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCredentials;

impl CredentialSource for NoCredentials {
    fn find(&self, _: &str) -> Option<Credential> {
        None
    }
}

/// One source before another.
pub(super) struct Further {
    pub(super) first: Arc<dyn CredentialSource>,
    pub(super) then: Arc<dyn CredentialSource>,
}

impl CredentialSource for Further {
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
        // What somebody gave outright goes first.
        let given = self.source.find(scheme);
        given.or_else(|| (scheme == self.scheme).then(|| Credential::bearer(&self.token)))
    }
}

/// The credentials to send with a request: of its alternatives for which there are all, the
/// one that names most schemes, and the first of several.
///
/// An alternative without schemes is always possible: it is taken when there is nothing to show.
pub(super) fn choose(
    security: &[&[Requirement]],
    source: &dyn CredentialSource,
    showing: Showing,
) -> Result<Vec<Credential>, Vec<&'static str>> {
    if showing == Showing::None {
        return Ok(Vec::new());
    }
    let all = |schemes: &[Requirement]| -> Option<Vec<Credential>> {
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
        None if showing == Showing::Optional => Ok(most(security, source)),
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

/// The credentials of the alternative for which there are most; the first of several.
fn most(security: &[&[Requirement]], source: &dyn CredentialSource) -> Vec<Credential> {
    let mut most = Vec::new();
    for schemes in security {
        let found = schemes.iter().filter_map(|of| source.find(of.scheme));
        let found: Vec<Credential> = found.collect();
        if found.len() > most.len() {
            most = found;
        }
    }
    most
}

/// Describes a struct of credentials, a field for each scheme of the document.
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
/// A line is the field, the kind (`basic`, `bearer`, `http`, `header`, `query`, `cookie`, `transport`), the
/// scheme, and the name of the header, parameter or cookie.
#[macro_export]
macro_rules! credentials {
    ($Type:ident { $($field:ident : $kind:ident $scheme:literal $($name:literal)?),* $(,)? }) => {
        impl $crate::client::CredentialSource for $Type {
            fn find(
                &self,
                scheme: &str,
            ) -> ::core::option::Option<$crate::client::Credential> {
                match scheme {
                    $($scheme => {
                        self.$field.as_ref().map(|of| $crate::client::Credential::$kind(of $(, $name)?))
                    })*
                    _ => ::core::option::Option::None,
                }
            }
        }
    };
}
