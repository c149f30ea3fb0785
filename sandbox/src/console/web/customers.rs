//! Customers and their consents.

use super::form::{Field, action, danger, post};
use super::html::{badge, facts, segment, table, word};
use super::layout::project_page;
use super::time::project_time;
use super::visit::{Page, Submitted, Visit};
use crate::app::{App, Shared};
use crate::console::actions::{Actor, customers, tasks};
use crate::console::api::operations::{ListConsentsRequest, ListCustomersRequest};
use crate::console::api::types;
use crate::model::Project;
use crate::outcome::{CODES, Outcome};
use axum::Router;
use axum::extract::{Path, Query};
use axum::routing::{get, post as on_post};
use maud::{Markup, html};
use std::collections::HashMap;

/// How many rows a page shows.
const SHOWN: i32 = 100;

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects/{id}/customers", get(list).post(create))
        .route("/projects/{id}/customers/{customer}", get(show))
        .route(
            "/projects/{id}/customers/{customer}/delete",
            on_post(delete),
        )
        .route(
            "/projects/{id}/customers/{customer}/consents",
            on_post(consent),
        )
        .route(
            "/projects/{id}/customers/{customer}/connect",
            on_post(connect),
        )
        .route(
            "/projects/{id}/customers/{customer}/consents/{consent}/{action}",
            on_post(change),
        )
}

async fn list(
    visit: Visit,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Page {
    shown(&visit, &id, query.get("after").cloned(), None).await
}

async fn shown(
    visit: &Visit,
    id: &str,
    after: Option<String>,
    new: Option<&types::NewCustomer>,
) -> Page {
    let project = visit.project(id).await?;
    let mut request = ListCustomersRequest::new(id.to_owned());
    request.limit = Some(SHOWN);
    request.after = after;
    let found = customers::list(&visit.app, &request).await?;
    let rows: Vec<Markup> = found
        .iter()
        .map(|customer| html! { tr {
            th scope="row" { a href={ "/projects/" (id) "/customers/" (segment(&customer.id)) } { (customer.name) } }
            td.long { code { (customer.id) } }
            td { @if let Some(user) = customer.user_id.value() { (user) } }
            td { (project_time(&project, customer.created_at)) }
        } })
        .collect();
    let content = html! {
        @if let Some(new) = new {
            p.notice role="status" { "The secret is shown once. Keep it now." }
            (facts(&[
                ("Customer id", html! { code { (new.customer.id) } }),
                ("Customer secret", html! { code { (new.customer_secret) } }),
            ]))
        }
        p { "Customers such as " code { "customer-provider-timeout" } " need no entry: they exist in every project, and their names decide how tasks end." }
        (table("Customers", &["Name", "Id", "User id", "Created"], &rows, "There are no customers."))
        @if let (Some(last), true) = (found.last(), found.len() == SHOWN as usize) {
            p { a href={ "/projects/" (id) "/customers?after=" (last.id) } { "Further customers" } }
        }
        section aria-labelledby="new" {
            h2 #new { "Create a customer" }
            (post(visit, &format!("/projects/{id}/customers"), &html! {
                (Field::new("name", "Name").required().line())
                (Field::new("id", "Id").hint("A new one if it is empty.").line())
                (Field::new("user_id", "User id").hint("The client's own identifier.").line())
                button { "Create the customer" }
            }))
        }
    };
    Ok(project_page(
        visit,
        &project,
        "/customers",
        "Customers",
        &content,
    ))
}

/// Returns a link to the page of a customer. Reserved customers have none.
pub(super) fn link(project: &str, customer: &str) -> Markup {
    html! {
        @if Outcome::of_customer(customer).is_some() { (customer) }
        @else { a href={ "/projects/" (segment(project)) "/customers/" (segment(customer)) } { (customer) } }
    }
}

async fn create(submitted: Submitted) -> Page {
    let (visit, id, fields) = (&submitted.visit, submitted.project(), &submitted.fields);
    let mut new = types::CustomerInput::new(fields.required("name")?);
    new.id = fields.text("id");
    new.user_id = fields.text("user_id");
    let new = customers::create(&visit.app, Actor::Console, id, &new).await?;
    shown(visit, id, None, Some(&new)).await
}

async fn show(visit: Visit, Path((id, customer)): Path<(String, String)>) -> Page {
    let project = visit.project(&id).await?;
    let found = customers::get(&visit.app, &id, &customer).await?;
    let mut request = ListConsentsRequest::new(id.clone());
    request.customer = Some(customer.clone());
    request.limit = Some(SHOWN);
    let consents = customers::consents(&visit.app, &request).await?;
    let path = format!("/projects/{id}/customers/{}", segment(&customer));
    let rows: Vec<Markup> = consents
        .iter()
        .map(|consent| consent_row(&visit, &project, &path, consent))
        .collect();
    let statuses = [
        ("active", "active"),
        ("pending", "pending"),
        ("revoked", "revoked"),
    ];
    let question = format!("Delete {} with all data?", found.name);
    let content = html! {
        (facts(&[
            ("Id", html! { code { (found.id) } }),
            ("User id", html! { (found.user_id.as_deref().unwrap_or("none")) }),
            ("Created", project_time(&project, found.created_at)),
        ]))
        (table("Consents", &["Provider", "Id", "Status", "Valid until", ""], &rows, "The customer has given no consent."))
        section aria-labelledby="new" {
            h2 #new { "Create a consent" }
            (post(&visit, &format!("{path}/consents"), &html! {
                (Field::new("provider", "Provider").value("example-bank").required().line())
                (Field::new("status", "Status").choice(&statuses))
                (Field::new("permits_refresh", "Covers the data of a refresh").choice(&[("true", "yes"), ("false", "no")]))
                button { "Create the consent" }
            }))
        }
        section aria-labelledby="connect" {
            h2 #connect { "Connect to a provider" }
            p { "Starts a connect task, as the service does after the customer has authorised the access." }
            (post(&visit, &format!("{path}/connect"), &html! {
                (Field::new("connect_provider", "Provider").value("example-bank").line())
                (outcomes("Outcome"))
                button { "Start the connect task" }
            }))
        }
        section aria-labelledby="delete" {
            h2 #delete { "Delete the customer" }
            (danger(&visit, &format!("{path}/delete"), "Start the deletion", &question))
        }
    };
    Ok(project_page(
        &visit,
        &project,
        "/customers",
        &found.name,
        &content,
    ))
}

/// Returns the choice of an outcome.
pub(super) fn outcomes(label: &str) -> Markup {
    let mut options = vec![
        ("", "as identities and amounts decide"),
        ("success", "success"),
    ];
    options.extend(CODES.iter().map(|code| (code.id, code.id)));
    Field::new("outcome", label).choice(&options)
}

fn consent_row(visit: &Visit, project: &Project, path: &str, consent: &types::Consent) -> Markup {
    let status = word(&consent.status);
    let is_expired = consent.expires_at <= App::now(project);
    let to = |action: &str| format!("{path}/consents/{}/{action}", consent.id);
    html! { tr {
        th scope="row" { (consent.provider) }
        td.long { code { (consent.id) } }
        td { (badge(&status)) @if is_expired { " " (badge("expired")) } @if !consent.permits_refresh { " without refresh" } }
        td { (project_time(project, consent.expires_at)) }
        td.actions {
            @if status != "revoked" { (action(visit, &to("revoke"), "Revoke")) }
            @if !is_expired { (action(visit, &to("expire"), "Expire")) }
        }
    } }
}

async fn consent(submitted: Submitted) -> Page {
    let (visit, id, fields) = (&submitted.visit, submitted.project(), &submitted.fields);
    let customer = submitted.path("customer").to_owned();
    let next = format!("/projects/{id}/customers/{}", segment(&customer));
    let mut new = types::ConsentInput::new(customer);
    new.provider = fields.text("provider");
    new.status = fields.word("status")?;
    new.permits_refresh = fields.get("permits_refresh").map(|word| word == "true");
    let result = customers::consent(&visit.app, Actor::Console, id, &new).await;
    visit.after(result, "The consent was created.", &next).await
}

async fn change(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let consent = submitted.path("consent");
    let (result, done) = match submitted.path("action") {
        "expire" => (
            customers::expire(&visit.app, Actor::Console, id, consent).await,
            "The consent has expired.",
        ),
        _ => (
            customers::revoke(&visit.app, Actor::Console, id, consent).await,
            "The consent was revoked.",
        ),
    };
    let next = format!(
        "/projects/{id}/customers/{}",
        segment(submitted.path("customer"))
    );
    visit.after(result, done, &next).await
}

async fn connect(submitted: Submitted) -> Page {
    let (visit, id, fields) = (&submitted.visit, submitted.project(), &submitted.fields);
    let mut new = types::ConnectInput::new(submitted.path("customer").to_owned());
    new.provider = fields.text("connect_provider");
    new.outcome = fields.text("outcome");
    let result = tasks::connect(&visit.app, Actor::Console, id, &new).await;
    visit
        .after(
            result,
            "The connect task was started.",
            &format!("/projects/{id}/tasks"),
        )
        .await
}

async fn delete(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let customer = submitted.path("customer");
    let result = tasks::delete_customer(&visit.app, Actor::Console, id, customer).await;
    visit
        .after(
            result,
            "The deletion task was started.",
            &format!("/projects/{id}/tasks"),
        )
        .await
}
