//! No secret that a server or a receiver of webhooks gets is in an error, `Debug` output or a span.

use super::petstore;
use super::shown::Shown;
use bothends_runtime::http::Request;
use bothends_runtime::server::{Body, Context, Response};
use bothends_runtime::webhook::{
    HmacSignature, HttpKeys, KeySignature, Receiver, TokenSignature, Verifier,
};
use std::sync::Arc;
use tower_service::Service;

fn secret(name: &str) -> String {
    format!("{name}-S3CRET")
}

/// A request with all kinds of credentials.
fn incoming(path: &str) -> Request<Body> {
    Request::get(format!("{path}?api_key=S3CRET"))
        .header("authorization", "Bearer S3CRET")
        .header("cookie", "sid=S3CRET")
        .header("x-client-id", "S3CRET")
        .header("x-signature", "S3CRET")
        .header("x-signing-id", "key")
        .header("x-token-signature", "S3CRET")
        .header("content-encoding", "identity")
        .body(Body::from("{\"password\":\"S3CRET\"}"))
        .unwrap()
}

#[tokio::test]
async fn servers_show_no_secret() {
    let shown = Shown::default();
    let guard = tracing::subscriber::set_default(shown.clone());
    let hooked = shown.clone();
    let seen = shown.clone();
    let router = petstore::server::router(petstore::store::Store::default())
        .on_failure(move |failure| {
            hooked.debug(failure);
            hooked.text(failure.to_string());
            hooked.error(failure.cause());
        })
        .on_rejection(move |fault| {
            seen.debug(fault);
            None
        });
    shown.debug(&router);
    let asked = shown.clone();
    let look = move |context: &Context| asked.debug(context);
    let open = router.clone().allow_unauthenticated();
    let guarded = router.clone().authenticate(Looking(Arc::new(look)));
    for mut router in [router, open, guarded] {
        for (path, method) in [
            ("/pets", "GET"),
            ("/pets", "POST"),
            ("/pets", "S3CRET"),
            ("/pets/1", "GET"),
            ("/S3CRET", "GET"),
            ("/files/S3CRET.S3CRET", "PUT"),
        ] {
            let mut request = incoming(path);
            *request.method_mut() = method.parse().unwrap();
            let response = router.call(request).await.unwrap();
            shown.text(response.status().to_string());
        }
    }
    drop(guard);
    assert!(shown.search() > 50);
}

type Look = dyn Fn(&Context) + Send + Sync;

struct Looking(Arc<Look>);

impl bothends_runtime::server::Authenticator for Looking {
    fn authenticate<'a>(
        &'a self,
        context: &'a mut Context,
    ) -> bothends_runtime::server::BoxFuture<
        'a,
        Result<(), bothends_runtime::server::Error<bothends_runtime::NoError>>,
    > {
        (self.0)(context);
        Box::pin(std::future::ready(Ok(())))
    }
}

#[derive(Clone)]
struct Nothing;

impl Service<Request<Body>> for Nothing {
    type Response = Response;
    type Error = std::convert::Infallible;
    type Future = std::future::Ready<Result<Response, Self::Error>>;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), Self::Error>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Request<Body>) -> Self::Future {
        std::future::ready(Ok(Response::default()))
    }
}

#[tokio::test(start_paused = true)]
async fn webhooks_show_no_secret() {
    let shown = Shown::default();
    let guard = tracing::subscriber::set_default(shown.clone());
    let url = || {
        "http://user:S3CRET@127.0.0.1:1/keys?key=S3CRET"
            .parse()
            .unwrap()
    };
    let keys = HttpKeys::new(super::api::transport(), url());
    shown.debug(&keys);
    let keys = KeySignature::new(keys);
    shown.debug(&keys);
    let token = TokenSignature::new([secret("signing token of some length")]).unwrap();
    shown.debug(&token);
    let hmac = HmacSignature::github([secret("signing")]).unwrap();
    shown.debug(&hmac);
    if let Err(error) = TokenSignature::new([""]) {
        shown.error(&error);
    }
    if let Err(error) = HmacSignature::svix(["not base64 S3CRET"]) {
        shown.error(&error);
    }
    let verifiers: [Arc<dyn Verifier>; 3] = [Arc::new(keys), Arc::new(token), Arc::new(hmac)];
    for verifier in verifiers {
        let request = incoming("/hook");
        let error = verifier.verify(request.headers(), b"{}").await.unwrap_err();
        shown.error(&error);
        let mut receiver = Receiver::new(Nothing, verifier);
        shown.debug(&receiver);
        let response = receiver.call(incoming("/hook")).await.unwrap();
        let body = response.into_body().collect(1 << 20).await.unwrap();
        shown.text(String::from_utf8(body.to_vec()).unwrap());
    }
    drop(guard);
    assert!(shown.search() > 10);
}
