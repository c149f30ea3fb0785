//! Tasks and payments.

use super::customers::{self, outcomes};
use super::form::{Field, post};
use super::html::{badge, table, word};
use super::layout::project_page;
use super::task;
use super::time::project_time;
use super::visit::{Page, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::{Actor, tasks};
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::model::{Payment, Project, Task};
use crate::outcome::CODES;
use axum::Router;
use axum::extract::Path;
use axum::routing::{get, post as on_post};
use maud::{Markup, html};

/// How many rows a page shows.
const SHOWN: usize = 100;
/// How many tasks are looked at for the newest of them.
const READ: u32 = 5_000;

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects/{id}/tasks", get(show))
        .route("/projects/{id}/tasks/{task}/finish", on_post(finish))
        .route("/projects/{id}/payments", on_post(pay))
        .route(
            "/projects/{id}/payments/{payment}/finish",
            on_post(finish_payment),
        )
        .route("/projects/{id}/ingestions", on_post(ingest))
}

async fn show(visit: Visit, Path(id): Path<String>) -> Page {
    let project = visit.project(&id).await?;
    let mut found = tasks::all::<Task>(&visit.app, &id, READ).await?;
    found.sort_by_key(|task| std::cmp::Reverse(task.created_at));
    found.truncate(SHOWN);
    let mut payments = tasks::all::<Payment>(&visit.app, &id, READ).await?;
    payments.sort_by_key(|payment| std::cmp::Reverse(payment.created_at));
    payments.truncate(SHOWN);
    let rows: Vec<Markup> = found
        .iter()
        .map(|task| task_row(&visit, &project, task))
        .collect();
    let paid: Vec<Markup> = payments
        .iter()
        .map(|payment| payment_row(&visit, &project, payment))
        .collect();
    let kinds = [
        ("single", "Single payment"),
        ("standing-order", "Standing order"),
        ("scheduled", "Scheduled payment"),
    ];
    let content = html! {
        (table("Tasks, the newest first", &["Task", "Kind", "State", "Customer", "Started", ""], &rows, "There are no tasks."))
        (table("Payments, the newest first", &["Payment", "Kind", "State", "Amount", "Started", ""], &paid, "There are no payments."))
        section aria-labelledby="pay" {
            h2 #pay { "Start a payment" }
            (post(&visit, &format!("/projects/{id}/payments"), &html! {
                (Field::new("kind", "Kind").choice(&kinds))
                (Field::new("amount", "Amount").value("1000").number().hint("In the smallest unit of the currency. Amounts from 900001 decide the outcome.").line())
                (Field::new("user_id", "User id").value("user-1").line())
                (outcomes("Outcome"))
                button { "Start the payment" }
            }))
        }
        section aria-labelledby="ingest" {
            h2 #ingest { "Start an ingestion" }
            (post(&visit, &format!("/projects/{id}/ingestions"), &html! { button { "Start the ingestion" } }))
        }
    };
    Ok(project_page(&visit, &project, "/tasks", "Tasks", &content))
}

fn task_row(visit: &Visit, project: &Project, task: &Task) -> Markup {
    let path = format!("/projects/{}/tasks/{}/finish", task.project, task.id);
    html! { tr {
        th.long scope="row" { (task::link(&task.project, &task.id)) }
        td { (word(&task.kind)) }
        td { (badge(&word(&task.state))) @if let Some(code) = &task.failure { @if task.state.is_final() { " " (code) } } }
        td.long { @if let Some(customer) = &task.customer_id { (customers::link(&task.project, customer)) } }
        td { (project_time(project, task.created_at)) }
        td.actions { @if !task.state.is_final() { (end(visit, &path, &task.id)) } }
    } }
}

fn payment_row(visit: &Visit, project: &Project, payment: &Payment) -> Markup {
    let path = format!(
        "/projects/{}/payments/{}/finish",
        payment.project, payment.id
    );
    html! { tr {
        th.long scope="row" { code { (payment.id) } }
        td { (word(&payment.kind)) }
        td { (badge(&word(&payment.state))) @if let Some(code) = &payment.failure { @if payment.state.is_final() { " " (code) } } }
        td.number { (payment.amount) }
        td { (project_time(project, payment.created_at)) }
        td.actions { @if !payment.state.is_final() { (end(visit, &path, &payment.id)) } }
    } }
}

/// Returns the form that ends a task.
fn end(visit: &Visit, path: &str, id: &str) -> Markup {
    post(
        visit,
        path,
        &html! {
            label.hidden for={ "outcome-" (id) } { "Outcome of " (id) }
            select id={ "outcome-" (id) } name="outcome" {
                option value="success" { "success" }
                @for code in &CODES { option value=(code.id) { (code.id) } }
            }
            button { "End now" }
        },
    )
}

async fn finish(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let outcome = submitted.fields.required("outcome")?;
    let task = submitted.path("task");
    let result = tasks::finish(&visit.app, Actor::Console, id, task, &outcome).await;
    after(visit, id, result, "The task has ended.").await
}

async fn finish_payment(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let outcome = submitted.fields.required("outcome")?;
    let payment = submitted.path("payment");
    let result = tasks::finish_payment(&visit.app, Actor::Console, id, payment, &outcome).await;
    after(visit, id, result, "The payment has ended.").await
}

async fn after<T>(visit: &Visit, id: &str, result: Result<T, Failure>, done: &str) -> Page {
    visit
        .after(result, done, &format!("/projects/{id}/tasks"))
        .await
}

async fn pay(submitted: Submitted) -> Page {
    let (visit, id, fields) = (&submitted.visit, submitted.project(), &submitted.fields);
    let kind = fields.word("kind")?.unwrap_or(types::PaymentKind::Single);
    let mut new = types::PaymentInput::new(kind);
    new.amount = fields.number("amount")?;
    new.user_id = fields.text("user_id");
    new.outcome = fields.text("outcome");
    let result = tasks::pay(&visit.app, Actor::Console, id, &new).await;
    after(visit, id, result, "The payment was started.").await
}

async fn ingest(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let new = types::IngestionInput::new();
    let result = tasks::ingest(&visit.app, Actor::Console, id, &new).await;
    after(visit, id, result, "The ingestion was started.").await
}
