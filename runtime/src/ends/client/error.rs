//! Errors of calls.

use super::retry::passes;
use super::{
    MissingTls, RawResponse, TimedOut, TokenError, TransportError, UntrustedOrigin, redact,
};
#[cfg(feature = "check-responses")]
use crate::message::operation::checked::ResponseMismatch;
use crate::message::{OperationError, ResponseDecoder, ResponseHeaders as _};
use crate::values::{DecodeError, EncodeError, ValidationErrors};
use bytes::Bytes;
use http::StatusCode;
use std::any::Any;
use std::fmt;

/// The error of a call.
///
/// `Display` writes one sentence; details are in the chain of sources, as error reporters expect.
/// The alternate format `{:#}` writes the whole chain on one line.
///
/// ```
/// # use bothends_runtime::EncodeError;
/// # use bothends_runtime::client::Error;
/// let error: Error<String> = Error::Encode(EncodeError::new("id", "it is empty"));
/// assert_eq!(error.to_string(), "the request cannot be written");
/// assert_eq!(
///     format!("{error:#}"),
///     "the request cannot be written: id cannot be sent: it is empty"
/// );
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Error<E> {
    /// The server returned an error that the document describes.
    Api {
        /// The documented error.
        error: E,
        /// The response as it was received.
        response: Box<RawResponse>,
    },
    /// The server returned a status that the document does not describe.
    Undocumented(Box<RawResponse>),
    /// The server returned a response that does not match what the document describes for its
    /// status.
    Decode {
        /// The response.
        response: Box<RawResponse>,
        /// The mismatch.
        source: DecodeError,
    },
    /// The response does not match the document, which the client checks:
    /// [`CallOptions::check_responses`](super::CallOptions::check_responses).
    #[cfg(feature = "check-responses")]
    Mismatch {
        /// The response.
        response: Box<RawResponse>,
        /// The mismatches.
        source: Box<ResponseMismatch>,
    },
    /// The body of the response is larger than the limit of the client.
    TooLarge {
        /// The response, with the beginning of its body.
        response: Box<RawResponse>,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The request failed before a whole response was received.
    Transport(TransportError),
    /// The operation needs `https`, and the transport was compiled without TLS. Nothing was sent.
    MissingTls(MissingTls),
    /// The request cannot be encoded.
    Encode(EncodeError),
    /// The request violates a constraint of the document. Nothing was sent.
    Validation(ValidationErrors),
    /// The client has no credentials for the operation. Nothing was sent.
    MissingCredentials(MissingCredentials),
    /// No token could be obtained for the operation, or none to replace a token that the server
    /// rejected.
    Token(TokenError),
    /// The document directs the operation, with credentials, to a server that the caller has not
    /// named. Nothing was sent.
    UntrustedOrigin(UntrustedOrigin),
}

/// The client has no credentials for an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingCredentials {
    /// The id of the operation.
    pub operation: &'static str,
    /// The security schemes that the operation accepts.
    pub schemes: Vec<&'static str>,
}

impl std::error::Error for MissingCredentials {}

impl fmt::Display for MissingCredentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} needs credentials: {}",
            self.operation,
            self.schemes.join(", ")
        )
    }
}

impl<E> Error<E> {
    /// Returns the status of the response, if one was received.
    pub fn status(&self) -> Option<StatusCode> {
        self.raw_response().map(|response| response.status)
    }

    /// Returns whether the status is 304: the representation that the caller has is still valid
    /// (RFC 9110, section 15.4.5).
    pub fn is_not_modified(&self) -> bool {
        self.status() == Some(StatusCode::NOT_MODIFIED)
    }

    /// Returns whether the same call may succeed later: the server or the connection failed, or the
    /// server asks the client to wait.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Transport(error) => !error.is_untrusted(),
            Self::Token(error) => error.is_retryable(),
            _ => self.status().is_some_and(passes),
        }
    }

    /// Returns the time limit that was exceeded, if this is the cause of the error.
    pub fn timed_out(&self) -> Option<&TimedOut> {
        match self {
            Self::Transport(error) => error.timed_out(),
            _ => None,
        }
    }

    /// Returns the documented error, if the server returned one.
    pub const fn api(&self) -> Option<&E> {
        match self {
            Self::Api { error, .. } => Some(error),
            _ => None,
        }
    }

    /// Returns the response as it was received, if there is one: status, headers and the beginning
    /// of the raw body. Documented errors have a raw response too.
    pub const fn raw_response(&self) -> Option<&RawResponse> {
        match self {
            Self::Api { response, .. }
            | Self::Undocumented(response)
            | Self::Decode { response, .. }
            | Self::TooLarge { response, .. } => Some(response),
            #[cfg(feature = "check-responses")]
            Self::Mismatch { response, .. } => Some(response),
            Self::Transport(_)
            | Self::MissingTls(_)
            | Self::Encode(_)
            | Self::Validation(_)
            | Self::MissingCredentials(_)
            | Self::UntrustedOrigin(_)
            | Self::Token(_) => None,
        }
    }
}

impl<E: OperationError> Error<E> {
    /// Returns the error code of the API, if the response has one.
    pub fn code_id(&self) -> Option<&E::Code> {
        self.api()?.code_id()
    }

    /// Returns the human-readable message, if the response has one.
    pub fn message(&self) -> Option<&str> {
        self.api()?.message()
    }

    /// Returns the documented headers of a documented error, with their types. A header that is
    /// absent or invalid is `None`.
    pub fn documented_headers(&self) -> Option<E::Headers> {
        let Self::Api { response, .. } = self else {
            return None;
        };
        let headers = response.headers.clone();
        E::Headers::decode(&ResponseDecoder::new(
            response.status,
            headers,
            Bytes::new(),
        ))
        .ok()
    }
}

/// The common interface of the errors of all operations.
///
/// ```
/// use bothends_runtime::client::CallError;
///
/// fn report(error: &dyn CallError) -> String {
///     let code = error.code().unwrap_or_else(|| "no code".to_owned());
///     format!("{error} ({code}), retry: {}", error.is_retryable())
/// }
/// ```
pub trait CallError: std::error::Error {
    /// Returns the status of the response, if one was received.
    fn status(&self) -> Option<StatusCode>;

    /// Returns the error code of the API as text, if the response is documented and has one.
    fn code(&self) -> Option<String>;

    /// Returns the human-readable message, if the response is documented and has one.
    fn message(&self) -> Option<&str>;

    /// Returns whether the same call may succeed later: see [`Error::is_retryable`].
    fn is_retryable(&self) -> bool;

    /// Returns the body of a documented error, to be downcast to the type that the document describes.
    fn documented_body(&self) -> Option<&dyn Any>;

    /// Returns the raw response: status, headers and the beginning of the body.
    fn response(&self) -> Option<&RawResponse>;
}

impl<E: OperationError> CallError for Error<E> {
    fn status(&self) -> Option<StatusCode> {
        Self::status(self)
    }

    fn code(&self) -> Option<String> {
        self.code_id().map(ToString::to_string)
    }

    fn message(&self) -> Option<&str> {
        Self::message(self)
    }

    fn is_retryable(&self) -> bool {
        Self::is_retryable(self)
    }

    fn documented_body(&self) -> Option<&dyn Any> {
        self.api()?.documented_body()
    }

    fn response(&self) -> Option<&RawResponse> {
        self.raw_response()
    }
}

impl<E> Error<E> {
    /// Returns the source of the error: the details behind its `Display` text.
    fn cause(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Decode { source, .. } => Some(source),
            #[cfg(feature = "check-responses")]
            Self::Mismatch { source, .. } => Some(&**source),
            Self::Transport(error) => std::error::Error::source(error),
            Self::Encode(error) => Some(error),
            Self::Validation(error) => Some(error),
            Self::Token(error) => Some(error),
            Self::Api { .. }
            | Self::Undocumented(_)
            | Self::TooLarge { .. }
            | Self::MissingCredentials(_)
            | Self::UntrustedOrigin(_)
            | Self::MissingTls(_) => None,
        }
    }
}

impl<E: fmt::Display> fmt::Display for Error<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Api { error, response } => write!(f, "{} responded {error}", response.operation),
            Self::Undocumented(response) => {
                write!(
                    f,
                    "the server responded {}, which is not documented",
                    response.status
                )?;
                match response.shown() {
                    "" => Ok(()),
                    text => write!(f, ": {text}"),
                }
            }
            Self::Decode { response, .. } => {
                write!(
                    f,
                    "the server responded {}, which cannot be read",
                    response.status
                )
            }
            #[cfg(feature = "check-responses")]
            Self::Mismatch { response, .. } => {
                write!(
                    f,
                    "the server responded {}, which does not match the document",
                    response.status
                )
            }
            Self::TooLarge { response, limit } => {
                write!(
                    f,
                    "the server responded {} with more than {limit} bytes",
                    response.status
                )
            }
            Self::Transport(error) => write!(f, "{error}"),
            Self::MissingTls(missing) => missing.fmt(f),
            Self::Encode(_) => f.write_str("the request cannot be written"),
            Self::Validation(_) => f.write_str("the request is not valid"),
            Self::MissingCredentials(missing) => missing.fmt(f),
            Self::Token(_) => f.write_str("there is no token for the operation"),
            Self::UntrustedOrigin(untrusted) => untrusted.fmt(f),
        }?;
        if f.alternate() {
            crate::message::chain::sources(f, self.cause())?;
        }
        Ok(())
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Error<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause()
    }
}

/// A text that is not a valid base URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidBaseUrl {
    base: String,
    why: &'static str,
}

impl InvalidBaseUrl {
    /// User information and the query are dropped, because they may be secrets.
    pub(super) fn new(base: &str, why: &'static str) -> Self {
        Self {
            base: redact::text(base),
            why,
        }
    }
}

impl fmt::Display for InvalidBaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` cannot be the address of a server: {}",
            self.base, self.why
        )
    }
}

impl std::error::Error for InvalidBaseUrl {}
