//! Requests whose parts are written without the type of their operation, as contract tests send them.

use super::call::CallOf;
use super::credentials::{Credential, CredentialSource, WithToken, choose};
use super::error::Error;
use super::failure::Failure;
use super::options::CredentialMode;
use super::{Body, ClientCore, Transport};
use crate::message::RequestEncoder;
use crate::values::EncodeError;
use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};

/// Limit for the body of a response, in bytes.
const LIMIT: usize = 8 << 20;

/// A response of any operation.
#[derive(Debug)]
pub(in crate::ends) struct UntypedResponse {
    pub(in crate::ends) status: StatusCode,
    pub(in crate::ends) headers: HeaderMap,
    /// The body, unless it is streamed.
    pub(in crate::ends) body: Option<Bytes>,
}

/// The names of credentials in the query of a request, as they are written there.
#[derive(Debug, Clone)]
pub(in crate::ends) struct SecretPairs(Vec<String>);

impl SecretPairs {
    /// Returns a URL without the credentials.
    pub(in crate::ends) fn redact(&self, url: &str) -> String {
        let Some((path, query)) = url.split_once('?') else {
            return url.to_owned();
        };
        let pairs = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, _)) if self.0.iter().any(|secret| secret == name) => {
                format!("{name}=$SECRET")
            }
            _ => pair.to_owned(),
        });
        format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
    }
}

impl<T: Transport> ClientCore<T> {
    /// Returns the request of an operation, with the credentials that there are.
    ///
    /// # Errors
    ///
    /// Returns the reason if the request cannot be written, or if no token can be obtained.
    pub(in crate::ends) async fn untyped(
        &self,
        call: CallOf,
        mut encoder: RequestEncoder,
    ) -> Result<Request<Body>, String> {
        let security = call.meta.security;
        let mut with = None;
        if let Some((tokens, scopes)) = self.tokens_for(security) {
            let token = match tokens.current_for(scopes) {
                Some(token) => token,
                None => (tokens.obtain_for(scopes).await).map_err(|error| error.to_string())?,
            };
            with = Some(WithToken {
                source: &*self.credentials,
                scheme: tokens.scheme(),
                token,
            });
        }
        let source: &dyn CredentialSource = match &with {
            Some(with) => with,
            None => &*self.credentials,
        };
        let chosen = choose(security, source, CredentialMode::Optional).unwrap_or_default();
        let in_query = chosen.iter().filter_map(Credential::in_query).collect();
        let request = self.finish(call, &mut encoder, Ok(chosen));
        let mut request = request.map_err(in_words)?;
        request.extensions_mut().insert(SecretPairs(in_query));
        Ok(request)
    }

    /// Sends a request, and returns the response.
    ///
    /// # Errors
    ///
    /// Returns the reason if no whole response is received.
    pub(in crate::ends) async fn received(
        &self,
        call: CallOf,
        request: Request<Body>,
    ) -> Result<UntypedResponse, String> {
        let response = self.transport.send(request).await;
        let (parts, body) = response.map_err(|error| error.to_string())?.into_parts();
        let (status, headers) = (parts.status, parts.headers);
        let body = match call.is_live(status, &headers) {
            true => None,
            false => Some(
                body.collect(LIMIT)
                    .await
                    .map_err(|error| error.to_string())?,
            ),
        };
        Ok(UntypedResponse {
            status,
            headers,
            body,
        })
    }
}

fn in_words(failure: Failure) -> String {
    Error::<EncodeError>::from(failure).to_string()
}
