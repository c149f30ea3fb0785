//! Calls with a token, and once more with another.

use super::TokenProvider;
#[cfg(feature = "tokens")]
use super::{OAuthEndpoint, TokenFlow, TokenSource};
#[cfg(feature = "tokens")]
use crate::client::BuildError;
use crate::client::call::CallOf;
use crate::client::credentials::{WithToken, choose};
use crate::client::failure::Failure;
use crate::client::{Core, Credential, Secret, Transport};
use crate::{Operation, ResponseDecoder};

#[cfg(feature = "tokens")]
impl<T: Transport + Clone + 'static> Core<T> {
    /// A source of tokens that asks the endpoint of a flow over the transport of this client.
    ///
    /// A relative URL of the flow is resolved against that of the server (RFC 3986 section 5.2, as
    /// OpenAPI has it for `tokenUrl`).
    ///
    /// # Errors
    ///
    /// Returns an error if that comes to no URL, or to one of another origin than the client's server
    /// that is not [trusted](Core::trust_origin).
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
    /// Sends a request, and sends it again when another token may make a difference.
    pub(in crate::client) async fn authorized<O: Operation>(
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
        // What comes as a stream comes once.
        let again = sent.body().is_replayable();
        let response = self.exchange(CallOf::of::<O>(), sent).await?;
        if !tokens.should_refresh(response.status_code(), response.raw()) {
            return Ok(response);
        }
        let token = tokens.replace(with.token.clone()).await?;
        if token == with.token || !again {
            return Ok(response);
        }
        with.token = token;
        self.exchange(CallOf::of::<O>(), self.request(request, &with)?)
            .await
    }

    /// The tokens, when this request is to be sent with one.
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
