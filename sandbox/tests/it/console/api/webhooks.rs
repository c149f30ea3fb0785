//! Subscriptions, events, deliveries, faults, clock, keys and signatures.

use super::super::Console;
use serde_json::{Value, json};

#[tokio::test]
async fn subscriptions_events_and_deliveries_live() {
    let console = Console::start().await;
    let receiver = format!(
        "{}/receivers/{}/mine",
        console.sandbox.console_url(),
        console.project()
    );
    let new = json!({
        "url": receiver,
        "events": ["refreshCompleted", "customersDeleted"],
        "urls": {"customersDeleted": format!("{receiver}?status=400")},
        "headers": [["X-Test", "a value that is a secret"]],
        "signing_token": "a signing token of more than 32 characters",
    });
    let made = console
        .expect(201, "POST", "/subscriptions", Some(new))
        .await;
    assert_eq!(
        (&made["has_signing_token"], &made["signing"]),
        (&json!(true), &json!("token"))
    );
    assert_eq!(
        made["transitions"],
        json!([{"trigger": "deactivate", "to": "inactive"}])
    );
    assert!(
        !made.to_string().contains("a signing token") && !made.to_string().contains("is a secret")
    );
    let path = format!("/subscriptions/{}", made["id"].as_str().expect("an id"));
    let inactive = console
        .expect(200, "POST", &format!("{path}/deactivate"), None)
        .await;
    assert_eq!(
        (&inactive["active"], &inactive["transitions"][0]["trigger"]),
        (&json!(false), &json!("activate"))
    );
    let active = console
        .expect(200, "POST", &format!("{path}/activate"), None)
        .await;
    assert_eq!(active, console.get(&path).await);
    assert_eq!(console.get("/subscriptions").await, json!([active]));
    // A second time changes nothing, which is a choice of the sandbox.
    for (action, is_active) in [
        ("activate", true),
        ("deactivate", false),
        ("deactivate", false),
        ("activate", true),
    ] {
        let path = format!("{path}/{action}");
        let changed = console.expect(200, "POST", &path, None).await;
        assert_eq!(changed["active"], is_active, "{action}");
    }

    let kinds = console.get("/event-kinds").await;
    assert_eq!(kinds.as_array().expect("a list").len(), 8);
    assert!(
        kinds[0]["schema"]["properties"]["data"].is_object(),
        "{}",
        kinds[0]
    );
    let sent = json!({"kind": "refreshCompleted", "set": {"status": "Failed", "result": "provider_failure"}});
    let sent = console.expect(201, "POST", "/events", Some(sent)).await;
    assert_eq!(sent["body"]["data"]["result"], "provider_failure");
    console
        .expect(
            201,
            "POST",
            "/events",
            Some(json!({"kind": "customersDeleted"})),
        )
        .await;
    let advanced = console
        .expect(
            200,
            "POST",
            "/clock/advance?wait=settled",
            Some(json!({"milliseconds": 0})),
        )
        .await;
    assert_eq!(advanced["settled"], true);
    assert_eq!(
        console
            .get("/events")
            .await
            .as_array()
            .expect("a list")
            .len(),
        2
    );

    let deliveries = console.get("/deliveries").await;
    let states: Vec<&Value> = deliveries
        .as_array()
        .expect("a list")
        .iter()
        .map(|delivery| &delivery["state"])
        .collect();
    assert_eq!(states, ["dead", "delivered"]);
    let dead = console.get("/deliveries?state=dead").await;
    assert_eq!(
        (&dead[0]["kind"], &dead[0]["reason"]),
        (&json!("customersDeleted"), &json!("rejected"))
    );
    let of_kind = console
        .get("/deliveries?kind=refreshCompleted&limit=1")
        .await;
    let number = of_kind[0]["id"].as_i64().expect("an id");
    let detail = console.get(&format!("/deliveries/{number}")).await;
    assert_eq!(detail["attempts"][0]["status"], 200);
    let replay = console
        .expect(201, "POST", &format!("/deliveries/{number}/replay"), None)
        .await;
    assert_eq!(
        (&replay["replay_of"], &replay["message_id"]),
        (&json!(number), &of_kind[0]["message_id"])
    );
    let replays = console
        .expect(201, "POST", "/replays", Some(json!({"since": 0})))
        .await;
    assert_eq!(replays[0]["replay_of"], dead[0]["id"]);
    assert_eq!(replays.as_array().expect("a list").len(), 1);
    console
        .expect(
            200,
            "POST",
            "/clock/advance?wait=settled",
            Some(json!({"milliseconds": 0})),
        )
        .await;

    let received = console.get("/received?receiver=mine").await;
    assert_eq!(received.as_array().expect("a list").len(), 4);
    let answered = console
        .call(
            "POST",
            &format!(
                "/api/projects/{}/received/{}/respond",
                console.project(),
                received[0]["id"].as_str().expect("an id")
            ),
            Some(json!({"status": 200})),
        )
        .await;
    assert_eq!(answered.status, 409, "{answered:?}");

    let replaced = console
        .expect(200, "PUT", &path, Some(json!({"url": receiver})))
        .await;
    assert_eq!(
        (&replaced["events"], &replaced["has_signing_token"]),
        (&json!([]), &json!(true))
    );
    console.expect(204, "DELETE", &path, None).await;
    assert_eq!(console.get("/subscriptions").await, json!([]));
}

#[tokio::test]
async fn faults_clock_keys_and_signatures() {
    let console = Console::start().await;
    let fault = json!({"target": {"on": "api", "operation": "createToken", "fault": {"type": "latency", "milliseconds": 5}}, "remaining": 3});
    let fault = console.expect(201, "POST", "/faults", Some(fault)).await;
    assert_eq!(
        (&fault["probability"], &fault["hits"], &fault["remaining"]),
        (&json!(1), &json!(0), &json!(3))
    );
    assert_eq!(console.get("/faults").await, json!([fault]));
    let path = format!("/faults/{}", fault["id"].as_str().expect("an id"));
    console.expect(204, "DELETE", &path, None).await;
    assert_eq!(console.get("/faults").await, json!([]));

    let frozen = console.expect(200, "POST", "/clock/freeze", None).await;
    let advanced = console
        .expect(
            200,
            "POST",
            "/clock/advance",
            Some(json!({"milliseconds": 60_000})),
        )
        .await;
    let now = |clock: &Value| clock["now"].as_i64().expect("a time");
    assert_eq!(now(&advanced) - now(&frozen), 60_000);
    assert_eq!(now(&console.get("/clock").await), now(&advanced));
    let running = console.expect(200, "POST", "/clock/resume", None).await;
    assert_eq!(running["frozen"], false);
    assert!(now(&running) >= now(&advanced));

    let keys = console.call("GET", "/api/keys", None).await.json();
    assert_eq!(keys.as_array().expect("a list").len(), 1);
    let rotated = console
        .call(
            "POST",
            "/api/keys/rotate",
            Some(json!({"algorithm": "eddsa"})),
        )
        .await;
    assert_eq!(
        (rotated.status, &rotated.json()["signs"]),
        (201, &json!(true))
    );
    let keys = console.call("GET", "/api/keys", None).await.json();
    assert_eq!(
        (keys.as_array().expect("a list").len(), &keys[1]["signs"]),
        (2, &json!(false))
    );

    let check = json!({
        "body": "{}",
        "headers": [["X-Token-Signature", "00"]],
        "token": "a signing token of more than 32 characters",
    });
    let check = console
        .call("POST", "/api/signature-checks", Some(check))
        .await
        .json();
    assert_eq!(
        (&check["valid"], &check["variant"]),
        (&json!(false), &json!("token"))
    );
    assert_eq!(
        check["difference"],
        "format: has 2 characters, and must have 64"
    );
    let check = json!({"body": "{}", "headers": [], "published": true});
    let check = console
        .call("POST", "/api/signature-checks", Some(check))
        .await
        .json();
    assert_eq!(check["difference"], "header X-Signature: is missing");
}
