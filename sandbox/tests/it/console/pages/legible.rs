//! What makes pages easier to read: relative times, grouped errors, honest charts, colours, and code in
//! texts.

use super::super::http::send;
use super::{Browser, FORM};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use financial_data_sandbox::app::App;
use financial_data_sandbox::model::Call;
use financial_data_sandbox::store::Changes;
use serde_json::{Value, json};

/// Returns a call that a project has in its log.
fn call(project: &str, number: i64, at: i64, status: Option<u16>) -> Call {
    let call = json!({
        "project": project, "id": format!("call-{number:06}"), "at": at, "project_time": at,
        "microseconds": 1, "operation": "createToken", "method": "POST", "path": "/v1/oauth/token",
        "request_headers": [], "request_body": "", "status": status, "response_headers": [],
        "response_body": "{}", "checks": [],
    });
    serde_json::from_value(call).expect("a call")
}

#[tokio::test]
async fn times_are_relative_to_the_clock_they_are_of() {
    let browser = Browser::start().await;
    let console = &browser.console;
    console.expect(200, "POST", "/clock/freeze", None).await;
    browser
        .post(
            &browser.path("/customers"),
            &[("name", "Ada"), ("id", "ada")],
        )
        .await;
    for (milliseconds, text) in [
        (0, "now"),
        (60_000, "1 minute ago"),
        (7_200_000, "2 hours ago"),
    ] {
        if milliseconds > 0 {
            let advance = json!({ "milliseconds": milliseconds });
            console
                .expect(200, "POST", "/clock/advance", Some(advance))
                .await;
        }
        let page = browser.page("/customers/ada").await;
        let times: Vec<&str> = page.split("<time ").skip(1).collect();
        // A clock that stands does not let the age grow.
        let whole = |time: &&str| {
            time.starts_with("datetime=\"20")
                && !time.contains("data-age")
                && time.contains(&format!(" UTC\">{text}</time>"))
        };
        assert!(times.iter().any(whole), "{text}: {page}");
    }
}

#[tokio::test]
async fn errors_are_grouped_and_lead_to_their_calls() {
    let browser = Browser::start().await;
    let first = &browser.console.first;
    let basic = STANDARD.encode(format!("{}:{}", first.client_id, first.client_secret));
    let authorization = format!("Basic {basic}");
    let headers = [
        ("authorization", authorization.as_str()),
        ("content-type", FORM),
    ];
    let api = browser.console.sandbox.api_url();
    let mut activity = browser.console.sandbox.app().recorder.watch();
    for (method, path, status) in [
        ("POST", "/v1/oauth/token", 400),
        ("POST", "/v1/oauth/token", 400),
        ("GET", "/v1/nothing", 404),
    ] {
        let reply = send(api, method, path, &headers, "grant_type=unknown").await;
        assert_eq!(reply.status, status, "{reply:?}");
        let _ = activity.recv().await;
    }
    let page = browser.page("/errors").await;
    let rows: Vec<&str> = page.split("<tr>").skip(2).collect();
    assert_eq!(rows.len(), 2, "{page}");
    let [token, other] = rows[..] else {
        unreachable!()
    };
    assert!(
        token.contains(">createToken</a>") && token.contains(">2</td>"),
        "{token}"
    );
    assert!(
        other.contains("none of the document") && other.contains(">1</td>"),
        "{other}"
    );
    for (row, path, count) in [
        (token, "/v1/oauth/token</a>", 2),
        (other, "/v1/nothing</a>", 1),
    ] {
        let link = super::after(row, "href=\"").replace("&amp;", "&");
        let calls = browser.get(&link).await;
        assert_eq!(
            calls.matches("<tr data-id=").count(),
            count,
            "{link}: {calls}"
        );
        assert_eq!(calls.matches(path).count(), count, "{link}: {calls}");
    }
}

#[tokio::test]
async fn a_full_log_is_said_to_lack_what_was_before() {
    let browser = Browser::start().await;
    let console = &browser.console;
    let hint = "The log keeps the last 5,000 of a project.";
    let now = App::system_now();
    let store = &console.sandbox.app().store;
    let mut changes = Changes::new();
    for number in 0..4_999 {
        changes.insert(&call(
            console.project(),
            number,
            now - 5_000 + number,
            Some(200),
        ));
    }
    store.commit(changes).await.expect("a commit");
    let page = browser.page("").await;
    assert!(
        page.contains("Calls: 4999 without error, 0 with an error"),
        "{page}"
    );
    assert!(!page.contains(hint), "{page}");
    assert_eq!(console.get("/statistics").await.get("calls_since"), None);
    let mut changes = Changes::new();
    changes.insert(&call(console.project(), 4_999, now - 1, None));
    store.commit(changes).await.expect("a commit");
    let page = browser.page("").await;
    assert!(
        page.contains("Calls: 4999 without error, 1 with an error"),
        "{page}"
    );
    assert!(
        page.contains(hint) && page.contains(">5,000</span><span>0</span>"),
        "{page}"
    );
    let statistics = console.get("/statistics").await;
    assert_eq!(
        (&statistics["calls_since"], statistics.get("webhooks_since")),
        (&json!(now - 5_000), None)
    );
    // Nothing is missing in the time after the oldest call.
    let later = console
        .get(&format!("/statistics?since={}", now - 3_000))
        .await;
    assert_eq!(later.get("calls_since"), None::<&Value>);
}

#[tokio::test]
async fn colours_are_chosen_without_javascript() {
    let browser = Browser::start().await;
    let base = browser.console.sandbox.console_url();
    let next = browser.path("/calls?minutes=5");
    let page = browser.get(&next).await;
    assert!(
        page.contains(&format!("name=\"next\" value=\"{next}\"")),
        "{page}"
    );
    for (scheme, cookie, colours) in [
        ("dark", "dark", ["color-scheme: dark;", "@media all {"]),
        (
            "light",
            "light",
            ["color-scheme: light;", "@media not all {"],
        ),
        (
            "<b>",
            "system",
            [
                "color-scheme: light dark;",
                "@media (prefers-color-scheme: dark) {",
            ],
        ),
    ] {
        let fields = [("scheme", scheme), ("next", next.as_str())];
        let reply = browser.post("/scheme", &fields).await;
        assert_eq!(
            (reply.status, reply.header("location")),
            (303, Some(next.as_str()))
        );
        let set = reply.header("set-cookie").expect("a cookie");
        let pair = format!("sandbox_scheme={cookie}");
        assert!(set.starts_with(&format!("{pair}; Path=/; ")), "{set}");
        // Pages for strangers have the colours too.
        let style = send(base, "GET", "/assets/console.css", &[("cookie", &pair)], "").await;
        assert_eq!(style.header("vary"), Some("cookie"));
        for part in colours {
            assert!(style.body.contains(part), "{scheme} lacks {part}");
        }
    }
    for elsewhere in ["//example.com/", "/\\example.com", "https://example.com"] {
        let fields = [("scheme", "dark"), ("next", elsewhere)];
        let reply = browser.post("/scheme", &fields).await;
        assert_eq!(reply.header("location"), Some("/projects"), "{elsewhere}");
    }
    let forged = [("cookie", browser.cookie.as_str()), ("content-type", FORM)];
    let forged = send(base, "POST", "/scheme", &forged, "scheme=dark").await;
    assert_eq!(forged.status, 403);
}

#[tokio::test]
async fn names_in_texts_are_code() {
    let browser = Browser::start().await;
    let page = browser.page("/report").await;
    assert!(
        page.contains("The client sends <code>X-Client-Id</code> with every request."),
        "{page}"
    );
    let fields = [("kind", "single"), ("outcome", "a <b>")];
    let notice = "<code>a &lt;b&gt;</code> is neither <code>success</code> nor a code";
    browser.done("/payments", &fields, notice).await;
}
