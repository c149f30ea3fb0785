//! Where webhooks are received, which kind they are, and what becomes of those without a handler.

include_api! { api "webhook-types" }

use super::{Log, response, send, serve, statuses};
use api::webhooks::{self, *};
use bothends_runtime::NoError;
use bothends_runtime::server::{Context, Error};
use bothends_runtime::webhook::{Selector, UnhandledReason, UnhandledWebhook, WebhookRouter};
use bothends_tests::has_python;
use http::StatusCode;
use serde_json::{Value, json};

/// Handles invoices, and leaves pings to the hook.
#[derive(Clone, Default)]
struct Handler(Log);

impl WebhookHandler for Handler {
    async fn invoice_paid(
        &self,
        ctx: Context,
        request: InvoicePaidRequest,
    ) -> Result<InvoicePaidResponse, Error<NoError>> {
        self.0
            .add(format!("paid {} at {}", request.body.amount, ctx.uri()));
        match request.body.amount {
            0 => panic!("nothing is paid"),
            -1 => Err(response(503).into()),
            _ => Ok(InvoicePaidResponse::new(())),
        }
    }

    async fn invoice_voided(
        &self,
        _: Context,
        request: InvoiceVoidedRequest,
    ) -> Result<InvoiceVoidedResponse, Error<NoError>> {
        self.0.add(format!("voided {:?}", request.body.reason));
        Ok(InvoiceVoidedResponse::new(()))
    }
}

type Router = WebhookRouter<Handler, WebhookKind>;

const PAID: &str = r#"{"type":"invoice.paid","amount":7}"#;
const VOIDED: &str = r#"{"type":"invoice.voided"}"#;

/// What comes of requests to a router: their statuses, and what its handler notes.
async fn outcome(
    make: impl FnOnce(Router) -> Router,
    requests: &[(&str, &str)],
) -> (Vec<u64>, Vec<String>) {
    let handler = Handler::default();
    let url = serve(make(webhooks::router(handler.clone()))).await;
    let request = |(path, body): &(&str, &str)| json!({ "path": path, "body": body });
    let responses = send(&url, requests.iter().map(request).collect()).await;
    (statuses(&responses), handler.0.take())
}

#[tokio::test]
async fn a_kind_is_received_at_its_name_below_a_prefix_or_at_a_path_of_its_own() {
    if !has_python("a_kind_is_received_at_its_name_below_a_prefix_or_at_a_path_of_its_own") {
        return;
    }
    let (statuses, notes) = outcome(
        |router| router,
        &[
            ("/invoicePaid", PAID),
            ("/invoice%50aid?x=1", PAID),
            ("/invoicePaid/", PAID),
            ("/", PAID),
        ],
    )
    .await;
    assert_eq!(statuses, [204, 204, 404, 404]);
    assert_eq!(
        notes,
        ["paid 7 at /invoicePaid", "paid 7 at /invoice%50aid?x=1"]
    );

    let (statuses, notes) = outcome(
        |router| router.prefix("/hooks/v1/"),
        &[("/hooks/v1/invoicePaid", PAID), ("/invoicePaid", PAID)],
    )
    .await;
    assert_eq!(statuses, [204, 404]);
    assert_eq!(notes, ["paid 7 at /hooks/v1/invoicePaid"]);

    let (statuses, notes) = outcome(
        |router| {
            let router = router.path(WebhookKind::InvoicePaid, "/paid/{customer}");
            router
                .path(WebhookKind::InvoiceVoided, "voided")
                .prefix("hooks")
        },
        &[
            ("/hooks/paid/42", PAID),
            ("/hooks/paid/", PAID),
            ("/hooks/invoicePaid", PAID),
            ("/hooks/voided", VOIDED),
        ],
    )
    .await;
    assert_eq!(statuses, [204, 404, 404, 204]);
    assert_eq!(notes, ["paid 7 at /hooks/paid/42", "voided None"]);
}

#[tokio::test]
async fn one_url_receives_all_kinds() {
    if !has_python("one_url_receives_all_kinds") {
        return;
    }
    // By the values that the document lists, by names, and by values that the user states.
    let by_type = |router: Router| {
        let selector = Selector::property("type").value("void", WebhookKind::InvoiceVoided);
        router.dispatch("/hooks", selector)
    };
    let requests = [
        ("/hooks", PAID),
        ("/hooks", VOIDED),
        ("/hooks", r#"{"type":"invoicePaid","amount":8}"#),
        ("/hooks", r#"{"type":"void"}"#),
        ("/hooks", r#"{"type":"invoice.moved"}"#),
        ("/hooks", "no JSON"),
        ("/invoicePaid", PAID),
    ];
    let (statuses, notes) = outcome(by_type, &requests).await;
    // The two that name another type than their kind has are taken for that kind, and cannot be decoded.
    assert_eq!(statuses, [204, 204, 400, 400, 404, 404, 404]);
    assert_eq!(notes, ["paid 7 at /hooks", "voided None"]);

    // A property that no kind has a value for: names of kinds.
    let (statuses, notes) = outcome(
        |router| router.dispatch("/", Selector::property("/meta/kind")),
        &[(
            "/",
            r#"{"type":"invoice.paid","amount":7,"meta":{"kind":"invoicePaid"}}"#,
        )],
    )
    .await;
    assert_eq!(
        (statuses, notes),
        (vec![204], vec!["paid 7 at /".to_owned()])
    );
}

#[tokio::test]
async fn a_header_tells_kinds_apart() {
    if !has_python("a_header_tells_kinds_apart") {
        return;
    }
    let handler = Handler::default();
    let selector = Selector::header("X-GitHub-Event").value("paid", WebhookKind::InvoicePaid);
    let url = serve(webhooks::router(handler.clone()).dispatch("/", selector)).await;
    let request = |event: &str, body: &str| json!({ "path": "/", "body": body, "headers": { "x-github-event": event } });
    let requests = vec![
        request("paid", PAID),
        request("invoiceVoided", VOIDED),
        request("other", PAID),
    ];
    let responses = send(&url, requests).await;
    assert_eq!(statuses(&responses), [204, 204, 404]);
    assert_eq!(handler.0.take(), ["paid 7 at /", "voided None"]);
}

#[tokio::test]
async fn errors_of_a_receiver_have_a_plain_body() {
    if !has_python("errors_of_a_receiver_have_a_plain_body") {
        return;
    }
    let handler = Handler::default();
    let failures = Log::default();
    let noted = failures.clone();
    let router = webhooks::router(handler.clone()).body_limit(64);
    let router = router.on_failure(move |failure| noted.add(failure.to_string()));
    let url = serve(router).await;
    let long = format!(
        r#"{{"type":"invoice.paid","amount":7,"x":"{}"}}"#,
        "x".repeat(64)
    );
    let requests = vec![
        json!({ "path": "/nothing", "body": PAID }),
        json!({ "path": "/ping", "body": "{}" }),
        json!({ "path": "/invoicePaid", "body": r#"{"type":"invoice.paid","amount":"7"}"# }),
        json!({ "path": "/invoicePaid", "body": PAID, "headers": { "Content-Type": "text/plain" } }),
        json!({ "path": "/invoicePaid", "body": PAID, "method": "PUT" }),
        json!({ "path": "/invoicePaid", "body": long }),
        json!({ "path": "/invoicePaid", "body": r#"{"type":"invoice.paid","amount":0}"# }),
    ];
    let responses = send(&url, requests).await;
    assert_eq!(statuses(&responses), [404, 404, 400, 415, 405, 413, 500]);
    for response in &responses {
        assert_eq!(response["type"], "application/problem+json");
        let body: Value = serde_json::from_str(response["body"].as_str().unwrap()).unwrap();
        assert_eq!(body["status"], response["status"]);
        assert!(
            !response["body"]
                .as_str()
                .unwrap()
                .contains("nothing is paid")
        );
    }
    let panicked = "invoicePaid failed: the handler panicked: nothing is paid";
    assert_eq!(failures.take(), [panicked]);
    // What is wrong is said by field.
    let body: Value = serde_json::from_str(responses[2]["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["errors"], json!({ "amount": "must be an integer" }));

    // What a handler returns is sent as it is.
    let later = json!({ "path": "/invoicePaid", "body": r#"{"type":"invoice.paid","amount":-1}"# });
    assert_eq!(statuses(&send(&url, vec![later]).await), [503]);
}

#[tokio::test]
async fn webhooks_without_a_handler_go_to_the_hook_with_their_bytes() {
    if !has_python("webhooks_without_a_handler_go_to_the_hook_with_their_bytes") {
        return;
    }
    let log = Log::default();
    let hook = {
        let log = log.clone();
        move |webhook: UnhandledWebhook<WebhookKind>| {
            let reason = match &webhook.reason {
                UnhandledReason::Invalid(fields) => fields[0].field.clone(),
                reason => format!("{reason:?}"),
            };
            let body = String::from_utf8_lossy(&webhook.body).into_owned();
            let kind = webhook.kind.map(|kind| kind.to_string());
            let from = webhook.headers["x-from"].to_str().unwrap().to_owned();
            log.add(format!("{reason} {kind:?} {} {from} {body}", webhook.uri));
            async move {
                match webhook.reason {
                    UnhandledReason::UnknownKind => StatusCode::OK,
                    reason => reason.status(),
                }
            }
        }
    };
    let selector = Selector::property("type").value("ping", WebhookKind::Ping);
    let router = webhooks::router(Handler::default()).dispatch("/hooks", selector);
    let url = serve(router.unhandled(hook)).await;
    let request = |path: &str, body: &str, media: &str| json!({ "path": path, "body": body, "headers": { "x-from": "python", "Content-Type": media } });
    let json = "application/json";
    let broken = r#"{"type" : "invoice.paid"}"#;
    let requests = vec![
        request("/other", "any\tbytes", json),
        request("/hooks", r#"{"type":"invoice.moved"}"#, json),
        request("/hooks", r#"{"type":"ping"}"#, json),
        request("/hooks", broken, json),
        request("/hooks", PAID, "application/xml"),
    ];
    let responses = send(&url, requests).await;
    assert_eq!(statuses(&responses), [200, 200, 404, 400, 415]);
    assert!(responses.iter().all(|response| response["body"] == ""));
    assert_eq!(
        log.take(),
        [
            "UnknownKind None /other python any\tbytes".to_owned(),
            r#"UnknownKind None /hooks python {"type":"invoice.moved"}"#.to_owned(),
            r#"NoHandler Some("ping") /hooks python {"type":"ping"}"#.to_owned(),
            format!(r#"amount Some("invoicePaid") /hooks python {broken}"#),
            format!(r#"UnsupportedMediaType Some("invoicePaid") /hooks python {PAID}"#),
        ]
    );
}

#[tokio::test]
async fn several_lines_of_a_header_are_malformed_or_select_no_kind() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let handler = Handler::default();
    let selector = Selector::header("X-GitHub-Event").value("paid", WebhookKind::InvoicePaid);
    let url = serve(webhooks::router(handler.clone()).dispatch("/", selector)).await;
    let json = "content-type: application/json\r\n";
    let paid = "x-github-event: paid\r\n";
    let other = "x-github-event: invoiceVoided\r\n";
    for (lines, status) in [
        (format!("{json}{paid}"), "204"),
        (format!("{json}{paid}{other}"), "404"),
        (format!("{json}{paid}{paid}"), "404"),
        (format!("{json}{json}{paid}"), "400"),
        (format!("{json}content-type: text/plain\r\n{paid}"), "400"),
        (format!("{json}{paid}host: another\r\n"), "400"),
    ] {
        let length = PAID.len();
        let request = format!(
            "POST / HTTP/1.1\r\nhost: peer\r\nconnection: close\r\ncontent-length: {length}\r\n{lines}\r\n{PAID}"
        );
        let address = url.strip_prefix("http://").unwrap();
        let mut socket = tokio::net::TcpStream::connect(address).await.unwrap();
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        socket.read_to_string(&mut response).await.unwrap();
        let expected = format!("HTTP/1.1 {status} ");
        assert!(response.starts_with(&expected), "{lines}{response}");
    }
    assert_eq!(handler.0.take(), ["paid 7 at /"]);
}
