//! Instances that are killed under load, from outside: `tests/python/crash.py` is the client, the
//! receiver and the judge. More kills: `BOTHENDS_KILLS=1000`, another seed: `BOTHENDS_SEED=17`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that does so fails"
)]

use crate::postgres::Postgres;
use bothends_test_environment::has_python;
use std::process::{Command, Stdio};

/// Runs the script, and fails with its output if something was lost.
fn kill(database: &str, instances: &str, kills: &str) {
    let setting =
        |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/crash.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(env!("CARGO_BIN_EXE_financial-data-sandbox"))
        .arg(database)
        .args(["--instances", instances])
        .args(["--kills", &setting("BOTHENDS_KILLS", kills)])
        .args(["--seed", &setting("BOTHENDS_SEED", "1")])
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    let reported = String::from_utf8_lossy(&output.stdout);
    println!("{reported}");
    assert!(output.status.success(), "{reported}");
    let reported: serde_json::Value = serde_json::from_str(&reported).unwrap();
    assert!(reported["accepted"].as_u64().unwrap() > 0, "{reported}");
    assert!(reported["reused"].as_u64().unwrap() > 0, "{reported}");
    assert!(reported["checked"].as_u64().unwrap() > 0, "{reported}");
    // Tasks whose acceptance was not seen by a client have webhooks as well.
    assert!(
        reported["webhooks"].as_u64() >= reported["accepted"].as_u64(),
        "{reported}"
    );
}

fn on_sqlite(kills: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sandbox.db");
    kill(&format!("sqlite:{}", file.display()), "1", kills);
}

async fn on_postgresql(test: &str, kills: &str) {
    let Some(server) = Postgres::start(test) else {
        return;
    };
    let config = server.database().await;
    let tokio_postgres::config::Host::Unix(folder) = &config.get_hosts()[0] else {
        panic!("reached by a socket");
    };
    let folder = folder.display().to_string().replace('/', "%2F");
    let database = config.get_dbname().unwrap();
    kill(
        &format!("postgres://postgres@{folder}/{database}"),
        "2",
        kills,
    );
}

#[test]
fn nothing_is_lost_on_sqlite() {
    if has_python("nothing_is_lost_on_sqlite") {
        on_sqlite("5");
    }
}

#[test]
#[ignore = "slow suite `crash`: run with --include-ignored"]
fn nothing_is_lost_by_a_hundred_kills_on_sqlite() {
    if has_python("nothing_is_lost_by_a_hundred_kills_on_sqlite") {
        on_sqlite("100");
    }
}

#[tokio::test]
#[ignore = "slow suite `crash`: run with --include-ignored"]
async fn nothing_is_lost_by_a_hundred_kills_of_two_instances_on_postgresql() {
    let test = "nothing_is_lost_by_a_hundred_kills_of_two_instances_on_postgresql";
    if has_python(test) {
        on_postgresql(test, "100").await;
    }
}
