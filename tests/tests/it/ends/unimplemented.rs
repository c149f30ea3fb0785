//! Three hundred operations, of which a user implements one.

use std::sync::{Arc, Mutex};

use bothends_runtime::server::{Context, Error};

use super::generated;
use super::wire::ask;
use many::operations::*;
use many::server::{ThingsApi, router};

generated!(many "many");

struct Service;

impl ThingsApi for Service {
    async fn get_thing7(
        &self,
        _: Context,
        _: GetThing7Request,
    ) -> Result<GetThing7Response, Error<GetThing7Error>> {
        Ok(GetThing7Response::new(()))
    }
}

#[tokio::test]
async fn an_operation_without_a_handler_responds_501() {
    let failures = Arc::new(Mutex::new(Vec::new()));
    for (path, status, body) in [
        ("/things7/1", 204, ""),
        ("/things8/1", 501, r#"{"message":"Not Implemented"}"#),
        ("/things299/1", 501, r#"{"message":"Not Implemented"}"#),
        // It is read as if it had one.
        (
            "/things8/x",
            400,
            r#"{"message":"Bad Request: id: must be an integer"}"#,
        ),
        ("/things300/1", 404, r#"{"message":"Not Found"}"#),
    ] {
        let kept = Arc::clone(&failures);
        let router = router(Service)
            .allow_unauthenticated()
            .on_failure(move |failure| kept.lock().expect("no panic").push(failure.to_string()));
        let (came, _, text) = ask(router, &format!("GET {path} HTTP/1.1")).await;
        assert_eq!((came, &*text), (status, body), "{path}");
    }
    assert_eq!(
        *failures.lock().expect("no panic"),
        [
            "getThing8 (GET /things8/{id}) failed: the operation has no handler",
            "getThing299 (GET /things299/{id}) failed: the operation has no handler",
        ]
    );
    // And it is as closed as all others.
    let (came, ..) = ask(router(Service), "GET /things8/1 HTTP/1.1").await;
    assert_eq!(came, 401);
}
