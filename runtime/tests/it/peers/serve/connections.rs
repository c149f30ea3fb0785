//! Heads, idle connections, the number of connections, and the shutdown.

use super::*;

#[tokio::test(start_paused = true)]
async fn half_heads_and_silent_connections_are_closed() {
    let (connector, pipes) = pipes();
    start(serve(pipes, Paths::default()));
    let settings = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
    let begin = [
        "",
        "G",
        "GET / HTTP/1.1\r\n",
        "GET / HTTP/1.1\r\nhost: peer\r\n",
        "PRI * HTTP/2.0\r\n",
        settings,
    ];
    for sent in begin {
        let mut pipe = connector.connect();
        pipe.write_all(sent.as_bytes()).await.unwrap();
        let (_, seconds) = until_closed(&mut pipe).await;
        assert_eq!(seconds, 10, "{sent:?}");
    }
    // All at once, as an attacker would.
    let mut all = Vec::new();
    for _ in 0..400 {
        let mut pipe = connector.connect();
        pipe.write_all(b"GET / HTTP/1.1\r\nhost: p").await.unwrap();
        all.push(pipe);
    }
    let begun = Instant::now();
    for pipe in &mut all {
        until_closed(pipe).await;
    }
    assert_eq!(begun.elapsed().as_secs(), 10);
}

#[tokio::test(start_paused = true)]
async fn a_head_that_drips_is_closed_and_idle_connections_too() {
    let (connector, pipes) = pipes();
    start(serve(pipes, Paths::default()));
    // A byte a second: the time of a head does not begin again with each byte.
    let mut pipe = connector.connect();
    let begun = Instant::now();
    while pipe.write_all(b"a").await.is_ok() {
        sleep(Duration::from_secs(1)).await;
    }
    assert!(begun.elapsed().as_secs() <= 11);

    let mut pipe = connector.connect();
    pipe.write_all(GET.as_bytes()).await.unwrap();
    assert!(hello(&mut pipe).await.starts_with("HTTP/1.1 200 OK\r\n"));
    assert_eq!(until_closed(&mut pipe).await.1, 60);

    // The connection is kept within the limit, and the next head has its own time.
    let mut pipe = connector.connect();
    for _ in 0..3 {
        pipe.write_all(GET.as_bytes()).await.unwrap();
        hello(&mut pipe).await;
        sleep(Duration::from_secs(50)).await;
    }
    pipe.write_all(b"GET /").await.unwrap();
    assert_eq!(until_closed(&mut pipe).await.1, 10);
}

#[tokio::test(start_paused = true)]
async fn limits_are_set_by_the_user() {
    let (connector, pipes) = pipes();
    let server = serve(pipes, Paths::default());
    let server = server.head_timeout(Duration::from_secs(3));
    start(server.idle_timeout(Duration::from_secs(7)));
    let mut pipe = connector.connect();
    assert_eq!(until_closed(&mut pipe).await.1, 3);
    let mut pipe = connector.connect();
    pipe.write_all(GET.as_bytes()).await.unwrap();
    hello(&mut pipe).await;
    assert_eq!(until_closed(&mut pipe).await.1, 7);
}

#[tokio::test(start_paused = true)]
async fn further_connections_wait() {
    let (connector, pipes) = pipes();
    start(serve(pipes, Paths::default()).max_connections(2));
    let mut open = [connector.connect(), connector.connect()];
    for pipe in &mut open {
        pipe.write_all(GET.as_bytes()).await.unwrap();
        hello(pipe).await;
    }
    let mut third = connector.connect();
    third.write_all(GET.as_bytes()).await.unwrap();
    let early = timeout(Duration::from_secs(20), third.read_u8()).await;
    assert!(early.is_err(), "it was accepted");
    let [first, _second] = open;
    drop(first);
    hello(&mut third).await;
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_waits_for_responses_and_closes_idle_connections() {
    let (connector, pipes) = pipes();
    let paths = Paths::default();
    let (stop, stopped) = oneshot::channel::<()>();
    let server = serve(pipes, paths.clone());
    let server = start(server.graceful_shutdown(async { drop(stopped.await) }));
    let mut idle = connector.connect();
    idle.write_all(GET.as_bytes()).await.unwrap();
    hello(&mut idle).await;
    let mut silent = connector.connect();
    let mut busy = connector.connect();
    let wait = GET.replacen('/', "/wait", 1);
    busy.write_all(wait.as_bytes()).await.unwrap();
    paths.entered.notified().await;
    stop.send(()).unwrap();
    assert_eq!(until_closed(&mut idle).await.1, 0);
    assert_eq!(until_closed(&mut silent).await.1, 0);
    sleep(Duration::from_secs(20)).await;
    assert!(!server.is_finished());
    paths.left.notify_one();
    let (response, _) = until_closed(&mut busy).await;
    assert!(response.starts_with("HTTP/1.1 200 OK"), "{response}");
    assert!(response.ends_with("waited"), "{response}");
    server.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_shutdown_has_a_limit() {
    let (connector, pipes) = pipes();
    let paths = Paths::default();
    let (stop, stopped) = oneshot::channel::<()>();
    let server = serve(pipes, paths.clone()).shutdown_timeout(Duration::from_secs(5));
    let server = start(server.graceful_shutdown(async { drop(stopped.await) }));
    let mut busy = connector.connect();
    let wait = GET.replacen('/', "/wait", 1);
    busy.write_all(wait.as_bytes()).await.unwrap();
    paths.entered.notified().await;
    let begun = Instant::now();
    stop.send(()).unwrap();
    server.await.unwrap().unwrap();
    assert_eq!(begun.elapsed().as_secs(), 5);
    let mut rest = Vec::new();
    let _ = busy.read_to_end(&mut rest).await;
    assert!(rest.is_empty());
}

#[tokio::test(start_paused = true)]
async fn http_2_is_served_until_it_is_idle() {
    let (connector, pipes) = pipes();
    start(serve(pipes, Paths::default()));
    let io = hyper_util::rt::TokioIo::new(connector.connect());
    let executor = hyper_util::rt::TokioExecutor::new();
    let (mut sender, connection) = hyper::client::conn::http2::handshake(executor, io)
        .await
        .unwrap();
    let connection = tokio::spawn(connection);
    for path in ["/", "/quiet"] {
        let request = Request::get(format!("http://peer{path}"));
        let request = request.body(Body::empty()).unwrap();
        let response = sender.send_request(request).await.unwrap();
        assert_eq!(response.status(), 200);
        let body = Body::new(response.into_body());
        body.collect(1 << 20).await.unwrap();
    }
    let begun = Instant::now();
    // The server says GOAWAY, and this client obeys.
    connection.await.unwrap().unwrap();
    assert_eq!(begun.elapsed().as_secs(), 60);
    drop(sender);
}

#[tokio::test]
async fn an_axum_router_with_layers_is_served_over_a_socket() {
    async fn named(
        request: axum::extract::Request,
        next: axum::middleware::Next,
    ) -> axum::response::Response {
        let mut response = next.run(request).await;
        let layer = bothends_runtime::http::HeaderValue::from_static("axum");
        response.headers_mut().insert("x-layer", layer);
        response
    }
    async fn peer(request: axum::extract::Request) -> String {
        let peer = request.extensions().get::<SocketAddr>();
        peer.map(ToString::to_string).unwrap_or_default()
    }
    let app = axum::Router::new()
        .route("/peer", axum::routing::get(peer))
        .fallback_service(pets())
        .layer(axum::middleware::from_fn(named));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(listener, app).into_future());
    for (path, status) in [("/peer", 200), ("/pets", 200), ("/none", 404)] {
        let mut socket = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: peer\r\nconnection: close\r\n\r\n");
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        socket.read_to_string(&mut response).await.unwrap();
        assert!(
            response.starts_with(&format!("HTTP/1.1 {status} ")),
            "{response}"
        );
        assert!(response.contains("x-layer: axum\r\n"), "{response}");
        if path == "/peer" {
            let own = socket.local_addr().unwrap().to_string();
            assert!(response.ends_with(&own), "{response}");
        }
    }
}
