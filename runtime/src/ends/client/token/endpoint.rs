//! Token endpoints.

use super::{ClientAuthentication, Grant, TokenError, TokenErrorKind, TokenFlow, TokenResponse};
use crate::ends::client::{Basic, Body, Credential, Secret, Transport, TransportError, redact};
use crate::message::wire::percent::{Keep, encode};
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, Uri};
use std::fmt;

/// Limit for the response of a token endpoint, in bytes.
const LIMIT: usize = 1 << 20;

/// A token endpoint.
///
/// Implement this trait for other grants; [`OAuthEndpoint`] implements client credentials.
pub trait TokenEndpoint: Send + Sync + 'static {
    /// Requests a new pair of tokens.
    fn obtain(&self) -> impl Future<Output = Result<TokenResponse, TokenError>> + Send;

    /// Exchanges a refresh token for a new pair. The old refresh token may be invalid afterwards,
    /// even if this returns an error.
    fn refresh(
        &self,
        refresh_token: &Secret,
    ) -> impl Future<Output = Result<TokenResponse, TokenError>> + Send;
}

/// A token endpoint of OAuth 2.0 for the client credentials grant.
pub struct OAuthEndpoint<T> {
    transport: T,
    url: Uri,
    flow: TokenFlow,
    client_id: String,
    client_secret: Secret,
}

impl<T> fmt::Debug for OAuthEndpoint<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OAuthEndpoint")
            .field("url", &redact::url(&self.url))
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

impl<T: Transport> OAuthEndpoint<T> {
    /// Creates the endpoint at `url`.
    pub fn new(
        transport: T,
        url: Uri,
        flow: TokenFlow,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Self {
        Self {
            transport,
            url,
            flow,
            client_id: client_id.into(),
            client_secret: client_secret.into(),
        }
    }

    async fn ask(
        &self,
        grant: Grant,
        refresh: Option<&Secret>,
    ) -> Result<TokenResponse, TokenErrorKind> {
        let (how, mut form) = match refresh {
            None => (self.flow.authentication, Form::new(grant)),
            Some(token) => (
                self.flow.refresh,
                Form::new(grant).with("refresh_token", token.expose()),
            ),
        };
        let mut headers = HeaderMap::new();
        self.authenticate(how, &mut headers, &mut form)
            .map_err(TokenErrorKind::Request)?;
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("application/x-www-form-urlencoded"),
        );
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let mut request = Request::new(Body::from(bytes::Bytes::from(form.0)));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.url.clone();
        *request.headers_mut() = headers;

        let response = self.transport.send(request).await;
        let (parts, body) = response.map_err(TokenErrorKind::Transport)?.into_parts();
        let body = body.collect(LIMIT).await;
        let body = body.map_err(|error| TokenErrorKind::Transport(TransportError::new(error)))?;
        if parts.status.is_success() {
            self.flow.read(&body)
        } else {
            Err(TokenErrorKind::Refused {
                status: parts.status,
                code: self.flow.code_of(&body),
            })
        }
    }

    fn authenticate(
        &self,
        how: ClientAuthentication,
        headers: &mut HeaderMap,
        form: &mut Form,
    ) -> Result<(), crate::values::EncodeError> {
        let (id, secret) = (&self.client_id, &self.client_secret);
        let (mut query, mut cookies) = (String::new(), String::new());
        let credential = match how {
            ClientAuthentication::Basic => Credential::Basic(Basic::new(id, secret.clone())),
            ClientAuthentication::EncodedBasic => Credential::Basic(Basic::new(
                &*encode(id, Keep::UNRESERVED),
                &*encode(secret.expose(), Keep::UNRESERVED),
            )),
            ClientAuthentication::Form => {
                form.push("client_id", id);
                form.push("client_secret", secret.expose());
                return Ok(());
            }
            ClientAuthentication::IdHeader(name) => {
                Credential::Header(name, Secret::from(id.as_str()))
            }
        };
        credential.apply(headers, &mut query, &mut cookies)
    }
}

impl<T: Transport + 'static> TokenEndpoint for OAuthEndpoint<T> {
    async fn obtain(&self) -> Result<TokenResponse, TokenError> {
        let grant = Grant::ClientCredentials;
        let granted = self.ask(grant, None).await;
        granted.map_err(|kind| TokenError::new(grant, kind))
    }

    async fn refresh(&self, refresh_token: &Secret) -> Result<TokenResponse, TokenError> {
        let grant = Grant::RefreshToken;
        let granted = self.ask(grant, Some(refresh_token)).await;
        granted.map_err(|kind| TokenError::new(grant, kind))
    }
}

/// `application/x-www-form-urlencoded`
struct Form(String);

impl Form {
    fn new(grant: Grant) -> Self {
        Self(format!("grant_type={}", grant.as_str()))
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.push(name, value);
        self
    }

    fn push(&mut self, name: &str, value: &str) {
        self.0.push('&');
        self.0.push_str(name);
        self.0.push('=');
        self.0.push_str(&encode(value, Keep::UNRESERVED));
    }
}
