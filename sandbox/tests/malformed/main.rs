//! Requests that no client means to send: none is the server's fault, and none stays in memory. The
//! allocator counts for the whole process, so this is a program of its own.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

#[allow(dead_code, reason = "the tests of the API use more of it")]
#[path = "../common/database.rs"]
mod database;
#[allow(dead_code, unreachable_pub, reason = "the tests of delivery use it")]
#[path = "../../../delivery/tests/common/postgres.rs"]
mod postgres;
#[allow(dead_code, reason = "the tests of the API use more of it")]
#[path = "../it/api/support.rs"]
mod support;

use bothends_allocations::{Counting, live};
use financial_data_sandbox::Sandbox;
use financial_data_sandbox::model::Activity;
use financial_data_sandbox::seed::Seeded;
use std::fmt::Write as _;
use support::{Client, Connection, start};
use tokio::sync::broadcast::error::RecvError;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const REQUESTS: usize = 10_000;
const CONNECTIONS: usize = 16;
/// By how many bytes the memory in use may grow over all requests: less than one small string for each.
const GROWTH: usize = 32 * REQUESTS;

/// Pseudo-random choices.
struct Choices(fastrand::Rng);

impl Choices {
    fn choose<'v>(&mut self, values: &[&'v str]) -> &'v str {
        values[self.0.usize(..values.len())]
    }

    /// Text with characters that are unusual in headers, paths and bodies.
    fn noise(&mut self, alphabet: &[u8]) -> Vec<u8> {
        let length = self.0.usize(..40);
        (0..length)
            .map(|_| alphabet[self.0.usize(..alphabet.len())])
            .collect()
    }

    /// A request that is wrong in several places, and right often enough to reach the handlers.
    fn request(&mut self, client: &Client) -> (String, Vec<u8>) {
        let method = self.choose(&[
            "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "X",
        ]);
        let mut path = self
            .choose(&[
                "/v1/oauth/token",
                "/v1/oauth/token/",
                "/v1/open-banking/refresh",
                "/v1/open-banking/refresh/",
                "/v1/open-banking/refresh/x",
                "/v1/open-banking/refresh/%",
                "/v1/open-banking/refresh/%ff",
                "/v1/open-banking/refresh/%00",
                "//v1",
                "/",
                "/choices",
                "/v1/open-banking/refresh/a/b",
            ])
            .to_owned();
        if self.0.u8(..4) == 0 {
            let noise = self.noise(b"az09%/?&=+;,.:@!$'()*-_~");
            path += &String::from_utf8_lossy(&noise);
        }
        let mut request = format!("{method} {path} HTTP/1.1\r\nHost: sandbox\r\n").into_bytes();
        let header = |request: &mut Vec<u8>, name: &str, value: &[u8]| {
            request.extend_from_slice(format!("{name}: ").as_bytes());
            request.extend_from_slice(value);
            request.extend_from_slice(b"\r\n");
        };
        let bearer = format!("Bearer {}", client.access);
        let alphabet = b"az09 \t\xff\xe9%\"'<>{}[]=,;:_-";
        for (name, right) in [
            ("Authorization", [bearer.as_str(), client.basic.as_str()]),
            ("X-Client-Id", [client.client_id.as_str(), ""]),
            (
                "X-Customer-Id",
                ["customer-success", "customer-connection-status"],
            ),
            ("X-Customer-Secret", ["x", ""]),
            ("X-Sandbox-Result", ["success", "provider_timeout"]),
            ("X-Sandbox-Error", ["internal_error", ""]),
            (
                "Content-Type",
                ["application/json", "application/x-www-form-urlencoded"],
            ),
            ("Accept", ["*/*", "text/html"]),
            ("Content-Encoding", ["gzip", "identity"]),
        ] {
            match self.0.u8(..8) {
                0..3 => header(&mut request, name, self.choose(&right).as_bytes()),
                3 => {
                    let noise = self.noise(alphabet);
                    header(&mut request, name, &noise);
                }
                _ => {}
            }
        }
        let body = match self.0.u8(..4) {
            0 => self.noise(b"az09{}[]\",:\\\xff\xc3\x28 \n%&=+"),
            1 => "[".repeat(self.0.usize(..300)).into_bytes(),
            _ => self
                .choose(&[
                    "",
                    "{}",
                    "[]",
                    "null",
                    "{\"provider\":{}}",
                    "{\"provider\":\"provider-provider-failure\"}",
                    "grant_type=client_credentials",
                    "grant_type=refresh_token",
                    "grant_type=%ff&refresh_token=%",
                    "grant_type=refresh_token&refresh_token=fdrt__",
                    "grant_type[]=a&grant_type=b",
                    "\u{0}",
                ])
                .as_bytes()
                .to_vec(),
        };
        let mut end = String::new();
        write!(end, "Content-Length: {}\r\n\r\n", body.len()).unwrap();
        request.extend_from_slice(end.as_bytes());
        request.extend_from_slice(&body);
        (method.to_owned(), request)
    }
}

async fn run(sandbox: &Sandbox, client: &Client, seed: u64) -> [usize; 5] {
    let mut choices = Choices(fastrand::Rng::with_seed(seed));
    let mut connection = Connection::open(sandbox).await;
    let mut classes = [0; 5];
    for _ in 0..REQUESTS / CONNECTIONS {
        let (method, request) = choices.request(client);
        let reply = connection.raw(&request, &method).await;
        let Some(reply) = reply else {
            connection = Connection::open(sandbox).await;
            continue;
        };
        let shown = String::from_utf8_lossy(&request);
        assert!(reply.status < 500, "{shown}\n{reply:?}");
        classes[usize::from(reply.status / 100)] += 1;
        if reply.status >= 400 && !reply.body.is_empty() {
            assert!(reply.json()["code_id"].is_string(), "{shown}\n{reply:?}");
        }
        if reply.header("connection") == Some("close")
            || reply.status == 400 && reply.body.is_empty()
        {
            connection = Connection::open(sandbox).await;
        }
    }
    classes
}

/// Sends all requests, and waits until the log of calls is written. Returns the bytes in use.
async fn round(sandbox: &Sandbox, seeded: &Seeded, round: u64) -> usize {
    let mut client = Client::open(sandbox, seeded).await;
    let first = round * CONNECTIONS as u64;
    let runs = (first..first + CONNECTIONS as u64).map(|seed| run(sandbox, &client, seed));
    let classes = futures_util::future::join_all(runs).await;
    let total = classes.iter().fold([0; 5], |total, run| {
        std::array::from_fn(|class| total[class] + run[class])
    });
    println!("responses by class: {total:?}");
    assert!(total[2] > 100 && total[4] > 1000, "{total:?}");
    assert!(total.iter().sum::<usize>() > REQUESTS * 9 / 10, "{total:?}");

    let mut log = sandbox.app().recorder.watch();
    let last = format!("/v1/open-banking/refresh/last-{round}");
    client.call("GET", &last, &[], "").await;
    loop {
        match log.recv().await {
            Ok(Activity::Call(call)) if call.path == last => break,
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => panic!("the log ended"),
        }
    }
    live()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_requests_are_never_the_servers_fault_and_leave_nothing_in_memory() {
    let (sandbox, seeded) = start().await;
    // The first round fills what is kept on purpose, such as connections and prepared statements.
    let before = round(&sandbox, &seeded, 0).await;
    let after = round(&sandbox, &seeded, 1).await;
    println!("bytes in use: {before}, then {after}");
    assert!(after < before + GROWTH, "{before} bytes, then {after}");
    sandbox.stop().await;
}
