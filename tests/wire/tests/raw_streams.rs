//! What a generated server sends at the end of a stream of events, byte by byte.

use bothends_runtime::server::{Context, Error};
use bothends_runtime::{Event, NoError, StreamError, Streamed};
use bothends_wire_tests::of_event_streams::operations::*;
use bothends_wire_tests::of_event_streams::server::{DefaultApi, router};
use bothends_wire_tests::of_event_streams::types::Piece;
use bothends_wire_tests::raw::{get, post, serve};
use futures_core::Stream;
use std::pin::Pin;
use std::task::{self, Poll};
use std::time::Duration;

type Answer<T> = Result<T, Error<NoError>>;

struct Api;

fn pieces() -> Streamed<Event<Piece>> {
    Streamed::from_items([Event::new(Piece::new("a".to_owned()))])
}

/// An event that is not ready when it is first asked for, and as often as the number says.
struct Late<T>(Option<T>, u8);

impl<T: Unpin> Stream for Late<T> {
    type Item = Result<T, StreamError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut task::Context<'_>) -> Poll<Option<Self::Item>> {
        if self.1 > 0 {
            self.1 -= 1;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(self.0.take().map(Ok))
    }
}

/// A timer that has always passed.
struct Ticks;

impl Stream for Ticks {
    type Item = ();

    fn poll_next(self: Pin<&mut Self>, _: &mut task::Context<'_>) -> Poll<Option<()>> {
        Poll::Ready(Some(()))
    }
}

impl DefaultApi for Api {
    async fn chat(&self, _: Context, _: ChatRequest) -> Answer<ChatResponse> {
        Ok(pieces().into())
    }

    async fn chat_marked(&self, _: Context, _: ChatMarkedRequest) -> Answer<ChatMarkedResponse> {
        Ok(ChatMarkedOkContent::Events(pieces()).into())
    }

    async fn chat_other(&self, _: Context, _: ChatOtherRequest) -> Answer<ChatOtherResponse> {
        Ok(pieces().into())
    }

    async fn chat_endless(&self, _: Context, _: ChatEndlessRequest) -> Answer<ChatEndlessResponse> {
        Ok(pieces().into())
    }

    async fn watch_notes(&self, ctx: Context, _: WatchNotesRequest) -> Answer<WatchNotesResponse> {
        let note = match ctx.last_event_id() {
            None => Event::new("[DONE]".to_owned()),
            Some(id) => Event::new(format!("after {id}"))
                .id("é 8")
                .event("note")
                .retry(Duration::from_secs(2)),
        };
        Ok(Streamed::from_items([note]).into())
    }

    async fn watch_embedded(
        &self,
        _: Context,
        _: WatchEmbeddedRequest,
    ) -> Answer<WatchEmbeddedResponse> {
        Ok(pieces().into())
    }

    async fn watch_several(
        &self,
        _: Context,
        _: WatchSeveralRequest,
    ) -> Answer<WatchSeveralResponse> {
        let text = WatchSeveralOkBody::AddString("late".to_owned());
        let late = Late(Some(Event::new(text)), 3);
        Ok(Streamed::new(late).with_keep_alive(Ticks).into())
    }

    async fn post_job(&self, _: Context, request: PostJobRequest) -> Answer<PostJobResponse> {
        Ok(request.body.into())
    }
}

/// The chunks of a body, put together.
fn body(response: &str) -> String {
    let (_, mut rest) = response.split_once("\r\n\r\n").expect("a body");
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("a size");
        body.push_str(after.get(..size).expect("a chunk"));
        rest = after.get(size + 2..).unwrap_or_default();
        if size == 0 {
            break;
        }
    }
    body
}

#[test]
fn the_last_event_is_sent_where_the_document_has_one() {
    let to = serve(router(Api).allow_unauthenticated());
    let piece = "data: {\"text\":\"a\"}\n\n";
    for (target, last) in [
        ("/chat", ""),
        ("/chat/marked", "data: [END]\n\n"),
        ("/chat/other", "data: [STOP]\n\n"),
        ("/chat/endless", ""),
    ] {
        let answer = post(to, target, "Accept: text/event-stream\r\n", "");
        assert_eq!(body(&answer), format!("{piece}{last}"), "{target}");
    }
    assert_eq!(body(&get(to, "/notes", "")), "data: [DONE]\n\n");
    assert_eq!(body(&get(to, "/embedded", "")), piece);
}

#[test]
fn a_stream_goes_on_after_the_last_event_of_the_client() {
    let to = serve(router(Api).allow_unauthenticated());
    let notes = |id: &str| body(&get(to, "/notes", id));
    assert_eq!(
        notes("Last-Event-ID: \u{e9} 7\r\n"),
        "event: note\nid: é 8\nretry: 2000\ndata: after é 7\n\n"
    );
    assert_eq!(notes("Last-Event-ID:\r\n"), "data: [DONE]\n\n");
}

#[test]
fn a_silent_stream_is_kept_alive_by_comments() {
    let to = serve(router(Api).allow_unauthenticated());
    let answer = get(to, "/several", "Accept: text/event-stream\r\n");
    assert_eq!(
        body(&answer),
        ":\n\n:\n\n:\n\nevent: addString\ndata: late\n\n",
        "{answer}"
    );
}

#[test]
fn json_in_a_string_is_checked() {
    let to = serve(router(Api).allow_unauthenticated());
    let ask = |body: &str| {
        let length = body.len();
        let head = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
        post(to, "/jobs", &head, body)
    };
    let fine = ask(r#"{"payload": "{\"text\": \"a\"}", "numbers": "[1,2]"}"#);
    assert!(
        fine.ends_with(r#"{"payload":"{\"text\":\"a\"}","numbers":"[1,2]"}"#),
        "{fine}"
    );
    for (wrong, field) in [
        (r#"{"payload": "{\"text\": 1}"}"#, "payload"),
        (r#"{"payload": "nonsense"}"#, "payload"),
        (r#"{"payload": {"text": "a"}}"#, "payload"),
        (
            r#"{"payload": "{\"text\": \"a\"}", "numbers": "[1,2,3,4]"}"#,
            "numbers",
        ),
    ] {
        let answer = ask(wrong);
        assert!(answer.starts_with("HTTP/1.1 400"), "{wrong}: {answer}");
        assert!(answer.contains(&format!("{field:?}:")), "{wrong}: {answer}");
    }
}
