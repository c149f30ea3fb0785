//! Both stores do what every store has to do.

mod common;

use bothends_delivery::conformance::check_all;
use bothends_delivery::sqlite::SqliteOptions;
use common::postgres::Postgres;

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_conforms() {
    let folder = tempfile::tempdir().unwrap();
    let open = async |name: &str, clock| {
        let options = SqliteOptions::new().clock(clock);
        options.open(folder.path().join(name)).await.unwrap()
    };
    check_all(open).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_conforms() {
    let Some(server) = Postgres::start("postgres_conforms") else {
        return;
    };
    check_all(async |_: &str, clock| server.store_with(clock).await).await;
}
