//! Security requirements and security schemes.

use super::{Doc, Name};

/// A scheme that a combination requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// The name of the scheme in the document.
    pub scheme: String,
    /// The required scopes.
    pub scopes: Vec<String>,
}

/// A security scheme.
#[derive(Debug, Clone)]
pub struct Scheme {
    /// The name; `rust` is the field of the credentials.
    pub name: Name,
    /// The kind of the scheme.
    pub kind: SchemeKind,
    /// The rustdoc.
    pub doc: Doc,
    /// The token endpoint of a client that obtains its own token: OAuth 2.0 with client
    /// credentials.
    pub token: Option<TokenFlow>,
}

/// The token endpoint of a scheme, for clients that obtain tokens with their own credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenFlow {
    /// The `tokenUrl`.
    pub url: String,
    /// The `refreshUrl`, if it differs.
    pub refresh_url: Option<String>,
    /// The JSON pointer of the object that contains the members of the token response; empty for
    /// the root.
    pub envelope: String,
    /// The client authentication for obtaining and for refreshing tokens; `None` for the method of
    /// RFC 6749.
    pub authentication: Option<(ClientAuthentication, ClientAuthentication)>,
    /// The JSON pointer of the code in a 401 response, and the codes for which a new token does not
    /// help.
    pub non_refreshable_codes: Option<(String, Vec<String>)>,
}

/// The client authentication at a token endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientAuthentication {
    /// HTTP Basic.
    Basic,
    /// A header with the client id.
    IdHeader(String),
}

/// The kind of a security scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemeKind {
    /// User name and password.
    Basic,
    /// A bearer token: `http` bearer, OAuth 2.0, OpenID Connect.
    Bearer,
    /// `Authorization` with another scheme.
    Http(String),
    /// A key in a header of this name.
    Header(String),
    /// A key in a query parameter of this name.
    Query(String),
    /// A key in a cookie of this name.
    Cookie(String),
    /// Credentials presented by the transport: a certificate (mutual TLS), or credentials that the
    /// document does not declare.
    Transport,
}
