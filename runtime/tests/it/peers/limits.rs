//! Limits of time and of bytes.

use super::api::*;
use super::peer::{Peer, Step};
use bothends_runtime::client::{
    CallOptions, ClientCore, Error, RawResponse, TimeLimit, TimeLimits, TimedOut, Transport,
};
use bothends_runtime::{Bytes, StreamError};
use std::time::Duration;
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::Instant;

const SECOND: Duration = Duration::from_secs(1);
const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const EVENTS: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

fn send(bytes: impl AsRef<[u8]>) -> Step {
    Step::Send(bytes.as_ref().to_vec())
}

fn body(length: usize) -> Vec<u8> {
    [HEAD, format!("content-length: {length}\r\n\r\n").as_bytes()].concat()
}

/// The limit that a call has passed, and how many seconds it took.
async fn passed<T: Transport>(core: ClientCore<T>) -> (TimeLimit, u64) {
    let begun = Instant::now();
    let error = core.call(&GetThingRequest::new()).await.unwrap_err();
    let Some(passed) = error.timed_out() else {
        panic!("{error:#}")
    };
    assert!(matches!(error, Error::Transport(_)) && error.is_retryable());
    (passed.limit(), begun.elapsed().as_secs())
}

#[tokio::test(start_paused = true)]
async fn each_stage_of_a_response_has_a_limit_by_default() {
    let drip = |bytes: &[u8], seconds| Step::Drip(bytes.to_vec(), SECOND * seconds);
    for (what, script, expected) in [
        ("never answers", vec![Step::Stall], (TimeLimit::Head, 60)),
        (
            "drips its head",
            vec![drip(&b"HTTP/1.1 200 OK\r\nx: y".repeat(9), 10), Step::Stall],
            (TimeLimit::Head, 60),
        ),
        (
            "sends a head and stalls",
            vec![send(body(9)), Step::Stall],
            (TimeLimit::Idle, 60),
        ),
        (
            "sends part of a body and stalls",
            vec![send(body(9)), send("{\"id\""), Step::Stall],
            (TimeLimit::Idle, 60),
        ),
        (
            "drips its body",
            vec![send(body(9999)), drip(&[b' '; 9999], 59)],
            (TimeLimit::Body, 600),
        ),
    ] {
        let peer = Peer::new(script).await;
        assert_eq!(passed(core(&peer.url)).await, expected, "{what}");
        let over_reqwest = passed(over_reqwest(&peer.url)).await;
        assert_eq!(over_reqwest, expected, "{what}");
    }
}

#[tokio::test(start_paused = true)]
async fn limits_are_set_for_a_client_and_for_a_call() {
    let silent = Peer::new(vec![Step::Stall]).await;
    let slow = core(&silent.url).time_limits(TimeLimits::default().head(SECOND * 7));
    assert_eq!(passed(slow.clone()).await, (TimeLimit::Head, 7));
    let options = CallOptions::new().time_limits(TimeLimits::default().head(SECOND * 3));
    assert_eq!(passed(slow.with(options)).await, (TimeLimit::Head, 3));
    let timeout = CallOptions::new().timeout(SECOND * 2);
    assert_eq!(passed(slow.with(timeout)).await, (TimeLimit::Timeout, 2));
    let none = CallOptions::new().time_limits(TimeLimits::NONE);
    let patient = slow.with(none.timeout(SECOND * 3600));
    assert_eq!(passed(patient).await, (TimeLimit::Timeout, 3600));

    let stalled = Peer::new(vec![send(body(9)), Step::Stall]).await;
    let limits = TimeLimits::default().idle(SECOND * 4);
    let passed_with = |limits| passed(core(&stalled.url).time_limits(limits));
    assert_eq!(passed_with(limits).await, (TimeLimit::Idle, 4));
    assert_eq!(
        passed_with(limits.body(SECOND * 3)).await,
        (TimeLimit::Body, 3)
    );
    assert_eq!(
        passed(core(&stalled.url).timeout(SECOND * 5)).await,
        (TimeLimit::Timeout, 5)
    );
    let late = Peer::new(vec![
        Step::Pause(SECOND * 300),
        send(body(8)),
        send("{\"id\":1}"),
    ]);
    let patient = core(&late.await.url).time_limits(TimeLimits::default().head(None));
    patient.call(&GetThingRequest::new()).await.unwrap();
}

/// A host that takes no connection: its queue is full, so the kernel answers nothing.
#[tokio::test(start_paused = true)]
async fn connecting_has_a_limit() {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let full = socket.listen(1).unwrap();
    let address = full.local_addr().unwrap();
    let mut queue = Vec::new();
    while let Ok(connected) = tokio::time::timeout(SECOND, TcpStream::connect(address)).await {
        queue.push(connected.unwrap());
    }
    let url = format!("http://{address}");
    assert_eq!(passed(core(&url)).await, (TimeLimit::Connect, 10));
    assert_eq!(passed(over_reqwest(&url)).await, (TimeLimit::Connect, 10));
}

#[tokio::test(start_paused = true)]
async fn a_stream_may_be_quiet_and_may_live_long_but_not_silent_for_ever() {
    let event = |id: u32| send(format!("data: {{\"id\":{id}}}\n\n"));
    let begun = Instant::now();
    let script = vec![
        send(EVENTS),
        // Heartbeats for a day, then an event; quiet for four minutes, then another.
        Step::Beat(b":\n\n".to_vec(), SECOND * 240, 360),
        event(1),
        Step::Pause(SECOND * 299),
        event(2),
        Step::Stall,
    ];
    let peer = Peer::new(script).await;
    // A limit for the whole call ends with the head of a stream.
    let client = core(&peer.url).timeout(SECOND * 5);
    let mut things = client.call(&WatchRequest::new()).await.unwrap();
    for id in [1, 2] {
        assert_eq!(things.next().await.unwrap().unwrap().data.id, id);
    }
    assert_eq!(begun.elapsed().as_secs(), 240 * 360 + 299);
    let error = things.next().await.unwrap().unwrap_err();
    assert!(matches!(error, StreamError::Broken(_)), "{error}");
    let passed = *TimedOut::find(&error).unwrap();
    assert_eq!(
        (passed.limit(), passed.after()),
        (TimeLimit::StreamIdle, Some(SECOND * 300))
    );
    assert_eq!(begun.elapsed().as_secs(), 240 * 360 + 299 + 300);
    assert!(things.next().await.is_none());

    let quiet = vec![
        send(EVENTS),
        Step::Pause(SECOND * 36_000),
        event(3),
        Step::Stall,
    ];
    let peer = Peer::new(quiet).await;
    let options = CallOptions::new().time_limits(TimeLimits::default().stream_idle(None));
    let watching = core(&peer.url).with(options);
    let mut things = watching.call(&WatchRequest::new()).await.unwrap();
    assert_eq!(things.next().await.unwrap().unwrap().data.id, 3);
}

/// What is read while the caller does something else does not count, and a download is a stream.
#[tokio::test(start_paused = true)]
async fn time_passes_only_while_the_client_waits() {
    let peer = Peer::new(vec![send(body(8)), send("{\"id\":1"), Step::Stall]).await;
    let mut file = core(&peer.url).call(&DownloadRequest::new()).await.unwrap();
    tokio::time::sleep(SECOND * 3600).await;
    assert_eq!(file.next().await.unwrap().unwrap(), "{\"id\":1");
    tokio::time::sleep(SECOND * 3600).await;
    let error = file.next().await.unwrap().unwrap_err();
    assert_eq!(
        TimedOut::find(&error).unwrap().limit(),
        TimeLimit::StreamIdle
    );
}

#[tokio::test(start_paused = true)]
async fn a_long_upload_counts_from_its_last_piece() {
    const LENGTH: usize = 24 << 20;
    let request = UploadRequest::new(Bytes::from(vec![0; LENGTH]));
    let answer = send("HTTP/1.1 204 No Content\r\n\r\n");
    let begun = Instant::now();
    let peer = Peer::new(vec![Step::Take(LENGTH, SECOND * 5), answer]).await;
    let response = core(&peer.url).call(&request).await.unwrap();
    assert_eq!(*response, GetThingResponseBody::NoContent);
    assert!(begun.elapsed() >= SECOND * 120, "{:?}", begun.elapsed());
    let head = peer.heads().remove(0).to_lowercase();
    assert!(
        head.contains(&format!("content-length: {LENGTH}\r\n")),
        "{head}"
    );

    let begun = Instant::now();
    let deaf = Peer::new(vec![Step::Take(LENGTH / 2, SECOND), Step::Stall]).await;
    let error = core(&deaf.url).call(&request).await.unwrap_err();
    assert_eq!(error.timed_out().unwrap().limit(), TimeLimit::Head);
    assert!(begun.elapsed() < SECOND * 120, "{:?}", begun.elapsed());
}

/// What is on its way in the buffers of sockets, the kernel's and hyper's.
const UNDERWAY: usize = 10 << 20;

#[tokio::test(start_paused = true)]
async fn an_endless_body_ends_at_the_limit() {
    let endless = |head: Vec<u8>| vec![Step::Send(head), Step::Repeat(vec![b' '; 8 << 10])];
    let no_length = [HEAD, b"\r\n"].concat();
    let peer = Peer::new(endless(no_length)).await;
    let client = core(&peer.url).body_limit(1 << 20);
    let error = client.call(&GetThingRequest::new()).await.unwrap_err();
    let Error::TooLarge {
        response: answer,
        limit,
    } = &error
    else {
        panic!("{error:#}")
    };
    assert_eq!(
        (answer.body.len(), *limit),
        (RawResponse::BODY_LIMIT, 1 << 20)
    );
    assert!(peer.sent() < (1 << 20) + UNDERWAY, "{}", peer.sent());

    // A head that never ends: hyper takes 100 headers, and about 400 KB.
    for line in ["x: y\r\n".to_owned(), format!("x: {}", "y".repeat(9000))] {
        let head = b"HTTP/1.1 200 OK\r\n".to_vec();
        let peer = Peer::new(vec![Step::Send(head), Step::Repeat(line.into_bytes())]).await;
        let error = core(&peer.url).call(&GetThingRequest::new()).await;
        assert!(matches!(error, Err(Error::Transport(_))), "{error:?}");
        assert!(peer.sent() < UNDERWAY, "{}", peer.sent());
    }
}

/// A gigabyte of HTML with a 500, which nobody documents, and a documented error that is as large.
#[tokio::test(start_paused = true)]
async fn errors_keep_the_beginning_of_a_body() {
    for (status, length) in [
        (500, ""),
        (500, "content-length: 1073741824\r\n"),
        (404, ""),
    ] {
        let head = format!("HTTP/1.1 {status} X\r\ncontent-type: text/html\r\n{length}\r\n");
        let page = b"<p>sorry</p>".repeat(1000);
        let peer = Peer::new(vec![send(head), Step::Repeat(page)]).await;
        let error = core(&peer.url).call(&GetThingRequest::new()).await;
        let error = error.unwrap_err();
        let documented = status == 404;
        assert_eq!(matches!(error, Error::TooLarge { .. }), documented);
        assert_eq!(matches!(error, Error::Undocumented(_)), !documented);
        let answer = error.raw_response().unwrap();
        assert_eq!(answer.status, status);
        assert_eq!(answer.body.len(), RawResponse::BODY_LIMIT);
        assert!(answer.body.starts_with(b"<p>sorry</p>"));
        assert!(peer.sent() < (1 << 20) + UNDERWAY, "{}", peer.sent());
    }
    // What is read, and then found to be wrong, is not kept whole either.
    let page = format!("\"{}\"", "x".repeat(3 << 20));
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", page.len());
    let peer = Peer::new(vec![send(head), send(page)]).await;
    let error = core(&peer.url).call(&GetThingRequest::new()).await;
    let error = error.unwrap_err();
    assert!(matches!(error, Error::Decode { .. }), "{error}");
    assert_eq!(
        error.raw_response().unwrap().body.len(),
        RawResponse::BODY_LIMIT
    );
    let text = format!("{error:#} {error:?}");
    assert!(text.len() < 4 << 10, "{}", text.len());
}
