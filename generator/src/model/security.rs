//! Security schemes.

use super::{Extensions, Location};
use crate::position::Origin;

/// A security scheme.
#[derive(Debug, Clone)]
pub(crate) struct SecurityScheme {
    /// The position in the document.
    pub origin: Origin,
    /// `description`
    pub description: Option<String>,
    /// `deprecated` (OpenAPI 3.2)
    pub deprecated: bool,
    /// The kind of the credential.
    pub kind: SecurityKind,
    /// The `x-` keys.
    pub extensions: Extensions,
}

/// The kinds of security schemes.
#[derive(Debug, Clone)]
pub(crate) enum SecurityKind {
    /// `http` with `basic`
    Basic,
    /// `http` with `bearer`, and its `bearerFormat`
    Bearer(Option<String>),
    /// `http` with any other scheme
    Http(String),
    /// `apiKey`, with its location and name
    ApiKey(Location, String),
    /// `oauth2`, with its flows
    OAuth2(Vec<OAuthFlow>),
    /// `openIdConnect`, with its discovery URL
    OpenIdConnect(String),
    /// `mutualTLS`
    MutualTls,
}

/// An OAuth 2.0 flow.
#[derive(Debug, Clone)]
pub(crate) struct OAuthFlow {
    /// `clientCredentials`, `authorizationCode`, `password`, `implicit`, `deviceAuthorization`
    pub name: String,
    /// `authorizationUrl`
    pub authorization_url: Option<String>,
    /// `tokenUrl`
    pub token_url: Option<String>,
    /// `refreshUrl`
    pub refresh_url: Option<String>,
    /// `deviceAuthorizationUrl` (OpenAPI 3.2)
    pub device_authorization_url: Option<String>,
    /// The scopes and their descriptions.
    pub scopes: Vec<(String, String)>,
}
