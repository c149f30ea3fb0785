//! The pet store's client drives the pet store's server.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

mod petstore;

use bothends_runtime::client::{Basic, Core, Error as ClientError, InProcess};
use bothends_runtime::server::Router;
use bothends_runtime::{Binary, Bytes, StatusCode};
use petstore::client::{Client, Credentials};
use petstore::operations::*;
use petstore::server::router;
use petstore::store::{Store, pet};
use petstore::types::{self, Kind, NewPet, PetId, Photo};

fn client(store: &Store) -> Client<InProcess<Router<Store>>> {
    let core = Core::new(
        "http://localhost/",
        InProcess::new(router(store.clone()).allow_unauthenticated()),
    )
    .unwrap();
    Client::new(core.credentials(Credentials {
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
    let request = ShowPetByIdRequest {
        tags: Some(vec!["a b".to_owned(), "c&d".to_owned()]),
        order: Some(types::Order::Down),
        trace: Some(-7),
        sid: Some("x; y".to_owned()),
        ..show("é/%2F?")
    };
    let response = client(&store)
        .show_pet_by_id(request.clone())
        .await
        .unwrap();
    assert_eq!(response, ShowPetByIdResponse::Ok(pet()));
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
    assert_eq!(
        answer("none").await.unwrap(),
        ShowPetByIdResponse::NoContent
    );
    assert_eq!(
        answer("later").await.unwrap(),
        ShowPetByIdResponse::Accepted {
            location: Some("/pets/1".to_owned()),
            body: NewPet::new()
        }
    );
    assert_eq!(
        answer("raw").await.unwrap(),
        ShowPetByIdResponse::Success {
            status: StatusCode::PARTIAL_CONTENT,
            body: Bytes::from_static(b"\0\xff"),
        }
    );
    let error = answer("404").await.unwrap_err();
    assert_eq!(error.to_string(), "showPetById answered 404 Not Found");
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

#[tokio::test]
async fn bodies_of_every_kind_go_there_and_back() {
    let client = client(&Store::default());
    let photo = Photo {
        caption: Some("\"quoted\"\r\nå".to_owned()),
        thumbnail: Some(vec![0, 255].into()),
        files: vec![
            Binary::new(&b"\r\n--bothends-0000000000000000\r\n"[..])
                .named("a\"b.bin")
                .of_type("image/png"),
            Binary::new(Vec::new()),
        ],
        about: Some(NewPet {
            name: Some("1".to_owned()),
            kind: Some(Kind::from("newt")),
        }),
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
        assert_eq!(
            client.upload(request).await.unwrap(),
            UploadResponse::Ok(body)
        );
    }
}

#[tokio::test]
async fn lists_and_creations_work_too() {
    let client = client(&Store::default());
    let listed = client.list_pets(ListPetsRequest::new()).await.unwrap();
    assert_eq!(listed, ListPetsResponse::Ok(vec![pet()]));
    let body = NewPet {
        name: Some("Tom".to_owned()),
        kind: Some(Kind::Cat),
    };
    let created = client
        .create_pet(CreatePetRequest::new(body.clone()))
        .await
        .unwrap();
    assert_eq!(created, CreatePetResponse::Created(body));
}
