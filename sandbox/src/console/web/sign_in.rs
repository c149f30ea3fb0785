//! Signing in and out.

use super::html;
use super::visit::{COOKIE, Page, Refusal, Submitted, cookie, fields};
use crate::app::Shared;
use crate::console::session::{self, LIFETIME, SignIn};
use crate::ids;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use http::{StatusCode, header};
use maud::html;

/// The cookie of the form, before there is a session.
const FORM_COOKIE: &str = "sandbox_sign_in";

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
    Ok((status, headers, html::outside("Sign in", &content)).into_response())
}

async fn submit(State(app): State<Shared>, request: Request) -> Page {
    let known = cookie(request.headers(), FORM_COOKIE)
        .unwrap_or_default()
        .to_owned();
    let fields = fields(request).await?;
    let token = fields.get("csrf").unwrap_or_default();
    if known.is_empty() || verify_slices_are_equal(token.as_bytes(), known.as_bytes()).is_err() {
        return Err(Refusal::Forged);
    }
    match session::sign_in(&app, fields.get("password").unwrap_or_default()).await? {
        SignIn::Done(value) => {
            let age = LIFETIME / 1000;
            let session =
                format!("{COOKIE}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict");
            let form =
                format!("{FORM_COOKIE}=; Path=/sign-in; Max-Age=0; HttpOnly; SameSite=Strict");
            let headers =
                AppendHeaders([(header::SET_COOKIE, session), (header::SET_COOKIE, form)]);
            Ok((headers, Redirect::to("/projects")).into_response())
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

async fn sign_out(submitted: Submitted) -> Page {
    let visit = &submitted.visit;
    session::sign_out(&visit.app, &visit.session).await?;
    let cookie = format!("{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
    let headers = AppendHeaders([(header::SET_COOKIE, cookie)]);
    let response: Response = (headers, Redirect::to("/sign-in")).into_response();
    Ok(response)
}
