//! Failures of calls, independent of the operation.

use super::{
    Error, MissingCredentials, MissingTls, RawResponse, TokenError, TransportError, UntrustedOrigin,
};
use crate::values::EncodeError;

/// The failure of a call, independent of the operation.
pub(super) enum Failure {
    TooLarge {
        response: Box<RawResponse>,
        limit: usize,
    },
    Transport(TransportError),
    MissingTls(MissingTls),
    Encode(EncodeError),
    MissingCredentials(MissingCredentials),
    Token(TokenError),
    UntrustedOrigin(UntrustedOrigin),
}

#[cfg(any(feature = "tracing", feature = "metrics"))]
impl Failure {
    /// Returns the value of the attribute `error.type`.
    pub(super) const fn kind(&self) -> &'static str {
        match self {
            Self::TooLarge { .. } => "too_large",
            Self::Transport(_) => "transport",
            Self::MissingTls(_) => "missing_tls",
            Self::Encode(_) => "encode",
            Self::MissingCredentials(_) => "missing_credentials",
            Self::Token(_) => "token",
            Self::UntrustedOrigin(_) => "untrusted_origin",
        }
    }
}

impl From<TransportError> for Failure {
    fn from(error: TransportError) -> Self {
        match error.into_missing_tls() {
            Ok(missing) => Self::MissingTls(missing),
            Err(error) => Self::Transport(error),
        }
    }
}

impl From<TokenError> for Failure {
    fn from(error: TokenError) -> Self {
        Self::Token(error)
    }
}

impl From<EncodeError> for Failure {
    fn from(error: EncodeError) -> Self {
        Self::Encode(error)
    }
}

impl<E> From<Failure> for Error<E> {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::TooLarge { response, limit } => Self::TooLarge { response, limit },
            Failure::Transport(error) => Self::Transport(error),
            Failure::MissingTls(missing) => Self::MissingTls(missing),
            Failure::Encode(error) => Self::Encode(error),
            Failure::MissingCredentials(missing) => Self::MissingCredentials(missing),
            Failure::Token(error) => Self::Token(error),
            Failure::UntrustedOrigin(error) => Self::UntrustedOrigin(error),
        }
    }
}
