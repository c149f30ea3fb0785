//! Errors of token requests.

use crate::ends::client::TransportError;
use crate::values::EncodeError;
use crate::values::escaped::Escaped;
use http::StatusCode;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The grant of a token request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grant {
    /// `client_credentials` (RFC 6749, section 4.4).
    ClientCredentials,
    /// `refresh_token` (RFC 6749, section 6).
    RefreshToken,
}

impl Grant {
    /// Returns the value of `grant_type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClientCredentials => "client_credentials",
            Self::RefreshToken => "refresh_token",
        }
    }
}

/// The error of a token request. Calls that waited for the same token share the error.
#[derive(Debug, Clone)]
pub struct TokenError {
    grant: Grant,
    kind: Arc<TokenErrorKind>,
}

/// The cause of a failed token request. It contains no secrets.
#[derive(Debug)]
#[non_exhaustive]
pub enum TokenErrorKind {
    /// The endpoint refused the request.
    Refused {
        /// The status.
        status: StatusCode,
        /// `error` of RFC 6749, section 5.2, or the error code of the API, if the body contains
        /// one.
        code: Option<String>,
        /// `error_description` of RFC 6749, section 5.2: the reason, for the developer of the client.
        description: Option<String>,
    },
    /// The endpoint returned a success, but no valid token.
    Malformed {
        /// The JSON pointer of the missing or invalid member; empty for the body as a whole.
        pointer: String,
        /// The reason why the member is invalid.
        why: &'static str,
    },
    /// The endpoint exceeded the timeout.
    Timeout(Duration),
    /// The endpoint was not reached, or the connection failed.
    Transport(TransportError),
    /// The request could not be encoded, for example with a client id that a header cannot contain.
    Request(EncodeError),
    /// The task of the token request was dropped: the runtime was shut down.
    Aborted,
    /// There is no tokio runtime for the token request.
    NoRuntime,
    /// The client assertion could not be signed.
    Assertion(Box<dyn std::error::Error + Send + Sync>),
}

impl TokenError {
    /// Creates an error of a token request with this grant.
    pub fn new(grant: Grant, kind: TokenErrorKind) -> Self {
        Self {
            grant,
            kind: Arc::new(kind),
        }
    }

    /// Returns the grant of the token request.
    pub const fn grant(&self) -> Grant {
        self.grant
    }

    /// Returns the cause.
    pub fn kind(&self) -> &TokenErrorKind {
        &self.kind
    }

    /// Returns whether a later token request may succeed: the endpoint was not reached, or reported
    /// a transient failure. Invalid credentials stay invalid.
    pub fn is_retryable(&self) -> bool {
        match &*self.kind {
            TokenErrorKind::Refused { status, .. } => {
                status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429)
            }
            TokenErrorKind::Transport(error) => !error.is_untrusted(),
            TokenErrorKind::Timeout(_) | TokenErrorKind::Aborted => true,
            TokenErrorKind::Malformed { .. }
            | TokenErrorKind::Request(_)
            | TokenErrorKind::Assertion(_)
            | TokenErrorKind::NoRuntime => false,
        }
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no token by {}: ", self.grant.as_str())?;
        match &*self.kind {
            TokenErrorKind::Refused {
                status,
                code,
                description,
            } => {
                write!(f, "the endpoint responded {status}")?;
                if let Some(code) = code {
                    write!(f, ", `{}`", Escaped(code))?;
                }
                match description {
                    Some(description) => write!(f, ": {}", Escaped(description)),
                    None => Ok(()),
                }
            }
            TokenErrorKind::Malformed { pointer, why } if pointer.is_empty() => {
                write!(f, "the endpoint's response {why}")
            }
            TokenErrorKind::Malformed { pointer, why } => {
                write!(f, "`{pointer}` of the endpoint's response {why}")
            }
            TokenErrorKind::Timeout(limit) => {
                write!(f, "the endpoint took longer than {} s", limit.as_secs_f64())
            }
            TokenErrorKind::Transport(_) => {
                f.write_str("the endpoint was not reached, or its response is incomplete")
            }
            TokenErrorKind::Request(_) => f.write_str("the request cannot be written"),
            TokenErrorKind::Assertion(_) => f.write_str("the client assertion cannot be signed"),
            TokenErrorKind::Aborted => f.write_str("what was to get it went away first"),
            TokenErrorKind::NoRuntime => f.write_str("there is no tokio runtime to request it on"),
        }
    }
}

impl std::error::Error for TokenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.kind {
            TokenErrorKind::Transport(error) => Some(error),
            TokenErrorKind::Request(error) => Some(error),
            TokenErrorKind::Assertion(error) => Some(&**error),
            TokenErrorKind::Refused { .. }
            | TokenErrorKind::Malformed { .. }
            | TokenErrorKind::Timeout(_)
            | TokenErrorKind::Aborted
            | TokenErrorKind::NoRuntime => None,
        }
    }
}
