//! Measures bothends-delivery; see bench/delivery.

mod disk;
mod fresh;
mod held;
mod latency;
#[path = "../../../delivery/tests/common/postgres.rs"]
#[allow(dead_code)]
mod postgres;
mod queue;
mod receiver;
mod table;
mod throughput;
mod workload;

use bothends_delivery::DeliveryStore;
use bothends_delivery::sqlite::SqliteStore;
use postgres::Postgres;
use table::Table;

/// What the command line selects: stores and subjects by name, all of them if it names none.
struct Selection(Vec<String>);

impl Selection {
    const STORES: [&str; 2] = ["sqlite", "postgres"];

    fn has_store(&self, name: &str) -> bool {
        let named = |selected: &&String| Self::STORES.contains(&selected.as_str());
        !self.0.iter().any(|selected| named(&selected))
            || self.0.iter().any(|selected| selected == name)
    }

    fn has(&self, subject: &str) -> bool {
        let mut subjects = self
            .0
            .iter()
            .filter(|selected| !Self::STORES.contains(&selected.as_str()));
        subjects.clone().next().is_none() || subjects.any(|selected| selected == subject)
    }
}

#[tokio::main]
async fn main() {
    let selection = Selection(std::env::args().skip(1).collect());
    let mut table = Table::default();
    let folder = tempfile::tempdir().unwrap();
    table.disk(disk::measure(folder.path()));
    if selection.has_store("sqlite") {
        let open = async |name: &str| SqliteStore::open(folder.path().join(name)).await.unwrap();
        measure("SQLite", &selection, open, &mut table).await;
    }
    if selection.has_store("postgres")
        && let Some(server) = Postgres::start_with("postgres", "")
    {
        let open = async |_: &str| {
            fresh::prepare(&server).await;
            server.store().await
        };
        measure("PostgreSQL", &selection, open, &mut table).await;
        if selection.has("held") {
            held::measure(&server, &mut table).await;
        }
        if selection.has("backlog") {
            for run in 1..=3 {
                let rate = throughput::backlog(&server).await;
                let subject = format!("deliveries/s, four workers clear a backlog, run {run}");
                table.add("PostgreSQL", &subject, format!("{rate:.0}"), None);
            }
        }
    }
    println!("\n{table}");
}

/// Measures what both stores have.
async fn measure<S: DeliveryStore>(
    name: &str,
    selection: &Selection,
    open: impl AsyncFn(&str) -> S,
    table: &mut Table,
) {
    if selection.has("latency") {
        let idle = latency::idle(open("idle").await).await;
        table.latencies(name, "idle", idle);
        let paced = latency::paced(open("paced").await).await;
        table.latencies(name, "at 1,000/s", paced);
    }
    if selection.has("enqueue") {
        for callers in [1, 64, 512] {
            let rate = throughput::enqueue(open(&format!("enqueue{callers}")).await, callers).await;
            let subject = format!("enqueue commits/s, {callers} callers");
            table.add(name, &subject, format!("{rate:.0}"), None);
        }
    }
    if selection.has("throughput") {
        throughput::compare(name, &open, table).await;
    }
    if selection.has("claims") {
        let few = queue::measure(open("few").await, 1_000).await;
        let many = queue::measure(open("many").await, 1_000_000).await;
        table.waiting(name, &few, &many);
    }
}
