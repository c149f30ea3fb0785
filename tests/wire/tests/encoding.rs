//! Forms and parts, property by property: by OpenAPI 3.1.1 (4.8.15), RFC 6570 and RFC 7578, written
//! by hand; and files that are sent while they are made.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as Cx, Poll};

use bothends_runtime::client::{ClientCore, HyperTransport, InProcess, Transport, TransportError};
use bothends_runtime::server::{Body, Context, Error};
use bothends_runtime::{Binary, ByteStream, Bytes, NoError};
use bothends_wire_tests::of_encoding::client::Client;
use bothends_wire_tests::of_encoding::operations::*;
use bothends_wire_tests::of_encoding::server::{DefaultApi, router};
use bothends_wire_tests::wire::{answers, sends};
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender, channel};

const SPEC: &str = "of_encoding";

#[test]
fn a_form_with_styles() {
    let form = json!({
        "plain": ["a b", "c"],
        "commas": ["a b", "c,d"],
        "pipes": ["a", "b"],
        "spaces": ["a", "b"],
        "deep": {"x": 1, "y": 2},
        "spread": {"p": "1", "q": "&"},
        "flat": {"x": 3, "y": 4},
        "url": "https://a.b/?c",
        "json": [1, 2],
        "object": {"x": 5},
    });
    sends(
        SPEC,
        "postForm",
        json!([form, 0]),
        "/form\ncontent-type: application/x-www-form-urlencoded\n\n\
         plain=a+b&plain=c\
         &commas=a%20b,c%2Cd\
         &pipes=a%7Cb\
         &spaces=a%20b\
         &deep%5Bx%5D=1&deep%5By%5D=2\
         &p=1&q=%26\
         &flat=x,3,y,4\
         &url=https://a.b/?c\
         &json=%5B1%2C2%5D\
         &object=%7B%22x%22%3A5%7D",
    );
    sends(
        SPEC,
        "postEither",
        json!([0, {"tags": ["a", "b"]}, 0]),
        "/either\ncontent-type: application/x-www-form-urlencoded\n\ntags=a,b",
    );
}

/// A part with a boundary before it.
fn part(head: &str, data: &str) -> String {
    format!(
        "--bothends-0000000000000000\r\nContent-Disposition: form-data; {head}\r\n\r\n{data}\r\n"
    )
}

const PARTS: &str = "content-type: multipart/form-data; boundary=bothends-0000000000000000\n\n";
const END: &str = "--bothends-0000000000000000--\r\n";

#[test]
fn parts_with_types_and_styles() {
    let parts = json!({
        "photo": "png",
        "more": ["one", "two"],
        "note": "*a*",
        "count": 3,
        "words": ["a", "b"],
        "where": {"x": 1},
        "pipes": ["a", "b"],
        "commas": ["a b", "c"],
        "deep": {"x": 1, "y": 2},
        "another": "c",
    });
    let expected = [
        part("name=\"photo\"\r\nContent-Type: image/png", "png"),
        // A range says too little, so it is what any bytes are.
        part(
            "name=\"more\"\r\nContent-Type: application/octet-stream",
            "one",
        ),
        part(
            "name=\"more\"\r\nContent-Type: application/octet-stream",
            "two",
        ),
        part("name=\"note\"\r\nContent-Type: text/markdown", "*a*"),
        part("name=\"count\"\r\nContent-Type: application/json", "3"),
        part("name=\"words\"\r\nContent-Type: application/json", "\"a\""),
        part("name=\"words\"\r\nContent-Type: application/json", "\"b\""),
        part(
            "name=\"where\"\r\nContent-Type: application/json",
            "{\"x\":1}",
        ),
        part("name=\"another\"", "c"),
        part("name=\"pipes\"", "a|b"),
        part("name=\"commas\"", "a b,c"),
        part("name=\"deep[x]\"", "1"),
        part("name=\"deep[y]\"", "2"),
    ];
    let expected = format!("/parts\n{PARTS}{}{END}", expected.concat());
    sends(
        SPEC,
        "postParts",
        json!([parts, 0, {"page": "p"}]),
        &expected,
    );
    let answer = part("name=\"page\"\r\nContent-Type: application/pdf", "p");
    answers(
        SPEC,
        "postParts",
        json!([{}, 0, {"page": "p"}]),
        &format!("200\n{PARTS}{answer}{END}"),
    );
    let tags = ["a", "b"].map(|tag| part("name=\"tags\"\r\nContent-Type: text/x-tag", tag));
    sends(
        SPEC,
        "postEither",
        json!([1, {"tags": ["a", "b"]}, 0]),
        &format!("/either\n{PARTS}{}{END}", tags.concat()),
    );
}

/// What a server was sent, for the test to look at.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Option<PostPartsBody>>>);

type Answer<T> = Result<T, Error<NoError>>;

impl DefaultApi for Seen {
    async fn post_form(&self, _: Context, _: PostFormRequest) -> Answer<PostFormResponse> {
        Ok(().into())
    }

    async fn post_parts(&self, _: Context, request: PostPartsRequest) -> Answer<PostPartsResponse> {
        let page = request.body.photo.clone().unwrap_or_default();
        *self.0.lock().expect("a lock") = Some(request.body);
        Ok(PostPartsOkBody::new(page).into())
    }

    async fn post_either(&self, _: Context, _: PostEitherRequest) -> Answer<PostEitherResponse> {
        Ok(().into())
    }
}

impl Seen {
    fn taken(&self) -> PostPartsBody {
        let seen = self.0.lock().expect("a lock").take();
        seen.expect("the handler was called")
    }
}

fn with_photo(photo: Binary) -> PostPartsRequest {
    PostPartsRequest::new(PostPartsBody::new().photo(photo))
}

#[tokio::test]
async fn files_keep_their_names_types_and_headers_both_ways() {
    let seen = Seen::default();
    let transport = InProcess::new(router(seen.clone()));
    let client = Client::with_transport("http://localhost", transport).expect("a client");
    let name = "naïve \"日本\" 100%\r\n.png";
    let photo = Binary::new("jpg")
        .with_name(name)
        .with_content_type("image/jpeg")
        .header("X-Rotation", "90");
    let answer = client.post_parts(with_photo(photo.clone())).await;
    assert_eq!(seen.taken().photo, Some(photo.clone()));
    assert_eq!(answer.expect("an answer").into_inner().page, photo);
    // A line break cannot make a header.
    let forged = Binary::new("x").header("X-A", "1\r\nX-B: 2");
    let error = client.post_parts(with_photo(forged)).await;
    assert!(error.is_err());
}

#[tokio::test]
async fn parts_of_strangers_are_read() {
    use tower_service::Service;
    let seen = Seen::default();
    // A preamble, headers in another case and order, what others escape, and an epilogue.
    let body = "preamble\r\n--x\r\n\
        content-type: Image/PNG\r\nCONTENT-DISPOSITION: form-data; filename*=UTF-8''na%C3%AFve.png; name=photo\r\n\r\n\
        png\r\n--x\r\n\
        Content-Disposition: form-data; name=\"words\"\r\nContent-Type: application/json\r\n\r\n\"a\"\r\n--x\r\n\
        Content-Disposition: form-data; name=\"words\"\r\n\r\nb\r\n--x\r\n\
        Content-Disposition: form-data; name=\"pipes\"\r\n\r\n1+1|100%25\r\n--x\r\n\
        Content-Disposition: form-data; name=\"deep[y]\"\r\n\r\n7\r\n--x--\r\nepilogue";
    let request = http::Request::post("/parts")
        .header("content-type", "multipart/form-data; boundary=x")
        .body(Body::from(body))
        .expect("a request");
    let answer = router(seen.clone()).call(request).await.expect("an answer");
    assert_eq!(answer.status().as_u16(), 200);
    let taken = seen.taken();
    let photo = Binary::new("png").with_name("naïve.png");
    assert_eq!(taken.photo, Some(photo));
    let texts = |texts: [&str; 2]| Some(texts.map(str::to_owned).to_vec());
    assert_eq!(taken.words, texts(["a", "b"]));
    assert_eq!(taken.pipes, texts(["1+1", "100%25"]));
    assert_eq!(taken.deep.and_then(|point| point.y), Some(7));
}

/// Pieces that come out of a channel, until it is closed.
struct Fed(Receiver<Result<Bytes, String>>);

impl futures_core::Stream for Fed {
    type Item = Result<Bytes, String>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Cx<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx)
    }
}

/// Asks for the next piece when it has seen the one before.
struct Watching(Sender<Result<Bytes, String>>);

impl Transport for Watching {
    async fn send(
        &self,
        request: http::Request<Body>,
    ) -> Result<http::Response<Body>, TransportError> {
        let mut body = ByteStream::from_body(request.into_body());
        let mut came = Vec::new();
        for piece in ["one", "two", "three"] {
            self.0.send(Ok(piece.into())).await.expect("it is read");
            while !came.ends_with(piece.as_bytes()) {
                came.extend(body.next().await.expect("more").expect("a piece"));
            }
        }
        Err(TransportError::new("seen"))
    }
}

#[tokio::test]
async fn a_file_is_sent_while_it_is_made() {
    let (feed, pieces) = channel(1);
    let photo = Binary::from_stream(ByteStream::new(Fed(pieces))).with_name("a.png");
    let client = Client::with_transport("http://localhost", Watching(feed)).expect("a client");
    let request = with_photo(photo);
    let error = client.post_parts(request.clone()).await;
    let error = error.expect_err("it goes nowhere").to_string();
    assert!(error.ends_with("seen"), "{error}");
    // It comes once.
    let error = client.post_parts(request).await.expect_err("it is gone");
    assert!(
        format!("{error:#}").contains("comes only once"),
        "{error:#}"
    );
}

#[tokio::test]
async fn a_streamed_file_arrives_over_a_socket() {
    let seen = Seen::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a socket");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let service = router(seen.clone()).body_limit(9 << 20);
    let service = axum::Router::new().fallback_service(service);
    tokio::spawn(async move { axum::serve(listener, service).await });
    let core = ClientCore::new(&base, HyperTransport::new().expect("a transport")).expect("a core");
    let client = Client::from_core(core);
    for sized in [true, false] {
        let (feed, pieces) = channel(1);
        let stream = if sized {
            ByteStream::with_length(Fed(pieces), 8 << 20)
        } else {
            ByteStream::new(Fed(pieces))
        };
        let sent = client.post_parts(with_photo(Binary::from_stream(stream).with_name("big")));
        let making = async move {
            for _ in 0..128 {
                let piece = Bytes::from(vec![b'-'; 64 << 10]);
                feed.send(Ok(piece)).await.expect("somebody takes it");
            }
        };
        let (answer, ()) = tokio::join!(sent, making);
        let page = answer.expect("an answer").into_inner().page;
        assert_eq!(page.data.len(), 8 << 20);
        assert_eq!(seen.taken().photo, Some(page));
    }
    // What is larger than the limit is not taken in.
    let big = with_photo(Binary::new(vec![0; 9 << 20]));
    let answer = client.post_parts(big).await;
    assert!(answer.is_err());
}

#[tokio::test]
async fn a_mark_in_an_item_is_not_taken_for_one_between_two() {
    // Nothing in a part tells the one from the other, so it is not sent.
    let transport = InProcess::new(router(Seen::default()));
    let client = Client::with_transport("http://localhost", transport).expect("a client");
    let pipes = PostPartsBody::new().pipes(vec!["a|b".to_owned()]);
    let commas = PostPartsBody::new().commas(vec!["a,b".to_owned()]);
    for (body, mark) in [(pipes, '|'), (commas, ',')] {
        let error = client.post_parts(body).await;
        let error = format!("{:#}", error.expect_err("it is refused"));
        assert!(error.contains(mark), "{error}");
    }
}
