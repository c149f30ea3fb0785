//! Both stores do what every store has to do.

mod common;

use bothends_delivery::conformance::check_all;
use bothends_delivery::sqlite::SqliteStore;
use common::postgres::Postgres;

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_conforms() {
    let folder = tempfile::tempdir().unwrap();
    let open = async |name: &str| SqliteStore::open(folder.path().join(name)).await.unwrap();
    check_all(open).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_conforms() {
    let Some(server) = Postgres::start("postgres_conforms") else {
        return;
    };
    check_all(async |_: &str| server.store().await).await;
}
