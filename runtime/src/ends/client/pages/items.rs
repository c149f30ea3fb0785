//! The items of all pages.

use super::walk::Page;
use super::{ListOperation, PageError, Pages};
use crate::ends::client::Transport;
use crate::message::Operation;
use futures_core::Stream;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

/// The items of a list, as a stream. The next page is requested when the items of the last one were
/// returned. A page without items does not end the list.
#[must_use = "no page is requested before the stream is polled"]
pub struct Items<'a, T, O: ListOperation> {
    pages: Pages<'a, T, O>,
    page: std::vec::IntoIter<O::Item>,
    ahead: bool,
    /// What follows the page, if it was requested ahead and is there.
    following: Option<Option<Page<O>>>,
}

impl<'a, T, O: ListOperation> Items<'a, T, O> {
    pub(super) fn new(pages: Pages<'a, T, O>) -> Self {
        Self {
            pages,
            page: Vec::new().into_iter(),
            ahead: false,
            following: None,
        }
    }

    /// Requests the next page with the first item of a page, instead of after its last one. Such a
    /// request advances whenever the stream is polled. One page is requested ahead, also if the rest of the
    /// items is not read.
    pub const fn ahead(mut self) -> Self {
        self.ahead = true;
        self
    }
}

impl<T, O> Items<'_, T, O>
where
    T: Transport,
    O: ListOperation + Send + Sync + 'static,
{
    /// Returns the next item, or `None` after the last one.
    ///
    /// # Errors
    ///
    /// See [`Pages::try_next`].
    pub async fn try_next(&mut self) -> Result<Option<O::Item>, PageError<O::Error>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx))
            .await
            .transpose()
    }
}

impl<T, O: ListOperation> Unpin for Items<'_, T, O> {}

impl<T, O> Stream for Items<'_, T, O>
where
    T: Transport,
    O: ListOperation + Send + Sync + 'static,
{
    type Item = Result<O::Item, PageError<<O as Operation>::Error>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let items = &mut *self;
        loop {
            let has_items = !items.page.as_slice().is_empty();
            if items.ahead
                && has_items
                && items.following.is_none()
                && let Poll::Ready(page) = Pin::new(&mut items.pages).poll_next(cx)
            {
                items.following = Some(page);
            }
            if let Some(item) = items.page.next() {
                return Poll::Ready(Some(Ok(item)));
            }
            let next = match items.following.take() {
                Some(next) => next,
                None => ready!(Pin::new(&mut items.pages).poll_next(cx)),
            };
            match next {
                Some(Ok(page)) => items.page = O::items(page).into_iter(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}

impl<T, O: ListOperation> fmt::Debug for Items<'_, T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items")
            .field("operation", &O::META.id)
            .finish_non_exhaustive()
    }
}
