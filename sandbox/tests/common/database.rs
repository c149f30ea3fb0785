//! The databases of the sandboxes that tests start: SQLite in memory, or PostgreSQL when all tests of a module
//! run again.

use crate::postgres::Postgres;
use financial_data_sandbox::Sandbox;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio_postgres::config::Host;
use tokio_postgres::{Config, NoTls};

/// The environment variable with the folder of the socket of a PostgreSQL server.
const SERVER: &str = "SANDBOX_TESTS_POSTGRES";

/// Starts a sandbox on a database of its own.
pub(crate) async fn start() -> Sandbox {
    static DATABASES: AtomicU32 = AtomicU32::new(0);
    let Some(folder) = std::env::var_os(SERVER) else {
        return Sandbox::start().await.unwrap();
    };
    let name = format!("sandbox{}", DATABASES.fetch_add(1, Ordering::Relaxed));
    let mut config = Config::new();
    config.host_path(&folder).user("postgres");
    let (client, connection) = config.connect(NoTls).await.unwrap();
    let connection = tokio::spawn(connection);
    let create = format!("CREATE DATABASE {name}");
    client.batch_execute(&create).await.unwrap();
    drop(client);
    connection.await.unwrap().unwrap();
    let host = folder.to_str().unwrap().replace('/', "%2F");
    let url = format!("postgres://postgres@{host}/{name}");
    Sandbox::builder().database(&url).start().await.unwrap()
}

/// Runs all other tests of a module of this program with PostgreSQL as the database.
pub(crate) async fn again_on_postgresql(module: &str) {
    let test = format!("{module}::all_of_{module}_on_postgresql");
    let Some(server) = Postgres::start(&test) else {
        return;
    };
    let config = server.database().await;
    let Host::Unix(folder) = &config.get_hosts()[0] else {
        panic!("reached by a socket");
    };
    let mut command = Command::new(std::env::current_exe().unwrap());
    let tests = format!("{module}::");
    command.args([&*tests, "--skip", &test]).env(SERVER, folder);
    let output = tokio::task::spawn_blocking(move || command.output());
    let output = output.await.unwrap().unwrap();
    let reported = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{reported}{errors}");
    assert!(!reported.contains(" 0 passed;"), "{reported}");
}
