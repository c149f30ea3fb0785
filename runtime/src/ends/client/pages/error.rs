//! The error of reading pages.

use crate::ends::client::Error;
use std::fmt;

/// The error of a list that is read page by page. `E` is the type of the documented errors.
#[derive(Debug)]
#[non_exhaustive]
pub enum PageError<E> {
    /// The call for a page failed.
    Call(Error<E>),
    /// A page refers to one that was read before: the list would never end.
    Repeated {
        /// The position of the page, as [`Pages::cursor`](super::Pages::cursor) returns it.
        cursor: String,
    },
    /// The next page has another origin than the server, to which credentials are not sent, or its URL is
    /// invalid.
    Url {
        /// The URL of the next page without its query, which may contain secrets.
        url: String,
    },
}

impl<E> PageError<E> {
    /// Returns the error of the call, if that failed.
    pub const fn as_call(&self) -> Option<&Error<E>> {
        match self {
            Self::Call(error) => Some(error),
            Self::Repeated { .. } | Self::Url { .. } => None,
        }
    }
}

impl<E> From<Error<E>> for PageError<E> {
    fn from(error: Error<E>) -> Self {
        Self::Call(error)
    }
}

impl<E: fmt::Display> fmt::Display for PageError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Call(error) => error.fmt(f),
            // A cursor may be a URL, whose query may contain secrets.
            Self::Repeated { .. } => f.write_str("the next page is one that was read before"),
            Self::Url { url } => write!(
                f,
                "the next page `{url}` is not at the origin of the client's server"
            ),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for PageError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Call(error) => error.source(),
            Self::Repeated { .. } | Self::Url { .. } => None,
        }
    }
}
