//! Versions of one resource in vendor media types.

use std::sync::{Arc, Mutex};

use api::client::Client;
use api::operations::{
    GetReportError, GetReportOkContent, GetReportRequest, GetReportResponse, GetUserError,
    GetUserOkContent, GetUserRequest, GetUserResponse, PutUserContent, PutUserError,
    PutUserRequest, PutUserResponse,
};
use api::server::{DefaultApi, router};
use api::types::{UserV1, UserV2, UserV2Name, UserV2NameInit};
use bothends_runtime::Body as _;
use bothends_runtime::client::CallOptions;
use bothends_runtime::http::header::ACCEPT;
use bothends_runtime::server::{Context, Error};
use bothends_test_peers::{answering, get, response, send, serve};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "25-versioned-media-types");
bothends_case_tests::document!(twin, "25-versioned-media-types-twin");

const V1: &str = "application/vnd.users.v1+json";
const V2: &str = "application/vnd.users.v2+json";

/// Answers in the version that the caller asks for, and notes what it received.
#[derive(Clone, Default)]
struct Users(Arc<Mutex<Vec<String>>>);

impl DefaultApi for Users {
    async fn get_user(
        &self,
        ctx: Context,
        _: GetUserRequest,
    ) -> Result<GetUserResponse, Error<GetUserError>> {
        let user = match ctx.prefers(GetUserOkContent::MEDIA) {
            Some(1) => {
                GetUserOkContent::UsersV2Json(UserV2::new(UserV2Name::from(UserV2NameInit {
                    first: "A".into(),
                    last: "B".into(),
                })))
            }
            _ => GetUserOkContent::UsersV1Json(UserV1::new("A B".into())),
        };
        Ok(user.into())
    }

    async fn put_user(
        &self,
        _: Context,
        request: PutUserRequest,
    ) -> Result<PutUserResponse, Error<PutUserError>> {
        self.0
            .lock()
            .expect("no panic")
            .push(format!("{:?}", request.body));
        Ok(().into())
    }

    async fn get_report(
        &self,
        ctx: Context,
        _: GetReportRequest,
    ) -> Result<GetReportResponse, Error<GetReportError>> {
        let report = match ctx.prefers(GetReportOkContent::MEDIA) {
            Some(1) => GetReportOkContent::TextCsv("1\n2\n".to_owned()),
            Some(2) => GetReportOkContent::Pdf("%PDF-".into()),
            _ => GetReportOkContent::Json(vec![1, 2]),
        };
        Ok(report.into())
    }
}

fn put(to: std::net::SocketAddr, media: &str, body: &str) -> String {
    let length = body.len();
    send(
        to,
        &format!(
            "PUT /users/1 HTTP/1.1\r\nContent-Type: {media}\r\nContent-Length: {length}\r\n\r\n{body}"
        ),
    )
}

#[test]
fn each_version_is_read_as_its_own() {
    let users = Users::default();
    let to = serve(router(users.clone()).allow_unauthenticated());
    let (old, new) = (r#"{"name":"A B"}"#, r#"{"name":{"first":"A","last":"B"}}"#);
    assert!(put(to, V1, old).starts_with("HTTP/1.1 204 "));
    assert!(put(to, V2, new).starts_with("HTTP/1.1 204 "));
    let seen = std::mem::take(&mut *users.0.lock().expect("no panic"));
    assert_eq!(
        seen,
        [
            "UsersV1Json(UserV1 { name: \"A B\" })",
            "UsersV2Json(UserV2 { name: UserV2Name { first: \"A\", last: \"B\" } })",
        ]
    );
    assert!(put(to, V1, new).starts_with("HTTP/1.1 400 "));
    for media in [
        "application/vnd.users.v3+json",
        "application/json",
        "text/json",
    ] {
        let answer = put(to, media, old);
        assert!(answer.starts_with("HTTP/1.1 415 "), "{media}: {answer}");
    }
    assert!(users.0.lock().expect("no panic").is_empty());
}

#[test]
fn a_server_answers_in_the_version_that_is_asked_for() {
    let to = serve(router(Users::default()).allow_unauthenticated());
    for (accept, media, body) in [
        (V1, V1, r#"{"name":"A B"}"#),
        (V2, V2, r#"{"name":{"first":"A","last":"B"}}"#),
        ("application/json", V1, r#"{"name":"A B"}"#),
    ] {
        let answer = get(to, "/users/1", &format!("Accept: {accept}\r\n"));
        let header = format!("\r\ncontent-type: {media}\r\n");
        assert!(answer.contains(&header), "{accept}: {answer}");
        assert!(answer.ends_with(body), "{accept}: {answer}");
    }
    for (accept, media, body) in [
        ("text/csv", "text/csv", "1\n2\n"),
        ("application/pdf", "application/pdf", "%PDF-"),
        ("*/*", "application/json", "[1,2]"),
    ] {
        let answer = get(to, "/report", &format!("Accept: {accept}\r\n"));
        let header = format!("\r\ncontent-type: {media}\r\n");
        assert!(answer.contains(&header), "{accept}: {answer}");
        assert!(answer.contains(body), "{accept}: {answer}");
    }
}

#[test]
fn a_client_asks_for_a_version_and_reads_the_one_that_comes() {
    for (asked, came, body) in [
        (None, V1, r#"{"name":"A B"}"#),
        (Some(V2), V2, r#"{"name":{"first":"A","last":"B"}}"#),
    ] {
        let (url, peer) = answering(&response(
            "200 OK",
            &format!("Content-Type: {came}\r\n"),
            body,
        ));
        let mut client = Client::new(&url).expect("a client");
        if let Some(asked) = asked {
            client = client.with(CallOptions::new().header(ACCEPT, asked));
        }
        let user = block_on(client.get_user("1")).expect("a user");
        assert_eq!(
            matches!(*user, GetUserOkContent::UsersV2Json(_)),
            came == V2
        );
        let request = peer.join().expect("a request");
        let all = format!("{V1}, {V2}, */*;q=0.1");
        let header = format!("\r\naccept: {}\r\n", asked.unwrap_or(&all));
        assert!(request.contains(&header), "{request}");
    }
}

#[test]
fn a_client_sends_the_chosen_version() {
    let (url, peer) = answering(&response("204 No Content", "", ""));
    let client = Client::new(&url).expect("a client");
    let body = PutUserContent::UsersV2Json(UserV2::new(UserV2Name::from(UserV2NameInit {
        first: "A".into(),
        last: "B".into(),
    })));
    block_on(client.put_user(PutUserRequest::new("1".into(), body))).expect("a response");
    let request = peer.join().expect("a request");
    assert!(
        request.contains(&format!("\r\ncontent-type: {V2}\r\n")),
        "{request}"
    );
}

#[test]
fn a_webhook_tells_its_version() {
    use twin::types::User;
    use twin::webhooks::{UserChangedContent, UserChangedError, UserChangedRequest};
    use twin::webhooks::{UserChangedResponse, WebhookHandler, router};

    struct Seen(Arc<Mutex<Vec<UserChangedContent>>>);

    impl WebhookHandler for Seen {
        async fn user_changed(
            &self,
            _: Context,
            request: UserChangedRequest,
        ) -> Result<UserChangedResponse, Error<UserChangedError>> {
            self.0.lock().expect("no panic").push(request.body);
            Ok(().into())
        }
    }

    let seen = Arc::new(Mutex::new(Vec::new()));
    let webhooks = router(Seen(Arc::clone(&seen)));
    for (media, status) in [(V2, 204), (V1, 204), ("application/vnd.users.v3+json", 415)] {
        let request = bothends_runtime::http::Request::post("/userChanged")
            .header("content-type", media)
            .body(bothends_runtime::server::Body::from(r#"{"name":"A"}"#))
            .expect("a request");
        let answer = block_on(tower_service::Service::call(&mut webhooks.clone(), request));
        let answer = answer.unwrap_or_else(|never| match never {});
        assert_eq!(answer.status(), status, "{media}");
    }
    let user = || User::new("A".into());
    assert_eq!(
        *seen.lock().expect("no panic"),
        [
            UserChangedContent::UsersV2Json(user()),
            UserChangedContent::UsersV1Json(user()),
        ]
    );
}
