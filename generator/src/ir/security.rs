//! Who is let in, and how a client shows who it is.

use super::{Doc, Name};

/// One scheme that a combination needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// Name of the scheme in the document.
    pub scheme: String,
    /// Scopes that are needed.
    pub scopes: Vec<String>,
}

/// A security scheme.
#[derive(Debug, Clone)]
pub struct Scheme {
    /// Its name; `rust` is the field of the credentials.
    pub name: Name,
    /// What it is.
    pub kind: SchemeKind,
    /// Its rustdoc.
    pub doc: Doc,
    /// Where a client gets its token by itself: OAuth 2.0 with client credentials.
    pub token: Option<TokenFlow>,
}

/// How a client gets a token with its own credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenFlow {
    /// The `tokenUrl`.
    pub url: String,
    /// JSON pointer of the object that holds the members of the answer; empty for its root.
    pub envelope: String,
    /// How the client says who it is, when it obtains a pair and when it refreshes one; `None` for
    /// the way of RFC 6749.
    pub authentication: Option<(ClientAuthentication, ClientAuthentication)>,
    /// JSON pointer of the code in a 401, and the codes that another token does not cure.
    pub non_refreshable_codes: Option<(String, Vec<String>)>,
}

/// How a client says who it is to a token endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientAuthentication {
    /// HTTP Basic.
    Basic,
    /// A header with the client's id.
    IdHeader(String),
}

/// What a client needs for a scheme.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemeKind {
    /// User and password.
    Basic,
    /// A bearer token: `http` bearer, OAuth2, OpenID Connect.
    Bearer,
    /// `Authorization` with another scheme word.
    Http(String),
    /// A key in a header of this name.
    Header(String),
    /// A key in a query parameter of this name.
    Query(String),
    /// A key in a cookie of this name.
    Cookie(String),
    /// PresentedCredentials by the transport: a certificate (mutual TLS), or what the document does not declare.
    Transport,
}
