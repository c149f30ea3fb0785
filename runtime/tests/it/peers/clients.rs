//! A server with hostile clients: a body in gzip counts as it comes, and as it is.

use super::petstore;
use bothends_runtime::Bytes;
use bothends_runtime::http::{Request, StatusCode};
use bothends_runtime::server::Body;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body::Frame;
use std::convert::Infallible;
use std::io::Write;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use tower_service::Service;

/// A body without an end, which counts what is taken of it.
struct Endless {
    piece: Bytes,
    taken: Arc<AtomicUsize>,
}

impl http_body::Body for Endless {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let taken = self.taken.fetch_add(self.piece.len(), Ordering::SeqCst);
        assert!(taken < 1 << 30, "it is read for ever");
        Poll::Ready(Some(Ok(Frame::data(self.piece.clone()))))
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_server_counts_what_goes_into_gzip_and_what_comes_out() {
    const LIMIT: usize = 2 << 20;
    for (what, piece, coding, status) in [
        ("empty members", gzip(b"").repeat(400), "gzip", 400),
        ("members of a byte", gzip(b"a").repeat(400), "gzip", 400),
        ("zeros", gzip(&vec![0; 1 << 20]), "gzip", 413),
        ("bytes", vec![b'a'; 8 << 10], "identity", 413),
    ] {
        let taken = Arc::new(AtomicUsize::new(0));
        let body = Endless {
            piece: piece.into(),
            taken: Arc::clone(&taken),
        };
        let request = Request::put("/files/a.b")
            .header("content-type", "text/plain")
            .header("content-encoding", coding)
            .body(Body::new(body))
            .unwrap();
        let router = petstore::server::router(petstore::store::Store::default());
        let mut router = router.allow_unauthenticated();
        let response = router.call(request).await.unwrap();
        let expected = StatusCode::from_u16(status).unwrap();
        assert_eq!(response.status(), expected, "{what}");
        let taken = taken.load(Ordering::SeqCst);
        assert!(taken <= LIMIT + (16 << 10), "{what}: {taken}");
        if coding == "gzip" {
            assert!(taken <= 80 << 10, "{what}: {taken}");
        }
    }
}
