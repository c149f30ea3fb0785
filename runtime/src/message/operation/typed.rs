//! A successful response with a typed body.

use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use std::fmt;
use std::ops::{Deref, DerefMut};

/// A successful HTTP response with a typed body.
///
/// It dereferences to the body, so that fields and methods of the body can be used directly; the
/// status and the headers stay available. A response without content has the body `()`.
///
/// `H` is the type of the documented headers, and `()` if the document describes none.
///
/// ```
/// use bothends_runtime::{Response, StatusCode};
///
/// let response: Response<Vec<i32>> = Response::new(vec![1, 2]);
/// assert_eq!(response.len(), 2);
/// assert_eq!(response.status(), StatusCode::OK);
/// assert_eq!(response.into_inner(), [1, 2]);
/// ```
///
/// `Debug` shows only the names of the headers, because their values may be secrets, such as
/// sessions.
#[derive(Clone)]
pub struct Response<T, H = ()> {
    pub(super) status: Option<StatusCode>,
    /// Whether a client has received the response: `headers` then contains all headers, and they
    /// are not sent again.
    pub(super) is_received: bool,
    pub(super) headers: HeaderMap,
    pub(super) documented: H,
    pub(super) body: T,
    /// The received bytes of a body that the document does not describe.
    pub(super) undocumented: Bytes,
}

impl<T, H> Response<T, H> {
    /// Creates a response with a body, and no headers.
    ///
    /// A server sends it with the documented status of the operation.
    pub fn new(body: T) -> Self
    where
        H: Default,
    {
        Self::with_headers(body, H::default())
    }

    /// Creates a response with a body and the documented headers.
    pub fn with_headers(body: T, headers: H) -> Self {
        Self {
            status: None,
            is_received: false,
            headers: HeaderMap::new(),
            documented: headers,
            body,
            undocumented: Bytes::new(),
        }
    }

    /// Sets the status, for an operation whose document states a range of statuses (`2XX`).
    ///
    /// If the status is outside of that range, or belongs to another documented response of the
    /// operation, the server sends a 500 instead.
    #[must_use]
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = Some(status);
        self
    }

    /// Returns the status. A response that a handler has created has 200 until it is sent, unless
    /// [`with_status`](Self::with_status) has set another.
    pub fn status(&self) -> StatusCode {
        self.status.unwrap_or(StatusCode::OK)
    }

    /// Returns all headers of a received response, or the headers that a handler adds to the
    /// documented ones.
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Returns the headers that are sent in addition to the documented ones, for modification.
    pub const fn headers_mut(&mut self) -> &mut HeaderMap {
        &mut self.headers
    }

    /// Returns the documented headers, with their types.
    pub const fn documented_headers(&self) -> &H {
        &self.documented
    }

    /// Returns the body.
    pub const fn body(&self) -> &T {
        &self.body
    }

    /// Returns the received bytes of a body that the document does not describe: that of a
    /// documented status without content. Empty for all other responses.
    pub const fn undocumented_body(&self) -> &Bytes {
        &self.undocumented
    }

    /// Returns the body, and drops the rest of the response.
    pub fn into_inner(self) -> T {
        self.body
    }

    /// Returns the documented headers and the body.
    pub fn into_parts(self) -> (H, T) {
        (self.documented, self.body)
    }

    /// Maps the body by a function.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Response<U, H> {
        Response {
            status: self.status,
            is_received: self.is_received,
            headers: self.headers,
            documented: self.documented,
            body: change(self.body),
            undocumented: self.undocumented,
        }
    }
}

impl<T: fmt::Debug, H> fmt::Debug for Response<T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.headers.keys().map(http::HeaderName::as_str).collect();
        f.debug_struct("Response")
            .field("status", &self.status())
            .field("headers", &names)
            .field("body", &self.body)
            .finish_non_exhaustive()
    }
}

impl<T, H> Deref for Response<T, H> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.body
    }
}

impl<T, H> DerefMut for Response<T, H> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.body
    }
}

impl<T, H> AsRef<T> for Response<T, H> {
    fn as_ref(&self) -> &T {
        &self.body
    }
}

/// Creates a response with this body, and no headers: see [`Response::new`].
impl<T, H: Default> From<T> for Response<T, H> {
    fn from(body: T) -> Self {
        Self::new(body)
    }
}
