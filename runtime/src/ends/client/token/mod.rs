//! Tokens that are refreshed automatically.
//!
//! A [`TokenProvider`] provides the token for one security scheme, and a replacement after a server
//! has rejected it. [`TokenSource`] (feature `tokens`) is the provider for OAuth 2.0: it keeps a
//! token for as long as it is valid, and obtains the next from a [`TokenEndpoint`].

mod call;
#[cfg(feature = "tokens")]
mod endpoint;
mod error;
#[cfg(feature = "tokens")]
mod flight;
mod flow;
#[cfg(feature = "tokens")]
mod options;
#[cfg(feature = "tokens")]
mod request;
#[cfg(feature = "tokens")]
mod shared;
#[cfg(feature = "tokens")]
mod source;

#[cfg(feature = "tokens")]
pub use endpoint::{OAuthEndpoint, TokenEndpoint};
pub use error::{Grant, TokenError, TokenErrorKind};
pub use flow::{ClientAuthentication, TokenFlow, TokenResponse};
#[cfg(feature = "tokens")]
pub use options::RefreshOptions;
#[cfg(feature = "tokens")]
pub use request::{AssertionClaims, TokenRequest};
#[cfg(feature = "tokens")]
pub use source::TokenSource;

use super::Secret;
use http::StatusCode;
use std::pin::Pin;

/// The future of a token, returned by the methods of [`TokenProvider`].
pub type TokenFuture<'a> = Pin<Box<dyn Future<Output = Result<Secret, TokenError>> + Send + 'a>>;

/// A provider of the token for one security scheme.
pub trait TokenProvider: Send + Sync {
    /// Returns the name of the security scheme.
    fn scheme(&self) -> &str;

    /// Returns the present token, unless it is known to be invalid. Most calls use it, so this
    /// method does not wait.
    fn current(&self) -> Option<Secret>;

    /// Returns a valid token, and obtains one if necessary.
    ///
    /// # Errors
    ///
    /// Returns an error if no token could be obtained.
    fn obtain(&self) -> TokenFuture<'_>;

    /// Returns a token to replace one that a server rejected.
    ///
    /// # Errors
    ///
    /// Returns an error if no token could be obtained.
    fn replace(&self, rejected: Secret) -> TokenFuture<'_>;

    /// Returns the present token with these scopes, as [`current`](Self::current) does. By default,
    /// one token serves all scopes.
    fn current_for(&self, _: &'static [&'static str]) -> Option<Secret> {
        self.current()
    }

    /// Returns a token with these scopes, as [`obtain`](Self::obtain) does.
    ///
    /// # Errors
    ///
    /// Returns an error if no token could be obtained.
    fn obtain_for(&self, _: &'static [&'static str]) -> TokenFuture<'_> {
        self.obtain()
    }

    /// Returns a token with these scopes to replace one, as [`replace`](Self::replace) does.
    ///
    /// # Errors
    ///
    /// Returns an error if no token could be obtained.
    fn replace_for(&self, _: &'static [&'static str], rejected: Secret) -> TokenFuture<'_> {
        self.replace(rejected)
    }

    /// Returns whether a retry with another token may succeed after this response. The client calls
    /// this with the response to its first attempt; if the result is `true`, the client replaces
    /// the token and retries once.
    fn should_refresh(&self, status: StatusCode, body: &[u8]) -> bool;
}
