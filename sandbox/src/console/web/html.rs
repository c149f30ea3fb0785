//! The parts that pages consist of.

use super::visit::Visit;
use crate::console::actions::har::date;
use crate::console::failure::Failure;
use crate::console::session::Notice;
use crate::model::{Millis, Project};
use axum::response::{IntoResponse, Response};
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

/// Returns a failure as a sentence.
pub(super) fn sentence(failure: &Failure) -> String {
    match failure.field_name() {
        Some(field) => format!("{field}: {failure}"),
        None => failure.to_string(),
    }
}

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
        p.notice.error role="alert" { (message) }
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
        @if notice.is_error { p.notice.error role="alert" { (notice.text) } }
        @else { p.notice role="status" { (notice.text) } }
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

/// Returns a form that is submitted with the token of the session.
pub(super) fn post(visit: &Visit, action: &str, content: &Markup) -> Markup {
    html! {
        form method="post" action=(action) {
            input type="hidden" name="csrf" value=(visit.session.csrf);
            (content)
        }
    }
}

/// Returns a form with files.
pub(super) fn upload(visit: &Visit, action: &str, content: &Markup) -> Markup {
    html! {
        form method="post" action=(action) enctype="multipart/form-data" {
            input type="hidden" name="csrf" value=(visit.session.csrf);
            (content)
        }
    }
}

/// Returns a form that consists of a button.
pub(super) fn action(visit: &Visit, action: &str, label: &str) -> Markup {
    post(visit, action, &html! { button { (label) } })
}

/// Returns a form that consists of a button, with a question before it is submitted. The label for
/// assistive technology says what the button is about.
pub(super) fn danger(visit: &Visit, action: &str, label: &str, question: &str) -> Markup {
    post(
        visit,
        action,
        &html! { button.danger data-confirm=(question) { (label) } },
    )
}

/// A field of a form.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    pub(super) label: &'a str,
    pub(super) value: &'a str,
    pub(super) hint: &'a str,
    pub(super) required: bool,
    pub(super) number: bool,
}

impl<'a> Field<'a> {
    pub(super) const fn new(name: &'a str, label: &'a str) -> Self {
        Self {
            name,
            label,
            value: "",
            hint: "",
            required: false,
            number: false,
        }
    }

    pub(super) const fn value(self, value: &'a str) -> Self {
        Self { value, ..self }
    }

    pub(super) const fn hint(self, hint: &'a str) -> Self {
        Self { hint, ..self }
    }

    pub(super) const fn required(self) -> Self {
        Self {
            required: true,
            ..self
        }
    }

    pub(super) const fn number(self) -> Self {
        Self {
            number: true,
            ..self
        }
    }

    fn hint_id(&self) -> Option<String> {
        (!self.hint.is_empty()).then(|| format!("hint-{}", self.name))
    }

    fn around(&self, control: &Markup) -> Markup {
        html! {
            div.field {
                label for={ "field-" (self.name) } { (self.label) }
                (control)
                @if let Some(id) = self.hint_id() { p.hint id=(id) { (self.hint) } }
            }
        }
    }

    /// Returns a line of text.
    pub(super) fn line(self) -> Markup {
        self.around(&html! {
            input id={ "field-" (self.name) } name=(self.name) value=(self.value)
                inputmode=[self.number.then_some("numeric")] required[self.required]
                aria-describedby=[self.hint_id()];
        })
    }

    /// Returns several lines of text.
    pub(super) fn area(self, rows: u32) -> Markup {
        self.around(&html! {
            textarea id={ "field-" (self.name) } name=(self.name) rows=(rows) spellcheck="false"
                required[self.required] aria-describedby=[self.hint_id()] { (self.value) }
        })
    }

    /// Returns a choice between values with labels.
    pub(super) fn choice(self, options: &[(&str, &str)]) -> Markup {
        self.around(&html! {
            select id={ "field-" (self.name) } name=(self.name) aria-describedby=[self.hint_id()] {
                @for (value, label) in options {
                    option value=(value) selected[*value == self.value] { (label) }
                }
            }
        })
    }

    /// Returns a file to choose.
    pub(super) fn file(self, accept: &str) -> Markup {
        self.around(&html! {
            input type="file" id={ "field-" (self.name) } name=(self.name) accept=(accept)
                required[self.required] aria-describedby=[self.hint_id()];
        })
    }
}

/// Returns a box to check.
pub(super) fn check(name: &str, value: &str, label: &str, is_checked: bool) -> Markup {
    html! {
        div.check {
            input type="checkbox" id={ "check-" (name) "-" (value) } name=(name) value=(value) checked[is_checked];
            label for={ "check-" (name) "-" (value) } { (label) }
        }
    }
}

/// Returns a table, or a sentence if it is empty. An empty header is that of a column of buttons.
pub(super) fn table(caption: &str, headers: &[&str], rows: &[Markup], empty: &str) -> Markup {
    html! {
        @if rows.is_empty() { p.empty { (empty) } }
        @else {
            div.scroll role="region" aria-label=(caption) tabindex="0" {
                table {
                    caption { (caption) }
                    thead { tr {
                        @for header in headers {
                            th scope="col" {
                                @if header.is_empty() { span.hidden { "Actions" } } @else { (header) }
                            }
                        }
                    } }
                    tbody { @for row in rows { (row) } }
                }
            }
        }
    }
}

/// Returns a list of names and values.
pub(super) fn facts(facts: &[(&str, Markup)]) -> Markup {
    html! {
        dl { @for (name, value) in facts { div { dt { (name) } dd { (value) } } } }
    }
}

/// Returns a text as it is, with a button to copy it.
pub(super) fn code(label: &str, text: &str) -> Markup {
    html! {
        div.code {
            pre tabindex="0" role="region" aria-label=(label) { code { (text) } }
            button.plain type="button" data-copy aria-label={ "Copy: " (label) } hidden { "Copy" }
        }
    }
}

/// Returns an id as a segment of a path.
pub(super) fn segment(id: &str) -> String {
    let mut shown = String::with_capacity(id.len());
    for byte in id.bytes() {
        match byte {
            b'-' | b'.' | b'_' | b'~' | b'+' | b':' => shown.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => shown.push(char::from(byte)),
            _ => {
                shown.push('%');
                shown.push_str(&hex::encode_upper([byte]));
            }
        }
    }
    shown
}

/// Returns a JSON text with line breaks; other texts as they are.
pub(super) fn pretty(text: &str) -> String {
    let value = serde_json::from_str::<serde_json::Value>(text);
    let pretty = value
        .ok()
        .and_then(|value| serde_json::to_string_pretty(&value).ok());
    pretty.unwrap_or_else(|| text.to_owned())
}

/// Returns a time in UTC.
pub(super) fn time(at: Millis) -> Markup {
    let date = date(at);
    let shown = date.replace('T', " ").replace('Z', "");
    html! { time datetime=(date) title="UTC" { (shown) } }
}

/// Returns the status of a response.
pub(super) fn status(status: Option<u16>) -> Markup {
    html! {
        @match status {
            Some(status) if status < 400 => span.badge.good { (status) },
            Some(status) => span.badge.bad { (status) },
            None => span.badge.bad { "no response" },
        }
    }
}

/// Returns a state in a word.
pub(super) fn badge(word: &str) -> Markup {
    let class = match word {
        "completed" | "delivered" | "active" | "ok" | "valid" | "done" => "badge good",
        "failed" | "dead" | "revoked" | "violated" | "expired" | "wrong" => "badge bad",
        _ => "badge",
    };
    html! { span class=(class) { (word) } }
}

/// Returns the word that a value of the console API has in JSON.
pub(super) fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns headers as a table.
pub(super) fn headers(caption: &str, headers: &[(String, String)]) -> Markup {
    let rows: Vec<Markup> = headers
        .iter()
        .map(|(name, value)| html! { tr { th scope="row" { (name) } td.long { (value) } } })
        .collect();
    table(caption, &["Name", "Value"], &rows, "There are no headers.")
}
