//! Parameters of token requests that the document does not describe.

use super::ClientAuthentication;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// How long a client assertion is valid.
const ASSERTION_LIFETIME: Duration = Duration::from_secs(300);

type SignError = Box<dyn std::error::Error + Send + Sync>;
type Sign = dyn Fn(&AssertionClaims) -> Result<String, SignError> + Send + Sync;

/// Parameters of token requests, in addition to those of the document: the scope, further form
/// fields, and the authentication of the client.
///
/// By default, `scope` has the scopes that the operation's `security` lists.
///
/// ```
/// use bothends_runtime::client::{ClientAuthentication, TokenRequest};
///
/// // Entra ID: the scope names the API, and the secret is a field of the form.
/// let entra = TokenRequest::new()
///     .scope("api://orders/.default")
///     .authentication(ClientAuthentication::Form);
/// // Auth0: the API is named by its audience.
/// let auth0 = TokenRequest::new().audience("https://api.example.com");
/// ```
#[derive(Clone, Default)]
pub struct TokenRequest {
    pub(super) scope: Option<String>,
    pub(super) fields: Vec<(String, String)>,
    pub(super) authentication: Option<ClientAuthentication>,
    sign: Option<Arc<Sign>>,
    assertion_audience: Option<String>,
}

impl TokenRequest {
    /// Creates a request with the parameters of the document only.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the scope (RFC 6749, section 3.3) of all tokens, in place of the scopes that the
    /// operations list. If it is empty, no scope is sent.
    #[must_use]
    pub fn scope(self, scope: impl Into<String>) -> Self {
        Self {
            scope: Some(scope.into()),
            ..self
        }
    }

    /// Adds the field `audience`, by which Auth0 and others select the API.
    #[must_use]
    pub fn audience(self, audience: impl Into<String>) -> Self {
        self.field("audience", audience)
    }

    /// Adds the field `resource` (RFC 8707), the URI of the API. It may be added several times.
    #[must_use]
    pub fn resource(self, resource: impl Into<String>) -> Self {
        self.field("resource", resource)
    }

    /// Adds a form field, which is sent with every token request.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    /// Sets how the client authenticates, in place of what the document states:
    /// [`ClientAuthentication::Form`] is `client_secret_post` of OpenID Connect.
    #[must_use]
    pub fn authentication(self, authentication: ClientAuthentication) -> Self {
        Self {
            authentication: Some(authentication),
            ..self
        }
    }

    /// Authenticates the client by a signed assertion (`private_key_jwt`, RFC 7523, section 2.2)
    /// instead of its secret. `sign` returns the claims as a JWT; it is called for every token
    /// request.
    ///
    /// ```
    /// use bothends_runtime::client::{AssertionClaims, TokenRequest};
    ///
    /// // With the crate `jsonwebtoken`: `jsonwebtoken::encode(&header, claims, &key)`.
    /// fn sign(claims: &AssertionClaims) -> Result<String, std::io::Error> {
    /// #   let _ = claims;
    ///     // …
    /// #   Ok(String::new())
    /// }
    ///
    /// let request = TokenRequest::new().private_key_jwt(|claims| Ok(sign(claims)?));
    /// ```
    #[must_use]
    pub fn private_key_jwt(
        self,
        sign: impl Fn(&AssertionClaims) -> Result<String, SignError> + Send + Sync + 'static,
    ) -> Self {
        Self {
            sign: Some(Arc::new(sign)),
            ..self
        }
    }

    /// Sets the audience of the assertion. The default is the URL of the token endpoint (RFC 7523,
    /// section 3).
    #[must_use]
    pub fn assertion_audience(self, audience: impl Into<String>) -> Self {
        Self {
            assertion_audience: Some(audience.into()),
            ..self
        }
    }

    /// Returns the signed assertion of a client; `None` if it authenticates by its secret.
    pub(super) fn assertion(
        &self,
        client_id: &str,
        endpoint: &str,
    ) -> Option<Result<String, SignError>> {
        let sign = self.sign.as_deref()?;
        let audience = self.assertion_audience.as_deref().unwrap_or(endpoint);
        let claims = AssertionClaims::new(client_id, audience);
        Some(claims.and_then(|claims| sign(&claims)))
    }
}

impl fmt::Debug for TokenRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.fields.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("TokenRequest")
            .field("scope", &self.scope)
            .field("fields", &names)
            .field("authentication", &self.authentication)
            .finish_non_exhaustive()
    }
}

impl AssertionClaims {
    fn new(client_id: &str, audience: &str) -> Result<Self, SignError> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
        Ok(Self {
            iss: client_id.to_owned(),
            sub: client_id.to_owned(),
            aud: audience.to_owned(),
            jti: format!("{:032x}", fastrand::u128(..)),
            iat: now.as_secs(),
            exp: (now + ASSERTION_LIFETIME).as_secs(),
        })
    }
}

/// The claims of a client assertion (RFC 7523, section 3).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AssertionClaims {
    /// The issuer: the client id.
    pub iss: String,
    /// The subject: the client id.
    pub sub: String,
    /// The audience: the URL of the token endpoint, unless another is set.
    pub aud: String,
    /// A unique id of the assertion.
    pub jti: String,
    /// The time of issue, in seconds since 1970.
    pub iat: u64,
    /// The time after which the assertion is invalid, in seconds since 1970.
    pub exp: u64,
}

impl Serialize for AssertionClaims {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut claims = serializer.serialize_struct("AssertionClaims", 6)?;
        claims.serialize_field("iss", &self.iss)?;
        claims.serialize_field("sub", &self.sub)?;
        claims.serialize_field("aud", &self.aud)?;
        claims.serialize_field("jti", &self.jti)?;
        claims.serialize_field("iat", &self.iat)?;
        claims.serialize_field("exp", &self.exp)?;
        claims.end()
    }
}

#[cfg(test)]
mod tests {
    use super::TokenRequest;

    #[test]
    fn the_audience_of_an_assertion_may_be_set_first() {
        let first = TokenRequest::new().assertion_audience("a");
        let last = TokenRequest::new().private_key_jwt(|claims| Ok(claims.aud.clone()));
        let sign = |request: TokenRequest| request.assertion("id", "url").and_then(Result::ok);
        assert_eq!(sign(first.clone()), None);
        assert_eq!(sign(last.clone()).as_deref(), Some("url"));
        assert_eq!(sign(last.assertion_audience("a")).as_deref(), Some("a"));
        let first = first.private_key_jwt(|claims| Ok(claims.aud.clone()));
        assert_eq!(sign(first).as_deref(), Some("a"));
    }
}
