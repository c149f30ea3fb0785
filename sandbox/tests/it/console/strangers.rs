//! What callers without a session, a token or a secret can do to the program.

use super::Console;
use super::http::{Reply, open, receive};
use tokio::io::AsyncReadExt;

/// Announces a body of 63 MB and sends the beginning of it, then waits for the response.
async fn begun(base: &str, method: &str, path: &str, content_type: &str, sent: usize) -> Reply {
    let mut request = format!(
        "{method} {path} HTTP/1.1\r\nhost: sandbox\r\ncontent-length: 63000000\r\n\
         content-type: {content_type}\r\n\r\n"
    );
    if content_type.starts_with("multipart") {
        request += "--b\r\ncontent-disposition: form-data; name=\"password\"\r\n\r\n";
    }
    request += &"x".repeat(sent);
    receive(&mut open(base, request.as_bytes()).await).await
}

#[tokio::test]
async fn the_form_to_sign_in_is_at_most_16_kib() {
    let console = Console::start().await;
    let base = console.sandbox.console_url();
    for content_type in [
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=b",
    ] {
        // The rest is never sent, so only a server that does not wait for it responds.
        let reply = begun(base, "POST", "/sign-in", content_type, 17 << 10).await;
        assert_eq!(reply.status, 413, "{content_type}: {reply:?}");
    }
}

#[tokio::test]
async fn large_bodies_are_read_of_known_callers_only() {
    let console = Console::start().await;
    let (base, id) = (console.sandbox.console_url(), console.project());
    let form = "application/x-www-form-urlencoded";
    for (method, path, content_type, status) in [
        ("POST", format!("/projects/{id}/snapshot"), form, 303),
        (
            "POST",
            "/projects".to_owned(),
            "multipart/form-data; boundary=b",
            303,
        ),
        ("POST", "/sign-out".to_owned(), form, 303),
        (
            "PUT",
            format!("/api/projects/{id}/snapshot"),
            "application/json",
            401,
        ),
        ("POST", "/api/projects".to_owned(), "application/json", 401),
        (
            "POST",
            "/receivers/none/name".to_owned(),
            "application/json",
            404,
        ),
    ] {
        let reply = begun(base, method, &path, content_type, 0).await;
        assert_eq!(reply.status, status, "{path}: {reply:?}");
    }
    // The log of calls has the first 16 KiB of a body.
    let api = console.sandbox.api_url();
    for path in ["/v1/oauth/token", "/v1/open-banking/refresh"] {
        let reply = begun(api, "POST", path, form, 16 << 10).await;
        assert_eq!(reply.status, 401, "{path}: {reply:?}");
    }
}

#[tokio::test]
async fn half_heads_are_closed_and_stop_nobody() {
    let console = Console::start().await;
    let bases = [console.sandbox.api_url(), console.sandbox.console_url()];
    let mut halves = Vec::new();
    for base in bases {
        for _ in 0..100 {
            halves.push(open(base, b"POST /v1/oauth/token HTTP/1.1\r\nhost: s").await);
        }
    }
    for base in bases {
        let mut stream = open(base, b"GET /healthz HTTP/1.1\r\nhost: s\r\n\r\n").await;
        assert_eq!(receive(&mut stream).await.status, 200);
    }
    // From here, the time passes while everybody waits.
    tokio::time::pause();
    for half in &mut halves {
        let mut rest = Vec::new();
        // Without a limit of time, this never ends.
        half.read_to_end(&mut rest).await.expect("the end");
        assert_eq!(rest, b"");
    }
}
