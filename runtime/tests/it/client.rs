//! What a client sends, and what it makes of answers.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::petstore;

use bothends_runtime::client::{
    Basic, Body, ClientCore, Credential, Error, Secret, Transport, TransportError,
};
use bothends_runtime::http::{HeaderMap, HeaderName, HeaderValue, Request, Response, header};
use bothends_runtime::{Json, NoError, StatusCode, Streamed};
use petstore::client::{Client, Credentials};
use petstore::operations::*;
use petstore::types::{NewPet, PetId};
use std::sync::{Arc, Mutex};

/// Notes requests, and answers always the same.
#[derive(Clone)]
struct Fake {
    status: u16,
    headers: HeaderMap,
    body: &'static str,
    seen: Arc<Mutex<Vec<Request<Body>>>>,
}

impl Fake {
    fn new(status: u16, body: &'static str) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body,
            seen: Arc::default(),
        }
    }

    fn client(&self, credentials: Credentials) -> Client<Self> {
        let core = ClientCore::new("https://api.example.com/base/", self.clone()).unwrap();
        Client::from_core(core.credentials(credentials).body_limit(64))
    }

    fn last(&self) -> Request<Body> {
        self.seen.lock().unwrap().pop().unwrap()
    }
}

impl Transport for Fake {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        self.seen.lock().unwrap().push(request);
        if self.status == 0 {
            return Err(TransportError::new("no route"));
        }
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap();
        *response.headers_mut() = self.headers.clone();
        Ok(response)
    }
}

fn show() -> ShowPetByIdRequest {
    ShowPetByIdRequest::new(PetId("1".to_owned()))
}

fn secret(text: &str) -> Option<Secret> {
    Some(Secret::from(text))
}

#[tokio::test]
async fn credentials_go_where_they_are_asked_for() {
    let fake = Fake::new(204, "");
    let all = Credentials {
        basic: Some(Basic::new("Aladdin", "open sesame")),
        bearer: secret("b"),
        client_id: secret("c"),
        key: secret("k"),
        sid: secret("s"),
    };
    let sent = |credentials: Credentials| {
        let fake = fake.clone();
        async move {
            fake.client(credentials)
                .show_pet_by_id(show())
                .await
                .unwrap();
            let request = fake.last();
            assert_eq!(request.uri(), "https://api.example.com/base/pets/1");
            let headers = request.headers();
            assert!(!headers.contains_key(header::COOKIE));
            let get = |name| {
                headers.get(name).map(|value| {
                    assert!(value.is_sensitive());
                    value.to_str().unwrap().to_owned()
                })
            };
            (get("authorization"), get("x-client-id"))
        }
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(sent(all.clone()).await, (text("Bearer b"), text("c")));
    let part = Credentials {
        client_id: None,
        ..all.clone()
    };
    assert_eq!(
        sent(part).await,
        (text("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), None)
    );
    let part = Credentials {
        basic: None,
        client_id: None,
        ..all.clone()
    };
    assert_eq!(sent(part).await, (None, None));
    fake.client(all).list_pets().await.unwrap_err();
    // Nothing but what is taken as an answer, and who asks.
    let request = fake.last();
    let names: Vec<_> = request.headers().keys().collect();
    let mut taken = vec![header::ACCEPT, header::USER_AGENT];
    taken.extend(cfg!(feature = "gzip").then_some(header::ACCEPT_ENCODING));
    assert_eq!(names, taken.iter().collect::<Vec<_>>());
}

#[tokio::test]
async fn without_credentials_nothing_is_sent() {
    let fake = Fake::new(201, "{}");
    let client = fake.client(Credentials::default());
    let error = client.create_pet(NewPet::new()).await.unwrap_err();
    assert_eq!(error.to_string(), "createPet needs credentials: bearer");
    assert!(matches!(error, Error::MissingCredentials(_)) && !error.is_retryable());
    assert!(fake.seen.lock().unwrap().is_empty());
}

bothends_runtime::operation! {
    "keyed": "GET" "/keyed"
    KeyedRequest() {
        query "q": String => q?,
        cookie "c": String => c?,
    }
    -> KeyedResponse { 201 => json NewPet }, KeyedError = NoError
    security { ["key", "cookieAuth"] }
}

struct KeyedRequest {
    q: Option<String>,
    c: Option<String>,
}

#[tokio::test]
async fn keys_join_the_query_and_the_cookies() {
    let fake = Fake::new(201, "{}");
    let core = ClientCore::new("http://h", fake.clone()).unwrap();
    let core = core
        .credentials(Credentials {
            key: secret("a&b"),
            sid: secret("x/y=%3B"),
            ..Credentials::default()
        })
        .header(
            HeaderName::from_static("user-agent"),
            HeaderValue::from_static("test"),
        );
    let request = KeyedRequest::new().q("1").c("2");
    core.call(&request).await.unwrap();
    let sent = fake.last();
    assert_eq!(sent.uri(), "http://h/keyed?q=1&api_key=a%26b");
    assert_eq!(
        sent.headers().get(header::COOKIE).unwrap(),
        "c=2; sid=x/y=%3B"
    );
    assert_eq!(sent.headers().get(header::USER_AGENT).unwrap(), "test");
}

#[tokio::test]
async fn answers_that_are_not_documented_are_kept() {
    let ask = |fake: Fake| async move {
        fake.client(Credentials::default())
            .show_pet_by_id(show())
            .await
            .unwrap_err()
    };
    let error = ask(Fake::new(418, "short and stout")).await;
    assert_eq!(
        error.to_string(),
        "the server responded 418 I'm a teapot, which is not documented: short and stout"
    );
    let answer = error.raw_response().unwrap();
    assert_eq!(
        (answer.status.as_u16(), &*answer.body),
        (418, &b"short and stout"[..])
    );
    assert!(!error.is_retryable());
    for status in [408, 425, 429] {
        assert!(ask(Fake::new(status, "")).await.is_retryable());
    }
    let error = ask(Fake::new(200, "{\"id\": \"x\"}")).await;
    assert_eq!(
        format!("{error:#}"),
        "the server responded 200 OK, which cannot be read: id: must be an integer"
    );
    assert_eq!(error.raw_response().unwrap().body, "{\"id\": \"x\"}");
    let error = ask(Fake::new(503, "not json")).await;
    assert!(matches!(&error, Error::Decode { .. }) && error.is_retryable());
    let large = "x".repeat(65);
    let error = ask(Fake::new(200, Box::leak(large.into_boxed_str()))).await;
    assert_eq!(
        error.to_string(),
        "the server responded 200 OK with more than 64 bytes"
    );
    // The beginning is kept.
    let answer = error.raw_response().unwrap();
    assert_eq!((answer.status.as_u16(), answer.body.len()), (200, 64));
    assert_eq!(error.status(), Some(StatusCode::OK));
    let error = ask(Fake::new(0, "")).await;
    assert_eq!(error.to_string(), "the transport failed: no route");
    assert!(error.is_retryable() && error.status().is_none());
}

#[tokio::test]
async fn a_documented_error_is_kept_as_it_came_too() {
    let raw = "{ \"code\": \"gone\",  \"message\": \"\", \"more\": [1] }";
    let mut fake = Fake::new(404, raw);
    let id = HeaderValue::from_static("7f1c");
    fake.headers.insert("x-request-id", id);
    let client = fake.client(Credentials::default());
    let error = client.show_pet_by_id(show()).await.unwrap_err();
    assert!(matches!(error.api(), Some(ShowPetByIdError::NotFound(_))));
    let answer = error.raw_response().unwrap();
    assert_eq!(answer.body, raw);
    assert_eq!(answer.headers["x-request-id"], "7f1c");
    assert_eq!(error.status(), Some(StatusCode::NOT_FOUND));
}

bothends_runtime::operation! {
    "lines": "GET" "/lines"
    LinesRequest() {}
    -> LinesResponse { 200 => lines Streamed<Json> }, LinesError = ShowPetByIdError
}
/// A response that comes item by item, and an error that does not.
#[derive(Debug, Clone, PartialEq)]
pub struct LinesRequest {}

#[tokio::test]
async fn an_error_is_read_whole_where_items_would_come() {
    let ask = |status, body| async move {
        let mut fake = Fake::new(status, body);
        let media = HeaderValue::from_static("application/jsonl");
        fake.headers.insert(header::CONTENT_TYPE, media);
        let core = ClientCore::new("http://h", fake).unwrap().body_limit(64);
        core.call(&LinesRequest {}).await
    };
    assert!(ask(200, "{}\n").await.is_ok());
    let error = ask(418, "{\"short\": 1}\n").await.unwrap_err();
    assert!(matches!(error, Error::Undocumented(_)));
    assert_eq!(error.raw_response().unwrap().body, "{\"short\": 1}\n");
    let error = ask(404, "{\"code\":\"gone\",\"message\":\"\"}")
        .await
        .unwrap_err();
    assert_eq!(
        error.raw_response().unwrap().body,
        "{\"code\":\"gone\",\"message\":\"\"}"
    );
    assert!(error.api().is_some());
}

#[tokio::test]
async fn what_cannot_be_written_is_not_sent() {
    let fake = Fake::new(204, "");
    for credentials in [
        Credentials {
            basic: Some(Basic::new("a:b", "c")),
            ..Credentials::default()
        },
        Credentials {
            bearer: secret("t"),
            client_id: secret("b\r\nX: y"),
            ..Credentials::default()
        },
    ] {
        let error = fake
            .client(credentials)
            .show_pet_by_id(show())
            .await
            .unwrap_err();
        assert!(matches!(error, Error::Encode(_)));
    }
    let request = ShowPetByIdRequest::new(PetId("..".to_owned()));
    let client = fake.client(Credentials::default());
    assert!(matches!(
        client.show_pet_by_id(request).await,
        Err(Error::Encode(_))
    ));
    assert!(fake.seen.lock().unwrap().is_empty());
}

#[test]
fn addresses_are_checked() {
    for base in [
        "",
        "api.example.com",
        "ftp://h",
        "http://h?x",
        "http://u:p@h",
        "http://h#x",
        "http://",
    ] {
        assert!(ClientCore::new(base, ()).is_err(), "{base}");
    }
    assert!(ClientCore::new("http://[::1]:8080/v1", ()).is_ok());
}

#[test]
fn secrets_are_not_shown() {
    let shown = Credentials {
        basic: Some(Basic::new("user", "hidden")),
        bearer: secret("hidden"),
        ..Credentials::default()
    };
    assert!(!format!("{shown:?}").contains("hidden"));
    assert!(!format!("{:?}", Credential::Header("x", Secret::from("hidden"))).contains("hidden"));
}

#[cfg(all(feature = "hyper", feature = "reqwest"))]
mod over_a_socket {
    use super::*;
    use bothends_runtime::client::{BoxTransport, HyperTransport, ReqwestTransport};
    use petstore::server::router;
    use petstore::store::{Store, pet};

    async fn serve(app: axum::Router) -> String {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, app).await });
        format!("http://{address}")
    }

    #[tokio::test]
    async fn requests_and_responses_arrive_as_they_were_sent() {
        arrive(BoxTransport::new(HyperTransport::new().unwrap())).await;
        arrive(BoxTransport::new(ReqwestTransport::new().unwrap())).await;
    }

    async fn arrive(transport: BoxTransport) {
        let store = Store::default();
        let base = serve(
            axum::Router::new().fallback_service(router(store.clone()).allow_unauthenticated()),
        )
        .await;
        let client = Client::from_core(ClientCore::new(&base, transport).unwrap());
        let request = ShowPetByIdRequest::new(PetId("é/%2F [x]".to_owned()))
            .tags(["a b".to_owned(), "c".to_owned()])
            .trace(1)
            .sid("s");
        let response = client.show_pet_by_id(request.clone()).await.unwrap();
        assert_eq!(*response, ShowPetByIdResponseBody::Ok(pet()));
        assert_eq!(store.seen.lock().unwrap().first().unwrap().1, request);
        let body = UploadBody::Bytes(vec![7; 100_000].into());
        let upload = UploadRequest::new("a.b/c".to_owned(), "tar.gz".to_owned()).body(body.clone());
        let came = client.upload(upload).await.unwrap();
        assert_eq!(*came, UploadResponseBody::Ok(body));
    }

    #[tokio::test]
    async fn redirects_are_not_followed() {
        let to = |headers: HeaderMap| async move {
            assert!(headers.contains_key(header::AUTHORIZATION));
            axum::response::Redirect::temporary("http://localhost:1/elsewhere")
        };
        let base = serve(axum::Router::new().fallback(to)).await;
        let over_reqwest = ReqwestTransport::build(reqwest::Client::builder()).unwrap();
        for transport in [
            BoxTransport::new(HyperTransport::new().unwrap()),
            BoxTransport::new(over_reqwest),
        ] {
            let core = ClientCore::new(&base, transport).unwrap();
            let client = Client::from_core(core.credentials(Credentials {
                basic: Some(Basic::new("a", "b")),
                ..Credentials::default()
            }));
            let error = client.show_pet_by_id(show()).await.unwrap_err();
            assert_eq!(error.status(), Some(StatusCode::TEMPORARY_REDIRECT));
        }
    }
}

#[tokio::test]
async fn the_text_of_an_undocumented_response_is_short_and_on_one_line() {
    let ask = |body: &'static str| async move {
        let fake = Fake::new(418, body).client(Credentials::default());
        fake.show_pet_by_id(show()).await.unwrap_err().to_string()
    };
    let message = "the server responded 418 I'm a teapot, which is not documented";
    assert_eq!(ask("").await, message);
    let lines = ask(" <h1>no\r\n\u{1b}[31m</h1>\u{202e} ").await;
    assert_eq!(
        lines,
        format!(r"{message}: <h1>no\r\n\u{{1b}}[31m</h1>\u{{202e}}")
    );
}
