//! Projects from scenarios.

use super::projects::{check, delete, shown};
use super::{Actor, change, events, faults, input, note, view};
use crate::app::App;
use crate::console::api::operations::LoadScenarioContent;
use crate::console::api::types;
use crate::console::failure::Failure;
use crate::ids::NoRandomness;
use crate::model::{Fault, Project};
use crate::scenario::{self, NewCustomer, Scenario};
use crate::seed::{self, Seeded};

/// Creates a project from a scenario of the console API.
///
/// # Errors
/// Returns an error that names the field, or if a project with the seed exists and is not to be
/// replaced.
pub async fn load(
    app: &App,
    actor: Actor,
    scenario: &LoadScenarioContent,
    replace: bool,
) -> Result<types::LoadedScenario, Failure> {
    let scenario = match scenario {
        LoadScenarioContent::Json(scenario) => input("scenario", scenario)?,
        LoadScenarioContent::Yaml(text) => {
            let scenario = Scenario::parse(text);
            scenario.map_err(|error| Failure::Invalid {
                field: None,
                message: error.to_string(),
            })?
        }
    };
    create(app, actor, &scenario, replace).await
}

/// Creates a project from a scenario.
///
/// # Errors
/// Returns an error that names the field, or if a project with the seed exists and is not to be
/// replaced.
pub async fn create(
    app: &App,
    actor: Actor,
    scenario: &Scenario,
    replace: bool,
) -> Result<types::LoadedScenario, Failure> {
    check(&scenario.settings())?;
    let mut seeded = scenario::project(scenario)?;
    prepare(&mut seeded.project, scenario)?;
    let now = App::now(&seeded.project);
    let customers = scenario.customers.iter().enumerate();
    let customers: Vec<NewCustomer> = customers
        .map(|(place, customer)| customer.make(&seeded.project, place, now))
        .collect::<Result<_, NoRandomness>>()?;
    let id = seeded.project.id.clone();
    if app.project(&id).await?.is_some() {
        if !replace {
            return Err(Failure::conflict(
                "A project with this seed exists already.",
            ));
        }
        delete(app, actor, &id).await?;
    }
    insert(app, actor, &seeded, &customers).await?;
    match rest(app, actor, scenario, &seeded, &customers).await {
        Ok(loaded) => Ok(loaded),
        Err(failure) => {
            // Half a scenario is of no use.
            delete(app, actor, &id).await?;
            Err(failure)
        }
    }
}

/// Sets faults and clock of the project.
fn prepare(project: &mut Project, scenario: &Scenario) -> Result<(), Failure> {
    for (place, fault) in scenario.faults.iter().enumerate() {
        let new: types::FaultInput = view(fault)?;
        let read =
            faults::read(&new).map_err(|failure| at(&format!("faults[{place}]"), failure))?;
        let seed = fault.seed.unwrap_or(project.seed);
        project.faults.push(Fault { seed, ..read });
    }
    project
        .clock
        .advance(scenario.clock.advance_milliseconds.into());
    if scenario.clock.frozen {
        project.clock.freeze(App::system_now());
    }
    Ok(())
}

/// Names the place in the scenario in a failure.
fn at(place: &str, failure: Failure) -> Failure {
    match failure {
        Failure::Invalid { field, message } => {
            let field = field.map_or_else(|| place.to_owned(), |field| format!("{place}.{field}"));
            Failure::field(field, message)
        }
        other => other,
    }
}

async fn insert(
    app: &App,
    actor: Actor,
    seeded: &Seeded,
    customers: &[NewCustomer],
) -> Result<(), Failure> {
    let mut ids: Vec<&str> = customers
        .iter()
        .map(|new| new.customer.id.as_str())
        .collect();
    ids.push(&seeded.customer_id);
    ids.sort_unstable();
    if ids.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Failure::field(
            "customers",
            "two customers have the same id",
        ));
    }
    change!(app, changes, {
        seed::insert(&mut changes, seeded);
        for new in customers {
            changes.insert(&new.customer);
            for consent in &new.consents {
                changes.insert(consent);
            }
        }
        let project = &seeded.project;
        let detail = format!("name {:?}", project.name);
        note(
            &mut changes,
            actor,
            "loadScenario",
            Some(&project.id),
            detail,
        );
    });
    Ok(())
}

/// Adds subscriptions, and triggers events.
async fn rest(
    app: &App,
    actor: Actor,
    scenario: &Scenario,
    seeded: &Seeded,
    customers: &[NewCustomer],
) -> Result<types::LoadedScenario, Failure> {
    let id = &seeded.project.id;
    let mut made = Vec::new();
    for (place, subscription) in scenario.subscriptions.iter().enumerate() {
        let new: types::SubscriptionInput = view(subscription)?;
        let created = super::subscriptions::create(app, actor, id, &new).await;
        made.push(created.map_err(|failure| at(&format!("subscriptions[{place}]"), failure))?);
    }
    let mut triggered = Vec::new();
    for (place, event) in scenario.events.iter().enumerate() {
        let mut new = types::TriggerInput::new(event.kind.clone());
        new.body.clone_from(&event.body);
        let set = event.set.iter();
        new.set = Some(
            set.map(|(field, value)| (field.clone(), value.clone()))
                .collect(),
        );
        new.message_id.clone_from(&event.message_id);
        let sent = events::trigger(app, actor, id, &new).await;
        triggered.push(sent.map_err(|failure| at(&format!("events[{place}]"), failure))?);
    }
    let new = shown(seeded)?;
    let customers: Vec<types::NewCustomer> = customers
        .iter()
        .map(|made| {
            Ok(types::NewCustomer::new(
                view(&made.customer)?,
                made.secret.clone(),
            ))
        })
        .collect::<Result<_, Failure>>()?;
    Ok(types::LoadedScenario::from(types::LoadedScenarioInit {
        project: new.project,
        client_id: new.client_id,
        client_secret: new.client_secret,
        customer_id: new.customer_id,
        customer_secret: new.customer_secret,
        customers,
        subscriptions: made,
        events: triggered,
    }))
}
