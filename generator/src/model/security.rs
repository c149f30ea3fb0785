//! Security schemes.

use super::{Extensions, Location};
use crate::position::Origin;

/// One security scheme.
#[derive(Debug, Clone)]
pub(crate) struct SecurityScheme {
    /// Where it stands.
    pub origin: Origin,
    /// `description`
    pub description: Option<String>,
    /// `deprecated` (OpenAPI 3.2)
    pub deprecated: bool,
    /// What kind of credential.
    pub kind: SecurityKind,
    /// `x-` keys.
    pub extensions: Extensions,
}

/// Kinds of security schemes.
#[derive(Debug, Clone)]
pub(crate) enum SecurityKind {
    /// `http` with `basic`
    Basic,
    /// `http` with `bearer`, and its `bearerFormat`
    Bearer(Option<String>),
    /// `http` with any other scheme
    Http(String),
    /// `apiKey`: where, and under which name
    ApiKey(Location, String),
    /// `oauth2`, with its flows
    OAuth2(Vec<OAuthFlow>),
    /// `openIdConnect`, with its discovery URL
    OpenIdConnect(String),
    /// `mutualTLS`
    MutualTls,
}

/// One OAuth2 flow.
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
    /// Scopes and their descriptions.
    pub scopes: Vec<(String, String)>,
}
