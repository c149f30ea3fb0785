//! Signing in and out, and the tokens of forms.

use super::super::Console;
use super::super::http::{receive, send};
use super::{Browser, FORM, attempt, encoded, sign_in, sign_in_form};
use financial_data_sandbox::{Config, Sandbox};
use tokio::io::{AsyncWriteExt, BufReader};

#[tokio::test]
async fn signing_in_needs_the_password_and_a_form_of_this_site() {
    let console = Console::start().await;
    let base = console.sandbox.console_url();
    for path in [
        "/projects",
        "/audit",
        &format!("/projects/{}/live", console.project()),
    ] {
        let reply = send(
            base,
            "GET",
            path,
            &[("cookie", "sandbox_session=wrong")],
            "",
        )
        .await;
        assert_eq!(
            (reply.status, reply.header("location")),
            (303, Some("/sign-in")),
            "{path}"
        );
    }
    let wrong = sign_in(base, "wrong").await;
    assert_eq!(wrong.status, 401);
    assert!(
        wrong
            .all("set-cookie")
            .iter()
            .all(|cookie| !cookie.starts_with("sandbox_session"))
    );
    assert!(wrong.body.contains("The password is wrong."));
    // Another site knows neither the cookie nor the token.
    let password = console.sandbox.console_password().expect("a password");
    let body = encoded(&[("csrf", "guessed"), ("password", password)]);
    let forged = send(base, "POST", "/sign-in", &[("content-type", FORM)], &body).await;
    assert_eq!(forged.status, 403);
    let cookie = [("content-type", FORM), ("cookie", "sandbox_sign_in=other")];
    assert_eq!(
        send(base, "POST", "/sign-in", &cookie, &body).await.status,
        403
    );
}

#[tokio::test]
async fn guesses_in_parallel_are_limited_and_lock_nobody_else_out() {
    let console = Console::start().await;
    let base = console.sandbox.console_url();
    let password = console.sandbox.console_password().expect("a password");
    let owner = sign_in(base, password).await;
    assert_eq!(owner.status, 303);
    let cookies = owner.all("set-cookie");
    let cookie = |name: &str| {
        let found = cookies.iter().find(|cookie| cookie.starts_with(name));
        found.and_then(|cookie| cookie.split(';').next())
    };
    let browser = cookie("sandbox_browser=").expect("a cookie of the browser");

    let form = sign_in_form(base).await;
    let guesses = (0..200).map(|_| attempt(base, &form, "guess", &[]));
    let guesses = futures_util::future::join_all(guesses).await;
    let count = |status| {
        guesses
            .iter()
            .filter(|reply| reply.status == status)
            .count()
    };
    // 401 is the response to a password that was looked at.
    assert_eq!((count(401), count(429)), (10, 190));
    let limited = attempt(base, &form, password, &[]).await;
    assert_eq!(limited.status, 429);
    let seconds = limited.header("retry-after").expect("a time");
    assert!((1..=61).contains(&seconds.parse::<u32>().expect("seconds")));

    // The owner shares the address with the stranger, and is known by the cookie. Nobody can make one up.
    let again = attempt(base, &form, password, &[browser]).await;
    assert_eq!(again.status, 303);
    let made_up = attempt(base, &form, password, &["sandbox_browser=made-up"]).await;
    assert_eq!(made_up.status, 429);
    // The attempts of a stolen cookie are limited too.
    for _ in 0..10 {
        assert_eq!(attempt(base, &form, "guess", &[browser]).await.status, 401);
    }
    assert_eq!(attempt(base, &form, "guess", &[browser]).await.status, 429);

    let log = console.call("GET", "/api/audit", None).await.json();
    let log = log.as_array().expect("a list");
    let failed = log.iter().filter(|entry| entry["action"] == "signInFailed");
    let failed: Vec<_> = failed.collect();
    assert_eq!(failed.len(), 20);
    assert!(failed.iter().all(|entry| entry["actor"] == "stranger"));
    assert_eq!(failed[19]["detail"], "address 127.0.0.1");
}

/// Other loopback addresses than the first can be used without configuration on Linux only.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn another_address_has_attempts_of_its_own() {
    let console = Console::start().await;
    let base = console.sandbox.console_url();
    let form = sign_in_form(base).await;
    for _ in 0..10 {
        assert_eq!(attempt(base, &form, "guess", &[]).await.status, 401);
    }
    let password = console.sandbox.console_password().expect("a password");
    assert_eq!(attempt(base, &form, password, &[]).await.status, 429);
    let body = encoded(&[("csrf", &form.1), ("password", password)]);
    let request = format!(
        "POST /sign-in HTTP/1.1\r\nhost: sandbox\r\ncookie: {}\r\ncontent-type: {FORM}\r\n\
         content-length: {}\r\n\r\n{body}",
        form.0,
        body.len()
    );
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket
        .bind("127.0.0.2:0".parse().unwrap())
        .expect("an address");
    let server = base.strip_prefix("http://").unwrap().parse().unwrap();
    let mut stream = socket.connect(server).await.expect("a connection");
    stream
        .write_all(request.as_bytes())
        .await
        .expect("a request");
    assert_eq!(receive(&mut BufReader::new(stream)).await.status, 303);
}

#[tokio::test]
async fn a_configured_password_replaces_the_stored_one_and_ends_sessions() {
    let directory = tempfile::tempdir().expect("a directory");
    let database = format!("sqlite:{}", directory.path().join("sandbox.db").display());
    let start = async |password: Option<&str>| {
        let config = Config {
            database: Some(database.clone()),
            console_password: password.map(str::to_owned),
            ..Config::default()
        };
        Sandbox::builder()
            .config(config)
            .start()
            .await
            .expect("a sandbox")
    };
    let first = start(None).await;
    let made = first.console_password().expect("a password").to_owned();
    let reply = sign_in(first.console_url(), &made).await;
    let cookie = reply.all("set-cookie")[0]
        .split(';')
        .next()
        .expect("a pair")
        .to_owned();
    first.stop().await;

    let second = start(None).await;
    assert_eq!(second.console_password(), None);
    let page = send(
        second.console_url(),
        "GET",
        "/projects",
        &[("cookie", &cookie)],
        "",
    )
    .await;
    assert_eq!(
        page.status, 200,
        "the session lasts longer than the process"
    );
    second.stop().await;

    let third = start(Some("chosen by a person")).await;
    let page = send(
        third.console_url(),
        "GET",
        "/projects",
        &[("cookie", &cookie)],
        "",
    )
    .await;
    assert_eq!(page.status, 303, "the session has ended");
    assert_eq!(sign_in(third.console_url(), &made).await.status, 401);
    assert_eq!(
        sign_in(third.console_url(), "chosen by a person")
            .await
            .status,
        303
    );
    third.stop().await;
}

#[tokio::test]
async fn forms_need_the_token_of_the_session() {
    let browser = Browser::start().await;
    let count = async || {
        let projects = browser
            .console
            .call("GET", "/api/projects", None)
            .await
            .json();
        projects.as_array().expect("a list").len()
    };
    for csrf in ["", "csrf=wrong&"] {
        let body = format!("{csrf}name=Forged");
        let reply = browser
            .send("POST", "/projects", &[("content-type", FORM)], &body)
            .await;
        assert_eq!(reply.status, 403, "{reply:?}");
    }
    assert_eq!(count().await, 1);
    assert_eq!(
        browser.post("/projects", &[("name", "Real")]).await.status,
        200
    );
    assert_eq!(count().await, 2);
    // The token of the API is no session, and the session is no token of the API.
    let reply = browser.send("GET", "/api/projects", &[], "").await;
    assert_eq!(reply.status, 401);
    let token = format!("Bearer {}", browser.console.sandbox.console_token());
    let base = browser.console.sandbox.console_url();
    let reply = send(base, "GET", "/projects", &[("authorization", &token)], "").await;
    assert_eq!(reply.status, 303);

    let out = browser.post("/sign-out", &[]).await;
    assert_eq!(
        (out.status, out.header("location")),
        (303, Some("/sign-in"))
    );
    assert_eq!(browser.send("GET", "/projects", &[], "").await.status, 303);
}
