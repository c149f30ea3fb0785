//! Bodies of bytes: as they are written, in pieces that arrive while the rest is not made yet,
//! within limits, broken off, and sent again or not.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context as Cx, Poll};

use bothends_runtime::client::{
    self, Attempt, ClientCore, Delay, HyperTransport, InProcess, RetryPolicy, Transport,
    TransportError,
};
use bothends_runtime::server::{Body, Context, Error, Router};
use bothends_runtime::{ByteStream, Bytes, NoError, StreamError};
use bothends_wire_tests::of_binary::client::Client;
use bothends_wire_tests::of_binary::operations::*;
use bothends_wire_tests::of_binary::server::{DefaultApi, router};
use bothends_wire_tests::wire::{answers, sends};
use serde_json::json;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::{Mutex, Semaphore};

const SPEC: &str = "of_binary";

/// A piece of an upload or download of 64 MB.
const PIECE: usize = 64 << 10;
const PIECES: usize = 1024;

#[test]
fn bytes_are_as_they_are() {
    sends(
        SPEC,
        "putFile",
        json!(["a b", [0, 104, 105], 0]),
        "/files/a%20b\ncontent-type: application/octet-stream\n\n\0hi",
    );
    answers(
        SPEC,
        "getFile",
        json!(["f", 0, [104, 105]]),
        "200\ncontent-type: application/octet-stream\n\nhi",
    );
    // Whoever sends one of a range says which.
    sends(
        SPEC,
        "postPhoto",
        json!([[104, 105], 0, [104]]),
        "/photos\ncontent-type: image/x-any\n\nhi",
    );
    // Nothing but the type is a body too.
    sends(
        SPEC,
        "postArchive",
        json!([[], 0, 200, []]),
        "/archives\ncontent-type: application/zip\n\n",
    );
}

/// Pieces that come out of a channel, until it is closed.
struct Fed(Receiver<Result<Bytes, String>>);

impl futures_core::Stream for Fed {
    type Item = Result<Bytes, String>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Cx<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(cx)
    }
}

fn fed() -> (Sender<Result<Bytes, String>>, ByteStream) {
    let (feed, pieces) = channel(1);
    (feed, ByteStream::new(Fed(pieces)))
}

/// What a server does with files; it tells what came as it comes.
#[derive(Clone)]
struct Files {
    /// What a download is, in the order of the calls.
    downloads: Arc<Mutex<VecDeque<ByteStream>>>,
    /// How many bytes of uploads have been seen, and whoever waits for that.
    seen: Arc<AtomicUsize>,
    reported: Arc<Semaphore>,
    /// Whether an upload that breaks off is taken all the same.
    careless: bool,
    ended: Sender<Result<(), StreamError>>,
    calls: Arc<AtomicUsize>,
}

impl Files {
    fn new() -> (Self, Receiver<Result<(), StreamError>>) {
        let (ended, ends) = channel(8);
        let files = Self {
            downloads: Arc::default(),
            seen: Arc::default(),
            reported: Arc::new(Semaphore::new(0)),
            careless: false,
            ended,
            calls: Arc::default(),
        };
        (files, ends)
    }

    async fn seen(&self, mut body: ByteStream) -> Result<(), StreamError> {
        while let Some(piece) = body.next().await {
            self.seen.fetch_add(piece?.len(), Ordering::SeqCst);
            self.reported.add_permits(1);
        }
        Ok(())
    }
}

type Answer<T> = Result<T, Error<NoError>>;

impl DefaultApi for Files {
    async fn put_file(
        &self,
        _: Context,
        request: PutFileRequest,
    ) -> Result<PutFileResponse, Error<PutFileError>> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let taken = self.seen(request.body).await;
        if self.careless {
            return Ok(().into());
        }
        match taken {
            Ok(()) => Ok(().into()),
            Err(StreamError::Broken(error)) => {
                let _ = self.ended.send(Err(StreamError::Broken(error))).await;
                Ok(().into())
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn get_file(
        &self,
        _: Context,
        _: GetFileRequest,
    ) -> Result<GetFileResponse, Error<GetFileError>> {
        match self.downloads.lock().await.pop_front() {
            Some(body) => Ok(body.into()),
            None => Err(GetFileError::NotFound("none".to_owned()).into()),
        }
    }

    async fn post_photo(&self, _: Context, request: PostPhotoRequest) -> Answer<PostPhotoResponse> {
        Ok(request.body.into())
    }

    async fn post_note(&self, _: Context, request: PostNoteRequest) -> Answer<PostNoteResponse> {
        let body = match request.body {
            Some(PostNoteContent::Json(note)) => PostNoteOkContent::Json(note),
            Some(PostNoteContent::Bytes(body)) => PostNoteOkContent::Bytes(body),
            _ => PostNoteOkContent::Bytes(ByteStream::default()),
        };
        Ok(body.into())
    }

    async fn post_archive(
        &self,
        _: Context,
        _: PostArchiveRequest,
    ) -> Result<PostArchiveResponse, Error<PostArchiveError>> {
        Ok(PostArchiveResponseBody::Accepted.into())
    }

    async fn get_table(&self, _: Context, _: GetTableRequest) -> Answer<GetTableResponse> {
        let table = GetTableOkContent::TextCsv("a,b".to_owned());
        Ok(table.into())
    }
}

/// A client, with a socket between it and the server.
async fn over_a_socket(service: Router<Files>) -> ClientCore<HyperTransport> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a socket");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let service = axum::Router::new().fallback_service(service);
    tokio::spawn(async move { axum::serve(listener, service).await });
    ClientCore::new(&base, HyperTransport::new().expect("a transport")).expect("a core")
}

fn piece() -> Result<Bytes, String> {
    Ok(Bytes::from(vec![7; PIECE]))
}

#[tokio::test]
async fn an_upload_of_64_mb_is_seen_while_it_is_made() {
    let (files, _ends) = Files::new();
    let (seen, reported) = (Arc::clone(&files.seen), Arc::clone(&files.reported));
    let client = Client::from_core(over_a_socket(router(files).body_limit(PIECE * PIECES)).await);
    let (feed, body) = fed();
    let sent = client.put_file(PutFileRequest::new("f".to_owned(), body));
    let making = async {
        // A piece is made when the one before it has been seen, so that no more than one is under
        // way at any time.
        for made in 1..=PIECES {
            feed.send(piece()).await.expect("somebody takes it");
            while seen.load(Ordering::SeqCst) < made * PIECE {
                reported.acquire().await.expect("the server tells").forget();
            }
        }
        drop(feed);
    };
    let (answer, ()) = tokio::join!(sent, making);
    assert_eq!(answer.expect("a response").status(), 204);
    assert_eq!(seen.load(Ordering::SeqCst), 64 << 20);
}

#[tokio::test]
async fn a_download_of_64_mb_arrives_while_it_is_made() {
    let (files, _ends) = Files::new();
    let (feed, body) = fed();
    files.downloads.lock().await.push_back(body);
    let client = Client::from_core(over_a_socket(router(files)).await);
    let answer = client.get_file("f").await.expect("an answer");
    let mut body = answer.into_inner();
    assert_eq!(body.content_type(), Some("application/octet-stream"));
    let mut came = 0;
    for made in 1..=PIECES {
        feed.send(piece()).await.expect("somebody takes it");
        while came < made * PIECE {
            came += body.next().await.expect("more").expect("a piece").len();
        }
    }
    drop(feed);
    assert!(body.next().await.is_none());
    assert_eq!(came, 64 << 20);
}

#[tokio::test]
async fn what_is_collected_is_bounded() {
    let (files, _ends) = Files::new();
    let downloads = Arc::clone(&files.downloads);
    let client = Client::from_core(over_a_socket(router(files)).await);
    for (limit, fits) in [(5, true), (4, false)] {
        downloads.lock().await.push_back("12345".into());
        let answer = client.get_file("f").await;
        let body = answer.expect("an answer").into_inner();
        assert_eq!(body.length(), Some(5));
        match body.collect(limit).await {
            Ok(bytes) => assert!(fits && bytes == "12345"),
            Err(StreamError::TooLarge { limit }) => assert!(!fits && limit == 4),
            Err(error) => panic!("{error}"),
        }
    }
    // An error is no stream.
    let error = client.get_file("f").await;
    let error = error.expect_err("there is none");
    assert_eq!(
        error.api(),
        Some(&GetFileError::NotFound("none".to_owned()))
    );
}

#[tokio::test]
async fn too_much_is_a_413_whatever_the_handler_makes_of_it() {
    for careless in [false, true] {
        let (mut files, _ends) = Files::new();
        files.careless = careless;
        let seen = Arc::clone(&files.seen);
        let client = Client::from_core(over_a_socket(router(files).body_limit(1000)).await);
        let (feed, body) = fed();
        let sent = client.put_file(PutFileRequest::new("f".to_owned(), body));
        let making = async {
            for _ in 0..2 {
                let piece = Bytes::from(vec![7; 600]);
                feed.send(Ok(piece)).await.expect("somebody takes it");
            }
        };
        let (answer, ()) = tokio::join!(sent, making);
        let status = answer.expect_err("too much").status();
        assert_eq!(status.map(|status| status.as_u16()), Some(413));
        assert!(seen.load(Ordering::SeqCst) <= 1000);
    }
}

#[tokio::test]
async fn what_is_announced_as_too_much_reaches_no_handler() {
    let (files, _ends) = Files::new();
    let calls = Arc::clone(&files.calls);
    let service = router(files).body_limit(1000);
    let client = Client::with_transport("http://localhost", InProcess::new(service));
    let (_feed, pieces) = channel(1);
    let body = ByteStream::with_length(Fed(pieces), 1001);
    let sent = client.expect("a client");
    let answer = sent.put_file(PutFileRequest::new("f".to_owned(), body));
    let status = answer.await.expect_err("too much").status();
    assert_eq!(status.map(|status| status.as_u16()), Some(413));
    assert_eq!(calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn an_upload_that_breaks_off_is_an_error_at_both_ends() {
    let (files, mut ends) = Files::new();
    let client = Client::from_core(over_a_socket(router(files)).await);
    let (feed, body) = fed();
    let sent = client.put_file(PutFileRequest::new("f".to_owned(), body));
    let making = async {
        feed.send(piece()).await.expect("somebody takes it");
        feed.send(Err("the disk is gone".to_owned()))
            .await
            .expect("somebody takes it");
        ends.recv().await.expect("an end")
    };
    let (answer, ended) = tokio::join!(sent, making);
    assert!(
        matches!(answer, Err(client::Error::Transport(_))),
        "{answer:?}"
    );
    assert!(matches!(ended, Err(StreamError::Broken(_))), "{ended:?}");
}

#[tokio::test]
async fn a_download_that_breaks_off_is_no_end() {
    let (files, _ends) = Files::new();
    let (feed, body) = fed();
    files.downloads.lock().await.push_back(body);
    let client = Client::from_core(over_a_socket(router(files)).await);
    let answer = client.get_file("f").await;
    let mut body = answer.expect("an answer").into_inner();
    feed.send(piece()).await.expect("somebody takes it");
    let mut came = 0;
    while came < PIECE {
        came += body.next().await.expect("more").expect("a piece").len();
    }
    feed.send(Err("the disk is gone".to_owned()))
        .await
        .expect("somebody takes it");
    let end = body.next().await;
    assert!(matches!(end, Some(Err(StreamError::Broken(_)))), "{end:?}");
    assert!(body.next().await.is_none());
}

/// Goes nowhere, and counts.
#[derive(Clone, Default)]
struct Nowhere(Arc<AtomicUsize>);

impl Transport for Nowhere {
    async fn send(
        &self,
        request: http::Request<Body>,
    ) -> Result<http::Response<Body>, TransportError> {
        self.0.fetch_add(1, Ordering::SeqCst);
        // As a transport does that loses the connection on the way.
        let _ = request.into_body().collect(1 << 20).await;
        Err(TransportError::new("no way"))
    }
}

struct Thrice;

impl RetryPolicy for Thrice {
    fn next_delay(&self, attempt: &Attempt<'_>) -> Option<Delay> {
        (attempt.number < 3).then(|| -> Delay { Box::pin(async {}) })
    }
}

#[tokio::test]
async fn bytes_that_are_there_are_sent_again_and_a_stream_is_not() {
    let bytes = || ByteStream::from(vec![1, 2, 3]);
    let stream = || {
        let (feed, body) = fed();
        feed.try_send(piece()).expect("room for one");
        body
    };
    for (body, attempts) in [(bytes(), 3), (stream(), 1)] {
        let nowhere = Nowhere::default();
        let core = ClientCore::new("http://localhost", nowhere.clone()).expect("a core");
        let client = Client::from_core(core.retry(Thrice));
        let request = PutFileRequest::new("f".to_owned(), body);
        let failed = client.put_file(request.clone()).await;
        assert!(matches!(failed, Err(client::Error::Transport(_))));
        assert_eq!(nowhere.0.load(Ordering::SeqCst), attempts);
        // Nor by whoever calls once more.
        let again = client.put_file(request).await.expect_err("no way");
        match again {
            client::Error::Encode(error) => {
                assert_eq!(attempts, 1);
                assert!(error.to_string().contains("comes only once"), "{error}");
            }
            other => assert!(attempts == 3, "{other}"),
        }
    }
}

#[tokio::test]
async fn a_media_type_goes_with_the_bytes() {
    let (files, _ends) = Files::new();
    let client = Client::from_core(over_a_socket(router(files)).await);
    let body = ByteStream::from("jpg").with_content_type("image/jpeg");
    let answer = client.post_photo(body.clone()).await;
    let photo = answer.expect("an answer").into_inner();
    assert_eq!(photo.content_type(), Some("image/jpeg"));
    assert_eq!(photo.collect(9).await.expect("a photo"), "jpg");
    // Without one, `image/*` says too little.
    let vague = ByteStream::from("jpg");
    let error = client.post_photo(vague).await.expect_err("too little");
    assert!(matches!(error, client::Error::Encode(_)), "{error:?}");
    // And not every type is a picture.
    let text = body.with_content_type("text/plain");
    let error = client.post_photo(text).await.expect_err("no picture");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(415));
}
