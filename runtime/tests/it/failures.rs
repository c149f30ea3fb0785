//! What becomes of a server's failures: the cause goes to the hook, and nothing of it to the caller.
#![cfg(all(feature = "client", feature = "server"))]
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use crate::petstore;

use bothends_runtime::http::{HeaderMap, Request};
use bothends_runtime::server::{
    Authenticator, Body, BoxFuture, Context, Error, Failure, HandlerPanic, Response, Router,
};
use bothends_runtime::{EncodeError, NoError, StatusCode};
use petstore::server::router;
use petstore::store::Store;
use std::sync::{Arc, Mutex};
use tower_service::Service;

/// What a hook was told.
type Reported = Arc<Mutex<Vec<String>>>;

fn with_hook(router: Router<Store>) -> (Router<Store>, Reported) {
    let reported = Reported::default();
    let kept = Arc::clone(&reported);
    let router = router.on_failure(move |failure| kept.lock().unwrap().push(failure.to_string()));
    (router, reported)
}

async fn ask(mut router: Router<Store>, path: &str) -> (StatusCode, HeaderMap, String) {
    let request = Request::get(path).body(Body::empty()).unwrap();
    let response: Response = router.call(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect(1 << 20).await.unwrap();
    (
        parts.status,
        parts.headers,
        String::from_utf8(body.into()).unwrap(),
    )
}

const INTERNAL: &str = r#"{"type":"about:blank","title":"Internal Server Error","status":500}"#;

#[tokio::test]
async fn the_cause_goes_to_the_hook_and_nothing_of_it_to_the_caller() {
    for (id, cause) in [
        ("internal", "the outer secret: the inner secret"),
        (
            "bare",
            "the error states no cause: create it with `Error::internal`",
        ),
        ("panic", "the handler panicked: a secret"),
        (
            "unsent",
            "Location cannot be sent: a header cannot hold a line break or another control character",
        ),
    ] {
        let (router, reported) = with_hook(router(Store::default()));
        let (status, headers, body) = ask(router, &format!("/pets/{id}")).await;
        assert_eq!((status.as_u16(), &*body), (500, INTERNAL), "{id}");
        assert!(!format!("{headers:?}{body}").contains("secret"), "{id}");
        let whole = format!("showPetById (GET /pets/{{petId}}) failed: {cause}");
        assert_eq!(*reported.lock().unwrap(), [whole], "{id}");
    }
    // A caller's mistakes, and errors of the document, are no failures of the server.
    let (router, reported) = with_hook(router(Store::default()));
    for (path, status) in [
        ("/pets/503", 503),
        ("/pets/404", 404),
        ("/pets/fault", 401),
        ("/elsewhere", 404),
        ("/pets/1?order=left", 400),
    ] {
        assert_eq!(ask(router.clone(), path).await.0, status, "{path}");
    }
    assert_eq!(*reported.lock().unwrap(), [""; 0]);
}

#[tokio::test]
async fn a_hook_finds_the_operation_and_the_type_of_the_cause() {
    let kinds = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&kinds);
    let hook = move |failure: &Failure<'_>| {
        let meta = failure.operation();
        assert_eq!(
            (meta.id, meta.method, meta.path),
            ("showPetById", "GET", "/pets/{petId}")
        );
        let cause = failure.cause();
        let panic = cause.downcast_ref::<HandlerPanic>();
        kept.lock().unwrap().push((
            panic.map(|panic| panic.message().to_owned()),
            cause.downcast_ref::<EncodeError>().is_some(),
            cause.source().map(ToString::to_string),
        ));
    };
    let router = router(Store::default()).on_failure(hook);
    for id in ["panic", "unsent", "internal"] {
        ask(router.clone(), &format!("/pets/{id}")).await;
    }
    let inner = Some("the inner secret".to_owned());
    let expected = [
        (Some("a secret".to_owned()), false, None),
        (None, true, None),
        (None, false, inner),
    ];
    assert_eq!(*kinds.lock().unwrap(), expected);
}

#[tokio::test]
async fn a_hook_that_panics_does_not_take_the_answer_with_it() {
    let router = router(Store::default()).on_failure(|_| panic!("in the hook"));
    for id in ["internal", "panic"] {
        let (status, _, body) = ask(router.clone(), &format!("/pets/{id}")).await;
        assert_eq!((status.as_u16(), &*body), (500, INTERNAL));
    }
}

/// Fails in one way or another.
struct Failing(bool);

impl Authenticator for Failing {
    fn authenticate<'a>(&'a self, _: &'a mut Context) -> BoxFuture<'a, Result<(), Error<NoError>>> {
        Box::pin(async {
            if self.0 {
                panic!("a secret");
            }
            Err(Error::internal("a secret of the store"))
        })
    }
}

#[tokio::test]
async fn an_authenticator_fails_as_a_handler_does() {
    for (panics, cause) in [
        (false, "a secret of the store"),
        (true, "the handler panicked: a secret"),
    ] {
        let router = router(Store::default()).authenticate(Failing(panics));
        let (router, reported) = with_hook(router);
        let (status, _, body) = ask(router, "/pets").await;
        assert_eq!((status.as_u16(), &*body), (500, INTERNAL));
        let reported = reported.lock().unwrap();
        assert_eq!(*reported, [format!("listPets (GET /pets) failed: {cause}")]);
    }
}
