//! The pet store's client drives the pet store's server.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::petstore;

use bothends_runtime::client::{Basic, ClientCore, Error as ClientError, InProcess};
use bothends_runtime::server::Router;
use bothends_runtime::{Binary, Bytes, StatusCode};
use petstore::client::{Client, Credentials};
use petstore::operations::*;
use petstore::server::router;
use petstore::store::{Store, pet};
use petstore::types::{self, Kind, NewPet, PetId, Photo};

fn client(store: &Store) -> Client<InProcess<Router<Store>>> {
    let core = ClientCore::new(
        "http://localhost/",
        InProcess::new(router(store.clone()).allow_unauthenticated()),
    )
    .unwrap();
    Client::from_core(core.credentials(Credentials {
        basic: Some(Basic::new("user", "pass")),
        bearer: Some("t0ken".into()),
        client_id: Some("me".into()),
        ..Credentials::default()
    }))
}

fn show(id: &str) -> ShowPetByIdRequest {
    ShowPetByIdRequest::new(PetId(id.to_owned()))
}

#[tokio::test]
async fn a_request_arrives_as_it_was_sent() {
    let store = Store::default();
    let request = show("é/%2F?")
        .tags(["a b".to_owned(), "c&d".to_owned()])
        .order(types::Order::Down)
        .trace(-7)
        .sid("x; y");
    let response = client(&store)
        .show_pet_by_id(request.clone())
        .await
        .unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(*response, ShowPetByIdResponseBody::Ok(pet()));
    let seen = store.seen.lock().unwrap();
    let (context, seen) = seen.first().unwrap();
    assert_eq!(*seen, request);
    assert_eq!(
        context.uri(),
        "http://localhost/pets/%C3%A9%2F%252F%3F?tags=a%20b%7Cc%26d&order=down"
    );
    let header = |name| {
        context
            .headers()
            .get(name)
            .map(|value| value.to_str().unwrap())
    };
    assert_eq!(header("x-trace"), Some("-7"));
    assert_eq!(header("cookie"), Some("sid=x%3B%20y"));
    assert_eq!(header("authorization"), Some("Bearer t0ken"));
    assert_eq!(header("x-client-id"), Some("me"));
    assert_eq!(context.operation().id, "showPetById");
}

#[tokio::test]
async fn every_response_arrives_as_it_was_sent() {
    let store = Store::default();
    let client = client(&store);
    let answer = |id: &'static str| client.show_pet_by_id(show(id));
    let none = answer("none").await.unwrap();
    assert_eq!(none.status(), StatusCode::NO_CONTENT);
    assert_eq!(*none, ShowPetByIdResponseBody::NoContent);
    let later = answer("later").await.unwrap();
    assert_eq!(later.status(), StatusCode::ACCEPTED);
    let location = later.documented_headers().location.as_deref();
    assert_eq!(location, Some("/pets/1"));
    assert_eq!(*later, ShowPetByIdResponseBody::Accepted(NewPet::new()));
    let raw = answer("raw").await.unwrap();
    assert_eq!(raw.status(), StatusCode::PARTIAL_CONTENT);
    let bytes = Bytes::from_static(b"\0\xff");
    assert_eq!(*raw, ShowPetByIdResponseBody::Success(bytes));
    let error = answer("404").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "showPetById responded 404 Not Found, `not_here`: no"
    );
    assert_eq!(error.code_id(), Some(&types::Code::NotHere));
    assert!(!error.is_retryable());
    let error = answer("503").await.unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::SERVICE_UNAVAILABLE));
    assert!(error.is_retryable() && error.api().is_some());
    let error = answer("fault").await.unwrap_err();
    assert!(matches!(&error, ClientError::Undocumented(answer) if answer.status == 401));
}

#[tokio::test]
async fn a_panic_is_a_failure_without_a_reason() {
    let error = client(&Store::default())
        .show_pet_by_id(show("panic"))
        .await
        .unwrap_err();
    assert_eq!(error.status(), Some(StatusCode::INTERNAL_SERVER_ERROR));
    assert!(!format!("{error:?}").contains("secret"));
}

/// The response to an upload of this.
fn echoed(body: Option<UploadBody>) -> UploadResponseBody {
    body.map_or(UploadResponseBody::NoContent, UploadResponseBody::Ok)
}

#[tokio::test]
async fn long_parts_go_there_and_back() {
    let client = client(&Store::default());
    let long = Bytes::from(vec![7; 300 << 10]);
    for thumbnail in [None, Some(Vec::new().into()), Some(vec![0, 255].into())] {
        let photo = Photo {
            caption: Some("a".to_owned()),
            thumbnail,
            files: vec![Binary::new(long.clone()), Binary::new("b")],
            about: None,
        };
        let mut request = UploadRequest::new("a.b/c".to_owned(), "tar.gz".to_owned());
        request.body = Some(UploadBody::Photo(photo));
        let came = client.upload(request.clone()).await.unwrap();
        assert_eq!(came.into_inner(), echoed(request.body));
    }
}

#[tokio::test]
async fn bodies_of_every_kind_go_there_and_back() {
    let client = client(&Store::default());
    let photo = Photo {
        caption: Some("\"quoted\"\r\nå".to_owned()),
        thumbnail: Some(vec![0, 255].into()),
        files: vec![
            Binary::new(&b"\r\n--bothends-0000000000000000\r\n"[..])
                .with_name("a\"b.bin")
                .with_content_type("image/png"),
            Binary::new(Vec::new()),
        ],
        about: Some(NewPet::new().name("1").kind(Kind::from("newt"))),
    };
    for body in [
        None,
        Some(UploadBody::Photo(photo)),
        Some(UploadBody::Json(NewPet::new())),
        Some(UploadBody::Text("å".to_owned())),
        Some(UploadBody::Text(String::new())),
        Some(UploadBody::Bytes(Bytes::from_static(&[0, 1, 254]))),
    ] {
        let mut request = UploadRequest::new("a.b/c".to_owned(), "tar.gz".to_owned());
        request.body = body.clone();
        let came = client.upload(request).await.unwrap();
        assert_eq!(came.into_inner(), echoed(body));
    }
}

#[tokio::test]
async fn lists_and_creations_work_too() {
    let client = client(&Store::default());
    let listed = client.list_pets().await.unwrap();
    assert_eq!(listed.into_inner(), [pet()]);
    let body = NewPet::new().name("Tom").kind(Kind::Cat);
    let created = client.create_pet(body.clone()).await.unwrap();
    assert_eq!(created.status(), StatusCode::CREATED);
    assert_eq!(created.into_inner(), body);
}
