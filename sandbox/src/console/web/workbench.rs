//! The workbench of signatures.

use super::calls::checks;
use super::form::{Field, post};
use super::html::{self, badge};
use super::layout::page;
use super::visit::{Fields, Page, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::signatures;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::Check;
use axum::Router;
use axum::response::IntoResponse;
use axum::routing::get;
use maud::{Markup, html};

/// The ways to check a signature.
const WAYS: [(&str, &str); 3] = [
    ("token", "X-Token-Signature, with the token below"),
    ("published", "X-Signature, with the keys of this sandbox"),
    ("jwks", "X-Signature, with the JWK set below"),
];

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/workbench", get(show).post(check))
}

async fn show(visit: Visit) -> Page {
    Ok(page(
        &visit,
        "Signature workbench",
        &form(&visit, &Fields::default(), &html! {}),
    ))
}

fn form(visit: &Visit, fields: &Fields, result: &Markup) -> Markup {
    let value_of = |name: &str| fields.get(name).unwrap_or_default().to_owned();
    html! {
        p { "Finds the first difference between the signature of a webhook and what it should be. Nothing is stored." }
        (result)
        (post(visit, "/workbench", &html! {
            (Field::new("body", "Body").value(&fields.typed("body")).hint("The bytes as they were received, without a line break at the end.").area(6))
            (Field::new("headers", "Headers").value(&value_of("headers")).required().hint("One per line: Name: value").area(4))
            (Field::new("way", "Check").value(&value_of("way")).choice(&WAYS))
            (Field::new("token", "Signing token").value(&value_of("token")).line())
            (Field::new("jwks", "JWK set").value(&value_of("jwks")).area(4))
            button { "Check the signature" }
        }))
    }
}

fn read(fields: &Fields) -> Result<types::SignatureInput, Failure> {
    let headers: Vec<Vec<String>> = fields
        .get("headers")
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| vec![name.trim().to_owned(), value.trim().to_owned()])
        .collect();
    let mut input = types::SignatureInput::new(fields.typed("body"), headers);
    match fields.get("way") {
        Some("published") => input.published = Some(true),
        Some("jwks") => {
            let set = serde_json::from_str(fields.get("jwks").unwrap_or_default());
            input.jwks = Some(set.map_err(|error| Failure::field("jwks", error))?);
        }
        _ => input.token = Some(fields.text("token").unwrap_or_default()),
    }
    Ok(input)
}

async fn check(submitted: Submitted) -> Page {
    let (visit, fields) = (&submitted.visit, &submitted.fields);
    let checked = match read(fields) {
        Ok(input) => signatures::check(&visit.app, &input).await,
        Err(failure) => Err(failure),
    };
    let result = match &checked {
        Ok(check) => {
            let steps = check.steps.iter();
            let steps: Vec<Check> = steps
                .map(|step| Check {
                    name: step.name.clone().into(),
                    passed: step.passed,
                    reason: step.reason.clone().into(),
                })
                .collect();
            html! {
                section aria-labelledby="result" role="status" {
                    h2 #result { "Result " (badge(if check.valid { "valid" } else { "wrong" })) }
                    @if let Some(difference) = check.difference.value() { p { strong { "First difference: " } (difference) } }
                    (checks(&steps))
                }
            }
        }
        Err(failure) => {
            html! { p.notice.error role="alert" { (html::prose(&html::sentence(failure))) } }
        }
    };
    let status = checked
        .as_ref()
        .map_or_else(Failure::status, |_| http::StatusCode::OK);
    let page = page(visit, "Signature workbench", &form(visit, fields, &result));
    Ok((status, page).into_response())
}
