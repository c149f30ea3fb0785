//! Tasks and payments, by the clock of the project.

use super::support::{change, project, start};
use financial_data_sandbox::Sandbox;
use financial_data_sandbox::app::App;
use financial_data_sandbox::ids;
use financial_data_sandbox::model::{
    Completion, Consent, ConsentStatus, Customer, Event, Payment, PaymentKind, Product, Project,
    Task, TaskState,
};
use financial_data_sandbox::outcome::{CODES, FIRST_AMOUNT, Outcome};
use financial_data_sandbox::store::{Changes, Page};
use financial_data_sandbox::tasks::{self, PaymentRequest, TaskError, TaskRequest};
use serde_json::json;

/// Stands the clock still, so that only the test takes steps.
async fn freeze(sandbox: &Sandbox, id: &str) -> Project {
    change(sandbox, id, |project| {
        project.clock.freeze(App::system_now());
    })
    .await
}

/// Advances the clock, and takes the steps that are due then. The scheduler may take some of them.
async fn advance(sandbox: &Sandbox, id: &str, by: i64) {
    let project = change(sandbox, id, |project| project.clock.advance(by)).await;
    let steps = tasks::step_due(sandbox.app(), &project).await;
    steps.expect("a database");
}

async fn events(sandbox: &Sandbox, project: &str) -> Vec<Event> {
    let events = sandbox
        .app()
        .store
        .list::<Event>(project, Page::first(1000));
    let events = events.await.expect("a database");
    events.into_iter().map(|event| event.value).collect()
}

async fn task(sandbox: &Sandbox, project: &str, id: &str) -> Task {
    let task = sandbox.app().store.get::<Task>(project, id).await;
    task.expect("a database").expect("a task").value
}

fn request_of(customer: &str) -> TaskRequest {
    TaskRequest {
        customer_id: customer.to_owned(),
        ..TaskRequest::default()
    }
}

#[tokio::test]
async fn a_refresh_is_pending_running_and_completed_by_the_clock_of_the_project() {
    let (sandbox, seeded) = start().await;
    let id = &seeded.project.id;
    let project = freeze(&sandbox, id).await;
    let started = tasks::start_refresh(sandbox.app(), &project, request_of(&seeded.customer_id));
    let started = started.await.expect("a task");
    assert_eq!(started.state, TaskState::Pending);
    advance(&sandbox, id, 499).await;
    assert_eq!(
        task(&sandbox, id, &started.id).await.state,
        TaskState::Pending
    );
    advance(&sandbox, id, 1).await;
    assert_eq!(
        task(&sandbox, id, &started.id).await.state,
        TaskState::Running
    );
    advance(&sandbox, id, 86_400_000).await;
    let ended = task(&sandbox, id, &started.id).await;
    assert_eq!(ended.state, TaskState::Completed);
    assert_eq!(ended.finished_at, Some(started.created_at + 1000));
    let events = events(&sandbox, id).await;
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].kind, "refreshCompleted");
    assert_eq!(events[0].at, started.created_at + 1000);
    assert_eq!(
        events[0].message_id,
        format!("task:{}:refreshCompleted", started.id)
    );
    let expected = json!({"data": {
        "task_id": started.id, "task_type": "refresh", "customer_id": seeded.customer_id,
        "status": "Completed", "result": "success", "provider": "example-bank",
        "has_new_transactions": "true", "reconnect_required": "false",
    }});
    assert_eq!(events[0].body, expected);
    sandbox.stop().await;
}

#[tokio::test]
async fn the_scheduler_takes_the_steps_of_running_clocks() {
    let (sandbox, seeded) = start().await;
    let id = &seeded.project.id;
    let project = change(&sandbox, id, |project| {
        project.settings.completion = Completion::Automatic {
            step_milliseconds: 1,
        };
    })
    .await;
    let started = tasks::start_refresh(sandbox.app(), &project, request_of("customer-auth-denied"));
    let started = started.await.expect("a task");
    let ended = loop {
        let task = task(&sandbox, id, &started.id).await;
        if task.state.is_final() {
            break task;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(ended.failure.as_deref(), Some("auth_denied"));
    sandbox.stop().await;
}

#[tokio::test]
async fn every_reserved_identity_reaches_its_code() {
    let (sandbox, seeded) = start().await;
    let (app, id) = (sandbox.app(), &seeded.project.id);
    let project = freeze(&sandbox, id).await;
    let mut expected = Vec::new();
    for (position, code) in CODES.iter().enumerate() {
        let dashed = code.id.replace('_', "-");
        let by_customer = request_of(&format!("customer-{dashed}+{position}"));
        let by_provider = TaskRequest {
            provider: Some(format!("provider-{dashed}")),
            ..request_of(&seeded.customer_id)
        };
        for request in [by_customer, by_provider] {
            match tasks::start_refresh(app, &project, request).await {
                Ok(task) => expected.push((task.id, code.id)),
                Err(TaskError::Code(refused)) => {
                    assert!(code.is_of_consent());
                    assert_eq!(refused.id, code.id);
                }
                Err(error) => panic!("{}: {error}", code.id),
            }
        }
        let by_header = TaskRequest {
            outcome: Some(Outcome::Failure(code)),
            ..request_of(&seeded.customer_id)
        };
        let task = tasks::start_refresh(app, &project, by_header).await;
        expected.push((task.expect("a task").id, code.id));
        let payment = PaymentRequest {
            kind: PaymentKind::Single,
            service: None,
            user_id: None,
            amount: FIRST_AMOUNT + position as i64,
            outcome: None,
        };
        let payment = tasks::start_payment(app, &project, payment).await;
        assert_eq!(
            payment.expect("a payment").failure.as_deref(),
            Some(code.id)
        );
    }
    assert_eq!(expected.len(), 3 * 29 - 2 * 5);
    advance(&sandbox, id, 1000).await;
    let events = events(&sandbox, id).await;
    for (task, code) in expected {
        let ended = |event: &&Event| event.body["data"]["task_id"] == task.as_str();
        let event = events.iter().find(ended).expect("an event");
        assert_eq!(event.body["data"]["result"], code);
        assert_eq!(event.body["data"]["status"], "Failed");
    }
    let is_payment = |event: &&Event| event.kind == "singlePaymentStatusUpdated";
    let failed: Vec<&Event> = events.iter().filter(is_payment).collect();
    assert_eq!(failed.len(), 29);
    assert!(
        failed
            .iter()
            .all(|event| event.body["data"]["event"] == "payment.failure")
    );
    sandbox.stop().await;
}

#[tokio::test]
async fn a_connect_task_gives_consent() {
    let (sandbox, seeded) = start().await;
    let (app, id) = (sandbox.app(), &seeded.project.id);
    freeze(&sandbox, id).await;
    let project = change(&sandbox, id, |project| project.settings.sync_webhook = true).await;
    let mut changes = Changes::new();
    let customer = Customer {
        project: id.clone(),
        id: ids::fresh(),
        secret_hash: ids::hash("secret"),
        name: "Grace".to_owned(),
        user_id: None,
        created_at: 0,
    };
    changes.insert(&customer);
    app.store.commit(changes).await.expect("a database");
    let refusal = async || match tasks::start_refresh(app, &project, request_of(&customer.id)).await
    {
        Err(TaskError::Code(code)) => code.id,
        other => panic!("{other:?}"),
    };
    assert_eq!(refusal().await, "connection_not_found");
    let connect = tasks::start_connect(app, &project, request_of(&customer.id)).await;
    let connect = connect.expect("a task");
    assert_eq!(refusal().await, "connection_status");
    let completed = tasks::finish(app, &project, &connect.id, Outcome::Success).await;
    completed.expect("an end");
    let again = tasks::finish(app, &project, &connect.id, Outcome::Success).await;
    assert!(matches!(again, Err(TaskError::AlreadyFinished)));
    let refresh = tasks::start_refresh(app, &project, request_of(&customer.id)).await;
    assert_eq!(refresh.expect("a task").consent_id, connect.consent_id);
    let events = events(&sandbox, id).await;
    let kinds: Vec<&str> = events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["connectionCompleted", "syncCompleted"]);
    assert_eq!(
        events[0].body["data"]["consent_id"],
        connect.consent_id.clone().unwrap()
    );
    assert_eq!(events[0].body["data"].get("has_new_transactions"), None);

    // The reasons of a consent.
    let consent = connect.consent_id.expect("a consent");
    let refused_with = async |change: &dyn Fn(&mut Consent)| {
        let stored = app.store.get::<Consent>(id, &consent).await;
        let mut stored = stored.expect("a database").expect("a consent");
        change(&mut stored.value);
        let mut changes = Changes::new();
        changes.update(&stored);
        app.store.commit(changes).await.expect("a database");
        refusal().await
    };
    let permission = refused_with(&|consent| consent.permits_refresh = false).await;
    assert_eq!(permission, "connection_permission");
    let expired = refused_with(&|consent| consent.expires_at = consent.created_at).await;
    assert_eq!(expired, "connection_expired");
    let revoked = refused_with(&|consent| consent.status = ConsentStatus::Revoked).await;
    assert_eq!(revoked, "connection_revoked");
    sandbox.stop().await;
}

#[tokio::test]
async fn a_deletion_removes_the_data_of_the_customer_and_nothing_else() {
    let (sandbox, seeded) = start().await;
    let (app, id) = (sandbox.app(), &seeded.project.id);
    let project = freeze(&sandbox, id).await;
    let refresh = tasks::start_refresh(app, &project, request_of(&seeded.customer_id)).await;
    let refresh = refresh.expect("a task");
    let other = tasks::start_refresh(app, &project, request_of("customer-success")).await;
    let payment = PaymentRequest {
        kind: PaymentKind::Scheduled,
        service: None,
        user_id: Some("user-1".to_owned()),
        amount: 100,
        outcome: None,
    };
    let payment = tasks::start_payment(app, &project, payment)
        .await
        .expect("a payment");
    let deletion = tasks::start_deletion(app, &project, &seeded.customer_id, None).await;
    let deletion = deletion.expect("a task");
    // All of them are due in the same round, so that the deletion conflicts with the others.
    advance(&sandbox, id, 1000).await;
    let store = &app.store;
    let customer = store.get::<Customer>(id, &seeded.customer_id).await;
    assert!(customer.expect("a database").is_none());
    let consents = store.list::<Consent>(id, Page::first(10)).await;
    assert!(consents.expect("a database").is_empty());
    assert!(
        store
            .get::<Task>(id, &refresh.id)
            .await
            .expect("a database")
            .is_none()
    );
    assert!(
        store
            .get::<Payment>(id, &payment.id)
            .await
            .expect("a database")
            .is_none()
    );
    let other = task(&sandbox, id, &other.expect("a task").id).await;
    assert_eq!(other.state, TaskState::Completed);
    let events = events(&sandbox, id).await;
    let deleted = events.iter().find(|event| event.kind == "customersDeleted");
    let expected = json!({"data": {
        "result": "success", "task_id": deletion.id, "customer_id": seeded.customer_id,
    }});
    assert_eq!(deleted.expect("an event").body, expected);
    sandbox.stop().await;
}

#[tokio::test]
async fn webhooks_of_products_that_are_not_used_are_not_sent() {
    let (sandbox, seeded) = start().await;
    let (app, id) = (sandbox.app(), &seeded.project.id);
    freeze(&sandbox, id).await;
    let project = change(&sandbox, id, |project| {
        project.products = vec![Product::Payments];
    })
    .await;
    tasks::start_refresh(app, &project, request_of("customer-success"))
        .await
        .expect("a task");
    tasks::start_ingestion(app, &project, None)
        .await
        .expect("a task");
    let failed = Outcome::parse("internal_error");
    tasks::start_ingestion(app, &project, failed)
        .await
        .expect("a task");
    advance(&sandbox, id, 1000).await;
    let events = events(&sandbox, id).await;
    let kinds: Vec<&str> = events.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["ingestionSucceeded"]);
    sandbox.stop().await;
}

#[tokio::test]
async fn manual_tasks_wait_for_their_end() {
    let (sandbox, seeded) = start().await;
    let (app, id) = (sandbox.app(), &seeded.project.id);
    freeze(&sandbox, id).await;
    let manual = change(&sandbox, id, |project| {
        project.settings.completion = Completion::Manual;
    })
    .await;
    let waiting = tasks::start_refresh(app, &manual, request_of("customer-success")).await;
    let waiting = waiting.expect("a task");
    advance(&sandbox, id, 86_400_000).await;
    let still = task(&sandbox, id, &waiting.id).await;
    assert_eq!(still.state, TaskState::Pending);
    let failure = Outcome::parse("provider_timeout").expect("a code");
    let project = project(&sandbox, id).await;
    tasks::finish(app, &project, &waiting.id, failure)
        .await
        .expect("an end");
    let ended = task(&sandbox, id, &waiting.id).await;
    assert_eq!(ended.state, TaskState::Failed);
    assert_eq!(ended.failure.as_deref(), Some("provider_timeout"));
    let unknown = tasks::finish(app, &project, "x", failure).await;
    assert!(matches!(unknown, Err(TaskError::NotFound)));
    sandbox.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn instances_that_take_the_same_steps_end_each_task_once() {
    let (sandbox, seeded) = start().await;
    let (app, id) = (sandbox.app(), &seeded.project.id);
    let project = freeze(&sandbox, id).await;
    for _ in 0..200 {
        let task = tasks::start_refresh(app, &project, request_of("customer-success"));
        task.await.expect("a task");
    }
    let project = change(&sandbox, id, |project| project.clock.advance(1000)).await;
    // The scheduler of the sandbox is the fifth.
    let steppers = (0..4).map(|_| tasks::step_due(app, &project));
    let taken = futures_util::future::join_all(steppers).await;
    let taken: usize = taken
        .into_iter()
        .map(|taken| taken.expect("a database"))
        .sum();
    assert!(taken <= 400, "{taken}");
    let events = events(&sandbox, id).await;
    let mut ended: Vec<&str> = events
        .iter()
        .map(|event| event.message_id.as_str())
        .collect();
    ended.sort_unstable();
    ended.dedup();
    assert_eq!((events.len(), ended.len()), (200, 200));
    let left = app.store.due(id, i64::MAX, 10).await;
    assert!(left.expect("a database").is_empty());
    sandbox.stop().await;
}
