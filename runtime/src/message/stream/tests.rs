use super::{StreamError, Streamed};
use futures_core::Stream;
use std::collections::VecDeque;
use std::fmt;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// An error of another crate.
#[derive(Debug)]
struct Lagged(u64);

impl fmt::Display for Lagged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} items are lost", self.0)
    }
}

impl std::error::Error for Lagged {}

struct Listed<I>(VecDeque<I>);

impl<I: Unpin> Stream for Listed<I> {
    type Item = I;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<I>> {
        Poll::Ready(self.0.pop_front())
    }
}

fn listed<I>(items: impl IntoIterator<Item = I>) -> Listed<I> {
    Listed(items.into_iter().collect())
}

fn all<T>(stream: Streamed<T>) -> Result<Vec<T>, StreamError> {
    let mut context = Context::from_waker(Waker::noop());
    match pin!(stream.try_collect()).poll(&mut context) {
        Poll::Ready(items) => items,
        Poll::Pending => panic!("the items are there"),
    }
}

#[test]
fn a_stream_may_fail_with_any_error() {
    let error = all(Streamed::new(listed([Ok(1), Err(Lagged(3))]))).expect_err("lagged");
    let source = std::error::Error::source(&error).expect("a source");
    assert_eq!(source.to_string(), "3 items are lost");
    assert!(source.is::<Lagged>());
    let boxed: Result<i32, Box<dyn std::error::Error + Send + Sync>> = Err("gone".into());
    let error = all(Streamed::new(listed([boxed]))).expect_err("gone");
    assert!(matches!(error, StreamError::Broken(_)));
}

#[test]
fn an_error_of_a_stream_stays_the_same() {
    let error = Err::<i32, _>(StreamError::TooLarge { limit: 7 });
    let error = all(Streamed::new(listed([error]))).expect_err("too large");
    assert!(matches!(error, StreamError::TooLarge { limit: 7 }));
}

#[test]
fn items_may_come_from_a_stream_that_never_fails() {
    let items = all(Streamed::from_stream(listed(["a", "b"])));
    assert_eq!(items.expect("all items"), ["a", "b"]);
}
