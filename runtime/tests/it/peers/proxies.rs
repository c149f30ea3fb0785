//! The default transport through a proxy, written by hand over raw sockets.

use super::api::*;
use super::peer::{Peer, Step};
use super::tls::{Authority, listen, respond};
use bothends_runtime::client::{ClientCore, Error, HyperTransport};
use std::process::Command;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

const DONE: &str = "HTTP/1.1 204 No Content\r\n\r\n";

fn through(proxy: String, url: &str) -> ClientCore<HyperTransport> {
    let transport = HyperTransport::builder().proxy(proxy).build().unwrap();
    ClientCore::new(url, transport).unwrap()
}

/// The URL of a proxy with a user name and a password.
fn with_password(url: &str) -> String {
    url.replace("http://", "http://user:p%40ss@")
}

#[tokio::test]
async fn requests_without_tls_are_forwarded() {
    let proxy = Peer::sending(DONE).await;
    let client = through(proxy.url.clone(), "http://api.example.com/v1");
    client.call(&GetThingRequest::new()).await.unwrap();
    let head = proxy.heads().remove(0).to_lowercase();
    let line = "get http://api.example.com/v1/thing http/1.1\r\n";
    assert!(head.starts_with(line), "{head}");
    assert!(head.contains("\r\nhost: api.example.com\r\n"), "{head}");
    assert!(!head.contains("proxy-authorization"), "{head}");

    let client = through(with_password(&proxy.url), "http://api.example.com");
    client.call(&GetThingRequest::new()).await.unwrap();
    let head = proxy.heads().remove(1);
    // `user:p@ss`
    let credentials = "proxy-authorization: Basic dXNlcjpwQHNz\r\n";
    assert!(head.contains(credentials), "{head}");
}

#[tokio::test]
async fn requests_with_tls_pass_in_a_tunnel() {
    let authority = Authority::new();
    let (server, url) = listen().await;
    let target = server.local_addr().unwrap();
    let acceptor = authority.acceptor(&[]);
    let server = tokio::spawn(async move {
        let (stream, _) = server.accept().await.unwrap();
        respond(acceptor.accept(stream).await.unwrap()).await
    });
    let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let proxy_url = format!("http://{}", proxy.local_addr().unwrap());
    let proxy = tokio::spawn(async move {
        let (mut stream, _) = proxy.accept().await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.unwrap());
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        let mut onward = TcpStream::connect(target).await.unwrap();
        drop(copy_bidirectional(&mut stream, &mut onward).await);
        String::from_utf8(head).unwrap()
    });
    let transport = HyperTransport::builder()
        .proxy(with_password(&proxy_url))
        .tls_config(authority.client())
        .build();
    let client = ClientCore::new(&url, transport.unwrap()).unwrap();
    client.call(&GetThingRequest::new()).await.unwrap();
    drop(client);
    let head = server.await.unwrap();
    // The server sees nothing of the proxy.
    assert!(head.starts_with("GET /thing HTTP/1.1\r\n"), "{head}");
    assert!(!head.to_lowercase().contains("proxy"), "{head}");
    let head = proxy.await.unwrap();
    let port = target.port();
    assert!(
        head.starts_with(&format!("CONNECT localhost:{port} HTTP/1.1\r\n")),
        "{head}"
    );
    assert!(head.contains("Basic dXNlcjpwQHNz\r\n"), "{head}");
}

#[tokio::test]
async fn a_proxy_that_refuses_is_an_error_that_says_so() {
    let refused = "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n";
    let proxy = Peer::new(vec![Step::Send(refused.into()), Step::Stall]).await;
    let stalled = Peer::sending("").await;
    for (proxy, expected) in [
        (proxy.url.clone(), "proxy authorization required"),
        (stalled.url.clone(), "unexpected end of file"),
        ("socks5://127.0.0.1:1".to_owned(), "SOCKS are not supported"),
    ] {
        let client = through(proxy, "https://api.example.com");
        let error = client.call(&GetThingRequest::new()).await.unwrap_err();
        let text = format!("{error:#}");
        assert!(matches!(error, Error::Transport(_)), "{text}");
        assert!(text.contains("cannot connect to the server"), "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

/// The variable that tells a child of this test where the server is.
const TARGET: &str = "BOTHENDS_TEST_TARGET";

/// The environment belongs to the whole process, so each case is a process of its own: this test
/// again, which then makes one call.
#[tokio::test(flavor = "multi_thread")]
async fn proxies_of_the_environment_are_used() {
    if let Ok(target) = std::env::var(TARGET) {
        let client = ClientCore::new(&target, HyperTransport::new().unwrap()).unwrap();
        client.call(&GetThingRequest::new()).await.unwrap();
        return;
    }
    let (proxy, server) = (Peer::sending(DONE).await, Peer::sending(DONE).await);
    let call = async |environment: &[(&str, &str)]| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args([
            "--exact",
            "peers::proxies::proxies_of_the_environment_are_used",
        ]);
        for name in ["HTTP_PROXY", "ALL_PROXY", "NO_PROXY", "REQUEST_METHOD"] {
            command
                .env_remove(name)
                .env_remove(name.to_ascii_lowercase());
        }
        command.env(TARGET, &server.url);
        command.envs(environment.iter().copied());
        let output = tokio::task::spawn_blocking(move || command.output().unwrap());
        let output = output.await.unwrap();
        assert!(output.status.success(), "{output:?}");
        (proxy.heads().len(), server.heads().len())
    };
    let url = proxy.url.as_str();
    assert_eq!(call(&[("HTTP_PROXY", url)]).await, (1, 0));
    assert_eq!(call(&[("all_proxy", url)]).await, (2, 0));
    assert_eq!(
        call(&[("http_proxy", url), ("no_proxy", "127.0.0.1")]).await,
        (2, 1)
    );
    // In a CGI program, a client of the server could set the variable by a header `Proxy`.
    assert_eq!(
        call(&[("HTTP_PROXY", url), ("REQUEST_METHOD", "GET")]).await,
        (2, 2)
    );
}
