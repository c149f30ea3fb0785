//! Calling a generated server without a socket.

use bothends_runtime::server::{Body, Response, Router};
use bytes::Bytes;
use http::{Request, response};
use tower_service::Service;

/// More than any answer of a test holds.
const LIMIT: usize = 16 << 20;

/// Runs a future to its end on this thread.
///
/// # Panics
/// When there can be no runtime, which a test may as well fail of.
#[expect(clippy::unwrap_used, reason = "a test without a runtime has failed")]
pub fn block_on<F: Future>(future: F) -> F::Output {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_all().build().unwrap().block_on(future)
}

/// Asks a router, and takes the whole answer.
///
/// # Panics
/// When the answer breaks off.
#[expect(
    clippy::unwrap_used,
    reason = "an answer that breaks off fails the test"
)]
pub async fn call<A: Send + Sync + 'static>(
    router: &Router<A>,
    request: Request<Body>,
) -> (response::Parts, Bytes) {
    let response: Response = match router.clone().call(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    let (parts, body) = response.into_parts();
    (parts, body.collect(LIMIT).await.unwrap())
}
