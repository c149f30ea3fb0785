//! The call of an operation with pages.

use super::{Items, ListOperation, PagedOperation, Pages};
use crate::ends::client::{ClientCore, Error, ResponseFuture, Transport};
use std::fmt;

/// The call of an operation that returns a list in pages: the return type of such methods of generated
/// clients.
///
/// An `await` returns the response to the request itself, which is one page. [`items`](Self::items) and
/// [`pages`](Self::pages) return those of the whole list, from this page on. Where a future is needed,
/// [`into_future`](IntoFuture::into_future) returns one.
#[must_use = "nothing is sent before the value is awaited"]
pub struct PagedCall<'a, T, O: PagedOperation> {
    core: &'a ClientCore<T>,
    request: O,
}

impl<T> ClientCore<T> {
    /// Returns the call of an operation with pages; generated code calls this.
    pub const fn paged<O: PagedOperation>(&self, request: O) -> PagedCall<'_, T, O> {
        PagedCall {
            core: self,
            request,
        }
    }
}

impl<'a, T, O: PagedOperation> PagedCall<'a, T, O> {
    /// Returns the pages of the list as a stream of responses.
    pub fn pages(self) -> Pages<'a, T, O> {
        Pages::new(self.core, self.request)
    }

    /// Returns the items of the list as a stream.
    pub fn items(self) -> Items<'a, T, O>
    where
        O: ListOperation,
    {
        self.pages().items()
    }

    /// Returns the pages from a position on: a cursor of the service, or what [`Pages::cursor`] has
    /// returned.
    pub fn after(self, cursor: impl Into<String>) -> Pages<'a, T, O> {
        self.pages().starting_at(cursor.into())
    }
}

impl<'a, T, O> IntoFuture for PagedCall<'a, T, O>
where
    T: Transport,
    O: PagedOperation + Send + Sync + 'static,
{
    type Output = Result<O::Response, Error<O::Error>>;
    type IntoFuture = ResponseFuture<'a, O::Response, O::Error>;

    fn into_future(self) -> Self::IntoFuture {
        self.core.send(self.request)
    }
}

impl<T, O: PagedOperation> fmt::Debug for PagedCall<'_, T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PagedCall")
            .field("operation", &O::META.id)
            .finish_non_exhaustive()
    }
}
