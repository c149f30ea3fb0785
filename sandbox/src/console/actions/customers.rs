//! Customers and their consents.

use super::{Actor, change, document, input, limit, note, project, view, views};
use crate::app::App;
use crate::console::api::operations::{ListConsentsRequest, ListCustomersRequest};
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::ids;
use crate::model::{Consent, ConsentStatus, Customer, Millis};
use crate::seed::{CONSENT_VALIDITY, PROVIDER};
use crate::store::{Changes, Page, Stored};

/// Returns customers of a project.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn list(
    app: &App,
    request: &ListCustomersRequest,
) -> Result<Vec<types::Customer>, Failure> {
    project(app, &request.project).await?;
    let page = Page::first(limit(request.limit_or_default())).after(request.after.as_deref());
    let found = app.store.list::<Customer>(&request.project, page).await?;
    views(found.iter().map(|stored| &stored.value))
}

/// Creates a customer.
///
/// # Errors
/// Returns an error if the project does not exist, or has a customer with this id.
pub async fn create(
    app: &App,
    actor: Actor,
    id: &str,
    new: &types::CustomerInput,
) -> Result<types::NewCustomer, Failure> {
    let project = project(app, id).await?;
    let secret = ids::secret()?;
    let customer = Customer {
        project: id.to_owned(),
        id: new.id.clone().unwrap_or_else(ids::fresh),
        secret_hash: ids::hash(&secret),
        name: new.name.clone(),
        user_id: new.user_id.clone(),
        created_at: App::now(&project),
    };
    let known = app.store.get::<Customer>(id, &customer.id).await?;
    if known.is_some() {
        return Err(Failure::conflict(
            "The project has a customer with this id.",
        ));
    }
    let mut changes = Changes::new();
    changes.insert(&customer);
    let detail = format!("customer {}", customer.id);
    note(&mut changes, actor, "createCustomer", Some(id), detail);
    app.store.commit(changes).await?;
    Ok(types::NewCustomer::new(view(&customer)?, secret))
}

/// Returns a customer.
///
/// # Errors
/// Returns an error if the customer does not exist.
pub async fn get(app: &App, id: &str, customer: &str) -> Result<Stored<Customer>, Failure> {
    document(app, id, customer, "customer").await
}

/// Returns consents of a project.
///
/// # Errors
/// Returns an error if the project does not exist.
pub async fn consents(
    app: &App,
    request: &ListConsentsRequest,
) -> Result<Vec<types::Consent>, Failure> {
    project(app, &request.project).await?;
    let mut page = Page::first(limit(request.limit_or_default())).after(request.after.as_deref());
    page.parent = request.customer.as_deref();
    let found = app.store.list::<Consent>(&request.project, page).await?;
    views(found.iter().map(|stored| &stored.value))
}

/// Creates a consent.
///
/// # Errors
/// Returns an error if the customer does not exist.
pub async fn consent(
    app: &App,
    actor: Actor,
    id: &str,
    new: &types::ConsentInput,
) -> Result<types::Consent, Failure> {
    let project = project(app, id).await?;
    if app
        .store
        .get::<Customer>(id, &new.customer_id)
        .await?
        .is_none()
    {
        return Err(Failure::field("customer_id", "There is no such customer."));
    }
    let now = App::now(&project);
    let status = match &new.status {
        Some(status) => input("status", status)?,
        None => ConsentStatus::Active,
    };
    let consent = Consent {
        project: id.to_owned(),
        id: ids::fresh(),
        customer_id: new.customer_id.clone(),
        provider: new.provider.clone().unwrap_or_else(|| PROVIDER.to_owned()),
        status,
        permits_refresh: new.permits_refresh.unwrap_or(true),
        expires_at: new.expires_at.unwrap_or(now + CONSENT_VALIDITY),
        created_at: now,
    };
    let mut changes = Changes::new();
    changes.insert(&consent);
    let detail = format!("consent {}", consent.id);
    note(&mut changes, actor, "createConsent", Some(id), detail);
    app.store.commit(changes).await?;
    view(&consent)
}

/// Revokes a consent.
///
/// # Errors
/// Returns an error if the consent does not exist.
pub async fn revoke(
    app: &App,
    actor: Actor,
    id: &str,
    consent: &str,
) -> Result<types::Consent, Failure> {
    let revoke = |consent: &mut Consent, _| consent.status = ConsentStatus::Revoked;
    change_consent(app, (actor, "revokeConsent"), id, consent, revoke).await
}

/// Ends the validity of a consent now.
///
/// # Errors
/// Returns an error if the consent does not exist.
pub async fn expire(
    app: &App,
    actor: Actor,
    id: &str,
    consent: &str,
) -> Result<types::Consent, Failure> {
    let expire = |consent: &mut Consent, now: Millis| {
        consent.expires_at = consent.expires_at.min(now);
    };
    change_consent(app, (actor, "expireConsent"), id, consent, expire).await
}

async fn change_consent(
    app: &App,
    (actor, action): (Actor, &str),
    id: &str,
    consent: &str,
    apply: impl Fn(&mut Consent, Millis),
) -> Result<types::Consent, Failure> {
    let changed = change!(app, changes, {
        let now = App::now(&project(app, id).await?.value);
        let mut found = document::<Consent>(app, id, consent, "consent").await?;
        apply(&mut found.value, now);
        changes.update(&found);
        note(
            &mut changes,
            actor,
            action,
            Some(id),
            format!("consent {consent}"),
        );
        found
    });
    view(&changed.value)
}
