//! The pages of a list, one after the other.

use super::at::AtPage;
use super::next::Position;
use super::{Items, ListOperation, PageError, PagedOperation};
use crate::ends::client::failure::Failure;
use crate::ends::client::{ClientCore, Error, Transport, base, origin, redact};
use crate::message::{EncodedRequest, Operation, RequestEncoder, ResponseDecoder};
use futures_core::Stream;
use http::Uri;
use std::fmt;
use std::future::poll_fn;
use std::mem::replace;
use std::pin::Pin;
use std::task::{Context, Poll};

/// The pages of a list: a stream of the responses to the operation `O`.
///
/// A page is requested when the stream is polled for it, and not before; each request is retried by the
/// client's policy for itself. After an error the stream has ended: [`cursor`](Self::cursor) is then the
/// position of the page that is missing.
#[must_use = "no page is requested before the stream is polled"]
pub struct Pages<'a, T, O: PagedOperation> {
    turn: Turn<'a, T, O>,
    cursor: Option<String>,
}

enum Turn<'a, T, O: PagedOperation> {
    Next(Box<Walk<'a, T, O>>),
    Busy(Busy<'a, T, O>),
    Over,
}

/// A page, or the error in its place.
pub(super) type Page<O> = Result<<O as Operation>::Response, PageError<<O as Operation>::Error>>;
type Busy<'a, T, O> = Pin<Box<dyn Future<Output = (Box<Walk<'a, T, O>>, Page<O>)> + Send + 'a>>;

/// What is known of a list, between two calls.
struct Walk<'a, T, O> {
    core: &'a ClientCore<T>,
    request: O,
    next: Next,
    /// The path of the last request, with that of the server.
    path: Option<String>,
    seen: Seen,
}

/// The next page.
enum Next {
    /// `None` is the page of the request itself.
    At(Option<Position>),
    /// The page was read before.
    Repeated(Position),
    Nothing,
}

/// A position that was seen before. The distance to the present one doubles, so that every cycle is
/// found (Brent's algorithm).
#[derive(Default)]
struct Seen {
    position: Option<Position>,
    since: u64,
    until: u64,
}

impl Seen {
    /// Returns whether the positions repeat.
    fn repeats(&mut self, next: &Position) -> bool {
        if self.position.as_ref() == Some(next) {
            return true;
        }
        self.since += 1;
        if self.since >= self.until {
            self.position = Some(next.clone());
            self.until = self.until.saturating_mul(2).max(1);
            self.since = 0;
        }
        false
    }
}

impl<'a, T, O: PagedOperation> Pages<'a, T, O> {
    pub(super) fn new(core: &'a ClientCore<T>, request: O) -> Self {
        Self {
            turn: Turn::Next(Box::new(Walk {
                core,
                request,
                next: Next::At(None),
                path: None,
                seen: Seen::default(),
            })),
            cursor: None,
        }
    }

    /// Starts at the page of a cursor that [`cursor`](Self::cursor) has returned, or that the service has
    /// named.
    pub(super) fn starting_at(mut self, cursor: String) -> Self {
        if let Turn::Next(walk) = &mut self.turn {
            walk.next = Next::At(Some(O::NEXT.parse(&cursor)));
        }
        self.cursor = Some(cursor);
        self
    }

    /// Returns the position of the next page; `None` before the first page, and after the last one.
    ///
    /// [`PagedCall::after`](super::PagedCall::after) continues with it, in another process, too. It is
    /// the cursor of the service, the URL of the page, or the number of the page or of its first item.
    pub fn cursor(&self) -> Option<&str> {
        self.cursor.as_deref()
    }

    /// Returns the items of all pages.
    pub fn items(self) -> Items<'a, T, O>
    where
        O: ListOperation,
    {
        Items::new(self)
    }
}

impl<T, O> Pages<'_, T, O>
where
    T: Transport,
    O: PagedOperation + Send + Sync + 'static,
{
    /// Returns the next page, or `None` after the last one.
    ///
    /// # Errors
    ///
    /// Returns an error if the call fails, if the page was read before, or if it is at another origin.
    pub async fn try_next(&mut self) -> Result<Option<O::Response>, PageError<O::Error>> {
        poll_fn(|cx| Pin::new(&mut *self).poll_next(cx))
            .await
            .transpose()
    }
}

impl<T, O: PagedOperation> Unpin for Pages<'_, T, O> {}

impl<T, O> Stream for Pages<'_, T, O>
where
    T: Transport,
    O: PagedOperation + Send + Sync + 'static,
{
    type Item = Page<O>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut busy = match replace(&mut self.turn, Turn::Over) {
            Turn::Next(walk) => Box::pin(walk.turn()),
            Turn::Busy(busy) => busy,
            Turn::Over => return Poll::Ready(None),
        };
        let Poll::Ready((walk, page)) = busy.as_mut().poll(cx) else {
            self.turn = Turn::Busy(busy);
            return Poll::Pending;
        };
        if page.is_ok() {
            self.cursor = match &walk.next {
                Next::At(Some(position)) => Some(position.text()),
                _ => None,
            };
            if !matches!(walk.next, Next::Nothing) {
                self.turn = Turn::Next(walk);
            }
        }
        Poll::Ready(Some(page))
    }
}

impl<T: Transport, O: PagedOperation + Send + Sync> Walk<'_, T, O> {
    /// Requests a page.
    async fn turn(mut self: Box<Self>) -> (Box<Self>, Page<O>) {
        let page = self.page().await;
        (self, page)
    }

    async fn page(&mut self) -> Page<O> {
        let position = self.next_position()?;
        let sent = self.at(position.as_ref());
        let encoded = self.encoded(&sent).map_err(Error::from)?;
        let here = position.clone().or_else(|| O::NEXT.stated(&encoded));
        let mut after = None;
        let seen = |answer: &ResponseDecoder| {
            after = O::NEXT.after(&encoded, here.as_ref(), answer);
        };
        let page = self.core.call_and(&sent, seen).await?;
        self.path = Some(encoded.path);
        self.next = match after {
            None => Next::Nothing,
            Some(next) if here.as_ref() == Some(&next) || self.seen.repeats(&next) => {
                Next::Repeated(next)
            }
            Some(next) => Next::At(Some(next)),
        };
        Ok(page)
    }

    /// Returns the position of the next request.
    fn next_position(&mut self) -> Result<Option<Position>, PageError<O::Error>> {
        match &self.next {
            Next::At(Some(Position::Url(url))) => {
                let target = self.target(url).ok_or_else(|| PageError::Url {
                    url: redact::text(url),
                })?;
                Ok(Some(Position::Url(target)))
            }
            Next::At(position) => Ok(position.clone()),
            Next::Repeated(position) => Err(PageError::Repeated {
                cursor: position.text(),
            }),
            Next::Nothing => Ok(None),
        }
    }

    const fn at<'p>(&'p self, position: Option<&'p Position>) -> AtPage<'p, O> {
        AtPage {
            request: &self.request,
            position,
        }
    }

    fn encoded(&self, sent: &AtPage<'_, O>) -> Result<EncodedRequest, Failure> {
        let mut encoder = RequestEncoder::new(O::META);
        sent.encode(&mut encoder);
        let server = self.core.servers.server_of(O::META)?;
        Ok(encoder.finish_at(base::path(&server))?)
    }

    /// Returns the path and the query of a URL at the server of the operation, or of a reference from
    /// the last page (RFC 3986, section 5.2); `None` for another origin and for an invalid URL.
    fn target(&self, url: &str) -> Option<String> {
        let server = self.core.servers.server_of(O::META).ok()?;
        let path = match &self.path {
            Some(path) => path.clone(),
            None => self.encoded(&self.at(None)).ok()?.path,
        };
        if url.starts_with('?') {
            return Some(format!("{path}{url}"));
        }
        let mut last = server.clone().into_owned().into_parts();
        last.path_and_query = Some(path.parse().ok()?);
        let url = base::resolve(&Uri::from_parts(last).ok()?, url)?;
        let has_dots = url
            .path()
            .split('/')
            .any(|segment| matches!(segment, "." | ".."));
        let is_own = origin::same(&url, &server) && !has_dots;
        is_own.then(|| url.path_and_query().map(ToString::to_string))?
    }
}

impl<T, O: PagedOperation> fmt::Debug for Pages<'_, T, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("operation", &O::META.id)
            .finish_non_exhaustive()
    }
}
