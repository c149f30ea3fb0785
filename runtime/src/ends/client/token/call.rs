//! Calls with a token, retried once with another token.

use super::TokenProvider;
#[cfg(feature = "tokens")]
use super::{OAuthEndpoint, TokenFlow, TokenRequest, TokenSource};
#[cfg(feature = "tokens")]
use crate::ends::client::BuildError;
use crate::ends::client::call::CallOf;
use crate::ends::client::credentials::{Scopes, WithToken, choose, scopes};
use crate::ends::client::failure::Failure;
use crate::ends::client::idempotency_key;
use crate::ends::client::{ClientCore, Credential, Secret, Transport};
use crate::message::{Operation, ResponseDecoder, SecurityRequirement};

#[cfg(feature = "tokens")]
impl<T: Transport + Clone + 'static> ClientCore<T> {
    /// Returns a source of tokens that requests them from the token endpoint of a flow, over the
    /// transport of this client.
    ///
    /// A relative URL of the flow is resolved against the base URL (RFC 3986, section 5.2), as
    /// OpenAPI defines for `tokenUrl`.
    ///
    /// # Errors
    ///
    /// Returns an error if the resolved URL is invalid, or if it has another origin than the
    /// client's server and is not [trusted](ClientCore::trust_origin).
    pub fn token_source(
        &self,
        flow: TokenFlow,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Result<TokenSource<OAuthEndpoint<T>>, BuildError> {
        self.token_source_with(flow, client_id, client_secret, TokenRequest::new())
    }

    /// Returns a source of tokens, as [`token_source`](Self::token_source) does, with further
    /// parameters of its requests. The secret is not sent if the request has an
    /// [assertion](TokenRequest::private_key_jwt).
    ///
    /// # Errors
    ///
    /// Returns an error if the resolved URL is invalid, or if it has another origin than the
    /// client's server and is not [trusted](ClientCore::trust_origin).
    pub fn token_source_with(
        &self,
        flow: TokenFlow,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
        request: TokenRequest,
    ) -> Result<TokenSource<OAuthEndpoint<T>>, BuildError> {
        let url = self.token_url(flow.scheme(), flow.url())?;
        let endpoint =
            OAuthEndpoint::new(self.transport.clone(), url, flow, client_id, client_secret);
        let endpoint = endpoint.with_user_agent(self.user_agent.clone());
        let mut endpoint = endpoint.with_request(request);
        if let Some(url) = flow.refresh_url {
            endpoint = endpoint.with_refresh_url(self.token_url(flow.scheme(), url)?);
        }
        Ok(TokenSource::new(flow, endpoint))
    }
}

impl<T: Transport> ClientCore<T> {
    /// Sends a request, and retries it with another token if the response permits this. Returns the
    /// token of the last request in `with`.
    pub(in crate::ends::client) async fn authorized<'a, O: Operation>(
        &'a self,
        request: &O,
        with: &mut Option<WithToken<'a>>,
    ) -> Result<ResponseDecoder, Failure> {
        let Some((tokens, scopes)) = self.tokens_for(request.security()) else {
            return self
                .exchange(
                    CallOf::new::<O>(),
                    self.request(request, &*self.credentials)?,
                )
                .await;
        };
        let with = with.insert(WithToken {
            source: &*self.credentials,
            scheme: tokens.scheme(),
            token: match tokens.current_for(scopes) {
                Some(token) => token,
                None => tokens.obtain_for(scopes).await?,
            },
        });
        let sent = self.request(request, with)?;
        // A streamed body can be sent only once.
        let is_replayable = sent.body().is_replayable();
        let kept = idempotency_key::kept(sent.headers(), O::META);
        let response = self.exchange(CallOf::new::<O>(), sent).await?;
        if !tokens.should_refresh(response.status_code(), response.raw()) {
            return Ok(response);
        }
        let token = tokens.replace_for(scopes, with.token.clone()).await?;
        if token == with.token || !is_replayable {
            return Ok(response);
        }
        with.token = token;
        let mut again = self.request(request, with)?;
        if let Some((name, key)) = kept {
            again.headers_mut().insert(name, key);
        }
        self.exchange(CallOf::new::<O>(), again).await
    }

    /// Returns the token provider and the scopes of the token, if this request is sent with a token.
    pub(in crate::ends::client) fn tokens_for(
        &self,
        security: &'static [&'static [SecurityRequirement]],
    ) -> Option<(&dyn TokenProvider, Scopes)> {
        let tokens = self.tokens.as_deref()?;
        let marker = Secret::from("");
        let with = WithToken {
            source: &*self.credentials,
            scheme: tokens.scheme(),
            token: marker.clone(),
        };
        let chosen = choose(security, &with, self.options.credentials).ok()?;
        if !chosen.contains(&Credential::Bearer(marker)) {
            return None;
        }
        Some((tokens, scopes(security, &with, tokens.scheme())))
    }
}
