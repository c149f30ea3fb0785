//! Secrets in the log, and whose log a call is in.

use super::log::next;
use super::support::{Client, FORM, JSON, REFRESH, TOKEN, project, start};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use financial_data_sandbox::conformance;

#[tokio::test]
async fn strangers_who_know_the_client_id_write_into_no_log_and_no_report() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let mut log = sandbox.app().recorder.watch();
    let stranger = format!(
        "Basic {}",
        STANDARD.encode(format!("{}:guess", seeded.client_id))
    );
    let id = ("X-Client-Id", seeded.client_id.as_str());
    let (_, family) = client.access.split_once('_').unwrap();
    let family = family.split_once('_').unwrap().0;
    let bearer = format!("Bearer fdat_{family}_0_{}", "x".repeat(43));
    let bearer = ("Authorization", bearer.as_str());
    let refresh = format!("grant_type=refresh_token&refresh_token=fdrt_{family}_0_x");
    let connection = &mut client.connection;
    for (path, headers, body) in [
        (
            TOKEN,
            vec![("Authorization", stranger.as_str()), FORM],
            "grant_type=client_credentials",
        ),
        (TOKEN, vec![id, FORM], refresh.as_str()),
        (
            TOKEN,
            vec![id, FORM, ("X-Sandbox-Error", "unavailable")],
            refresh.as_str(),
        ),
        (REFRESH, vec![id], ""),
        (REFRESH, vec![id, bearer], ""),
        ("/v1/nothing", vec![id, bearer], ""),
    ] {
        connection.send("POST", path, &headers, body).await;
        let call = loop {
            let call = next(&mut log).await;
            if call.status != Some(200) {
                break call;
            }
        };
        assert_eq!(
            (call.project.as_str(), call.client_id.as_deref()),
            ("", None),
            "{call:?}"
        );
    }
    // The client is known by its secret, by each of its tokens, and by one that is spent.
    let spent = client.refresh.clone();
    let basic = client.basic.clone();
    let basic = [("Authorization", basic.as_str())];
    for (n, status) in [200, 401, 401, 404].into_iter().enumerate() {
        match n {
            0 | 1 => client.exchange(&spent).await,
            2 => client.status("x").await,
            _ => {
                client
                    .connection
                    .send("POST", "/v1/nothing", &basic, "")
                    .await
            }
        };
        let call = next(&mut log).await;
        assert_eq!(
            (&call.project, call.status),
            (&seeded.project.id, Some(status))
        );
    }
    let project = project(&sandbox, &seeded.project.id).await;
    while conformance::report(sandbox.app(), &project)
        .await
        .unwrap()
        .calls
        < 5
    {
        tokio::task::yield_now().await;
    }
    let report = conformance::report(sandbox.app(), &project).await.unwrap();
    assert_eq!(report.calls, 5, "the first one obtained the tokens");
    sandbox.stop().await;
}

#[tokio::test]
async fn secrets_in_unusual_places_are_shortened() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let mut log = sandbox.app().recorder.watch();
    let (secret, customer) = (&seeded.client_secret, &seeded.customer_secret);
    let id = seeded.customer_id.as_str();
    // The beginning of the body is cut within the secret.
    let filled = " ".repeat(16 * 1024 - 20);
    let long = " ".repeat(16 * 1024);
    for (path, headers, body) in [
        (
            REFRESH.to_owned(),
            vec![JSON],
            format!(r#"{{"clientSecret":"{secret}"}}"#),
        ),
        (
            REFRESH.to_owned(),
            vec![JSON],
            format!(r#"{{"note":"my{secret}is it"}}"#),
        ),
        (
            REFRESH.to_owned(),
            vec![JSON],
            format!(r#"{{"client_secret":"{secret}"{long}}}"#),
        ),
        (
            REFRESH.to_owned(),
            vec![JSON],
            format!(r#"{{{filled}"a":"{secret}"}}"#),
        ),
        (
            REFRESH.to_owned(),
            vec![JSON, ("X-Customer-Secret", customer)],
            format!(r#"["{customer}"]"#),
        ),
        (
            REFRESH.to_owned(),
            vec![("X-Other", secret.as_str())],
            String::new(),
        ),
        (
            REFRESH.to_owned(),
            vec![("Authorization", secret.as_str())],
            String::new(),
        ),
        (
            format!("{REFRESH}/{secret}?a={secret}&b"),
            vec![],
            String::new(),
        ),
        (
            TOKEN.to_owned(),
            vec![FORM],
            format!("client%5Fsecret={secret}"),
        ),
        (TOKEN.to_owned(), vec![FORM], format!("a%3D{secret}")),
        (
            TOKEN.to_owned(),
            vec![],
            format!("client_id=x&client_secret={secret}"),
        ),
    ] {
        let headers = [&headers[..], &[("X-Customer-Id", id)]].concat();
        client.call("POST", &path, &headers, &body).await;
        let call = loop {
            let call = next(&mut log).await;
            if call
                .request_headers
                .iter()
                .any(|(name, _)| name == "x-customer-id")
            {
                break call;
            }
        };
        let text = serde_json::to_string(&*call).unwrap();
        for secret in [secret, customer] {
            let parts = (0..secret.len() - 8).map(|at| &secret[at..at + 8]);
            for part in parts {
                assert!(!text.contains(part), "{part} of {secret}: {text}");
            }
        }
    }
    sandbox.stop().await;
}
