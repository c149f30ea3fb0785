//! The settings of a project: its name, products, variants and choices.

use super::form::{Field, check, danger, post, upload};
use super::html::word;
use super::layout::project_page;
use super::visit::{Fields, Page, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::{Actor, faults, projects};
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::{Completion, CustomerHeaders, Project, Settings};
use axum::Router;
use axum::extract::Path;
use axum::routing::get;
use maud::{Markup, html};
use serde_json::{Value, json};

/// The optional fields of webhooks.
const OPTIONAL: [&str; 4] = [
    "consent_id",
    "provider",
    "has_new_transactions",
    "reconnect_required",
];
/// The customer headers that an operation can require.
const HEADERS: [(&str, &str); 3] = [
    ("none", "none"),
    ("id", "X-Customer-Id"),
    ("id-and-secret", "X-Customer-Id and X-Customer-Secret"),
];

pub(super) fn routes() -> Router<Shared> {
    Router::new().route("/projects/{id}/settings", get(show).post(update))
}

async fn show(visit: Visit, Path(id): Path<String>) -> Page {
    let project = visit.project(&id).await?;
    let api = visit.app.urls.get().map_or("", |urls| urls.api.as_str());
    let base = format!("/projects/{id}");
    let content = html! {
        p { "The interface document leaves values open. They are listed at " a href={ (api) "/choices" } { (api) "/choices" } ", and these settings change them." }
        (post(&visit, &format!("{base}/settings"), &html! {
            (general(&project))
            (webhooks(&project.settings))
            (tasks(&project.settings))
            (calls(&project.settings))
            button { "Save the settings" }
        }))
        section aria-labelledby="state" {
            h2 #state { "State" }
            p.links { a.button href={ (base) "/snapshot" } download={ (id) ".json" } { "Download a snapshot" } }
            (upload(&visit, &format!("{base}/snapshot"), &html! {
                (Field::new("snapshot", "Snapshot file").required().file(".json"))
                button.danger data-confirm="Replace everything in the project by the snapshot?" { "Restore the snapshot" }
            }))
            (danger(&visit, &format!("{base}/reset"), "Reset the project to its seed", "Remove everything in the project and begin anew?"))
        }
    };
    Ok(project_page(
        &visit,
        &project,
        "/settings",
        "Settings",
        &content,
    ))
}

fn general(project: &Project) -> Markup {
    html! {
        fieldset {
            legend { "Project" }
            (Field::new("name", "Name").value(&project.name).required().line())
            @for product in ["connection", "payments"] {
                (check("products", product, &format!("Product {product}"), project.products.iter().any(|known| known.as_str() == product)))
            }
        }
    }
}

fn webhooks(settings: &Settings) -> Markup {
    let signing = word(&settings.signing);
    let fields = serde_json::to_value(settings.optional_fields).unwrap_or_default();
    html! {
        fieldset {
            legend { "Webhooks" }
            (Field::new("signing", "Signing").value(&signing).choice(&[("token", "by the token of the subscription (X-Token-Signature)"), ("key", "by a key (X-Signature, X-Signing-ID)")]))
            (check("sync_webhook", "yes", "Connect and refresh tasks send syncCompleted too", settings.sync_webhook))
            @for name in OPTIONAL { (check("optional_fields", name, &format!("Bodies contain {name}"), fields[name] == true)) }
            (Field::new("backoff_base", "Pause before the first retry, in seconds").value(&settings.backoff_base.to_string()).number().required().line())
            (Field::new("backoff_cap", "Longest pause, in seconds").value(&settings.backoff_cap.to_string()).number().required().line())
        }
    }
}

fn tasks(settings: &Settings) -> Markup {
    let (mode, step) = match settings.completion {
        Completion::Automatic { step_milliseconds } => ("automatic", step_milliseconds),
        Completion::Manual => ("manual", 500),
    };
    html! {
        fieldset {
            legend { "Tasks" }
            (Field::new("completion", "Tasks end").value(mode).choice(&[("automatic", "by themselves"), ("manual", "when the console says so")]))
            (Field::new("step_milliseconds", "Duration of each of the two steps, in milliseconds").value(&step.to_string()).number().required().line())
            (Field::new("pending", "Word for an accepted task").value(&settings.statuses.pending).required().line())
            (Field::new("running", "Word for a task at work").value(&settings.statuses.running).required().line())
            (Field::new("task_id_field", "Field of the submission with the task id").value(&settings.task_id_field).required().line())
            (Field::new("submit_status", "Status of a submission").value(&settings.submit_status.to_string()).choice(&[("200", "200"), ("201", "201"), ("202", "202")]))
        }
    }
}

fn calls(settings: &Settings) -> Markup {
    let statuses: Vec<String> = settings
        .code_statuses
        .iter()
        .map(|(code, status)| format!("{code}: {status}"))
        .collect();
    html! {
        fieldset {
            legend { "Calls" }
            (Field::new("token_lifetime", "Validity of an access token, in seconds").value(&settings.token_lifetime.to_string()).number().required().line())
            @for operation in faults::OPERATIONS.iter().skip(1) {
                @let headers = word(settings.customer_headers.get(*operation).unwrap_or(&CustomerHeaders::None));
                (Field::new(operation, &format!("Customer headers of {operation}")).value(&headers).choice(&HEADERS))
            }
            (Field::new("code_statuses", "Statuses of codes, where they differ from /choices").value(&statuses.join("\n")).hint("One per line: code: status").area(3))
        }
    }
}

/// Reads the settings of the form as a merge patch.
fn read(fields: &Fields, before: &Settings) -> Result<Value, Failure> {
    let number = |name: &str| fields.number::<u32>(name);
    let optional: serde_json::Map<String, Value> = OPTIONAL
        .iter()
        .map(|name| {
            (
                (*name).to_owned(),
                fields
                    .all("optional_fields")
                    .any(|field| field == *name)
                    .into(),
            )
        })
        .collect();
    let completion = match fields.get("completion") {
        Some("manual") => json!({ "mode": "manual", "step_milliseconds": null }),
        _ => {
            json!({ "mode": "automatic", "step_milliseconds": number("step_milliseconds")?.unwrap_or(500) })
        }
    };
    let headers: serde_json::Map<String, Value> = faults::OPERATIONS
        .iter()
        .filter_map(|operation| Some(((*operation).to_owned(), fields.get(operation)?.into())))
        .collect();
    let mut statuses: serde_json::Map<String, Value> = before
        .code_statuses
        .keys()
        .map(|code| (code.clone(), Value::Null))
        .collect();
    for line in fields
        .get("code_statuses")
        .unwrap_or_default()
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let pair = line
            .split_once(':')
            .and_then(|(code, status)| Some((code.trim(), status.trim().parse::<u16>().ok()?)));
        let (code, status) = pair.ok_or_else(|| {
            Failure::field(
                "code_statuses",
                format!("`{line}` is not of the form code: status"),
            )
        })?;
        statuses.insert(code.to_owned(), status.into());
    }
    Ok(json!({
        "signing": fields.get("signing"),
        "sync_webhook": fields.is_checked("sync_webhook"),
        "optional_fields": optional,
        "backoff_base": number("backoff_base")?,
        "backoff_cap": number("backoff_cap")?,
        "completion": completion,
        "statuses": { "pending": fields.get("pending"), "running": fields.get("running") },
        "task_id_field": fields.get("task_id_field"),
        "submit_status": number("submit_status")?,
        "token_lifetime": number("token_lifetime")?,
        "customer_headers": headers,
        "code_statuses": statuses,
    }))
}

async fn update(submitted: Submitted) -> Page {
    let (visit, id, fields) = (&submitted.visit, submitted.project(), &submitted.fields);
    let project = visit.project(id).await?;
    let result = match patch(fields, &project.settings) {
        Ok(patch) => projects::update(&visit.app, Actor::Console, id, &patch).await,
        Err(failure) => Err(failure),
    };
    visit
        .after(
            result,
            "The settings were saved.",
            &format!("/projects/{id}/settings"),
        )
        .await
}

fn patch(fields: &Fields, before: &Settings) -> Result<types::ProjectPatch, Failure> {
    let products: Vec<&str> = fields.all("products").collect();
    let patch = json!({ "name": fields.required("name")?, "products": products });
    let mut patch: types::ProjectPatch =
        serde_json::from_value(patch).map_err(|error| Failure::field("products", error))?;
    let settings = read(fields, before)?;
    patch.settings =
        Some(serde_json::from_value(settings).map_err(|error| Failure::field("settings", error))?);
    Ok(patch)
}
