//! Requests with idempotency keys in both stores: handled once by all processes, whichever of them dies.

#![allow(clippy::unwrap_used, reason = "a test that does so fails")]

use crate::common;

use bothends_delivery::postgres::PostgresStore;
use bothends_delivery::sqlite::{SqliteOptions, SqliteStore};
use bothends_delivery::{DurableIdempotencyStore, ManualClock, Timestamp};
use bothends_runtime::Bytes;
use bothends_runtime::http::header::{AUTHORIZATION, CONTENT_TYPE, SET_COOKIE};
use bothends_runtime::http::{HeaderMap, HeaderValue, Request, StatusCode};
use bothends_runtime::server::{
    Body, BoxFuture, IdempotencyKey, IdempotencyState, IdempotencyStore, Idempotent, Response,
    StoredResponse,
};
use common::postgres::Postgres;
use futures_util::future::join_all;
use std::convert::Infallible;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio_postgres::config::Host;
use tokio_postgres::{Config, NoTls};

const LEASE: Duration = Duration::from_secs(60);
const KEEP: Duration = Duration::from_secs(600);

fn key(text: &str) -> IdempotencyKey {
    IdempotencyKey::of(&[text.as_bytes()])
}

/// A response with headers that occur twice, that are no text, and that are not those of most responses.
fn response() -> StoredResponse {
    let mut headers = HeaderMap::new();
    headers.append(SET_COOKIE, HeaderValue::from_static("a=1"));
    headers.append(SET_COOKIE, HeaderValue::from_static("b=2"));
    headers.insert("x-odd", HeaderValue::from_bytes(b"\xff").unwrap());
    let body = Bytes::from_static(b"\x00\xffcreated");
    StoredResponse::new(StatusCode::CREATED, headers, body)
}

/// Puts keys through their life, in two stores of one database with one clock. `rows` counts the keys that
/// are stored.
async fn live<S>(
    stores: [DurableIdempotencyStore<S>; 2],
    clock: ManualClock,
    rows: impl AsyncFn() -> i64,
) where
    DurableIdempotencyStore<S>: IdempotencyStore + Clone,
{
    let [store, other] = stores.map(|store| store.lease(LEASE).keep(KEEP));
    let at =
        |seconds: u64| clock.set(Timestamp::from_millis(0).after(Duration::from_secs(seconds)));
    let begin = async |store: &DurableIdempotencyStore<S>, name: &str, request: &str| {
        store.begin(&key(name), &key(request)).await.unwrap()
    };
    let completed = |response| IdempotencyState::Completed(response);

    // One request is handled, also if many begin at once in both processes.
    let all = (0..16).map(|n| if n % 2 == 0 { &store } else { &other });
    let begun = join_all(all.map(|store| begin(store, "a", "r"))).await;
    let new = begun
        .iter()
        .filter(|state| **state == IdempotencyState::New);
    assert_eq!(new.count(), 1, "{begun:?}");
    let holder = match begun
        .iter()
        .position(|state| *state == IdempotencyState::New)
    {
        Some(n) if n % 2 == 0 => [&store, &other],
        _ => [&other, &store],
    };
    let [first, second] = holder;
    assert_eq!(begin(first, "a", "r").await, IdempotencyState::InProgress);
    assert_eq!(
        begin(second, "a", "other").await,
        IdempotencyState::Mismatch
    );
    // Only the process that handles the request ends it, and only once.
    for nothing in [None, Some(response())] {
        second.finish(&key("a"), nothing).await.unwrap();
        assert_eq!(begin(second, "a", "r").await, IdempotencyState::InProgress);
    }
    first.finish(&key("a"), Some(response())).await.unwrap();
    first.finish(&key("a"), None).await.unwrap();
    let usual =
        HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("application/json"))]);
    let usual = StoredResponse::new(StatusCode::OK, usual, Bytes::new());
    first.finish(&key("a"), Some(usual.clone())).await.unwrap();
    assert_eq!(begin(first, "a", "r").await, completed(response()));
    assert_eq!(begin(second, "a", "r").await, completed(response()));
    assert_eq!(
        begin(second, "a", "other").await,
        IdempotencyState::Mismatch
    );

    // A failed request is handled again, by whichever process.
    assert_eq!(begin(&store, "b", "r").await, IdempotencyState::New);
    store.finish(&key("b"), None).await.unwrap();
    assert_eq!(begin(&other, "b", "other").await, IdempotencyState::New);
    other.finish(&key("b"), Some(usual.clone())).await.unwrap();
    assert_eq!(begin(&store, "b", "other").await, completed(usual.clone()));

    // The reservation of a process that died ends. If it was only slow, its response is not that of the other.
    assert_eq!(begin(&store, "c", "r").await, IdempotencyState::New);
    at(59);
    assert_eq!(begin(&other, "c", "r").await, IdempotencyState::InProgress);
    at(60);
    assert_eq!(begin(&other, "c", "r2").await, IdempotencyState::New);
    store.finish(&key("c"), Some(response())).await.unwrap();
    assert_eq!(begin(&store, "c", "r2").await, IdempotencyState::InProgress);
    // After its lease, a slow request is finished if no other one was begun.
    at(120);
    other.finish(&key("c"), Some(usual.clone())).await.unwrap();
    assert_eq!(begin(&store, "c", "r2").await, completed(usual));

    // Responses expire, and are deleted when further keys are reserved.
    at(599);
    assert_eq!(begin(&other, "a", "r").await, completed(response()));
    at(600);
    assert_eq!(begin(&other, "a", "r").await, IdempotencyState::New);
    assert_eq!(rows().await, 2, "`b` is deleted");
    at(1_000_000);
    assert_eq!(begin(&store, "d", "r").await, IdempotencyState::New);
    assert_eq!(rows().await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_live_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let clock = ManualClock::new(Timestamp::from_millis(0));
    let open = async || {
        let options = SqliteOptions::new().clock(clock.clone());
        options.open(folder.path().join("db")).await.unwrap()
    };
    let (store, other) = (open().await, open().await);
    let rows = async || {
        let count = "SELECT count(*) FROM bothends_idempotency";
        store
            .transaction(|connection| Ok(connection.query_row(count, [], |row| row.get(0))?))
            .await
            .unwrap()
    };
    live(
        [store.idempotency(), other.idempotency()],
        clock.clone(),
        rows,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_live_in_postgres() {
    let Some(server) = Postgres::start("keys_live_in_postgres") else {
        return;
    };
    let config = server.database().await;
    let clock = ManualClock::new(Timestamp::from_millis(0));
    let open = async || {
        let connected = PostgresStore::connect_with_clock(config.clone(), NoTls, clock.clone());
        connected.await.unwrap().idempotency()
    };
    let rows = async || {
        let (client, connection) = config.connect(NoTls).await.unwrap();
        tokio::spawn(connection);
        let count = "SELECT count(*) FROM bothends_idempotency";
        client.query_one(count, &[]).await.unwrap().get(0)
    };
    live([open().await, open().await], clock.clone(), rows).await;
}

/// Responds with the number of its process, and never to a request with the body `slow`.
#[derive(Clone)]
struct Shop;

impl tower_service::Service<Request<Body>> for Shop {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(async move {
            let body = request.into_body().collect(64).await.unwrap();
            if body == "slow" {
                println!("\nbegun");
                std::future::pending::<()>().await;
            }
            let mut response = Response::new(Body::from(std::process::id().to_string()));
            *response.status_mut() = StatusCode::CREATED;
            let headers = response.headers_mut();
            headers.insert("x-order", HeaderValue::from_static("7"));
            Ok(response)
        })
    }
}

/// The server that is started again and again: this test, run by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn process() {
    let Ok(job) = std::env::var("BOTHENDS_IDEMPOTENCY_PROCESS") else {
        return;
    };
    let mut words = job.split(' ');
    let mut next = || words.next().unwrap();
    let clock = ManualClock::new(Timestamp::from_millis(next().parse().unwrap()));
    match next() {
        "sqlite" => {
            let store: SqliteStore = SqliteOptions::new()
                .clock(clock)
                .open(next())
                .await
                .unwrap();
            listen(store.idempotency()).await;
        }
        _ => {
            let mut config = Config::new();
            config.host_path(next()).user("postgres").dbname(next());
            let store = PostgresStore::connect_with_clock(config, NoTls, clock);
            listen(store.await.unwrap().idempotency()).await;
        }
    }
}

async fn listen<S>(store: DurableIdempotencyStore<S>)
where
    DurableIdempotencyStore<S>: IdempotencyStore + 'static,
{
    let service = Idempotent::new(Shop, store.lease(LEASE), |request| {
        let caller = request.headers.get(AUTHORIZATION)?;
        Some(caller.as_bytes().to_vec())
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("\nport {}", listener.local_addr().unwrap().port());
    let app = axum::Router::new().fallback_service(service);
    axum::serve(listener, app).await.unwrap();
}

/// A process with a server, killed when it is dropped.
struct Server {
    child: Child,
    lines: BufReader<ChildStdout>,
    port: u16,
}

impl Server {
    fn start(seconds: u64, place: &str) -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "idempotency::process", "--nocapture"]);
        let job = format!("{} {place}", seconds * 1000);
        command.env("BOTHENDS_IDEMPOTENCY_PROCESS", job);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        let mut server = Self {
            child,
            lines,
            port: 0,
        };
        server.port = server.line("port ").parse().unwrap();
        server
    }

    /// Waits for a line with this beginning, and returns the rest of it.
    fn line(&mut self, beginning: &str) -> String {
        let lines = self.lines.by_ref().lines().map(Result::unwrap);
        let mut rests = lines.filter_map(|line| Some(line.strip_prefix(beginning)?.to_owned()));
        rests.next().unwrap()
    }

    fn send(&self, key: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(
            stream,
            "POST /orders HTTP/1.1\r\nhost: h\r\nconnection: close\r\nauthorization: me\r\n\
             idempotency-key: {key}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        stream
    }

    /// Sends a request, and returns the status and the whole response.
    fn exchange(&self, key: &str, body: &str) -> (String, String) {
        let mut response = String::new();
        self.send(key, body).read_to_string(&mut response).unwrap();
        (response[9..12].to_owned(), response)
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Two processes at the same time, and a third one an hour later.
fn processes(place: &str) {
    let (mut server, mut other) = (Server::start(0, place), Server::start(0, place));
    let by = |server: &Server| format!("\r\n\r\n{}", server.child.id());
    let (status, first) = server.exchange("\"k\"", "order");
    assert_eq!(status, "201");
    assert!(
        first.contains("x-order: 7") && first.ends_with(&by(&server)),
        "{first}"
    );
    // The same response, byte by byte, but for its date.
    let dateless = |response: &str| {
        let lines = response.lines().filter(|line| !line.starts_with("date: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(dateless(&other.exchange("k", "order").1), dateless(&first));
    assert_eq!(other.exchange("k", "another").0, "422");
    assert!(other.exchange("other", "order").1.ends_with(&by(&other)));

    // A request is being handled, and its process dies.
    let slow = server.send("slow", "slow");
    server.line("begun");
    let (status, busy) = other.exchange("slow", "slow");
    assert_eq!(status, "409");
    assert!(busy.contains("retry-after: 1"), "{busy}");
    server.kill();
    drop(slow);
    assert_eq!(
        other.exchange("slow", "slow").0,
        "409",
        "until the lease ends"
    );
    other.kill();
    let mut later = Server::start(3600, place);
    assert_eq!(dateless(&later.exchange("k", "order").1), dateless(&first));
    let _slow = later.send("slow", "slow");
    later.line("begun");
}

#[test]
fn processes_share_keys_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    processes(&format!("sqlite {}", folder.path().join("db").display()));
}

#[tokio::test(flavor = "multi_thread")]
async fn processes_share_keys_in_postgres() {
    let Some(server) = Postgres::start("processes_share_keys_in_postgres") else {
        return;
    };
    let config = server.database().await;
    let Host::Unix(folder) = &config.get_hosts()[0] else {
        unreachable!("reached by a socket");
    };
    let name = config.get_dbname().unwrap();
    let place = format!("postgres {} {name}", folder.display());
    tokio::task::spawn_blocking(move || processes(&place))
        .await
        .unwrap();
}
