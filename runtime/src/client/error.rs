//! What a call comes to when it does not come to its response.

use super::retry::passes;
use super::{MissingTls, TimedOut, TokenError, TransportError, UntrustedOrigin, redact};
use crate::{DecodeError, EncodeError, OperationError, ResponseDecoder, ValidationErrors};
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use std::any::Any;
use std::fmt;

/// A response as it came.
///
/// Its `Debug` shows the names of the headers and the length of the body: either may hold a secret,
/// such as a session or a token.
#[derive(Clone, PartialEq, Eq)]
pub struct RawResponse {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The beginning of the body: [`RawResponse::BODY_LIMIT`] bytes at most. It is empty where the document
    /// has a body that comes item by item: then what is there is in the error itself.
    pub body: Bytes,
    /// The operation that it responds to, as the document calls it.
    pub(super) operation: &'static str,
}

impl RawResponse {
    /// How much an error keeps of a body: 64 KiB.
    pub const BODY_LIMIT: usize = 64 << 10;

    pub(super) fn new(
        operation: &'static str,
        status: StatusCode,
        headers: HeaderMap,
        body: Bytes,
    ) -> Box<Self> {
        let body = match body.get(..Self::BODY_LIMIT) {
            // A slice would keep the whole of it.
            Some(beginning) if beginning.len() < body.len() => Bytes::copy_from_slice(beginning),
            _ => body,
        };
        Box::new(Self {
            operation,
            status,
            headers,
            body,
        })
    }

    pub(super) fn of(response: ResponseDecoder, operation: &'static str) -> Box<Self> {
        let (status, headers, body) = response.into_parts();
        Self::new(operation, status, headers, body)
    }
}

impl fmt::Debug for RawResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.keys().map(http::HeaderName::as_str).collect();
        f.debug_struct("RawResponse")
            .field("status", &self.status)
            .field("headers", &names)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish()
    }
}

/// What a call comes to when it does not come to its response.
///
/// `Display` is one sentence, and the details are among the sources, as error reporters expect it;
/// with `{:#}` all of them are in one line.
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
    /// The server answered with an error that the document describes.
    Api {
        /// The error.
        error: E,
        /// The response, as it came.
        answer: Box<RawResponse>,
    },
    /// The server answered with a status that the document does not have.
    Undocumented(Box<RawResponse>),
    /// The server answered with something else than the document says for this status.
    Decode {
        /// The response.
        answer: Box<RawResponse>,
        /// What is wrong with it.
        source: DecodeError,
    },
    /// The body of the answer is larger than the client takes.
    TooLarge {
        /// The response, with the beginning of the body only.
        answer: Box<RawResponse>,
        /// The most that the client takes.
        limit: usize,
    },
    /// There was no whole answer.
    Transport(TransportError),
    /// The operation is called by https, and the transport was compiled without TLS; nothing was
    /// sent.
    MissingTls(MissingTls),
    /// The request cannot be written.
    Encode(EncodeError),
    /// The request is not what the document asks for; nothing was sent.
    Validation(ValidationErrors),
    /// There are no credentials for the operation; nothing was sent.
    MissingCredentials(MissingCredentials),
    /// There is no token for the operation, or none in place of one that was refused.
    Token(TokenError),
    /// The document has the operation called, with credentials, at a server that the client's user has
    /// not named; it was not called.
    UntrustedOrigin(UntrustedOrigin),
}

/// There are no credentials for an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingCredentials {
    /// The operation.
    pub operation: &'static str,
    /// The schemes that it can be called with.
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
    /// The status of the answer, if there was one.
    pub fn status(&self) -> Option<StatusCode> {
        self.raw_response().map(|answer| answer.status)
    }

    /// Whether the same call may come to something else later: the server or the way to it
    /// failed, or it asks to wait.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Transport(_) => true,
            Self::Token(error) => error.is_retryable(),
            _ => self.status().is_some_and(passes),
        }
    }

    /// Which limit of time the call has passed, if that is why it failed.
    pub fn timed_out(&self) -> Option<&TimedOut> {
        match self {
            Self::Transport(error) => error.timed_out(),
            _ => None,
        }
    }

    /// The error that the document describes.
    pub const fn api(&self) -> Option<&E> {
        match self {
            Self::Api { error, .. } => Some(error),
            _ => None,
        }
    }

    /// The answer as it came, if there was one: status, headers and the beginning of the raw body, also
    /// where the document describes it.
    pub const fn raw_response(&self) -> Option<&RawResponse> {
        match self {
            Self::Api { answer, .. }
            | Self::Undocumented(answer)
            | Self::Decode { answer, .. }
            | Self::TooLarge { answer, .. } => Some(answer),
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

    /// Returns the message for people, if the response has one.
    pub fn message(&self) -> Option<&str> {
        self.api()?.message()
    }
}

/// What the errors of all calls have in common, whatever the operation.
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
    /// Returns the status, if there was a response.
    fn status(&self) -> Option<StatusCode>;

    /// Returns the error code of the API as text, if the response is documented and has one.
    fn code(&self) -> Option<String>;

    /// Returns the message for people, if the response is documented and has one.
    fn message(&self) -> Option<&str>;

    /// Whether the same call may succeed later: see [`Error::is_retryable`].
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
    /// What is behind the sentence that `Display` writes.
    fn cause(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Decode { source, .. } => Some(source),
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
            Self::Api { error, answer } => write!(f, "{} responded {error}", answer.operation),
            Self::Undocumented(answer) => {
                write!(
                    f,
                    "the server answered {}, which is not documented",
                    answer.status
                )
            }
            Self::Decode { answer, .. } => {
                write!(
                    f,
                    "the server answered {}, which cannot be read",
                    answer.status
                )
            }
            Self::TooLarge { answer, limit } => {
                write!(
                    f,
                    "the server answered {} with more than {limit} bytes",
                    answer.status
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
            crate::chain::sources(f, self.cause())?;
        }
        Ok(())
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for Error<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause()
    }
}

/// A text cannot be the address of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidBaseUrl {
    base: String,
    why: &'static str,
}

impl InvalidBaseUrl {
    /// A name and password, and a query, are not kept: they may be secrets.
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
