//! Pages: the navigation around a content.

use super::form::post;
use super::html::{prose, sentence};
use super::scheme;
use super::visit::{Refusal, Visit};
use crate::console::session::Notice;
use crate::model::Project;
use axum::response::{IntoResponse, Redirect, Response};
use http::StatusCode;
use maud::{DOCTYPE, Markup, html};

/// The pages of a project, in the order of the navigation.
pub(super) const SECTIONS: [(&str, &str); 13] = [
    ("", "Overview"),
    ("/start", "First steps"),
    ("/calls", "Calls"),
    ("/deliveries", "Deliveries"),
    ("/events", "Events"),
    ("/subscriptions", "Subscriptions"),
    ("/credentials", "Credentials"),
    ("/customers", "Customers"),
    ("/tasks", "Tasks"),
    ("/faults", "Faults"),
    ("/clock", "Clock"),
    ("/report", "Report"),
    ("/settings", "Settings"),
];

/// Returns a page of the whole sandbox.
pub(super) fn page(visit: &Visit, title: &str, content: &Markup) -> Response {
    document(Some(visit), title, None, content).into_response()
}

/// Returns a page of a project.
pub(super) fn project_page(
    visit: &Visit,
    project: &Project,
    section: &str,
    title: &str,
    content: &Markup,
) -> Response {
    document(Some(visit), title, Some((project, section)), content).into_response()
}

/// Returns the page of an error.
pub(super) fn error_page(status: StatusCode, message: &str) -> Markup {
    let title = status.canonical_reason().unwrap_or("Error");
    let content = html! {
        p.notice.error role="alert" { (prose(message)) }
        p { a href="/projects" { "To the projects" } }
    };
    document(None, title, None, &content)
}

/// Returns a page for people who are not signed in.
pub(super) fn outside(title: &str, content: &Markup) -> Markup {
    document(None, title, None, content)
}

fn document(
    visit: Option<&Visit>,
    title: &str,
    project: Option<(&Project, &str)>,
    content: &Markup,
) -> Markup {
    let name = project
        .map(|(project, _)| format!("{} · ", project.name))
        .unwrap_or_default();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · " (name) "Sandbox" }
                link rel="stylesheet" href="/assets/console.css";
                script src="/assets/console.js" defer {}
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                (banner(visit))
                div.frame {
                    @if let Some((project, section)) = project { (navigation(project, section)) }
                    main #content tabindex="-1" {
                        h1 { (title) }
                        @if let Some(notice) = visit.and_then(|visit| visit.notice.as_ref()) { (notice_of(notice)) }
                        (content)
                    }
                }
            }
        }
    }
}

fn notice_of(notice: &Notice) -> Markup {
    html! {
        @if notice.is_error { p.notice.error role="alert" { (prose(&notice.text)) } }
        @else { p.notice role="status" { (prose(&notice.text)) } }
    }
}

fn banner(visit: Option<&Visit>) -> Markup {
    html! {
        header.banner {
            a.brand href="/projects" { "Sandbox" }
            @if let Some(visit) = visit {
                nav aria-label="Sandbox" {
                    a href="/projects" { "Projects" }
                    a href="/calls" { "Calls without a project" }
                    a href="/workbench" { "Signature workbench" }
                    a href="/keys" { "Keys" }
                    a href="/audit" { "Audit log" }
                }
                @if let Some(switch) = scheme::switch(visit) { (switch) }
                (post(visit, "/sign-out", &html! { button.plain { "Sign out" } }))
            }
        }
    }
}

fn navigation(project: &Project, section: &str) -> Markup {
    html! {
        nav.sections aria-label="Project" {
            p.project { (project.name) }
            ul {
                @for (path, name) in SECTIONS {
                    li {
                        a href={ "/projects/" (project.id) (path) } aria-current=[(path == section).then_some("page")] { (name) }
                    }
                }
            }
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, message) = match self {
            Self::SignIn => return Redirect::to("/sign-in").into_response(),
            Self::Forged => (
                StatusCode::FORBIDDEN,
                "The form is not one of this session. Load the page again.".to_owned(),
            ),
            Self::Form(status, message) => (status, message),
            Self::Failed(failure) => (failure.status(), sentence(&failure)),
        };
        (status, error_page(status, &message)).into_response()
    }
}
