//! `*/*`, as springdoc writes it, and other ranges of media types.

use std::sync::{Arc, Mutex};

use api::client::Client;
use api::operations::*;
use api::server::{UserControllerApi, router};
use api::types::{PageUser, Pageable, User};
use bothends_runtime::server::{Context, Error};
use bothends_runtime::{Base64, ByteStream, Response};
use bothends_test_peers::{answering, get, post, response, send, serve};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "60-any-media-type");
bothends_case_tests::document!(twin, "60-any-media-type-twin");

struct Users;

impl UserControllerApi for Users {
    async fn find_by_id(
        &self,
        _: Context,
        request: FindByIdRequest,
    ) -> Result<FindByIdResponse, Error<FindByIdError>> {
        Ok(User::new().id(request.id).into())
    }

    async fn list_1(
        &self,
        _: Context,
        request: List1Request,
    ) -> Result<List1Response, Error<List1Error>> {
        let pageable = request.pageable;
        assert_eq!(pageable.page, Some(1));
        assert_eq!(pageable.sort, Some(vec!["a".to_owned(), "b".to_owned()]));
        Ok(PageUser::new().last(true).into())
    }

    async fn create(
        &self,
        _: Context,
        request: CreateRequest,
    ) -> Result<CreateResponse, Error<CreateError>> {
        Ok(request.body.name.unwrap_or_default().into())
    }

    async fn count(&self, _: Context, _: CountRequest) -> Result<CountResponse, Error<CountError>> {
        Ok(3.into())
    }

    async fn photo(&self, _: Context, _: PhotoRequest) -> Result<PhotoResponse, Error<PhotoError>> {
        Ok(Base64(vec![0xff, 0xd8]).into())
    }
}

/// Calls one operation of a client whose peer answers these bytes.
fn answered<T>(content_type: &str, body: &str, call: impl AsyncFnOnce(Client) -> T) -> (T, String) {
    let head = format!("Content-Type: {content_type}\r\n");
    let (url, peer) = answering(&response("200 OK", &head, body));
    let client = Client::new(&url).expect("a client");
    let found = block_on(call(client));
    (found, peer.join().expect("a request"))
}

#[test]
fn objects_lists_and_numbers_are_json() {
    for media in ["application/json", "application/hal+json"] {
        let (user, _) = answered(media, r#"{"id":7}"#, async |client| {
            client.find_by_id(7).await.expect("a user")
        });
        assert_eq!(user.id, Some(7), "{media}");
    }
    let (page, request) = answered(
        "application/json",
        r#"{"content":[{"id":1}]}"#,
        async |client| {
            let pageable = Pageable::new()
                .page(1)
                .size(20)
                .sort(["a".to_owned(), "b".to_owned()]);
            client.list_1(pageable).await.expect("a page")
        },
    );
    assert_eq!(page.content.as_ref().map(Vec::len), Some(1));
    assert!(
        request.starts_with("GET /users?page=1&size=20&sort=a&sort=b HTTP/1.1\r\n"),
        "{request}"
    );
    let (count, _) = answered("application/json", "3", async |client| {
        client.count().await.expect("a number")
    });
    assert_eq!(*count, 3);
}

#[test]
fn a_request_is_json() {
    let (_, request) = answered("text/plain;charset=UTF-8", "ok", async |client| {
        client.create(User::new().name("A")).await.expect("a text")
    });
    assert!(
        request.contains("\r\ncontent-type: application/json\r\n"),
        "{request}"
    );
    assert!(request.ends_with("\r\n\r\n{\"name\":\"A\"}"), "{request}");
}

#[test]
fn a_text_is_read_from_text_and_from_json() {
    for (media, body, read) in [
        ("text/plain;charset=UTF-8", "caf\u{e9}", "caf\u{e9}"),
        ("text/plain", "\"a\"", "\"a\""),
        ("application/json", r#""a\nb""#, "a\nb"),
        // Spring sends a string as it is, whatever type the caller has asked for.
        ("application/json", "created", "created"),
        ("application/octet-stream", "a", "a"),
    ] {
        let (text, _) = answered(media, body, async |client| {
            client.create(User::new()).await.expect("a text")
        });
        assert_eq!(*text, read, "{media} {body}");
    }
}

#[test]
fn bytes_are_read_from_base64_and_from_bytes() {
    for (media, body) in [
        ("application/json", "\"AP/+\""),
        ("application/json", "\"AP_-\""),
        ("text/plain", "AP/+"),
    ] {
        let (photo, _) = answered(media, body, async |client| {
            client.photo().await.expect("a photo")
        });
        assert_eq!(photo.0, [0, 0xff, 0xfe], "{media} {body}");
    }
    for media in ["image/jpeg", "application/octet-stream", "application/json"] {
        let (photo, _) = answered(media, "GIF8", async |client| {
            client.photo().await.expect("a photo")
        });
        assert_eq!(photo.0, b"GIF8", "{media}");
    }
}

#[test]
fn a_server_answers_json_and_text() {
    let to = serve(router(Users).allow_unauthenticated());
    for (target, body) in [
        ("/users/7", r#"{"id":7}"#),
        ("/users?page=1&size=20&sort=a&sort=b", r#"{"last":true}"#),
        ("/count", "3"),
        ("/photo", "\"/9g=\""),
    ] {
        let answer = get(to, target, "");
        assert!(
            answer.contains("\r\ncontent-type: application/json\r\n"),
            "{answer}"
        );
        assert!(answer.ends_with(&format!("\r\n\r\n{body}")), "{answer}");
    }
    let body = r#"{"name":"A"}"#;
    let head = format!(
        "Content-Type: application/json\r\nContent-Length: {}\r\n",
        body.len()
    );
    let answer = post(to, "/users", &head, body);
    assert!(
        answer.contains("\r\ncontent-type: text/plain\r\n"),
        "{answer}"
    );
    assert!(answer.ends_with("\r\n\r\nA"), "{answer}");
}

mod of_ranges {
    use super::twin::client::Client;
    use super::twin::operations::*;
    use super::twin::server::{DefaultApi, router};
    use super::{
        Arc, ByteStream, Context, Error, Mutex, Response, answering, block_on, get, response, send,
        serve,
    };
    use bothends_runtime::http::HeaderValue;
    use bothends_runtime::http::header::CONTENT_TYPE;
    use bothends_runtime::server::Leniency;

    /// Notes the media type and the bytes of each body.
    #[derive(Clone, Default)]
    struct Files(Arc<Mutex<Vec<File>>>);

    type File = (String, Vec<u8>);

    impl Files {
        async fn note(&self, body: ByteStream) {
            let media = body.content_type().unwrap_or_default().to_owned();
            let bytes = body.collect(1000).await.expect("bytes");
            self.0
                .lock()
                .expect("no panic")
                .push((media, bytes.to_vec()));
        }

        fn last(&self) -> Option<(String, Vec<u8>)> {
            self.0.lock().expect("no panic").pop()
        }
    }

    impl DefaultApi for Files {
        async fn post_archive(
            &self,
            _: Context,
            request: PostArchiveRequest,
        ) -> Result<PostArchiveResponse, Error<PostArchiveError>> {
            self.note(request.body).await;
            Ok(().into())
        }

        async fn repos_upload_release_asset(
            &self,
            _: Context,
            request: ReposUploadReleaseAssetRequest,
        ) -> Result<ReposUploadReleaseAssetResponse, Error<ReposUploadReleaseAssetError>> {
            self.note(request.body.expect("a file")).await;
            Ok(ReposUploadReleaseAssetCreatedBody::new().id(1).into())
        }

        async fn get_text(
            &self,
            _: Context,
            _: GetTextRequest,
        ) -> Result<GetTextResponse, Error<GetTextError>> {
            let mut response = Response::new("a,b".to_owned());
            let csv = HeaderValue::from_static("text/csv; header=absent");
            response.headers_mut().insert(CONTENT_TYPE, csv);
            Ok(response)
        }

        async fn post_text(
            &self,
            _: Context,
            request: PostTextRequest,
        ) -> Result<PostTextResponse, Error<PostTextError>> {
            self.note(request.body).await;
            Ok("taken".to_owned().into())
        }

        async fn post_record(
            &self,
            _: Context,
            request: PostRecordRequest,
        ) -> Result<PostRecordResponse, Error<PostRecordError>> {
            match request.body {
                PostRecordContent::Bytes(body) => self.note(body).await,
                PostRecordContent::Json(body) => assert_eq!(body.a, 1),
            }
            Ok(().into())
        }
    }

    /// `octokit.rest.repos.uploadReleaseAsset` of `@octokit/rest` 22.0.1 (`@octokit/core` 7.0.8) on
    /// Node 20.20.2, with `data: Buffer.from([0x50, 0x4b, 3, 4])` and the header
    /// `content-type: application/zip`, and with `data: "café"`, as a socket received them. `Host`
    /// and `Connection` are left to the peer.
    const OCTOKIT: [(&str, &str, &[u8]); 2] = [
        (
            "POST /repos/o/r/releases/1/assets?name=a%20b.zip&label=x HTTP/1.1\r\n\
             accept: application/vnd.github.v3+json\r\n\
             user-agent: octokit-rest.js/22.0.1 octokit-core.js/7.0.8 Node.js/20.20.2 (linux; x64)\r\n\
             content-type: application/zip\r\n\
             authorization: token token-of-a-test\r\n\
             accept-language: *\r\n\
             sec-fetch-mode: cors\r\n\
             accept-encoding: gzip, deflate\r\n\
             content-length: 4\r\n\r\nPK\x03\x04",
            "application/zip",
            b"PK\x03\x04",
        ),
        (
            "POST /repos/o/r/releases/1/assets?name=notes.txt& HTTP/1.1\r\n\
             accept: application/vnd.github.v3+json\r\n\
             user-agent: octokit-rest.js/22.0.1 octokit-core.js/7.0.8 Node.js/20.20.2 (linux; x64)\r\n\
             authorization: token token-of-a-test\r\n\
             content-type: application/json; charset=utf-8\r\n\
             accept-language: *\r\n\
             sec-fetch-mode: cors\r\n\
             accept-encoding: gzip, deflate\r\n\
             content-length: 5\r\n\r\ncaf\u{e9}",
            "application/json; charset=utf-8",
            "caf\u{e9}".as_bytes(),
        ),
    ];

    #[test]
    fn a_release_asset_of_octokit_is_bytes_of_its_type() {
        let files = Files::default();
        let to = serve(router(files.clone()).allow_unauthenticated());
        for (request, media, bytes) in OCTOKIT {
            let answer = send(to, request);
            assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
            assert!(answer.ends_with("\r\n\r\n{\"id\":1}"), "{answer}");
            assert_eq!(files.last(), Some((media.to_owned(), bytes.to_vec())));
        }
    }

    #[test]
    fn a_client_sends_any_type_of_bytes() {
        for (asset, media) in [
            (
                ByteStream::from("PK").with_content_type("application/zip"),
                "application/zip",
            ),
            (ByteStream::from("PK"), "application/octet-stream"),
        ] {
            let head = "Content-Type: application/json\r\n";
            let (url, peer) = answering(&response("201 Created", head, r#"{"id":1}"#));
            let client = Client::new(&url).expect("a client");
            let request =
                ReposUploadReleaseAssetRequest::from(ReposUploadReleaseAssetRequestInit {
                    owner: "o".into(),
                    repo: "r".into(),
                    release_id: 1,
                    name: "a.zip".into(),
                })
                .body(asset);
            block_on(client.repos_upload_release_asset(request)).expect("an asset");
            let request = peer.join().expect("a request");
            let header = format!("\r\ncontent-type: {media}\r\n");
            assert!(request.contains(&header), "{request}");
            assert!(request.ends_with("\r\n\r\nPK"), "{request}");
        }
    }

    #[test]
    fn every_text_is_accepted_for_a_range_of_texts() {
        let files = Files::default();
        let to = serve(router(files.clone()).allow_unauthenticated());
        for (target, media, status) in [
            ("/texts", "text/csv", 200),
            ("/texts", "text/markdown; charset=utf-8", 200),
            ("/texts", "application/json", 415),
            ("/records", "text/csv", 204),
            ("/records", "application/xml", 415),
        ] {
            let request = format!(
                "POST {target} HTTP/1.1\r\nContent-Type: {media}\r\nContent-Length: 3\r\n\r\na,b"
            );
            let answer = send(to, &request);
            let expected = format!("HTTP/1.1 {status} ");
            assert!(answer.starts_with(&expected), "{target} {media}: {answer}");
            let seen = (status != 415).then(|| (media.to_owned(), b"a,b".to_vec()));
            assert_eq!(files.last(), seen, "{target} {media}");
        }
    }

    #[test]
    fn a_lenient_server_accepts_bytes_of_any_type() {
        let files = Files::default();
        let request = "POST /archives HTTP/1.1\r\nContent-Type: application/zip\r\n\
                       Content-Length: 4\r\n\r\nPK\x03\x04";
        let strict = serve(router(files.clone()).allow_unauthenticated());
        let answer = send(strict, request);
        assert!(answer.starts_with("HTTP/1.1 415 "), "{answer}");
        assert!(
            answer.contains("\r\naccept: application/octet-stream\r\n"),
            "{answer}"
        );
        assert_eq!(files.last(), None);
        let lenient = router(files.clone()).leniency(Leniency::MediaTypeOfBytes);
        let answer = send(serve(lenient.allow_unauthenticated()), request);
        assert!(answer.starts_with("HTTP/1.1 204 "), "{answer}");
        let zip = ("application/zip".to_owned(), b"PK\x03\x04".to_vec());
        assert_eq!(files.last(), Some(zip));
    }

    #[test]
    fn a_handler_chooses_the_type_of_a_text() {
        let to = serve(router(Files::default()).allow_unauthenticated());
        let answer = get(to, "/texts", "Accept: text/csv\r\n");
        assert!(
            answer.contains("\r\ncontent-type: text/csv; header=absent\r\n"),
            "{answer}"
        );
        assert_eq!(answer.matches("content-type:").count(), 1, "{answer}");
        let head = "Content-Type: text/csv\r\n";
        let (url, peer) = answering(&response("200 OK", head, "a,b"));
        let client = Client::new(&url).expect("a client");
        let text = block_on(client.get_text()).expect("a text");
        assert_eq!(*text, "a,b");
        let request = peer.join().expect("a request");
        assert!(
            request.contains("\r\naccept: text/*, */*;q=0.1\r\n"),
            "{request}"
        );
    }
}
