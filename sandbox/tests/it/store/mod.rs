//! The store on both databases: versions, tags, order, due documents, and webhooks in the same
//! commit.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

mod log;

use crate::postgres::Postgres;
use bothends_delivery::{DeliveryStore, Message, Subscription};
use financial_data_sandbox::model::{
    Customer, Project, ProjectClock, Settings, Task, TaskKind, TaskState, TokenFamily,
};
use financial_data_sandbox::store::{Changes, CommitError, Page, Store};

fn customer(id: &str) -> Customer {
    Customer {
        project: "p".to_owned(),
        id: id.to_owned(),
        secret_hash: String::new(),
        name: "Ada".to_owned(),
        user_id: None,
        created_at: 0,
    }
}

fn family(id: &str) -> TokenFamily {
    TokenFamily {
        project: "p".to_owned(),
        id: id.to_owned(),
        client_id: "c".to_owned(),
        scopes: Vec::new(),
        access: Vec::new(),
        issues: 0,
        valid_until: 0,
        shared_hash: String::new(),
        refresh_hash: String::new(),
        revoked_at: None,
    }
}

fn task(id: &str, due: Option<i64>) -> Task {
    Task {
        project: "p".to_owned(),
        id: id.to_owned(),
        kind: TaskKind::Refresh,
        state: TaskState::Pending,
        customer_id: Some("c1".to_owned()),
        consent_id: None,
        provider: None,
        failure: None,
        has_new_transactions: false,
        reconnect_required: false,
        due,
        created_at: 0,
        finished_at: None,
    }
}

fn project(id: &str) -> Project {
    Project {
        id: id.to_owned(),
        name: String::new(),
        seed: 0,
        products: Vec::new(),
        settings: Settings::default(),
        clock: ProjectClock::default(),
        faults: Vec::new(),
        created_at: 0,
        forgotten_deliveries: 0,
    }
}

async fn put(store: &Store, ids: &[&str]) {
    let mut changes = Changes::new();
    for id in ids {
        changes.insert(&customer(id));
    }
    store.commit(changes).await.unwrap();
}

async fn versions_decide(store: &Store) {
    put(store, &["a"]).await;
    let first = store.get::<Customer>("p", "a").await.unwrap().unwrap();
    let second = first.clone();

    let mut changed = first.clone();
    changed.value.name = "Grace".to_owned();
    let mut changes = Changes::new();
    changes.update(&changed);
    store.commit(changes).await.unwrap();

    // The other writes of a commit with a conflict have no effect, and neither has its webhook.
    let subscription = Subscription::builder("s")
        .owner("p")
        .url("https://client.example/");
    store
        .delivery()
        .put_subscription(subscription.build().unwrap())
        .await
        .unwrap();
    let mut changes = Changes::new();
    changes
        .insert(&customer("b"))
        .enqueue(Message::new("kind", "{}").owner("p"))
        .update(&second);
    let refused = store.commit(changes).await.unwrap_err();
    assert!(matches!(refused, CommitError::Conflict), "{refused}");
    assert!(store.get::<Customer>("p", "b").await.unwrap().is_none());
    assert!(
        store
            .delivery()
            .deliveries(None, 10)
            .await
            .unwrap()
            .is_empty()
    );

    let mut changes = Changes::new();
    changes
        .insert(&customer("b"))
        .enqueue(Message::new("kind", "{}").owner("p"));
    store.commit(changes).await.unwrap();
    assert_eq!(
        store.delivery().deliveries(None, 10).await.unwrap().len(),
        1
    );

    let mut changes = Changes::new();
    changes.remove(&second);
    assert!(matches!(
        store.commit(changes).await,
        Err(CommitError::Conflict)
    ));
    let current = store.get::<Customer>("p", "a").await.unwrap().unwrap();
    assert_eq!(current.name, "Grace");
    let mut changes = Changes::new();
    changes.remove(&current);
    store.commit(changes).await.unwrap();
    assert!(store.get::<Customer>("p", "a").await.unwrap().is_none());
}

async fn tags_are_unique(store: &Store) {
    let mut changes = Changes::new();
    changes.insert(&family("f1"));
    store.commit(changes).await.unwrap();
    let other = TokenFamily {
        project: "q".to_owned(),
        ..family("f1")
    };
    let mut changes = Changes::new();
    changes.insert(&other);
    assert!(matches!(
        store.commit(changes).await,
        Err(CommitError::Conflict)
    ));
    let found = store.find::<TokenFamily>("f1").await.unwrap().unwrap();
    assert_eq!(found.project, "p");
    assert!(store.find::<TokenFamily>("f2").await.unwrap().is_none());
}

async fn lists_have_an_order(store: &Store) {
    put(store, &["x-1", "x-2", "X-3", "x_4", "x-5"]).await;
    let ids = async |page: Page<'_>| {
        let found = store.list::<Customer>("p", page).await.unwrap();
        found
            .into_iter()
            .map(|stored| stored.value.id)
            .collect::<Vec<_>>()
    };
    let all = ids(Page::first(100)).await;
    assert!(all.is_sorted(), "{all:?}");
    assert_eq!(ids(Page::first(2).after(Some("x-1"))).await, ["x-2", "x-5"]);
    assert_eq!(ids(Page::last(2)).await, ["x_4", "x-5"]);
    assert_eq!(ids(Page::last(1).after(Some("x-5"))).await, ["x-2"]);
    assert_eq!(ids(Page::last(1).skip(1)).await, ["x-5"]);
    let skipped = u32::try_from(all.len() - 2).unwrap();
    assert_eq!(ids(Page::first(2).skip(skipped)).await, ["x-5", "x_4"]);
    assert_eq!(
        store.trim::<Customer>("p", 2).await.unwrap(),
        all.len() as u64 - 2
    );
    assert_eq!(ids(Page::first(100)).await, ["x-5", "x_4"]);
}

async fn due_documents_are_found(store: &Store) {
    let mut changes = Changes::new();
    for (id, due) in [
        ("t1", Some(30)),
        ("t2", Some(10)),
        ("t3", None),
        ("t4", Some(40)),
    ] {
        changes.insert(&task(id, due));
    }
    store.commit(changes).await.unwrap();
    let due = store.due("p", 30, 10).await.unwrap();
    let due: Vec<&str> = due.iter().map(|task| task.id.as_str()).collect();
    assert_eq!(due, ["t2", "t1"]);
    assert_eq!(
        store.next_due().await.unwrap(),
        [],
        "there is no project `p`"
    );
    let mut changes = Changes::new();
    changes.insert(&project("p")).insert(&project("q"));
    store.commit(changes).await.unwrap();
    assert_eq!(store.next_due().await.unwrap(), [("p".to_owned(), 10)]);
    let under = store
        .list::<Task>("p", Page::first(10).under("c1"))
        .await
        .unwrap();
    assert_eq!(under.len(), 4);
    let under = store
        .list::<Task>("p", Page::first(10).under("c2"))
        .await
        .unwrap();
    assert!(under.is_empty());
}

async fn shared_documents_are_current(store: &Store, other: &Store) {
    let mut changes = Changes::new();
    changes
        .insert(&customer("shared"))
        .insert(&family("shared"));
    store.commit(changes).await.unwrap();
    let name = async || {
        let look = store.look().await.unwrap();
        let found = store.get_shared::<Customer>(look, "p", "shared");
        let found = found.await.unwrap();
        found.map(|customer| customer.name.clone())
    };
    assert_eq!(name().await.as_deref(), Some("Ada"));
    // Each commit is seen by the next read, also one of another connection or process.
    for (turn, by) in [store, other, store].into_iter().enumerate() {
        let mut found = by.get::<Customer>("p", "shared").await.unwrap().unwrap();
        found.value.name = format!("name {turn}");
        let mut changes = Changes::new();
        changes.update(&found);
        by.commit(changes).await.unwrap();
        assert_eq!(name().await, Some(found.value.name));
    }
    let revoked = async || {
        let look = store.look().await.unwrap();
        let found = store.find_shared::<TokenFamily>(look, "shared");
        found.await.unwrap().map(|family| family.revoked_at)
    };
    let mut family = other.find::<TokenFamily>("shared").await.unwrap().unwrap();
    assert_eq!(revoked().await, Some(None));
    family.value.revoked_at = Some(7);
    let mut changes = Changes::new();
    changes.update(&family);
    other.commit(changes).await.unwrap();
    assert_eq!(revoked().await, Some(Some(7)));
    // A document that replaces another has the same version.
    let rows = store.export("p", &["customer"]).await.unwrap();
    let mut rows: Vec<_> = rows.into_iter().filter(|row| row.id == "shared").collect();
    rows[0].body = rows[0].body.replace("name 2", "replaced");
    let mut changes = Changes::new();
    changes.replace("p", &["customer", "token-family"], rows);
    other.commit(changes).await.unwrap();
    assert_eq!(name().await.as_deref(), Some("replaced"));
    assert_eq!(revoked().await, None);
    let mut changes = Changes::new();
    changes.remove(&store.get::<Customer>("p", "shared").await.unwrap().unwrap());
    store.commit(changes).await.unwrap();
    assert_eq!(name().await, None);
}

async fn projects_are_exported_and_replaced(store: &Store) {
    let kinds = ["customer", "task"];
    let rows = store.export("p", &kinds).await.unwrap();
    assert_eq!(rows.len(), 6);
    let mut changes = Changes::new();
    changes.replace("p", &kinds, rows[..1].to_vec());
    store.commit(changes).await.unwrap();
    assert_eq!(store.export("p", &kinds).await.unwrap(), rows[..1]);
    // Documents of other types are left alone.
    assert!(store.find::<TokenFamily>("f1").await.unwrap().is_some());
    // A conflict, here of a document with itself, leaves everything as it was.
    let mut changes = Changes::new();
    changes.replace("p", &kinds, [&rows[1..2], &rows[1..2]].concat());
    let error = store.commit(changes).await.unwrap_err();
    assert!(matches!(error, CommitError::Conflict), "{error}");
    assert_eq!(store.export("p", &kinds).await.unwrap(), rows[..1]);
}

async fn is_a_store(store: &Store) {
    store.ping().await.unwrap();
    versions_decide(store).await;
    tags_are_unique(store).await;
    lists_have_an_order(store).await;
    due_documents_are_found(store).await;
    projects_are_exported_and_replaced(store).await;
    log::a_log_is_read_across_batches(store).await;
}

#[tokio::test]
async fn sqlite_in_memory_and_in_a_file() {
    is_a_store(&Store::open("sqlite::memory:").await.unwrap()).await;
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("sandbox.db").display());
    is_a_store(&Store::open(&url).await.unwrap()).await;
    // What was stored is there after the next start.
    let store = Store::open(&url).await.unwrap();
    assert!(store.find::<TokenFamily>("f1").await.unwrap().is_some());
    shared_documents_are_current(&store, &Store::open(&url).await.unwrap()).await;
}

#[cfg(unix)]
#[tokio::test]
async fn the_files_of_a_database_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let name = |suffix: &str| folder.path().join(format!("sandbox.db{suffix}"));
    let url = format!("sqlite:{}", name("").display());
    let mode = |suffix: &str| name(suffix).metadata().unwrap().permissions().mode() & 0o777;
    // A new database, then one that others could read, with files that a kill has left behind.
    for _ in 0..2 {
        let store = Store::open(&url).await.unwrap();
        for suffix in ["", "-wal", "-shm"] {
            assert_eq!(mode(suffix), 0o600, "{suffix}");
        }
        let left = ["-wal", "-shm"].map(|suffix| (suffix, std::fs::read(name(suffix)).unwrap()));
        drop(store);
        for (suffix, content) in left {
            std::fs::write(name(suffix), content).unwrap();
        }
        for suffix in ["", "-wal", "-shm"] {
            let open = std::fs::Permissions::from_mode(0o644);
            std::fs::set_permissions(name(suffix), open).unwrap();
        }
    }
}

#[tokio::test]
async fn postgresql() {
    let Some(server) = Postgres::start("postgresql") else {
        return;
    };
    let url = url(&server.database().await);
    is_a_store(&Store::open(&url).await.unwrap()).await;
    let store = Store::open(&url).await.unwrap();
    assert!(store.find::<TokenFamily>("f1").await.unwrap().is_some());
    shared_documents_are_current(&store, &Store::open(&url).await.unwrap()).await;
}

fn url(config: &tokio_postgres::Config) -> String {
    let tokio_postgres::config::Host::Unix(folder) = &config.get_hosts()[0] else {
        panic!("reached by a socket");
    };
    let folder = folder.display().to_string().replace('/', "%2F");
    format!(
        "postgres://postgres@{folder}/{}",
        config.get_dbname().unwrap()
    )
}

#[tokio::test]
async fn newer_tables_and_unknown_urls_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    let url = format!("sqlite:{}", file.display());
    drop(Store::open(&url).await.unwrap());
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection
        .execute("UPDATE sandbox_schema SET version = 99", [])
        .unwrap();
    let error = Store::open(&url).await.unwrap_err().to_string();
    assert!(error.contains("version 99"), "{error}");
    let error = Store::open("mysql://host/db")
        .await
        .unwrap_err()
        .to_string();
    assert!(error.contains("sqlite::memory:"), "{error}");
}
