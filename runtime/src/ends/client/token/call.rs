//! Calls with a token, retried once with another token.

use super::TokenProvider;
#[cfg(feature = "tokens")]
use super::{OAuthEndpoint, TokenFlow, TokenSource};
#[cfg(feature = "tokens")]
use crate::ends::client::BuildError;
use crate::ends::client::call::CallOf;
use crate::ends::client::credentials::{WithToken, choose};
use crate::ends::client::failure::Failure;
use crate::ends::client::{Core, Credential, Secret, Transport};
use crate::message::{Operation, ResponseDecoder};

#[cfg(feature = "tokens")]
impl<T: Transport + Clone + 'static> Core<T> {
    /// Returns a source of tokens that requests them from the token endpoint of a flow, over the
    /// transport of this client.
    ///
    /// A relative URL of the flow is resolved against the base URL (RFC 3986, section 5.2), as
    /// OpenAPI defines for `tokenUrl`.
    ///
    /// # Errors
    ///
    /// Returns an error if the resolved URL is invalid, or if it has another origin than the
    /// client's server and is not [trusted](Core::trust_origin).
    pub fn token_source(
        &self,
        flow: TokenFlow,
        client_id: impl Into<String>,
        client_secret: impl Into<Secret>,
    ) -> Result<TokenSource<OAuthEndpoint<T>>, BuildError> {
        let url = self.token_url(flow.scheme(), flow.url())?;
        let endpoint =
            OAuthEndpoint::new(self.transport.clone(), url, flow, client_id, client_secret);
        Ok(TokenSource::new(flow, endpoint))
    }
}

impl<T: Transport> Core<T> {
    /// Sends a request, and retries it with another token if the response permits this.
    pub(in crate::ends::client) async fn authorized<O: Operation>(
        &self,
        request: &O,
    ) -> Result<ResponseDecoder, Failure> {
        let Some(tokens) = self.tokens_for(request) else {
            return self
                .exchange(
                    CallOf::of::<O>(),
                    self.request(request, &*self.credentials)?,
                )
                .await;
        };
        let mut with = WithToken {
            source: &*self.credentials,
            scheme: tokens.scheme(),
            token: match tokens.current() {
                Some(token) => token,
                None => tokens.obtain().await?,
            },
        };
        let sent = self.request(request, &with)?;
        // A streamed body can be sent only once.
        let is_replayable = sent.body().is_replayable();
        let response = self.exchange(CallOf::of::<O>(), sent).await?;
        if !tokens.should_refresh(response.status_code(), response.raw()) {
            return Ok(response);
        }
        let token = tokens.replace(with.token.clone()).await?;
        if token == with.token || !is_replayable {
            return Ok(response);
        }
        with.token = token;
        self.exchange(CallOf::of::<O>(), self.request(request, &with)?)
            .await
    }

    /// Returns the token provider, if this request is sent with its token.
    fn tokens_for<O: Operation>(&self, request: &O) -> Option<&dyn TokenProvider> {
        let tokens = self.tokens.as_deref()?;
        let marker = Secret::from("");
        let with = WithToken {
            source: &*self.credentials,
            scheme: tokens.scheme(),
            token: marker.clone(),
        };
        let chosen = choose(request.security(), &with, self.options.credentials).ok()?;
        chosen
            .contains(&Credential::Bearer(marker))
            .then_some(tokens)
    }
}
