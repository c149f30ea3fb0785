//! Webhook subscriptions, with their rules and transitions.

use super::form::{Field, action, check, danger, post};
use super::html::{badge, facts, table};
use super::layout::project_page;
use super::start::receiver;
use super::time::project_time;
use super::visit::{Fields, Page, Submitted, Visit};
use crate::app::Shared;
use crate::console::actions::{Actor, events, subscriptions};
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::subscriptions::{self as stored, Subscription};
use axum::Router;
use axum::extract::Path;
use axum::routing::{get, post as on_post};
use financial_data::webhooks::{DELIVERY, SUBSCRIPTION};
use maud::{Markup, html};

pub(super) fn routes() -> Router<Shared> {
    Router::new()
        .route("/projects/{id}/subscriptions", get(list).post(create))
        .route(
            "/projects/{id}/subscriptions/{subscription}",
            get(show).post(replace),
        )
        .route(
            "/projects/{id}/subscriptions/{subscription}/{action}",
            on_post(change),
        )
}

async fn list(visit: Visit, Path(id): Path<String>) -> Page {
    let project = visit.project(&id).await?;
    let found = subscriptions::list(&visit.app, &id).await?;
    let rows: Vec<Markup> = found
        .iter()
        .map(|subscription| row(&visit, &id, subscription))
        .collect();
    let form = form(&visit, &id, &format!("/projects/{id}/subscriptions"), None).await?;
    let content = html! {
        (table("Subscriptions", &["URL", "Events", "Signing", "State", ""], &rows, "There are no subscriptions."))
        (rules())
        section aria-labelledby="new" { h2 #new { "Subscribe" } (form) }
    };
    Ok(project_page(
        &visit,
        &project,
        "/subscriptions",
        "Subscriptions",
        &content,
    ))
}

fn row(visit: &Visit, id: &str, subscription: &types::Subscription) -> Markup {
    let path = format!("/projects/{id}/subscriptions/{}", subscription.id);
    let url = subscription
        .url
        .as_ref()
        .map_or("one URL per event", String::as_str);
    let own: Vec<&str> = subscription.urls.keys().map(String::as_str).collect();
    html! { tr {
        th.long scope="row" { a href=(path) { (url) } }
        td { @if subscription.events.is_empty() && own.is_empty() { "all" } @else { (subscription.events.join(", ")) " " (own.join(", ")) } }
        td { (subscription.signing) }
        td { (badge(state(subscription.active))) }
        td.actions { (transitions(visit, &path, subscription)) }
    } }
}

const fn state(active: bool) -> &'static str {
    if active { "active" } else { "inactive" }
}

/// Returns a button for each transition that the interface permits.
fn transitions(visit: &Visit, path: &str, subscription: &types::Subscription) -> Markup {
    html! { @for transition in &subscription.transitions { (action(visit, &format!("{path}/{}", transition.trigger), &transition.trigger)) } }
}

/// Returns the rules of the interface.
fn rules() -> Markup {
    let statuses: Vec<String> = DELIVERY.retry_statuses.iter().map(u16::to_string).collect();
    html! {
        details {
            summary { "The rules of the interface" }
            ul {
                li { "A URL is required, for all events or for single ones. Here it may be one of this machine." }
                @if let Some(length) = SUBSCRIPTION.token_longer_than { li { "A signing token has more than " (length) " characters. With it, each webhook has a signature." } }
                @for (product, kinds) in SUBSCRIPTION.products { li { (kinds.join(", ")) " need the product " (product) "." } }
                li { "A request may take " (DELIVERY.timeout.as_secs()) " seconds. It is repeated up to " (DELIVERY.retries) " times, after the statuses " (statuses.join(", ")) " and after a connection that fails." }
                li { "A new subscription is active. Webhooks of an inactive one wait until it is active again." }
            }
        }
    }
}

/// Returns the form of a subscription.
async fn form(
    visit: &Visit,
    id: &str,
    target: &str,
    known: Option<&Subscription>,
) -> Result<Markup, Failure> {
    let kinds = events::kinds(&visit.app, id).await?;
    let headers = known.map(|known| {
        lines(
            known
                .headers
                .iter()
                .map(|(name, value)| format!("{name}: {value}")),
        )
    });
    let urls = known.map(|known| {
        lines(
            known
                .urls
                .iter()
                .map(|(kind, url)| format!("{kind}: {url}")),
        )
    });
    let (headers, urls) = (headers.unwrap_or_default(), urls.unwrap_or_default());
    let built_in = receiver(visit, id, "console");
    let url = known.map_or(Some(built_in.as_str()), |known| known.url.as_deref());
    let token = match known.is_some_and(|known| known.signing_token.is_some()) {
        true => "More than 32 characters. The present one stays if this is empty.",
        false => "More than 32 characters. Without it, webhooks are not signed.",
    };
    Ok(post(
        visit,
        target,
        &html! {
            (Field::new("url", "URL").value(url.unwrap_or_default()).hint("The default is the built-in receiver. Its query decides the response, such as ?status=503&delay=11s.").line())
            fieldset {
                legend { "Events (none for all)" }
                @for kind in kinds.iter().filter(|kind| kind.available) {
                    (check("events", &kind.kind, &kind.kind, known.is_some_and(|known| known.events.contains(&kind.kind))))
                }
            }
            (Field::new("signing_token", "Signing token").hint(token).line())
            @if known.is_some_and(|known| known.signing_token.is_some()) { (check("no_token", "yes", "Remove the signing token", false)) }
            (Field::new("headers", "Additional headers").value(&headers).hint("One per line: Name: value").area(3))
            (Field::new("urls", "URLs of single events").value(&urls).hint("One per line: kind: URL").area(3))
            button { @if known.is_some() { "Replace the subscription" } @else { "Subscribe" } }
        },
    ))
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

/// Reads the form of a subscription.
fn read(fields: &Fields) -> Result<types::SubscriptionInput, Failure> {
    let pairs = |name: &str| -> Result<Vec<(String, String)>, Failure> {
        let lines = fields.get(name).unwrap_or_default().lines();
        let lines = lines.map(str::trim).filter(|line| !line.is_empty());
        lines
            .map(|line| {
                let pair = line.split_once(':');
                let pair =
                    pair.map(|(left, right)| (left.trim().to_owned(), right.trim().to_owned()));
                pair.ok_or_else(|| Failure::field(name, format!("`{line}` has no colon")))
            })
            .collect()
    };
    let mut new = types::SubscriptionInput::new();
    new.url = fields.text("url");
    new.urls = Some(pairs("urls")?.into_iter().collect());
    new.events = Some(fields.all("events").map(str::to_owned).collect());
    new.headers = Some(
        pairs("headers")?
            .into_iter()
            .map(|(name, value)| vec![name, value])
            .collect(),
    );
    new.signing_token = match fields.is_checked("no_token") {
        true => Some(String::new()),
        false => fields.text("signing_token"),
    };
    Ok(new)
}

async fn create(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let next = format!("/projects/{id}/subscriptions");
    let result = match read(&submitted.fields) {
        Ok(new) => subscriptions::create(&visit.app, Actor::Console, id, &new).await,
        Err(failure) => Err(failure),
    };
    visit
        .after(result, "The subscription was created.", &next)
        .await
}

async fn show(visit: Visit, Path((id, subscription)): Path<(String, String)>) -> Page {
    let project = visit.project(&id).await?;
    let found = subscriptions::get(&visit.app, &id, &subscription).await?;
    let known = stored::get(&visit.app, &id, &subscription).await?;
    let path = format!("/projects/{id}/subscriptions/{subscription}");
    let form = form(&visit, &id, &path, Some(&known)).await?;
    let content = html! {
        (facts(&[
            ("Id", html! { code { (found.id) } }),
            ("State", badge(state(found.active))),
            ("Signing", html! { (found.signing) }),
            ("Created", project_time(&project, found.created_at)),
        ]))
        div.actions {
            (transitions(&visit, &path, &found))
            (danger(&visit, &format!("{path}/remove"), "Remove", "Remove the subscription? Its waiting webhooks are not sent."))
        }
        section aria-labelledby="replace" { h2 #replace { "Replace" } (form) }
        (rules())
    };
    Ok(project_page(
        &visit,
        &project,
        "/subscriptions",
        "Subscription",
        &content,
    ))
}

async fn replace(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let subscription = submitted.path("subscription");
    let next = format!("/projects/{id}/subscriptions/{subscription}");
    let result = match read(&submitted.fields) {
        Ok(new) => subscriptions::replace(&visit.app, Actor::Console, id, subscription, &new).await,
        Err(failure) => Err(failure),
    };
    visit
        .after(result, "The subscription was replaced.", &next)
        .await
}

async fn change(submitted: Submitted) -> Page {
    let (visit, id) = (&submitted.visit, submitted.project());
    let subscription = submitted.path("subscription");
    let next = format!("/projects/{id}/subscriptions");
    let set = async |active| {
        let set = subscriptions::set_active(&visit.app, Actor::Console, id, subscription, active);
        set.await.map(drop)
    };
    let (result, done) = match submitted.path("action") {
        "activate" => (set(true).await, "The subscription is active."),
        "deactivate" => (
            set(false).await,
            "The subscription is inactive. Its webhooks wait.",
        ),
        "remove" => (
            subscriptions::remove(&visit.app, Actor::Console, id, subscription).await,
            "The subscription was removed.",
        ),
        _ => (Err(Failure::missing("action")), ""),
    };
    visit.after(result, done, &next).await
}
