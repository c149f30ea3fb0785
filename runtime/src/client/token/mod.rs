//! Tokens that renew themselves.
//!
//! A [`TokenProvider`] gives a client the token for one security scheme, and another one when a
//! server has refused it. [`TokenSource`] (feature `tokens`) is the provider for OAuth 2.0: it keeps
//! a token for as long as it is valid, and gets the next from a [`TokenEndpoint`].

mod call;
#[cfg(feature = "tokens")]
mod endpoint;
mod error;
#[cfg(feature = "tokens")]
mod flight;
mod flow;
#[cfg(feature = "tokens")]
mod source;

#[cfg(feature = "tokens")]
pub use endpoint::{OAuthEndpoint, TokenEndpoint};
pub use error::{Grant, TokenError, TokenErrorKind};
pub use flow::{ClientAuthentication, TokenFlow, TokenResponse};
#[cfg(feature = "tokens")]
pub use source::{RefreshOptions, TokenSource};

use super::Secret;
use http::StatusCode;
use std::pin::Pin;

/// What a [`TokenProvider`] does by and by.
pub type TokenFuture<'a> = Pin<Box<dyn Future<Output = Result<Secret, TokenError>> + Send + 'a>>;

/// Gives a client the token for one security scheme.
pub trait TokenProvider: Send + Sync {
    /// The scheme of the document that the token is for.
    fn scheme(&self) -> &str;

    /// The token there is, when it is valid as far as is known: what most calls take, so it waits
    /// for nothing.
    fn current(&self) -> Option<Secret>;

    /// A valid token, got where it has to be.
    ///
    /// # Errors
    ///
    /// When none could be got.
    fn obtain(&self) -> TokenFuture<'_>;

    /// Another token than one that a server refused.
    ///
    /// # Errors
    ///
    /// When none could be got.
    fn replace(&self, rejected: Secret) -> TokenFuture<'_>;

    /// Whether another token may cure this answer. A client asks with the answer to its first
    /// try; when the answer is yes it replaces the token, and calls once more.
    fn should_refresh(&self, status: StatusCode, body: &[u8]) -> bool;
}
