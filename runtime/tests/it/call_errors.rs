//! The errors of calls of several operations, through one trait.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::petstore;

use bothends_runtime::client::{Basic, CallError, ClientCore, InProcess};
use bothends_runtime::server::Router;
use bothends_runtime::{NoError, OperationError, ResponseSet, StatusCode};
use petstore::client::{Client, Credentials};
use petstore::operations::*;
use petstore::server::router;
use petstore::store::Store;
use petstore::types::{self, PetId};

fn client(basic: Option<Basic>) -> Client<InProcess<Router<Store>>> {
    let router = router(Store::default()).allow_unauthenticated();
    let core = ClientCore::new("http://localhost/", InProcess::new(router)).unwrap();
    Client::from_core(core.credentials(Credentials {
        basic,
        ..Credentials::default()
    }))
}

fn show(id: &str) -> ShowPetByIdRequest {
    ShowPetByIdRequest::new(PetId(id.to_owned()))
}

/// One line of each, as a log has it.
fn line(error: &dyn CallError) -> String {
    let code = error.code().unwrap_or_else(|| "-".to_owned());
    let message = error.message().unwrap_or("-");
    let again = if error.is_retryable() { "again" } else { "no" };
    format!("{error} | {code} | {message} | {again}")
}

#[tokio::test]
async fn errors_of_different_operations_are_looked_at_alike() {
    let client = client(None);
    let upload = UploadRequest::new("no".to_owned(), "txt".to_owned());
    let errors: Vec<Box<dyn CallError>> = vec![
        Box::new(client.show_pet_by_id(show("404")).await.unwrap_err()),
        Box::new(client.show_pet_by_id(show("503")).await.unwrap_err()),
        Box::new(client.upload(upload).await.unwrap_err()),
        Box::new(client.create_pet(types::NewPet::new()).await.unwrap_err()),
    ];
    let lines: Vec<String> = errors.iter().map(|error| line(&**error)).collect();
    assert_eq!(
        lines,
        [
            "showPetById responded 404 Not Found, `not_here`: no | not_here | no | no",
            "showPetById responded 503 Service Unavailable, `not_here`: no | not_here | no | again",
            "the server responded 404 Not Found, which is not documented: \
             {\"operation_id\":\"unknown\",\"code_id\":\"not_found\",\"errors\":{}} | - | - | no",
            "createPet needs credentials: bearer | - | - | no",
        ]
    );
    let statuses: Vec<_> = errors.iter().map(|error| error.status()).collect();
    let not_found = Some(StatusCode::NOT_FOUND);
    let unavailable = Some(StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(statuses, [not_found, unavailable, not_found, None]);
}

#[tokio::test]
async fn a_documented_body_is_downcast_to_its_type() {
    let client = client(None);
    for (id, name) in [
        ("404", "application/json"),
        ("503", "application/problem+json"),
    ] {
        let error = client.show_pet_by_id(show(id)).await.unwrap_err();
        let error: &dyn CallError = &error;
        let body = error.documented_body().unwrap();
        let fault = body.downcast_ref::<types::Fault>().unwrap();
        assert_eq!(fault.code, types::Code::NotHere);
        assert!(body.downcast_ref::<types::NewPet>().is_none());
        let raw = error.response().unwrap();
        assert_eq!(raw.headers["content-type"], name);
        assert_eq!(raw.body, r#"{"code":"not_here","message":"no"}"#);
    }
    let error = client.show_pet_by_id(show("fault")).await.unwrap_err();
    let error: &dyn CallError = &error;
    assert!(error.documented_body().is_none());
    assert_eq!(error.response().unwrap().status, StatusCode::UNAUTHORIZED);
}

/// Two errors without a body, and one whose message may be absent.
#[derive(Debug, Clone, PartialEq)]
pub enum MixedError {
    Gone,
    TooManyRequests,
    ClientError {
        status: StatusCode,
        body: types::NewPet,
    },
}
bothends_runtime::errors! {
    MixedError {
        410 => Gone,
        429 => TooManyRequests,
        4XX => ClientError { status, body(json types::NewPet) } [message: name?],
    }
}

#[test]
fn an_error_says_what_it_has() {
    let gone = MixedError::Gone;
    assert_eq!(gone.to_string(), "410 Gone");
    assert!(gone.documented_body().is_none() && gone.message().is_none());
    let many = MixedError::TooManyRequests;
    assert_eq!(many.status(), 429);
    assert!(many.documented_body().is_none() && many.code_id().is_none());
    let other = |name: Option<&str>| {
        let mut body = types::NewPet::new();
        body.name = name.map(str::to_owned);
        let status = StatusCode::CONFLICT;
        MixedError::ClientError { status, body }
    };
    assert_eq!(other(Some("Tom")).message(), Some("Tom"));
    assert_eq!(other(None).message(), None);
    assert_eq!(other(None).to_string(), "409 Conflict");
    let body = other(None);
    assert!(body.documented_body().unwrap().is::<types::NewPet>());
}

#[test]
fn an_operation_without_documented_errors_has_an_error_type_all_the_same() {
    fn is_error<E: OperationError>() -> usize {
        E::ROWS.len()
    }
    assert_eq!(is_error::<NoError>(), 0);
    assert_eq!(is_error::<ListPetsError>(), 0);
    assert_eq!(is_error::<ShowPetByIdError>(), 2);
}
