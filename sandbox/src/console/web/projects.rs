//! The projects of the sandbox.

use super::form::{self, Field, check, danger, upload};
use super::html::{code, facts, table};
use super::layout;
use super::layout::page;
use super::time::time;
use super::visit::{Page, Refusal, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::{Actor, projects, scenarios};
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::scenario::Scenario;
use axum::Router;
use axum::routing::{get, post};
use maud::{Markup, html};

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects", get(list).post(create))
        .route("/scenarios", post(load))
        .route("/projects/{id}/delete", post(delete))
}

async fn list(visit: Visit) -> Page {
    let projects = projects::all(&visit.app).await?;
    let rows: Vec<Markup> = projects
        .iter()
        .map(|project| {
            let question = format!("Delete the project {} with everything in it?", project.name);
            let path = format!("/projects/{}", project.id);
            html! { tr {
                th scope="row" { a href=(path) { (project.name) } }
                td.long { code { (project.id) } }
                td { (time(project.created_at)) }
                td.actions {
                    a.button href={ (path) "/start" } { "First steps" }
                    (danger(&visit, &format!("{path}/delete"), "Delete", &question))
                }
            } }
        })
        .collect();
    let content = html! {
        p { "A project is one client of the service, with its own credentials, customers, webhooks, clock and faults." }
        (table("Projects", &["Name", "Id", "Created", ""], &rows, "There are no projects."))
        section aria-labelledby="new-project" {
            h2 #new-project { "Create a project" }
            (form::post(&visit, "/projects", &html! {
                (Field::new("name", "Name").required().line())
                (Field::new("seed", "Seed").number().hint("A number from which all ids and secrets are derived. Empty for random ones.").line())
                fieldset {
                    legend { "Products" }
                    (check("products", "connection", "Connection", true))
                    (check("products", "payments", "Payments", true))
                }
                button { "Create the project" }
            }))
        }
        section aria-labelledby="scenario" {
            h2 #scenario { "Load a scenario" }
            p { "A scenario is a YAML file with a whole project: settings, customers, consents, subscriptions, faults, clock and events." }
            (upload(&visit, "/scenarios", &html! {
                (Field::new("scenario", "Scenario file").required().file(".yaml,.yml,.json"))
                (check("replace", "yes", "Replace a project with the same seed", false))
                button { "Load the scenario" }
            }))
        }
    };
    Ok(page(&visit, "Projects", &content))
}

async fn create(submitted: Submitted) -> Page {
    let fields = &submitted.fields;
    let mut new = types::ProjectInput::new(fields.required("name")?);
    new.seed = fields.number("seed")?;
    let products = fields.all("products");
    new.products = Some(products.map(types::Product::from).collect());
    let created = projects::create(&submitted.visit.app, Actor::Console, &new).await?;
    Ok(shown(&submitted.visit, &created, &html! {}))
}

/// Shows the secrets of a new project.
fn shown(visit: &Visit, new: &types::NewProject, more: &Markup) -> axum::response::Response {
    let api = visit.app.urls.get().map_or("", |urls| urls.api.as_str());
    let token = format!(
        "curl -s -u {}:{} -d grant_type=client_credentials {api}/v1/oauth/token",
        new.client_id, new.client_secret
    );
    let content = html! {
        p.notice role="status" { "The secrets are shown once. Keep them now." }
        (facts(&[
            ("Client id", html! { code { (new.client_id) } }),
            ("Client secret", html! { code { (new.client_secret) } }),
            ("Customer id", html! { code { (new.customer_id) } }),
            ("Customer secret", html! { code { (new.customer_secret) } }),
        ]))
        h2 { "Obtain an access token" }
        (code("curl command", &token))
        (more)
        p { a.button href={ "/projects/" (new.project.id) "/start" } { "Continue with the first steps" } }
    };
    layout::page(visit, &format!("Project {}", new.project.name), &content)
}

async fn load(submitted: Submitted) -> Page {
    let fields = &submitted.fields;
    let scenario = Scenario::parse(&fields.required("scenario")?);
    let scenario = scenario.map_err(|error| Refusal::from(Failure::field("scenario", error)))?;
    let replace = fields.is_checked("replace");
    let loaded =
        scenarios::create(&submitted.visit.app, Actor::Console, &scenario, replace).await?;
    let rows: Vec<Markup> = loaded
        .customers
        .iter()
        .map(|new| {
            html! { tr {
                th scope="row" { (new.customer.name) }
                td.long { code { (new.customer.id) } }
                td.long { code { (new.customer_secret) } }
            } }
        })
        .collect();
    let more = html! {
        h2 { "Customers of the scenario" }
        (table("Customers", &["Name", "Id", "Secret"], &rows, "The scenario has no customers."))
    };
    let new = types::NewProject::from(types::NewProjectInit {
        project: loaded.project,
        client_id: loaded.client_id,
        client_secret: loaded.client_secret,
        customer_id: loaded.customer_id,
        customer_secret: loaded.customer_secret,
    });
    Ok(shown(&submitted.visit, &new, &more))
}

async fn delete(submitted: Submitted) -> Page {
    let visit = &submitted.visit;
    let result = projects::delete(&visit.app, Actor::Console, submitted.project()).await;
    visit
        .after(result, "The project was deleted.", "/projects")
        .await
}
