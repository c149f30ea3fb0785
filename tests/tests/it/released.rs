//! What released versions have generated compiles with the runtime of today, and works.
//!
//! The modules are not generated again: see `tests/released/README.md`.

use bothends_runtime::client::InProcess;
use bothends_runtime::server::{Context, Error};
use bothends_tests::in_process::block_on;
use one_of_discriminator::types as union_types;
use shared_error::client::Client;
use shared_error::operations::*;
use shared_error::server::{DefaultApi, router};
use shared_error::types::Failure;

macro_rules! modules {
    ($($file:literal $name:ident)*) => {
        $(#[path = $file] #[allow(unused, unreachable_pub, missing_docs)] mod $name;)*
    };
}

modules! {
    "../../released/form-2/any-of.rs" any_of
    "../../released/form-2/constraints.rs" constraints
    "../../released/form-2/defaults.rs" defaults
    "../../released/form-2/integer-enum.rs" integer_enum
    "../../released/form-2/one-of-discriminator.rs" one_of_discriminator
    "../../released/form-2/one-of-no-discriminator.rs" one_of_no_discriminator
    "../../released/form-2/parameters.rs" parameters
    "../../released/form-2/presence.rs" presence
    "../../released/form-2/response-headers.rs" response_headers
    "../../released/form-2/responses.rs" responses
    "../../released/form-2/shared-error.rs" shared_error
    "../../released/form-2/streams.rs" streams
    "../../released/form-2/tuple.rs" tuple
    "../../released/form-2/webhooks.rs" kinds
}

struct Keys;

impl DefaultApi for Keys {
    async fn list_keys(
        &self,
        _: Context,
        _: ListKeysRequest,
    ) -> Result<ListKeysResponse, Error<ListKeysError>> {
        Ok(vec!["a".to_owned()].into())
    }

    async fn add_key(
        &self,
        _: Context,
        _: AddKeyRequest,
    ) -> Result<AddKeyResponse, Error<AddKeyError>> {
        Ok(().into())
    }

    async fn delete_key(
        &self,
        _: Context,
        request: DeleteKeyRequest,
    ) -> Result<DeleteKeyResponse, Error<DeleteKeyError>> {
        let body = Failure::new(
            "unknown".to_owned(),
            format!("there is no {}", request.name),
        );
        let status = bothends_runtime::StatusCode::NOT_FOUND;
        let headers = DeleteKeyErrorHeaders::new().retry_after(30);
        let error = DeleteKeyError::Default { status, body };
        Err(Error::with_headers(error, headers))
    }
}

#[test]
fn both_ends_of_form_2_work() {
    let client = Client::with_transport("http://localhost", InProcess::new(router(Keys)))
        .expect("an address");
    block_on(async {
        let keys = client.list_keys().await.expect("a list");
        assert_eq!(*keys, ["a"]);
        assert_eq!(client.add_key().await.expect("added").status(), 201);
        let error = client.delete_key("b").await.expect_err("no such key");
        assert_eq!(error.status().map(|status| status.as_u16()), Some(404));
        assert_eq!(error.message(), Some("there is no b"));
        let headers = error.documented_headers().expect("a documented error");
        assert_eq!(headers.retry_after, Some(30));
        assert_eq!(
            error.to_string(),
            "deleteKey responded 404 Not Found: there is no b"
        );
    });
}

#[test]
fn unions_of_form_2_are_read_and_written() {
    let text = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/released/form-2/one-of-discriminator.rs"
    ))
    .expect("the module");
    assert!(text.contains("generated_form!(2)"));
    let shape = r#"{"shape_kind":"round","radius":2.5}"#;
    let read: Result<union_types::Shape, _> = bothends_runtime::serde_json::from_str(shape);
    let written = bothends_runtime::serde_json::to_string(&read.expect("a shape")).expect("JSON");
    assert_eq!(written, shape);
}
