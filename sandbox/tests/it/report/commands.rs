//! The program with `check` and `trigger`.

use super::support::{Fixture, TOKEN, serve};
use axum::http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_financial-data-sandbox");

/// Runs the program against a sandbox.
async fn run(fixture: &Fixture, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(PROGRAM);
    command
        .args(arguments)
        .env("SANDBOX_CONSOLE_URL", fixture.sandbox.console_url())
        .env("SANDBOX_CONSOLE_TOKEN", fixture.sandbox.console_token())
        .envs(environment.iter().copied());
    let output = tokio::task::spawn_blocking(move || command.output());
    output.await.unwrap().unwrap()
}

fn text(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    format!("{}{error}", String::from_utf8_lossy(&output.stdout))
}

#[tokio::test]
async fn the_exit_code_of_check_is_the_verdict() {
    let fixture = Fixture::start().await;
    let silent = run(&fixture, &["check", "--probe"], &[]).await;
    assert_eq!(silent.status.code(), Some(0), "{}", text(&silent));
    assert!(
        text(&silent).contains("not-shown  token-cached"),
        "{}",
        text(&silent)
    );
    // An endpoint that accepts everything: whether it verifies later is not visible.
    let url = serve(axum::Router::new().fallback(|| async { StatusCode::OK })).await;
    let input = json!({"url": url, "signing_token": TOKEN});
    fixture.subscribe(&input).await;
    let project = fixture.project.as_str();
    let alike = run(&fixture, &["check", "--probe", "--project", project], &[]).await;
    assert_eq!(alike.status.code(), Some(0), "{}", text(&alike));
    let not_shown = "not-shown  webhook-signature-verified";
    assert!(text(&alike).contains(not_shown), "{}", text(&alike));
    let require = ["check", "--require", "webhook-signature-verified"];
    let required = run(&fixture, &require, &[]).await;
    assert_eq!(required.status.code(), Some(1), "{}", text(&required));
    let reason = "the required rule `webhook-signature-verified` is not shown: ";
    let printed = String::from_utf8_lossy(&required.stderr);
    assert!(printed.starts_with(reason), "{printed}");
    assert!(printed.contains("The probe sends all kinds"), "{printed}");

    // An endpoint that looks only whether there is a signature.
    let router = axum::Router::new().fallback(|headers: HeaderMap| async move {
        match headers.contains_key("x-token-signature") {
            true => StatusCode::OK,
            false => StatusCode::UNAUTHORIZED,
        }
    });
    let input = json!({"url": serve(router).await, "signing_token": TOKEN});
    fixture.subscribe(&input).await;
    let violated = run(&fixture, &["check", "--probe", "--project", project], &[]).await;
    assert_eq!(violated.status.code(), Some(1), "{}", text(&violated));
    let printed = text(&violated);
    assert!(
        printed.contains("violated   webhook-signature-verified"),
        "{printed}"
    );
    assert!(printed.contains("One rule is violated."), "{printed}");
    let json = run(&fixture, &["check", "--json"], &[]).await;
    assert_eq!(json.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(report["project"], project);
    assert_eq!(report["findings"].as_array().unwrap().len(), 11);
    for wrong in [
        ["check", "--project", "nothing"],
        ["check", "--token", "wrong"],
        ["check", "--require", "no-such-rule"],
    ] {
        let failed = run(&fixture, &wrong, &[]).await;
        assert_eq!(failed.status.code(), Some(2), "{}", text(&failed));
        assert!(text(&failed).starts_with("error: "), "{}", text(&failed));
    }
}

#[tokio::test]
async fn an_event_is_printed_edited_and_sent() {
    let fixture = Fixture::start().await;
    let set = ["--set", "result=provider_timeout", "--set", "count:=3"];
    let print = [&["trigger", "refreshCompleted", "--print"][..], &set].concat();
    let printed = run(&fixture, &print, &[]).await;
    assert_eq!(printed.status.code(), Some(0), "{}", text(&printed));
    let body: Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(body["data"]["result"], "provider_timeout");
    assert_eq!(body["data"]["count"], 3);
    let events = fixture.console("GET", "/events", &Value::Null).await;
    assert_eq!(events, json!([]));

    // Nothing is lost, but nobody receives it.
    let sent = run(&fixture, &["trigger", "customersDeleted"], &[]).await;
    assert_eq!(sent.status.code(), Some(1), "{}", text(&sent));
    assert!(
        text(&sent).contains(": 0 subscriptions\nNo active"),
        "{}",
        text(&sent)
    );
    let url = serve(axum::Router::new().fallback(|| async { StatusCode::OK })).await;
    let input = json!({"url": url, "events": ["refreshCompleted"]});
    fixture.subscribe(&input).await;

    let edit = [
        "trigger",
        "refreshCompleted",
        "--edit",
        "--message-id",
        "m-1",
    ];
    let edit = [&edit[..], &set].concat();
    let editor = [("VISUAL", "sed -i s/provider_timeout/edited/")];
    let edited = run(&fixture, &edit, &editor).await;
    assert_eq!(edited.status.code(), Some(0), "{}", text(&edited));
    assert_eq!(text(&edited), "refreshCompleted m-1: 1 subscription\n");
    let events = fixture.console("GET", "/events", &Value::Null).await;
    let kinds: Vec<&str> = events
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["refreshCompleted", "customersDeleted"]);
    assert_eq!(events[0]["body"]["data"]["result"], "edited");
    assert_eq!(events[0]["body"]["data"]["count"], 3);
    assert_eq!(events[0]["message_id"], "m-1");

    let empty = run(&fixture, &edit, &[("VISUAL", "truncate -s 0")]).await;
    assert_eq!(empty.status.code(), Some(0), "{}", text(&empty));
    let failed = run(&fixture, &edit, &[("VISUAL", "false")]).await;
    assert_eq!(failed.status.code(), Some(2), "{}", text(&failed));
    let unknown = run(&fixture, &["trigger", "nothing"], &[]).await;
    assert_eq!(unknown.status.code(), Some(2), "{}", text(&unknown));
    let events = fixture.console("GET", "/events", &Value::Null).await;
    assert_eq!(events.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn listen_with_once_ends_after_the_first_webhook() {
    let fixture = Fixture::start().await;
    let trigger = async {
        // Until the listener has subscribed, nothing is sent.
        loop {
            let sent = run(&fixture, &["trigger", "refreshCompleted"], &[]).await;
            if sent.status.success() {
                break sent;
            }
        }
    };
    let listen = run(&fixture, &["listen", "--once"], &[]);
    let (listened, triggered) = tokio::join!(listen, trigger);
    assert!(
        text(&triggered).ends_with(": 1 subscription\n"),
        "{}",
        text(&triggered)
    );
    assert_eq!(listened.status.code(), Some(0), "{}", text(&listened));
    assert!(
        text(&listened).contains("refreshCompleted"),
        "{}",
        text(&listened)
    );
    // What is left, and where it is removed.
    let subscriptions = fixture.console("GET", "/subscriptions", &Value::Null).await;
    let id = subscriptions[0]["id"].as_str().unwrap();
    let (console, project) = (fixture.sandbox.console_url(), &fixture.project);
    let left = format!("Remove it at {console}/projects/{project}/subscriptions/{id}\n");
    assert!(text(&listened).ends_with(&left), "{}", text(&listened));
}

#[tokio::test]
async fn a_scenario_file_becomes_a_project() {
    let fixture = Fixture::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("scenario.yaml");
    let file = file.to_str().unwrap();
    std::fs::write(
        file,
        "name: Nightly\nseed: 9\ncustomers:\n  - name: Grace # a comment\n    id: grace\nclock: { frozen: true }\n",
    )
    .unwrap();
    let loaded = run(&fixture, &["scenario", file], &[]).await;
    assert_eq!(loaded.status.code(), Some(0), "{}", text(&loaded));
    let printed = text(&loaded);
    assert!(
        printed.contains("\nCustomer          Grace\nCustomer id       grace\n"),
        "{printed}"
    );
    let project = printed
        .lines()
        .next()
        .unwrap()
        .strip_prefix("Project           ");
    let project = project.unwrap_or_else(|| panic!("{printed}"));
    // The project is that of the file, for other commands too.
    let check = run(&fixture, &["check", "--project", project], &[]).await;
    assert_eq!(check.status.code(), Some(0), "{}", text(&check));

    let again = run(&fixture, &["scenario", file], &[]).await;
    assert_eq!(again.status.code(), Some(2));
    assert!(
        text(&again).contains("A project with this seed exists already."),
        "{}",
        text(&again)
    );
    let replaced = run(&fixture, &["scenario", file, "--replace", "--json"], &[]).await;
    assert_eq!(replaced.status.code(), Some(0), "{}", text(&replaced));
    let replaced: Value = serde_json::from_slice(&replaced.stdout).unwrap();
    assert_eq!(replaced["project"]["id"], project);
    assert!(replaced["project"]["clock"]["frozen_at"].is_i64());

    for (content, error) in [
        (
            "name: A\ncustomers:\n  - nmae: B\n",
            "line 3: customers[0]: unknown field `nmae`",
        ),
        (
            "name: A\nfaults:\n  - target: { on: api, operation: nope, fault: { type: unavailable } }\n",
            "faults[0].",
        ),
        ("name: [\n", "line "),
    ] {
        std::fs::write(file, content).unwrap();
        let wrong = run(&fixture, &["scenario", file], &[]).await;
        assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong));
        let printed = text(&wrong);
        assert!(
            printed.starts_with(&format!("error: {file}: ")) && printed.contains(error),
            "{printed}"
        );
    }
    let missing = run(&fixture, &["scenario", "nothing.yaml"], &[]).await;
    assert!(
        text(&missing).starts_with("error: nothing.yaml: "),
        "{}",
        text(&missing)
    );
}

#[tokio::test]
async fn errors_of_commands_have_the_message_and_the_field() {
    let fixture = Fixture::start().await;
    let project = fixture.project.as_str();
    let folder = tempfile::tempdir().unwrap();
    let body = folder.path().join("body.json");
    let body = body.to_str().unwrap();
    std::fs::write(body, r#"{"data": {"status": 3}}"#).unwrap();
    let trigger = ["trigger", "refreshCompleted", "--project", project];
    let short = ["listen", "--project", project, "--signing-token", "short"];
    for (arguments, parts) in [
        (
            vec!["trigger", "nothing"],
            &[
                "no webhook `nothing`; the webhooks are `",
                " (field `kind`)",
            ][..],
        ),
        (
            [&trigger[..], &["--body", body]].concat(),
            &["integer `3`, expected a string", " (field `body`)"],
        ),
        (
            short.to_vec(),
            &["more than 32 characters", " (field `signing_token`)"],
        ),
        (
            vec!["check", "--project", "none"],
            &["404 Not Found: There is no such project.\n"],
        ),
        (
            vec!["check", "--token", "wrong"],
            &["The token of the console API is missing or wrong.\n"],
        ),
        (
            vec!["check", "--console", "http://127.0.0.1:1"],
            &["cannot connect to the server"],
        ),
        (
            vec!["listen", "--kind", "nothing"],
            &["`nothing`", "it has `"],
        ),
        (
            vec!["listen", "--forward", "ftp://127.0.0.1"],
            &["ftp://127.0.0.1", "not an HTTP URL"],
        ),
    ] {
        let failed = run(&fixture, &arguments, &[]).await;
        let printed = text(&failed);
        assert_eq!(failed.status.code(), Some(2), "{arguments:?}: {printed}");
        assert!(printed.starts_with("error: "), "{arguments:?}: {printed}");
        for part in parts {
            assert!(
                printed.contains(part),
                "{arguments:?} lacks {part}: {printed}"
            );
        }
    }
}
