//! A server in every kind of wrong: each comes to a value or a typed error, within the limits of time,
//! and with few bytes taken.

use super::api::*;
use super::peer::{Peer, Step};
use bothends_runtime::client::{Error, RawResponse, TimeLimit};
use std::time::Duration;
use tokio::time::Instant;

/// What a call comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Value,
    NoContent,
    /// A documented error.
    Api,
    Undocumented(u16),
    Decode,
    TooLarge,
    Transport,
    TimedOut(TimeLimit),
}
use End::*;

type Outcome = Result<GetThingResponse, Error<GetThingError>>;

fn end(outcome: &Outcome) -> End {
    match outcome {
        Ok(response) => match **response {
            GetThingResponseBody::Ok(_) => Value,
            GetThingResponseBody::NoContent => NoContent,
        },
        Err(Error::Api { .. }) => Api,
        Err(Error::Undocumented(answer)) => Undocumented(answer.status.as_u16()),
        Err(Error::Decode { .. }) => Decode,
        Err(Error::TooLarge { .. }) => TooLarge,
        Err(error @ Error::Transport(_)) => match error.timed_out() {
            Some(passed) => TimedOut(passed.limit()),
            None => Transport,
        },
        Err(error) => panic!("{error:?}"),
    }
}

/// The limit of the client, and what may be on its way beside: buffers of sockets, and hyper's.
const LIMIT: usize = 4 << 20;
const UNDERWAY: usize = 10 << 20;

/// `script` follows the head of each request; the peer then closes the connection.
async fn drive(what: &str, script: Vec<Step>, expected: &[End]) {
    drive_within(LIMIT, what, script, expected).await;
}

async fn drive_within(limit: usize, what: &str, script: Vec<Step>, expected: &[End]) {
    let peer = Peer::new(script).await;
    let begun = Instant::now();
    let client = core(&peer.url).body_limit(limit);
    let outcome = client.call(&GetThingRequest::new()).await;
    assert!(
        expected.contains(&end(&outcome)),
        "{what}: {:?} {:?}",
        end(&outcome),
        outcome.as_ref().map_err(|error| format!("{error:#}"))
    );
    // The longest limit is that of a whole body.
    assert!(begun.elapsed() <= Duration::from_secs(660), "{what}");
    assert!(peer.sent() <= limit + UNDERWAY, "{what}: {}", peer.sent());
    if let Err(error) = &outcome {
        let text = format!("{error} {error:#} {error:?} {error:#?}");
        assert!(text.len() <= 64 << 10, "{what}: {}", text.len());
        if let Some(answer) = error.raw_response() {
            assert!(answer.body.len() <= RawResponse::BODY_LIMIT, "{what}");
        }
    }
    // A connection in disorder is not used again.
    assert!(peer.heads().len() <= 2, "{what}");
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

fn send(text: impl AsRef<[u8]>) -> Step {
    Step::Send(text.as_ref().to_vec())
}

/// A 200 with this body, and its length.
fn json(body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let head = format!("{OK}content-length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

#[tokio::test(start_paused = true)]
async fn what_is_not_http_is_an_error_of_the_transport() {
    let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    for (what, bytes) in [
        ("nothing", ""),
        ("a line break", "\r\n\r\n"),
        ("no status", "HTTP/1.1\r\n\r\n"),
        ("a status of letters", "HTTP/1.1 abc OK\r\n\r\n"),
        ("a status of four digits", "HTTP/1.1 2000 OK\r\n\r\n"),
        ("a negative status", "HTTP/1.1 -20 OK\r\n\r\n"),
        ("HTTP/0.9", "{\"id\":1}"),
        ("HTTP/3.7", "HTTP/3.7 200 OK\r\n\r\n{\"id\":1}"),
        ("the preface of HTTP/2", preface),
        ("a frame of HTTP/2", "\0\0\0\u{4}\0\0\0\0\0"),
        ("TLS", "\u{16}\u{3}\u{1}\0\u{5}hello"),
        ("SSH", "SSH-2.0-OpenSSH_9.9\r\n"),
        ("half a status line", "HTTP/1.1 20"),
        (
            "half a head",
            "HTTP/1.1 200 OK\r\ncontent-type: application/js",
        ),
        (
            "a head without an end",
            "HTTP/1.1 200 OK\r\ncontent-length: 8\r\n",
        ),
        ("a header without a colon", "HTTP/1.1 200 OK\r\nabc\r\n\r\n"),
        ("a header without a name", "HTTP/1.1 200 OK\r\n: a\r\n\r\n"),
        (
            "a space in a name",
            "HTTP/1.1 200 OK\r\ncontent length: 8\r\n\r\n{\"id\":1}",
        ),
        ("a NUL in a value", "HTTP/1.1 200 OK\r\nx: a\0b\r\n\r\n"),
        (
            "a folded header",
            "HTTP/1.1 200 OK\r\nx: a\r\n b\r\n\r\n{\"id\":1}",
        ),
        (
            "a length of letters",
            "HTTP/1.1 200 OK\r\ncontent-length: abc\r\n\r\n{\"id\":1}",
        ),
        (
            "a negative length",
            "HTTP/1.1 200 OK\r\ncontent-length: -8\r\n\r\n{\"id\":1}",
        ),
        (
            "two lengths",
            "HTTP/1.1 200 OK\r\ncontent-length: 8\r\ncontent-length: 9\r\n\r\n{\"id\":1}",
        ),
        (
            "a length beyond 64 bits",
            "HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999999\r\n\r\n{\"id\":1}",
        ),
        (
            "a body that is too short",
            "HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"id\":1}",
        ),
        (
            "a chunk without a size",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n",
        ),
        (
            "a chunk beyond 64 bits",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}",
        ),
        (
            "a chunk that is cut off",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n8\r\n{\"id\"",
        ),
        (
            "chunks without an end",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n8\r\n{\"id\":1}\r\n",
        ),
        (
            "a chunk that is too long",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{\"id\":1}\r\n0\r\n\r\n",
        ),
    ] {
        drive(what, vec![send(bytes)], &[Transport]).await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_http_is_a_value_or_says_what_is_wrong() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(100_000), close.repeat(9));
    let inner = deep("{\"id\":1,\"inner\":", "}");
    for (what, bytes, expected) in [
        ("what is right", json("{\"id\":1}"), Value),
        ("more than the length says", [json("{\"id\":1}"), json("{}")].concat(), Value),
        ("a body up to the end", format!("{OK}\r\n{{\"id\":1}}").into(), Value),
        (
            "two of the same length",
            format!("{OK}content-length: 8\r\ncontent-length: 8\r\n\r\n{{\"id\":1}}").into(),
            Value,
        ),
        ("a length and chunks", format!("{OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n8\r\n{{\"id\":1}}\r\n0\r\n\r\n").into(), Value),
        ("trailers", format!("{OK}transfer-encoding: chunked\r\n\r\n8\r\n{{\"id\":1}}\r\n0\r\nx: y\r\n\r\n").into(), Value),
        ("204 with a body", b"HTTP/1.1 204 No Content\r\ncontent-length: 8\r\n\r\n{\"id\":1}".into(), NoContent),
        ("304 with a body", b"HTTP/1.1 304 Not Modified\r\ncontent-length: 8\r\n\r\n{\"id\":1}".into(), Undocumented(304)),
        ("a redirect", b"HTTP/1.1 302 Found\r\nlocation: /thing\r\ncontent-length: 0\r\n\r\n".into(), Undocumented(302)),
        ("a redirect elsewhere", b"HTTP/1.1 307 X\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n".into(), Undocumented(307)),
        ("a 101 that nobody asked for", b"HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhello".into(), Undocumented(101)),
        ("a status that nobody knows", b"HTTP/1.1 799 X\r\ncontent-length: 0\r\n\r\n".into(), Undocumented(799)),
        ("a reason that is no UTF-8", b"HTTP/1.1 503 \xff\xfe\r\ncontent-length: 0\r\n\r\n".into(), Undocumented(503)),
        ("100, 103 and then the response", [b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".into(), json("{\"id\":1}")].concat(), Value),
        ("a documented error", b"HTTP/1.1 404 X\r\ncontent-length: 8\r\n\r\n{\"id\":1}".into(), Api),
        ("a documented error that is none", b"HTTP/1.1 404 X\r\ncontent-length: 2\r\n\r\n{}".into(), Decode),
        ("no body", json(""), Decode),
        ("no JSON", json("<html>"), Decode),
        ("JSON that is cut off", json("{\"id\":"), Decode),
        ("two values", json("{\"id\":1}{\"id\":2}"), Decode),
        ("no UTF-8 in a value", json(b"{\"id\":1,\"name\":\"\xff\"}"), Decode),
        ("no UTF-8 in a name", json(b"{\"id\":1,\"\xff\":1}"), Decode),
        ("half a surrogate", json("{\"id\":1,\"name\":\"\\ud800\"}"), Decode),
        ("UTF-16", json(b"\xff\xfe{\0}\0"), Decode),
        ("a NUL", json("{\"id\":1}\0"), Decode),
        ("a NUL in a text", json("{\"id\":1,\"name\":\"\\u0000\"}"), Value),
        ("lists without an end", json(deep("[", "]")), Decode),
        ("objects without an end", json(deep("{\"a\":", "}")), Decode),
        ("objects of its own, nested", json(inner), Decode),
        ("nesting in what is not read", json(format!("{{\"id\":1,\"x\":{}", deep("[", "]"))), Decode),
        ("an integer of a thousand digits", json(format!("{{\"id\":{}}}", "9".repeat(1000))), Decode),
        ("a number beyond all", json("{\"id\":1e999999999}"), Decode),
        ("a number that is small beyond all", json("{\"id\":1e-999999999}"), Decode),
        ("a text in place of a number", json(format!("{{\"id\":\"{}\"}}", "x".repeat(1 << 20))), Decode),
        ("a name as long as a book", json(format!("{{\"{}\":1}}", "x".repeat(1 << 20))), Decode),
        ("a list of the wrong things", json(format!("{{\"id\":1,\"tags\":[{}1]}}", "1,".repeat(500_000))), Decode),
        ("a property twice", json("{\"id\":1,\"id\":2}"), Decode),
        ("a media type that nobody documents", b"HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: 8\r\n\r\n{\"id\":1}".into(), Value),
        ("two media types", b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-type: text/html\r\ncontent-length: 8\r\n\r\n{\"id\":1}".into(), Value),
        ("a media type that is none", b"HTTP/1.1 200 OK\r\ncontent-type: \xff;;;\r\ncontent-length: 8\r\n\r\n{\"id\":1}".into(), Value),
    ] {
        drive(what, vec![send(bytes)], &[expected]).await;
    }
}

#[tokio::test(start_paused = true)]
async fn content_codings_that_cannot_be_taken_off() {
    // `{"id":1}`, as `gzip -n` writes it.
    const GZIP: [u8; 28] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xab, 0x56, 0xca, 0x4c, 0x51,
        0xb2, 0x32, 0xac, 0x05, 0x00, 0xc5, 0xf8, 0x5d, 0x44, 0x08, 0x00, 0x00, 0x00,
    ];
    let coded = |coding: &str, body: &[u8]| {
        let head = format!(
            "{OK}content-encoding: {coding}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        vec![send([head.as_bytes(), body].concat())]
    };
    let with = |more: &[u8]| [&GZIP, more].concat();
    let mut wrong_sum = GZIP;
    wrong_sum[21] ^= 1;
    for (what, script, expected) in [
        ("gzip", coded("gzip", &GZIP), Value),
        ("x-gzip in capitals", coded("X-GZIP", &GZIP), Value),
        (
            "gzip that is cut off",
            coded("gzip", &GZIP[..20]),
            Transport,
        ),
        (
            "gzip without its trailer",
            coded("gzip", &GZIP[..21]),
            Transport,
        ),
        (
            "gzip with another checksum",
            coded("gzip", &wrong_sum),
            Transport,
        ),
        (
            "gzip with garbage behind it",
            coded("gzip", &with(b"garbage")),
            Transport,
        ),
        (
            "gzip with zeros behind it",
            coded("gzip", &with(&[0; 512])),
            Transport,
        ),
        ("what is no gzip", coded("gzip", b"{\"id\":1}"), Value),
        ("nothing as gzip", coded("gzip", b""), Decode),
        ("gzip twice", coded("gzip, gzip", &GZIP), Decode),
        (
            "a coding that nobody knows",
            coded("br", b"\x8b\x03\x80{\"id\":1}\x03"),
            Decode,
        ),
        (
            "a coding that is no text",
            coded("\u{ff}", b"{\"id\":1}"),
            Value,
        ),
        ("identity", coded("identity", b"{\"id\":1}"), Value),
    ] {
        drive(what, script, &[expected]).await;
    }
    let head = format!("{OK}content-encoding: gzip\r\n\r\n");
    // 20 bytes that come to nothing, for ever; and a bomb.
    let empty = [
        31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    let peer = Peer::new(vec![send(&head), Step::Repeat(empty.repeat(400))]).await;
    let error = core(&peer.url).call(&GetThingRequest::new()).await;
    assert!(matches!(error, Err(Error::Transport(_))), "{error:?}");
    assert!(peer.sent() < UNDERWAY, "{}", peer.sent());

    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..64 {
        std::io::Write::write_all(&mut bomb, &vec![b' '; 1 << 20]).unwrap();
    }
    let bomb = bomb.finish().unwrap();
    drive("a bomb", vec![send(&head), send(bomb)], &[TooLarge]).await;
}

#[tokio::test(start_paused = true)]
async fn floods_end() {
    let repeat = |text: &str| Step::Repeat(text.repeat(1 + 4096 / text.len()).into_bytes());
    let endless = |head: String, text: &str| vec![send(head), repeat(text)];
    let chunked = format!("{OK}transfer-encoding: chunked\r\n\r\n");
    for (what, script, expected) in [
        (
            "headers",
            endless("HTTP/1.1 200 OK\r\n".into(), "x: y\r\n"),
            &[Transport][..],
        ),
        (
            "a header",
            endless("HTTP/1.1 200 OK\r\nx: ".into(), "y"),
            &[Transport],
        ),
        (
            "a status line",
            endless("HTTP/1.1 200 ".into(), "y"),
            &[Transport],
        ),
        ("line breaks", endless(String::new(), "\r\n"), &[Transport]),
        ("a body", endless(format!("{OK}\r\n"), " "), &[TooLarge]),
        (
            "a body of a said length",
            endless(format!("{OK}content-length: 9999999999\r\n\r\n"), " "),
            &[TooLarge],
        ),
        (
            "chunks of a byte",
            endless(chunked.clone(), "1\r\n \r\n"),
            &[TooLarge],
        ),
        (
            "an extension of a chunk",
            endless(format!("{chunked}1;"), "x"),
            &[Transport],
        ),
        (
            "trailers",
            endless(format!("{chunked}8\r\n{{\"id\":1}}\r\n0\r\n"), "x: y\r\n"),
            &[Transport],
        ),
        (
            "a redirect's body",
            endless("HTTP/1.1 302 Found\r\nlocation: /\r\n\r\n".into(), " "),
            &[Undocumented(302), TooLarge],
        ),
        (
            "an error's body",
            endless("HTTP/1.1 500 X\r\n\r\n".into(), " "),
            &[Undocumented(500)],
        ),
    ] {
        // A chunk of a byte is six on the wire.
        drive_within(128 << 10, what, script, expected).await;
    }
    // hyper reads on in the size of a chunk; nothing of it is kept, and no piece of a body comes of it.
    let zeros = vec![send(&chunked), send("0".repeat(4 << 20)), Step::Stall];
    drive("zeros", zeros, &[TimedOut(TimeLimit::Idle)]).await;
    // Interim responses: the limit for the head ends them, however many there are in the meantime.
    let hint = b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".to_vec();
    let flood = vec![
        Step::Beat(hint.clone(), Duration::from_secs(1), 30),
        Step::Send(hint.repeat(50_000)),
        Step::Beat(hint, Duration::from_secs(1), 1000),
    ];
    drive("103", flood, &[TimedOut(TimeLimit::Head)]).await;
}
