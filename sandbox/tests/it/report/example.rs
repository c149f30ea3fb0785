//! The example client survives every fault, and breaks no rule.

use super::support::{Fixture, TOKEN, serve, verdicts};
use example_sandbox_client::{Service, Settings, Signatures};
use financial_data_sandbox::conformance::Verdict;
use serde_json::{Value, json};
use std::time::Duration;

fn service(fixture: &Fixture, customer: &str) -> Service {
    let line = json!({
        "api": fixture.sandbox.api_url(),
        "client_id": fixture.client_id,
        "client_secret": fixture.sandbox.first().unwrap().client_secret,
        "customer_id": customer,
    });
    let settings = Settings::from_ready_json(&line.to_string()).unwrap();
    let service = Service::new(&settings).unwrap();
    service.poll_interval(Duration::from_millis(200))
}

/// Subscribes the client's endpoint, one URL for each kind.
async fn receive(fixture: &Fixture, service: &Service, signatures: Signatures) {
    let url = serve(service.webhooks("/hooks", signatures).unwrap()).await;
    let input = json!({
        "urls": {
            "refreshCompleted": format!("{url}/hooks/refreshCompleted"),
            "singlePaymentStatusUpdated": format!("{url}/hooks/singlePaymentStatusUpdated"),
        },
        "events": ["refreshCompleted", "singlePaymentStatusUpdated"],
        "signing_token": TOKEN,
    });
    fixture.subscribe(&input).await;
}

/// Injects a fault into the next calls or webhooks.
async fn inject(fixture: &Fixture, target: Value, hits: u32) {
    let input = json!({"target": target, "remaining": hits});
    fixture.console("POST", "/faults", &input).await;
}

#[tokio::test]
async fn it_survives_every_fault_and_conforms() {
    let fixture = Fixture::start().await;
    let service = service(&fixture, &fixture.customer_id);
    let polled = service.refresh().await.unwrap();
    assert_eq!((polled.failure, polled.by_webhook), (None, false));
    receive(&fixture, &service, Signatures::Token(TOKEN.to_owned())).await;
    let notified = service.refresh().await.unwrap();
    assert_eq!(notified.failure, None);

    let operations = ["startOpenBankingRefresh", "getOpenBankingRefreshStatus"];
    let faults = [
        (json!({"type": "latency", "milliseconds": 100}), 2),
        (json!({"type": "token-expired"}), 1),
        (json!({"type": "internal-error"}), 2),
        (json!({"type": "unavailable"}), 2),
        (json!({"type": "truncated-body"}), 1),
    ];
    for operation in operations {
        for (fault, hits) in &faults {
            let target = json!({"on": "api", "operation": operation, "fault": fault});
            inject(&fixture, target, *hits).await;
            let refreshed = service.refresh().await;
            assert_eq!(refreshed.unwrap().failure, None, "{operation} {fault}");
        }
    }
    let faults = [
        json!({"type": "lost"}),
        json!({"type": "duplicated"}),
        json!({"type": "delayed", "milliseconds": 300}),
        json!({"type": "wrong-key"}),
        json!({"type": "altered-body"}),
        json!({"type": "algorithm-none"}),
    ];
    for fault in faults {
        inject(&fixture, json!({"on": "webhook", "fault": fault}), 1).await;
        let refreshed = service.refresh().await;
        assert_eq!(refreshed.unwrap().failure, None, "{fault}");
    }

    fixture.console("POST", "/report/probe", &Value::Null).await;
    let report = fixture.report().await;
    assert!(report.conforms(), "{report:#?}");
    let shown = [
        "client-id-sent",
        "refresh-token-once",
        "token-cached",
        "unauthorized-retried",
        "unauthorized-retry-bounded",
        "webhook-acknowledged",
        "webhook-signature-verified",
        "webhook-deduplicated",
        "unknown-tolerated",
    ];
    verdicts(&report, Verdict::Ok, &shown);
    assert_eq!(report.unknown, Vec::<String>::new());
    fixture.sandbox.stop().await;
}

#[tokio::test]
async fn it_survives_token_requests_that_fail() {
    let fixture = Fixture::start().await;
    let faults = [
        json!({"type": "internal-error"}),
        json!({"type": "unavailable"}),
        json!({"type": "truncated-body"}),
    ];
    for fault in faults {
        let target = json!({"on": "api", "operation": "createToken", "fault": fault});
        inject(&fixture, target, 1).await;
        let refreshed = service(&fixture, &fixture.customer_id).refresh().await;
        assert_eq!(refreshed.unwrap().failure, None, "{fault}");
    }
    assert!(fixture.report().await.conforms());
}

#[tokio::test]
async fn it_verifies_signatures_by_published_keys() {
    let fixture = Fixture::start().await;
    let patch = json!({"settings": {"signing": "key"}});
    fixture.console("PATCH", "", &patch).await;
    let service = service(&fixture, &fixture.customer_id);
    let keys = format!("{}/.well-known/jwks.json", fixture.sandbox.api_url());
    receive(&fixture, &service, Signatures::Keys(keys)).await;
    let probe = fixture.console("POST", "/report/probe", &Value::Null).await;
    let signatures: Vec<&str> = probe["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["signature"].as_str().unwrap())
        .collect();
    let each = [
        "right",
        "right",
        "wrong-key",
        "altered-body",
        "algorithm-none",
        "missing",
    ];
    assert_eq!(signatures, [each, each].concat());
    let report = fixture.report().await;
    let shown = [
        "webhook-signature-verified",
        "webhook-deduplicated",
        "unknown-tolerated",
    ];
    verdicts(&report, Verdict::Ok, &shown);
}

#[tokio::test]
async fn failures_end_the_refresh_and_are_not_retried() {
    let fixture = Fixture::start().await;
    let failed = service(&fixture, "customer-provider-timeout+ci1")
        .refresh()
        .await
        .unwrap();
    assert_eq!(failed.failure.as_deref(), Some("provider_timeout"));
    let unknown = service(&fixture, "nobody").refresh().await.unwrap_err();
    assert_eq!(unknown.code(), Some("customer_not_found"), "{unknown}");
    // Two later calls show that the client went on.
    for _ in 0..2 {
        service(&fixture, &fixture.customer_id)
            .refresh()
            .await
            .unwrap();
    }
    let report = fixture.report().await;
    verdicts(&report, Verdict::Ok, &["unauthorized-retry-useful"]);
    assert!(report.conforms(), "{report:#?}");
}
