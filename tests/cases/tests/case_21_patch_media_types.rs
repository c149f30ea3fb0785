//! PATCH in several media types with one schema: RFC 6902, RFC 7396, and Kubernetes' own.

use std::sync::{Arc, Mutex};

use api::client::Client;
use api::operations::{
    PatchNoteError, PatchNoteRequest, PatchNoteResponse, PatchPodContent, PatchPodError,
    PatchPodOkContent, PatchPodRequest, PatchPodResponse,
};
use api::server::{DefaultApi, router};
use api::types::{Note, Operation, OperationInit, OperationOp, Pod};
use bothends_runtime::Nullable;
use bothends_runtime::server::{Context, Error};
use bothends_test_peers::{answering, response, send, serve};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "21-patch-media-types");
bothends_case_tests::document!(twin, "21-patch-media-types-twin");

/// Notes the bodies that the handlers were called with.
#[derive(Clone, Default)]
struct Cluster(Arc<Mutex<Vec<String>>>);

impl Cluster {
    fn note(&self, body: impl std::fmt::Debug) {
        self.0.lock().expect("no panic").push(format!("{body:?}"));
    }

    fn last(&self) -> Option<String> {
        self.0.lock().expect("no panic").pop()
    }
}

impl DefaultApi for Cluster {
    async fn patch_pod(
        &self,
        _: Context,
        request: PatchPodRequest,
    ) -> Result<PatchPodResponse, Error<PatchPodError>> {
        self.note(request.body);
        Ok(PatchPodOkContent::Json(Pod::new()).into())
    }

    async fn patch_note(
        &self,
        _: Context,
        request: PatchNoteRequest,
    ) -> Result<PatchNoteResponse, Error<PatchNoteError>> {
        self.note(request.body);
        Ok(().into())
    }
}

/// The bytes of a `PATCH` with a body.
fn patch(path: &str, content_type: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "PATCH {path} HTTP/1.1\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

#[test]
fn a_server_tells_which_patch_it_received() {
    let cluster = Cluster::default();
    let to = serve(router(cluster.clone()).allow_unauthenticated());
    // As Kubernetes documents them: "Update API Objects in Place Using kubectl patch".
    for (media, body, handled) in [
        (
            "application/json-patch+json",
            r#"[{"op":"replace","path":"/image","value":"nginx"}]"#,
            "JsonPatchJson([Operation { op: Replace",
        ),
        (
            "application/merge-patch+json",
            r#"{"image":null}"#,
            "MergePatchJson(Pod { image: Null, replicas: None",
        ),
        (
            "application/strategic-merge-patch+json",
            r#"{"replicas":2}"#,
            "StrategicMergePatchJson(Pod { image: Absent, replicas: Some(2)",
        ),
        (
            "application/apply-patch+yaml",
            "image: nginx\n",
            "ApplyPatchYaml(\"image: nginx\\n\")",
        ),
    ] {
        let answer = send(to, &patch("/pods/a", media, body));
        assert!(answer.starts_with("HTTP/1.1 200 "), "{media}: {answer}");
        let seen = cluster.last().expect("a call");
        assert!(seen.starts_with(handled), "{media}: {seen}");
    }
}

#[test]
fn an_unlisted_media_type_is_415() {
    let cluster = Cluster::default();
    let to = serve(router(cluster.clone()).allow_unauthenticated());
    for (path, media) in [
        ("/pods/a", "application/json"),
        ("/pods/a", "application/vnd.pod+json"),
        ("/pods/a", "text/plain"),
        ("/notes/a", "application/json"),
        ("/notes/a", "application/strategic-merge-patch+json"),
    ] {
        let answer = send(to, &patch(path, media, "{}"));
        assert!(
            answer.starts_with("HTTP/1.1 415 "),
            "{path} {media}: {answer}"
        );
        assert_eq!(cluster.last(), None, "{path} {media}");
    }
    let answer = send(to, &patch("/notes/a", "application/json", "{}"));
    assert!(
        answer.contains("\r\naccept: application/merge-patch+json\r\n"),
        "{answer}"
    );
}

#[test]
fn a_merge_patch_distinguishes_absent_null_and_a_value() {
    let cluster = Cluster::default();
    let to = serve(router(cluster.clone()).allow_unauthenticated());
    let media = "application/merge-patch+json";
    let sent = patch("/notes/a", media, r#"{"text":null}"#);
    let answer = send(to, &sent);
    assert!(answer.starts_with("HTTP/1.1 204 "), "{answer}");
    let seen = cluster.last().expect("a call");
    assert_eq!(seen, "Note { text: Null, tags: Absent }");

    let (url, peer) = answering(&response("204 No Content", "", ""));
    let client = Client::new(&url).expect("a client");
    let mut note = Note::new().tags(vec!["x".to_owned()]);
    note.text = Nullable::Null;
    block_on(client.patch_note(PatchNoteRequest::new("a".into(), note))).expect("a response");
    let request = peer.join().expect("a request");
    assert!(
        request.contains("\r\ncontent-type: application/merge-patch+json\r\n"),
        "{request}"
    );
    assert!(
        request.ends_with("\r\n\r\n{\"text\":null,\"tags\":[\"x\"]}"),
        "{request}"
    );
}

#[test]
fn a_client_sends_the_chosen_media_type() {
    let operation = Operation::from(OperationInit {
        op: OperationOp::Remove,
        path: "/image".into(),
    });
    for (body, media, bytes) in [
        (
            PatchPodContent::JsonPatchJson(vec![operation]),
            "application/json-patch+json",
            r#"[{"op":"remove","path":"/image"}]"#,
        ),
        (
            PatchPodContent::MergePatchJson(Pod::new().replicas(1)),
            "application/merge-patch+json",
            r#"{"replicas":1}"#,
        ),
        (
            PatchPodContent::StrategicMergePatchJson(Pod::new().replicas(1)),
            "application/strategic-merge-patch+json",
            r#"{"replicas":1}"#,
        ),
        (
            PatchPodContent::ApplyPatchYaml("replicas: 1\n".to_owned()),
            "application/apply-patch+yaml",
            "replicas: 1\n",
        ),
    ] {
        let (url, peer) = answering(&response(
            "200 OK",
            "Content-Type: application/yaml\r\n",
            "image: nginx\n",
        ));
        let client = Client::new(&url).expect("a client");
        let pod =
            block_on(client.patch_pod(PatchPodRequest::new("a".into(), body))).expect("a pod");
        assert_eq!(*pod, PatchPodOkContent::Yaml("image: nginx\n".to_owned()));
        let request = peer.join().expect("a request");
        let header = format!("\r\ncontent-type: {media}\r\n");
        assert!(request.contains(&header), "{request}");
        assert!(request.ends_with(&format!("\r\n\r\n{bytes}")), "{request}");
    }
}

mod of_swagger {
    use super::twin::client::Client;
    use super::twin::operations::*;
    use super::twin::server::{DefaultApi, router};
    use super::twin::types::Article;
    use super::{Cluster, answering, block_on, patch, response, send, serve};
    use bothends_runtime::server::{Context, Error};

    impl DefaultApi for Cluster {
        async fn create_article(
            &self,
            _: Context,
            request: CreateArticleRequest,
        ) -> Result<CreateArticleResponse, Error<CreateArticleError>> {
            self.note(request.body);
            Ok(Article::new("t".into()).into())
        }

        async fn put_settings(
            &self,
            _: Context,
            request: PutSettingsRequest,
        ) -> Result<PutSettingsResponse, Error<PutSettingsError>> {
            self.note(request.body);
            Ok(().into())
        }

        async fn put_level(
            &self,
            _: Context,
            request: PutLevelRequest,
        ) -> Result<PutLevelResponse, Error<PutLevelError>> {
            self.note(request.body);
            Ok(().into())
        }

        async fn patch_deployment(
            &self,
            _: Context,
            request: PatchDeploymentRequest,
        ) -> Result<PatchDeploymentResponse, Error<PatchDeploymentError>> {
            self.note(request.body);
            Ok(().into())
        }
    }

    #[test]
    fn consumes_lists_the_media_types_of_a_body() {
        let cluster = Cluster::default();
        let to = serve(router(cluster.clone()).allow_unauthenticated());
        let title = r#"{"title":"t"}"#;
        for (line, media, status, handled) in [
            (
                "POST /articles",
                "application/vnd.api+json",
                200,
                "ApiJson(Article",
            ),
            (
                "POST /articles",
                "application/json; charset=UTF-8",
                200,
                "Json(Article",
            ),
            ("POST /articles", "text/json", 200, "Json(Article"),
            ("POST /articles", "application/hal+json", 415, ""),
            // Every JSON is one body where nothing else is documented.
            (
                "PUT /settings",
                "application/json-patch+json",
                204,
                "Article",
            ),
            ("PUT /settings", "text/json", 204, "Article"),
            (
                "PUT /levels",
                "application/json;version=2",
                204,
                "JsonVersion2",
            ),
            (
                "PUT /levels",
                "application/json; version=\"1\"",
                204,
                "JsonVersion1",
            ),
            ("PUT /levels", "application/json; version=3", 415, ""),
            ("PUT /levels", "application/json", 415, ""),
            (
                "PATCH /deployments/a",
                "application/merge-patch+json",
                204,
                "MergePatchJson(",
            ),
            ("PATCH /deployments/a", "application/json", 415, ""),
        ] {
            let sent = patch("", media, title).replacen("PATCH ", line, 1);
            let answer = send(to, &sent);
            let expected = format!("HTTP/1.1 {status} ");
            assert!(answer.starts_with(&expected), "{line} {media}: {answer}");
            let seen = cluster.last().unwrap_or_default();
            assert!(seen.starts_with(handled), "{line} {media}: {seen}");
            assert_eq!(seen.is_empty(), status == 415, "{line} {media}: {seen}");
        }
    }

    #[test]
    fn a_response_has_the_media_type_that_the_caller_prefers() {
        let to = serve(router(Cluster::default()).allow_unauthenticated());
        let title = r#"{"title":"t"}"#;
        for (accept, sent) in [
            ("application/vnd.api+json", "application/vnd.api+json"),
            (
                "application/json;q=0.5, application/vnd.api+json",
                "application/vnd.api+json",
            ),
            ("*/*", "application/json"),
            ("text/html", "application/json"),
        ] {
            let request =
                patch("", "application/json", title).replacen("PATCH ", "POST /articles", 1);
            let request = request.replacen("\r\n", &format!("\r\nAccept: {accept}\r\n"), 1);
            let answer = send(to, &request);
            let header = format!("\r\ncontent-type: {sent}\r\n");
            assert!(answer.contains(&header), "{accept}: {answer}");
        }
    }

    #[test]
    fn a_client_sends_the_chosen_media_type_and_accepts_both() {
        let (url, peer) = answering(&response(
            "200 OK",
            "Content-Type: application/vnd.api+json\r\n",
            r#"{"title":"t"}"#,
        ));
        let client = Client::new(&url).expect("a client");
        let body = CreateArticleContent::ApiJson(Article::new("t".into()));
        let article = block_on(client.create_article(body)).expect("an article");
        assert_eq!(article.title, "t");
        let request = peer.join().expect("a request");
        assert!(
            request.contains("\r\ncontent-type: application/vnd.api+json\r\n"),
            "{request}"
        );
        assert!(
            request
                .contains("\r\naccept: application/json, application/vnd.api+json, */*;q=0.1\r\n"),
            "{request}"
        );
    }
}
