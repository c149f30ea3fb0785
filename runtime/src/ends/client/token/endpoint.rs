//! Token endpoints.

use super::{
    ClientAuthentication, Grant, TokenError, TokenErrorKind, TokenFlow, TokenRequest, TokenResponse,
};
use crate::ends::client::{
    Basic, Body, Credential, Secret, Transport, TransportError, redact, user_agent,
};
use crate::message::operation::Target;
use crate::message::wire::percent::{Keep, encode};
use http::header::{ACCEPT, CONTENT_TYPE, USER_AGENT};
use http::{HeaderMap, HeaderValue, Method, Request, Uri};
use std::fmt;

/// The value of `client_assertion_type` (RFC 7523, section 2.2).
const JWT_BEARER: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// Limit for the response of a token endpoint, in bytes.
const LIMIT: usize = 1 << 20;

/// A token endpoint.
///
/// Implement this trait for other grants; [`OAuthEndpoint`] implements client credentials.
pub trait TokenEndpoint: Send + Sync + 'static {
    /// Requests a new pair of tokens.
    fn obtain(&self) -> impl Future<Output = Result<TokenResponse, TokenError>> + Send;

    /// Requests a new pair of tokens with these scopes. By default, the endpoint knows no scopes.
    fn obtain_with(
        &self,
        _scopes: &[&str],
    ) -> impl Future<Output = Result<TokenResponse, TokenError>> + Send {
        self.obtain()
    }

    /// Returns whether tokens of different scopes differ, so that each set of scopes needs a token
    /// of its own.
    fn is_scoped(&self) -> bool {
        false
    }

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
    refresh_url: Option<Uri>,
    request: TokenRequest,
    user_agent: HeaderValue,
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
            refresh_url: None,
            request: TokenRequest::new(),
            user_agent: user_agent::usual(),
        }
    }

    /// Sets further parameters of the token requests.
    #[must_use]
    pub fn with_request(self, request: TokenRequest) -> Self {
        Self { request, ..self }
    }

    /// Sets the header `User-Agent` of the token requests.
    #[must_use]
    pub fn with_user_agent(self, user_agent: HeaderValue) -> Self {
        Self { user_agent, ..self }
    }

    /// Sets the URL at which tokens are refreshed. The default is the URL of the endpoint.
    #[must_use]
    pub fn with_refresh_url(self, url: Uri) -> Self {
        Self {
            refresh_url: Some(url),
            ..self
        }
    }

    async fn ask(
        &self,
        grant: Grant,
        refresh: Option<&Secret>,
        scopes: &[&str],
    ) -> Result<TokenResponse, TokenErrorKind> {
        let (how, mut form) = match refresh {
            None => (self.flow.authentication, Form::new(grant)),
            Some(token) => (
                self.flow.refresh,
                Form::new(grant).with("refresh_token", token.expose()),
            ),
        };
        let given = self.request.scope.as_deref();
        let listed = || scopes.join(" ");
        let scope = given.map_or_else(listed, str::to_owned);
        if refresh.is_none() && !scope.is_empty() {
            form.push("scope", &scope);
        }
        for (name, value) in &self.request.fields {
            form.push(name, value);
        }
        let url = match (&self.refresh_url, refresh) {
            (Some(url), Some(_)) => url,
            _ => &self.url,
        };
        let mut headers = HeaderMap::new();
        let signed = (self.request).assertion(&self.client_id, &self.url.to_string());
        if let Some(signed) = signed {
            form.push("client_id", &self.client_id);
            form.push("client_assertion_type", JWT_BEARER);
            form.push(
                "client_assertion",
                &signed.map_err(TokenErrorKind::Assertion)?,
            );
        } else {
            let how = self.request.authentication.unwrap_or(how);
            self.authenticate(how, &mut headers, &mut form)
                .map_err(TokenErrorKind::Request)?;
        }
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("application/x-www-form-urlencoded"),
        );
        headers.insert(USER_AGENT, self.user_agent.clone());
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let mut request = Request::new(Body::from(bytes::Bytes::from(form.0)));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = url.clone();
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
                description: self.flow.description_of(&body).map(|text| {
                    let secrets = [Some(&self.client_secret), refresh];
                    let secrets = secrets.into_iter().flatten();
                    let secrets: Vec<String> =
                        secrets.map(|secret| secret.expose().to_owned()).collect();
                    redact::without(&text, &secrets)
                }),
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
        let (mut target, mut cookies) = (Target::default(), String::new());
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
        credential.apply(headers, &mut target, &mut cookies)
    }
}

impl<T: Transport + 'static> TokenEndpoint for OAuthEndpoint<T> {
    async fn obtain(&self) -> Result<TokenResponse, TokenError> {
        self.obtain_with(&[]).await
    }

    async fn obtain_with(&self, scopes: &[&str]) -> Result<TokenResponse, TokenError> {
        let grant = Grant::ClientCredentials;
        let granted = self.ask(grant, None, scopes).await;
        granted.map_err(|kind| TokenError::new(grant, kind))
    }

    fn is_scoped(&self) -> bool {
        self.request.scope.is_none()
    }

    async fn refresh(&self, refresh_token: &Secret) -> Result<TokenResponse, TokenError> {
        let grant = Grant::RefreshToken;
        let granted = self.ask(grant, Some(refresh_token), &[]).await;
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
        self.0.push_str(&encode(name, Keep::UNRESERVED));
        self.0.push('=');
        self.0.push_str(&encode(value, Keep::UNRESERVED));
    }
}
