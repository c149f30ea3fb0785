//! One type of application state over transports that are chosen while the program runs.

use std::time::Duration;

use bothends_runtime::client::{
    BoxTransport, ClientCore, Error, HyperTransport, InProcess, ProvidedTransport, TimeLimit,
    TimeLimits,
};
use bothends_runtime::{NoError, Streamed};
use bothends_wire_tests::of_streams::client::Client;
use bothends_wire_tests::of_streams::operations::*;
use bothends_wire_tests::of_streams::server::router;
use bothends_wire_tests::of_streams::types::Tick;

use super::streams::{Server, Tap, ticks};

/// What an application keeps: no type parameter says how its client reaches the server.
#[derive(Clone, Debug)]
struct App {
    client: Client<BoxTransport>,
}

/// In process, or over a socket of this machine.
async fn app(socket: bool, tap: &Tap) -> App {
    let router = router(Server(tap.clone()));
    let core = if socket {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
        let listener = listener.expect("a socket");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let service = axum::Router::new().fallback_service(router);
        tokio::spawn(async move { axum::serve(listener, service).await });
        let core = ClientCore::new(&base, HyperTransport::new().expect("a transport"));
        core.expect("a core").boxed()
    } else {
        let core = ClientCore::new("http://localhost", InProcess::new(router));
        core.expect("a core").boxed()
    };
    App {
        client: Client::from_core(core),
    }
}

#[tokio::test]
async fn bodies_pass_through_piece_by_piece() {
    for socket in [false, true] {
        let tap = Tap::default();
        let app = app(socket, &tap).await.clone();
        let written = WriteLogRequest::new(Streamed::from_items(ticks()));
        app.client.write_log(written).await.expect("taken");
        let watched = app.client.watch_ticks().await;
        let mut ticks = watched.expect("ticks").into_inner();
        for n in 1..4 {
            tap.give(n);
            let tick = ticks.next().await.expect("an event").expect("a tick");
            assert_eq!(tick.data, Tick::new(n));
        }
        tap.close();
        assert!(ticks.next().await.is_none());
    }
}

#[tokio::test]
async fn limits_and_their_errors_are_those_of_the_transport() {
    // Connections are taken, and nothing is ever answered.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a socket");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let limits = TimeLimits::default().head(Duration::from_millis(50));
    let core = ClientCore::new(&base, HyperTransport::new().expect("a transport")).expect("a core");
    let client = Client::from_core(core.time_limits(limits).boxed());
    let called = client.read_sequence();
    let error: Error<NoError> = called.await.expect_err("nothing comes");
    let passed = error.timed_out().expect("a limit of time");
    assert_eq!(passed.limit(), TimeLimit::Head);
}

#[tokio::test]
async fn a_server_that_is_not_there_is_an_error_of_the_transport() {
    let base = "http://127.0.0.1:9";
    let transport = BoxTransport::provide(base).expect("a transport");
    let client = Client::with_transport(base, transport).expect("a client");
    let error = client.read_log().await;
    let error = error.expect_err("nobody listens");
    assert!(matches!(error, Error::Transport(_)), "{error}");
    assert_eq!(
        format!("{:?}", App { client }),
        "App { client: Client { core: ClientCore { base: http://127.0.0.1:9/, transport: BoxTransport(…), .. } } }"
    );
}
