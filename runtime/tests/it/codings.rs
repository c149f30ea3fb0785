//! Content codings (RFC 9110, 8.4): what can be unwrapped is, within the limit, and what cannot be is
//! a 415 that says what can.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::petstore;

use bothends_runtime::client::Body;
use bothends_runtime::http::{Request, Response, StatusCode};
use bothends_runtime::server::Router;
use petstore::store::Store;
use tower_service::Service;

fn router() -> Router<Store> {
    petstore::server::router(Store::default()).allow_unauthenticated()
}

async fn put(mut router: Router<Store>, coding: &str, body: Vec<u8>) -> Response<Body> {
    let request = Request::put("/files/a%2Eb%2Fc.tar%2Egz")
        .header("content-type", "text/plain")
        .header("content-encoding", coding)
        .body(Body::from(body))
        .unwrap();
    router.call(request).await.unwrap()
}

#[tokio::test]
async fn a_coding_that_nobody_knows_is_a_415() {
    let taken = if cfg!(feature = "gzip") {
        "gzip"
    } else {
        "identity"
    };
    for coding in ["br", "gzip, gzip", "deflate"] {
        let answer = put(router(), coding, b"text".to_vec()).await;
        assert_eq!(answer.status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
        assert_eq!(answer.headers()["accept-encoding"], taken, "{coding}");
    }
    let answer = put(router(), "identity", b"text".to_vec()).await;
    assert_eq!(answer.status(), StatusCode::OK);
}

#[cfg(feature = "gzip")]
mod gzip {
    use super::petstore::client::Client;
    use super::petstore::operations::*;
    use super::*;
    use bothends_runtime::client::{ClientCore, InProcess, Transport, TransportError};
    use bothends_runtime::http::{HeaderMap, HeaderName, HeaderValue};
    use std::sync::{Arc, Mutex};

    /// `hello`, as `gzip -n` writes it.
    const HELLO: [u8; 25] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9,
        0x07, 0x00, 0x86, 0xa6, 0x10, 0x36, 0x05, 0x00, 0x00, 0x00,
    ];

    async fn text(answer: Response<Body>) -> (StatusCode, Vec<u8>) {
        let status = answer.status();
        let bytes = answer.into_body().collect(1 << 20).await.unwrap();
        (status, bytes.to_vec())
    }

    #[tokio::test]
    async fn a_wrapped_body_is_read_within_the_limit() {
        let (status, body) = text(put(router(), "GZip", HELLO.to_vec()).await).await;
        assert_eq!((status, &*body), (StatusCode::OK, &b"hello"[..]));
        // The limit counts what comes out.
        let answer = put(router().body_limit(4), "gzip", HELLO.to_vec()).await;
        assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
        // What is cut off, or was never wrapped, is no body.
        for broken in [&HELLO[..20], b"hello"] {
            let answer = put(router(), "gzip", broken.to_vec()).await;
            assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
        }
    }

    /// The headers of requests and answers, and how large their bodies are on the way.
    type Seen = Arc<Mutex<Vec<(HeaderMap, usize)>>>;

    /// The way between both ends.
    #[derive(Clone)]
    struct Way(InProcess<Router<Store>>, Seen);

    impl Way {
        async fn note(&self, headers: &HeaderMap, body: Body) -> Body {
            let bytes = body.collect(1 << 20).await.unwrap();
            let seen = (headers.clone(), bytes.len());
            self.1.lock().unwrap().push(seen);
            Body::from(bytes)
        }
    }

    impl Transport for Way {
        async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
            let (parts, body) = request.into_parts();
            let body = self.note(&parts.headers, body).await;
            let answer = self.0.send(Request::from_parts(parts, body)).await?;
            let (parts, body) = answer.into_parts();
            let body = self.note(&parts.headers, body).await;
            Ok(Response::from_parts(parts, body))
        }
    }

    fn request(text: &str) -> UploadRequest {
        UploadRequest::new("a.b/c".to_owned(), "tar.gz".to_owned())
            .body(UploadBody::Text(text.to_owned()))
    }

    /// What an upload comes to, and what was on the way.
    async fn upload(
        router: Router<Store>,
        core: impl FnOnce(ClientCore<Way>) -> ClientCore<Way>,
        text: &str,
    ) -> [(HeaderMap, usize); 2] {
        let seen = Seen::default();
        let transport = Way(InProcess::new(router), Arc::clone(&seen));
        let client = Client::from_core(core(
            ClientCore::new("http://localhost", transport).unwrap(),
        ));
        let sent = request(text);
        let came = client.upload(sent.clone()).await.unwrap();
        let body = sent.body.map(UploadResponseBody::Ok);
        assert_eq!(Some(came.into_inner()), body);
        let seen = std::mem::take(&mut *seen.lock().unwrap());
        seen.try_into().unwrap()
    }

    #[tokio::test]
    async fn both_ends_wrap_what_they_are_told_to() {
        let large = "a text that says the same over and over; ".repeat(100);
        let coding = |headers: &HeaderMap| {
            let coding = headers.get("content-encoding").cloned();
            coding.map(|value| value.to_str().unwrap().to_owned())
        };
        let gzip = Some("gzip".to_owned());
        let [sent, came] = upload(router(), |core| core, &large).await;
        assert_eq!(sent.0["accept-encoding"], "gzip");
        assert_eq!((coding(&sent.0), coding(&came.0)), (None, None));
        assert_eq!((sent.1, came.1), (large.len(), large.len()));

        let [sent, came] =
            upload(router().gzip_responses(), ClientCore::gzip_requests, &large).await;
        assert_eq!((coding(&sent.0), coding(&came.0)), (gzip.clone(), gzip));
        assert_eq!(came.0["vary"], "accept-encoding");
        assert!(sent.1 < 300 && came.1 < 300, "{} {}", sent.1, came.1);

        // What is small is sent as it is.
        let [sent, came] = upload(
            router().gzip_responses(),
            ClientCore::gzip_requests,
            "small",
        )
        .await;
        assert_eq!((coding(&sent.0), coding(&came.0)), (None, None));

        // Who does not take it does not get it.
        let name = HeaderName::from_static("accept-encoding");
        let not = HeaderValue::from_static("*;q=0.5, gzip;q=0");
        let core = |core: ClientCore<Way>| core.header(name, not);
        let [_, came] = upload(router().gzip_responses(), core, &large).await;
        assert_eq!(coding(&came.0), None);
        assert_eq!(came.0["vary"], "accept-encoding");
    }
}
