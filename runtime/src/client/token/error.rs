//! Why there is no token.

use crate::EncodeError;
use crate::client::TransportError;
use http::StatusCode;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What a token is asked for with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Grant {
    /// `client_credentials`, RFC 6749 section 4.4.
    ClientCredentials,
    /// `refresh_token`, RFC 6749 section 6.
    RefreshToken,
}

impl Grant {
    /// The value of `grant_type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClientCredentials => "client_credentials",
            Self::RefreshToken => "refresh_token",
        }
    }
}

/// There is no token. Calls that waited for the same one share the reason.
#[derive(Debug, Clone)]
pub struct TokenError {
    grant: Grant,
    kind: Arc<TokenErrorKind>,
}

/// What went wrong with a request for a token. No secret is in it.
#[derive(Debug)]
#[non_exhaustive]
pub enum TokenErrorKind {
    /// The endpoint said no.
    Refused {
        /// The status.
        status: StatusCode,
        /// `error` of RFC 6749 section 5.2, or the code of the API, where the body has one.
        code: Option<String>,
    },
    /// The endpoint answered that all is well, without a token that could be read.
    Malformed {
        /// The JSON pointer of what is missing or wrong; empty for the body as a whole.
        pointer: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The endpoint took longer than is waited.
    Timeout(Duration),
    /// The endpoint was not reached, or broke off.
    Transport(TransportError),
    /// The request could not be written, for example with a client id that no header can hold.
    Request(EncodeError),
    /// What was to get the token went away first: the runtime was shut down.
    Aborted,
    /// There is no tokio runtime to get a token on.
    NoRuntime,
}

impl TokenError {
    /// What went wrong, with this grant.
    pub fn new(grant: Grant, kind: TokenErrorKind) -> Self {
        Self {
            grant,
            kind: Arc::new(kind),
        }
    }

    /// What the token was asked for with.
    pub const fn grant(&self) -> Grant {
        self.grant
    }

    /// What went wrong.
    pub fn kind(&self) -> &TokenErrorKind {
        &self.kind
    }

    /// Whether asking again later may do: the endpoint was not reached or has a fault of its own.
    /// Wrong credentials stay wrong.
    pub fn is_retryable(&self) -> bool {
        match &*self.kind {
            TokenErrorKind::Refused { status, .. } => {
                status.is_server_error() || matches!(status.as_u16(), 408 | 425 | 429)
            }
            TokenErrorKind::Timeout(_) | TokenErrorKind::Transport(_) | TokenErrorKind::Aborted => {
                true
            }
            TokenErrorKind::Malformed { .. }
            | TokenErrorKind::Request(_)
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
                code: Some(code),
            } => write!(
                f,
                "the endpoint answered {status}, `{}`",
                code.escape_debug()
            ),
            TokenErrorKind::Refused { status, code: None } => {
                write!(f, "the endpoint answered {status}")
            }
            TokenErrorKind::Malformed { pointer, why } if pointer.is_empty() => {
                write!(f, "the endpoint's answer {why}")
            }
            TokenErrorKind::Malformed { pointer, why } => {
                write!(f, "`{pointer}` of the endpoint's answer {why}")
            }
            TokenErrorKind::Timeout(limit) => {
                write!(f, "the endpoint took longer than {} s", limit.as_secs_f64())
            }
            TokenErrorKind::Transport(_) => {
                f.write_str("the endpoint was not reached, or broke off")
            }
            TokenErrorKind::Request(_) => f.write_str("the request cannot be written"),
            TokenErrorKind::Aborted => f.write_str("what was to get it went away first"),
            TokenErrorKind::NoRuntime => f.write_str("there is no tokio runtime to get it on"),
        }
    }
}

impl std::error::Error for TokenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.kind {
            TokenErrorKind::Transport(error) => Some(error),
            TokenErrorKind::Request(error) => Some(error),
            TokenErrorKind::Refused { .. }
            | TokenErrorKind::Malformed { .. }
            | TokenErrorKind::Timeout(_)
            | TokenErrorKind::Aborted
            | TokenErrorKind::NoRuntime => None,
        }
    }
}
