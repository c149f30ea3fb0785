use super::is_timeout;
use crate::message::payload::{Body, BodyError, CollectError};
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, Sleep, sleep};

/// Pieces of a length, with a pause before each.
struct Pieces {
    left: usize,
    length: usize,
    pause: Duration,
    timer: Pin<Box<Sleep>>,
}

impl HttpBody for Pieces {
    type Data = Bytes;
    type Error = BodyError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        if self.timer.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        let next = Instant::now() + self.pause;
        self.timer.as_mut().reset(next);
        self.left -= 1;
        Poll::Ready(Some(Ok(Frame::data(vec![b'a'; self.length].into()))))
    }
}

fn pieces(left: usize, length: usize, seconds: u64) -> Body {
    let pause = Duration::from_secs(seconds);
    Body::new(Pieces {
        left,
        length,
        pause,
        timer: Box::pin(sleep(pause)),
    })
}

/// Returns the number of received bytes, or `None` after a timeout, and the seconds.
async fn received(body: Body) -> (Option<usize>, u64) {
    let begun = Instant::now();
    let length = match body.collect(1 << 20).await {
        Ok(bytes) => Some(bytes.len()),
        Err(CollectError::Broken(error)) if is_timeout(&error) => None,
        Err(error) => panic!("{error}"),
    };
    (length, begun.elapsed().as_secs())
}

const MINUTE: Option<Duration> = Some(Duration::from_secs(60));

#[tokio::test(start_paused = true)]
async fn a_pause_has_a_limit_and_the_whole_has_none() {
    let body = pieces(100, 1, 59).paused_at_most(MINUTE);
    assert_eq!(received(body).await, (Some(100), 5900));
    let body = pieces(100, 1, 61).paused_at_most(MINUTE);
    assert_eq!(received(body).await, (None, 60));
    let body = pieces(3, 1, 3600).paused_at_most(None);
    assert_eq!(received(body).await, (Some(3), 3 * 3600));
}

#[tokio::test(start_paused = true)]
async fn the_whole_has_a_limit_that_grows_with_what_is_received() {
    let body = pieces(100, 1, 1).received_within(MINUTE);
    assert_eq!(received(body).await, (None, 60));
    let body = pieces(50, 1, 1).received_within(MINUTE);
    assert_eq!(received(body).await, (Some(50), 50));
    // A rate of 10 KiB a second is enough, for any length.
    let body = pieces(100, 10 << 10, 1).received_within(MINUTE);
    assert_eq!(received(body).await, (Some(1_024_000), 100));
    let body = pieces(200, 5 << 10, 1).received_within(MINUTE);
    assert_eq!(received(body).await, (None, 119));
    let body = pieces(3, 1, 3600).received_within(None);
    assert_eq!(received(body).await, (Some(3), 3 * 3600));
}

#[test]
fn there_is_no_limit_without_a_runtime_or_its_timers() {
    struct Silent;
    impl HttpBody for Silent {
        type Data = Bytes;
        type Error = BodyError;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, BodyError>>> {
            Poll::Pending
        }
    }
    let poll = || {
        let mut body = Body::new(Silent).received_within(Some(Duration::ZERO));
        let mut cx = Context::from_waker(std::task::Waker::noop());
        for _ in 0..2 {
            assert!(Pin::new(&mut body).poll_frame(&mut cx).is_pending());
        }
    };
    poll();
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.expect("a runtime").block_on(async { poll() });
}
