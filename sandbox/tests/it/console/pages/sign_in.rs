//! Signing in and out, and the tokens of forms.

use super::super::Console;
use super::super::http::send;
use super::{Browser, FORM, encoded, sign_in};
use financial_data_sandbox::{Config, Sandbox};

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
async fn failed_attempts_are_limited() {
    let console = Console::start().await;
    let base = console.sandbox.console_url();
    for _ in 0..10 {
        assert_eq!(sign_in(base, "wrong").await.status, 401);
    }
    let password = console.sandbox.console_password().expect("a password");
    let limited = sign_in(base, password).await;
    assert_eq!(limited.status, 429);
    let seconds: u32 = limited
        .header("retry-after")
        .expect("a time")
        .parse()
        .expect("seconds");
    assert!((1..=61).contains(&seconds));
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
