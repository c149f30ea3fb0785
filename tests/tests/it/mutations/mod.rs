//! Bad input on the wire: requests that fit the documents are broken in every way, as bytes, and go
//! through a real HTTP parser to generated servers. Whatever comes, the answer is a success or a
//! documented refusal; never a 5xx, never a panic.
//!
//! `BOTHENDS_MUTATIONS` is how many; `BOTHENDS_SEED` begins another series.

use std::convert::Infallible;

use answer::fault;
use bothends_runtime::server::{Body, Router};
use bothends_tests::in_process::block_on;
use broken::{Dice, LIMIT, request};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use served::{BODIES, CONSTRAINTS, PARAMETERS, SERVICE, Taken, bodies, constraints, parameters};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

mod answer;
mod broken;
pub(crate) mod served;

/// How many requests, where nothing else is said: `.ci/run` asks for 100,000.
const MUTATIONS: usize = 20_000;

/// Sends bytes to a router over a connection of their own, and takes what comes back.
async fn exchange<A: Send + Sync + 'static>(router: Router<A>, bytes: &[u8]) -> Vec<u8> {
    let (mut near, far) = tokio::io::duplex(1 << 20);
    let service = TowerToHyperService::new(Incoming(router));
    let serve = hyper::server::conn::http1::Builder::new()
        .half_close(true)
        .serve_connection(TokioIo::new(far), service);
    let talk = async {
        let mut answer = Vec::new();
        // A server may hang up before it has read everything.
        let _ = near.write_all(bytes).await;
        let _ = near.shutdown().await;
        let _ = near.read_to_end(&mut answer).await;
        answer
    };
    // What the connection itself comes to is told by what was written to it.
    let (_, answer) = tokio::join!(serve, talk);
    answer
}

/// A router behind hyper.
struct Incoming<A: 'static>(Router<A>);

impl<A> Clone for Incoming<A> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<A: Send + Sync + 'static> tower_service::Service<http::Request<hyper::body::Incoming>>
    for Incoming<A>
{
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = bothends_runtime::server::RouteFuture;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), Infallible>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<hyper::body::Incoming>) -> Self::Future {
        self.0.call(request)
    }
}

/// How many of each status.
type Count = std::collections::BTreeMap<String, usize>;

async fn drive<A: Send + Sync + 'static>(
    router: &Router<A>,
    requests: &[(&str, &str)],
    own_shape: bool,
    (dice, count): (&mut Dice, &mut Count),
) {
    let valid = requests[dice.below(requests.len())];
    let bytes = request(valid, dice);
    let answer = exchange(router.clone(), &bytes).await;
    let status = String::from_utf8_lossy(answer.get(9..12).unwrap_or_default()).into_owned();
    *count.entry(status).or_default() += 1;
    let shown = bytes.get(..2000).unwrap_or(&bytes).escape_ascii();
    assert_eq!(fault(&answer, own_shape), None, "{shown}");
}

fn number(name: &str, default: usize) -> usize {
    let value = std::env::var(name).ok().and_then(|text| text.parse().ok());
    value.unwrap_or(default)
}

#[test]
fn broken_requests_are_refused_and_nothing_breaks() {
    let mutations = number("BOTHENDS_MUTATIONS", MUTATIONS);
    let seed = number("BOTHENDS_SEED", 20_240_607);
    let mut dice = Dice((seed as u64).wrapping_mul(2).wrapping_add(1));
    let mut count = Count::new();
    let constraints = constraints::server::router(Taken).body_limit(LIMIT);
    let parameters = parameters::server::router(Taken).body_limit(LIMIT);
    let bodies = bodies::server::router(Taken).body_limit(LIMIT);
    let service = financial_data::server::router(Taken)
        .allow_unauthenticated()
        .body_limit(LIMIT);
    block_on(async {
        for index in 0..mutations {
            let series = (&mut dice, &mut count);
            match index % 4 {
                0 => drive(&constraints, CONSTRAINTS, false, series).await,
                1 => drive(&parameters, PARAMETERS, false, series).await,
                2 => drive(&bodies, BODIES, false, series).await,
                _ => drive(&service, SERVICE, true, series).await,
            }
        }
    });
    println!("seed {seed}, {mutations} requests: {count:?}");
    // The series is worth something: requests got through, and each refusal was met.
    if mutations >= MUTATIONS {
        for status in ["204", "400", "404", "405", "413", "415"] {
            assert!(count.contains_key(status), "no {status}: {count:?}");
        }
    }
}

#[test]
fn unbroken_requests_are_taken() {
    async fn all<A: Send + Sync + 'static>(router: Router<A>, requests: &[(&str, &str)]) {
        for (head, body) in requests {
            let length = body.len();
            let bytes = format!(
                "{head}Host: localhost\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
            );
            let answer = exchange(router.clone(), bytes.as_bytes()).await;
            let answer = String::from_utf8_lossy(&answer);
            assert!(answer.starts_with("HTTP/1.1 204"), "{bytes}\n---\n{answer}");
        }
    }
    block_on(async {
        all(constraints::server::router(Taken), CONSTRAINTS).await;
        all(parameters::server::router(Taken), PARAMETERS).await;
        all(bodies::server::router(Taken), BODIES).await;
        all(
            financial_data::server::router(Taken).allow_unauthenticated(),
            SERVICE,
        )
        .await;
    });
}
