//! Signing in and out.

use super::layout;
use super::visit::{COOKIE, Page, Refusal, Submitted, cookie, fields};
use crate::app::Shared;
use crate::console::attempts::Source;
use crate::console::session::{self, LIFETIME, SignIn};
use crate::ids;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use http::{StatusCode, header};
use maud::html;
use std::net::SocketAddr;

/// The cookie of the form, before there is a session.
const FORM_COOKIE: &str = "sandbox_sign_in";
/// The cookie of a browser in which somebody has signed in.
const BROWSER: &str = "sandbox_browser";
/// In seconds.
const YEAR: i64 = 365 * 24 * 60 * 60;

/// The largest form of somebody who is not signed in.
const BODY_LIMIT: usize = 16 << 10;

pub(super) fn routes() -> Router<Shared> {
    let limit = DefaultBodyLimit::max(BODY_LIMIT);
    Router::new()
        .route("/sign-in", get(show).post(submit).layer(limit))
        .route("/sign-out", post(sign_out))
}

async fn show() -> Page {
    form(StatusCode::OK, None)
}

/// Returns the form. Its token is in a cookie too, so that another site cannot submit it.
fn form(status: StatusCode, error: Option<&str>) -> Page {
    let token = ids::secret()?;
    let content = html! {
        @if let Some(error) = error { p.notice.error role="alert" { (error) } }
        form.narrow method="post" action="/sign-in" {
            input type="hidden" name="csrf" value=(token);
            // For password managers, which store a password with a name.
            input type="text" name="username" value="console" autocomplete="username" readonly hidden;
            div.field {
                label for="password" { "Password" }
                input #password type="password" name="password" required autocomplete="current-password";
                p.hint { "The sandbox printed it at its first start." }
            }
            button { "Sign in" }
        }
    };
    let cookie = format!("{FORM_COOKIE}={token}; Path=/sign-in; HttpOnly; SameSite=Strict");
    let headers = AppendHeaders([(header::SET_COOKIE, cookie)]);
    Ok((status, headers, layout::outside("Sign in", &content)).into_response())
}

async fn submit(State(app): State<Shared>, request: Request) -> Page {
    let headers = request.headers();
    let known = cookie(headers, FORM_COOKIE).unwrap_or_default().to_owned();
    let browser = cookie(headers, BROWSER).map(str::to_owned);
    let address = request.extensions().get::<SocketAddr>().map(SocketAddr::ip);
    let fields = fields(request).await?;
    let token = fields.get("csrf").unwrap_or_default();
    if known.is_empty() || verify_slices_are_equal(token.as_bytes(), known.as_bytes()).is_err() {
        return Err(Refusal::Forged);
    }
    let source = Source::new(&app, browser.as_deref(), address).await?;
    let password = fields.text("password").unwrap_or_default();
    match session::sign_in(&app, &source, password).await? {
        SignIn::Done(value, browser) => {
            let mut cookies = vec![
                set_cookie(COOKIE, &value, "/", LIFETIME / 1000),
                set_cookie(FORM_COOKIE, "", "/sign-in", 0),
            ];
            cookies.extend(browser.map(|value| set_cookie(BROWSER, &value, "/sign-in", YEAR)));
            let cookies = cookies.into_iter().map(|text| (header::SET_COOKIE, text));
            Ok((AppendHeaders(cookies), Redirect::to("/projects")).into_response())
        }
        SignIn::Wrong => form(StatusCode::UNAUTHORIZED, Some("The password is wrong.")),
        SignIn::TooMany(seconds) => {
            let message = format!("Too many attempts have failed. Try again in {seconds} seconds.");
            let mut response = form(StatusCode::TOO_MANY_REQUESTS, Some(&message))?;
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, seconds.into());
            Ok(response)
        }
    }
}

fn set_cookie(name: &str, value: &str, path: &str, seconds: i64) -> String {
    format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict")
}

async fn sign_out(submitted: Submitted) -> Page {
    let visit = &submitted.visit;
    session::sign_out(&visit.app, &visit.session).await?;
    let cookie = set_cookie(COOKIE, "", "/", 0);
    let headers = AppendHeaders([(header::SET_COOKIE, cookie)]);
    let response: Response = (headers, Redirect::to("/sign-in")).into_response();
    Ok(response)
}
