//! The pages: signing in, the protection of forms, and what each page shows and changes.

mod forms;
mod legible;
mod links;
mod outcomes;
mod sign_in;

use super::Console;
use super::http::{Reply, send};

const FORM: &str = "application/x-www-form-urlencoded";

/// A browser without JavaScript.
struct Browser {
    console: Console,
    cookie: String,
    csrf: String,
}

/// Returns the value of the first attribute after a text.
fn after<'a>(text: &'a str, start: &str) -> &'a str {
    let (_, rest) = text.split_once(start).expect("the start");
    rest.split_once('"').expect("a quote").0
}

fn encoded(fields: &[(&str, &str)]) -> String {
    url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(fields)
        .finish()
}

/// Opens the form to sign in. Returns its cookie and its token.
async fn sign_in_form(base: &str) -> (String, String) {
    let form = send(base, "GET", "/sign-in", &[], "").await;
    assert_eq!(form.status, 200);
    let cookie = form.header("set-cookie").expect("a cookie");
    for attribute in ["HttpOnly", "SameSite=Strict", "Path=/sign-in"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    let csrf = after(&form.body, "name=\"csrf\" value=\"").to_owned();
    (cookie.split(';').next().expect("a pair").to_owned(), csrf)
}

async fn sign_in(base: &str, password: &str) -> Reply {
    let form = sign_in_form(base).await;
    attempt(base, &form, password, &[]).await
}

/// Submits the form to sign in, which has a cookie and a token, with further cookies.
async fn attempt(base: &str, form: &(String, String), password: &str, more: &[&str]) -> Reply {
    let (cookie, csrf) = form;
    let body = encoded(&[("csrf", csrf), ("password", password)]);
    let cookies = [&[cookie.as_str()], more].concat().join("; ");
    let headers = [("cookie", cookies.as_str()), ("content-type", FORM)];
    send(base, "POST", "/sign-in", &headers, &body).await
}

impl Browser {
    async fn start() -> Self {
        let console = Console::start().await;
        let base = console.sandbox.console_url().to_owned();
        let reply = sign_in(
            &base,
            console.sandbox.console_password().expect("a password"),
        )
        .await;
        assert_eq!(
            (reply.status, reply.header("location")),
            (303, Some("/projects"))
        );
        let cookies = reply.all("set-cookie");
        let session = cookies
            .iter()
            .find(|cookie| cookie.starts_with("sandbox_session="));
        let session = session.expect("a session");
        for attribute in ["HttpOnly", "SameSite=Strict", "Path=/;", "Max-Age=43200"] {
            assert!(session.contains(attribute), "{session}");
        }
        let cookie = session.split(';').next().expect("a pair").to_owned();
        let mut browser = Self {
            console,
            cookie,
            csrf: String::new(),
        };
        let page = browser.get("/projects").await;
        browser.csrf = after(&page, "name=\"csrf\" value=\"").to_owned();
        browser
    }

    async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut all = vec![("cookie", self.cookie.as_str())];
        all.extend_from_slice(headers);
        send(self.console.sandbox.console_url(), method, path, &all, body).await
    }

    async fn get(&self, path: &str) -> String {
        let page = self.send("GET", path, &[], "").await;
        assert_eq!(page.status, 200, "{path}: {page:?}");
        page.body
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Reply {
        let mut all = vec![("csrf", self.csrf.as_str())];
        all.extend_from_slice(fields);
        self.send("POST", path, &[("content-type", FORM)], &encoded(&all))
            .await
    }

    /// Submits a form of the first project, follows the redirect, and expects a notice.
    async fn done(&self, path: &str, fields: &[(&str, &str)], notice: &str) -> String {
        let reply = self.post(&self.path(path), fields).await;
        assert_eq!(reply.status, 303, "{path}: {reply:?}");
        let page = self
            .get(reply.header("location").expect("a location"))
            .await;
        assert!(page.contains(notice), "{path}: {page}");
        page
    }

    fn path(&self, path: &str) -> String {
        format!("/projects/{}{path}", self.console.project())
    }

    async fn page(&self, path: &str) -> String {
        self.get(&self.path(path)).await
    }
}

#[tokio::test]
async fn every_page_has_the_headers_that_protect_it() {
    let browser = Browser::start().await;
    let mut paths = vec!["/projects", "/workbench", "/keys", "/audit", "/calls"]
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>();
    for section in [
        "",
        "/start",
        "/calls",
        "/errors",
        "/deliveries",
        "/events",
        "/events/refreshCompleted",
        "/subscriptions",
        "/credentials",
        "/customers",
        "/tasks",
        "/faults",
        "/clock",
        "/report",
        "/settings",
    ] {
        paths.push(browser.path(section));
    }
    paths.push(browser.path(&format!("/customers/{}", browser.console.first.customer_id)));
    for path in paths {
        let page = browser.send("GET", &path, &[], "").await;
        assert_eq!(page.status, 200, "{path}: {page:?}");
        let policy = page.header("content-security-policy").expect("a policy");
        for part in [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "frame-ancestors 'none'",
            "form-action 'self'",
            "base-uri 'none'",
        ] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(page.header("x-frame-options"), Some("DENY"));
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(page.header("cache-control"), Some("no-store"));
        for part in ["<html lang=\"en\">", "<main ", "href=\"#content\"", "<h1>"] {
            assert!(page.body.contains(part), "{path} lacks {part}");
        }
        assert!(
            !page.body.contains(" style=\"") && !page.body.contains("<style"),
            "{path}"
        );
        assert_eq!(page.body.matches("<script").count(), 1, "{path}");
        // Each form that changes something has the token.
        let forms = page.body.matches("method=\"post\"").count();
        assert_eq!(page.body.matches("name=\"csrf\"").count(), forms, "{path}");
    }
    for (path, kind) in [
        ("/assets/console.css", "text/css"),
        ("/assets/console.js", "text/javascript"),
    ] {
        let asset = send(browser.console.sandbox.console_url(), "GET", path, &[], "").await;
        assert!(
            asset
                .header("content-type")
                .is_some_and(|content_type| content_type.starts_with(kind)),
            "{asset:?}"
        );
    }
    let missing = browser.send("GET", "/projects/none/calls", &[], "").await;
    assert_eq!(missing.status, 404);
    assert!(missing.body.contains("There is no such project."));
}
