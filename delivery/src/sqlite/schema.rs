//! The tables, and how a connection is set up.

use super::failure;
use crate::StoreError;
use rusqlite::{Connection, OpenFlags};
use std::path::Path;
use std::time::Duration;

/// How long another process may hold the database.
const BUSY: Duration = Duration::from_secs(10);

/// `state`: 0 pending, 1 leased, 2 delivered, 3 dead. `due`: from when on, until when, or when it
/// was finished. `since`: when the row came into its state. `ready`: an endpoint's place in the queue
/// of endpoints; nothing while there is nothing to claim from it. `removed`: since when the subscription
/// is gone; deliveries that are pending are dead then, however many, without being touched.
const TABLES: &str = "
CREATE TABLE IF NOT EXISTS bothends_subscription (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    active INTEGER NOT NULL,
    config TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS bothends_subscription_owner ON bothends_subscription (owner, id);

CREATE TABLE IF NOT EXISTS bothends_endpoint (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subscription TEXT NOT NULL,
    route TEXT NOT NULL,
    url TEXT NOT NULL,
    active INTEGER NOT NULL,
    cap INTEGER NOT NULL,
    busy INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0,
    suspect INTEGER NOT NULL DEFAULT 0,
    closed_until INTEGER NOT NULL DEFAULT 0,
    ready INTEGER,
    removed INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS bothends_endpoint_route
    ON bothends_endpoint (subscription, route) WHERE removed IS NULL;
CREATE INDEX IF NOT EXISTS bothends_endpoint_removed
    ON bothends_endpoint (removed, id) WHERE removed IS NOT NULL;
CREATE INDEX IF NOT EXISTS bothends_endpoint_ready
    ON bothends_endpoint (suspect, ready, id) WHERE ready IS NOT NULL;

CREATE TABLE IF NOT EXISTS bothends_selected (
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    every INTEGER NOT NULL,
    subscription TEXT NOT NULL,
    endpoint INTEGER NOT NULL,
    PRIMARY KEY (owner, kind, every, subscription)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS bothends_selected_subscription ON bothends_selected (subscription);

CREATE TABLE IF NOT EXISTS bothends_message (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    body BLOB NOT NULL,
    created INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS bothends_delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    message INTEGER NOT NULL,
    endpoint INTEGER NOT NULL,
    state INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL,
    since INTEGER NOT NULL,
    generation INTEGER NOT NULL DEFAULT 0,
    tries INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    replay_of INTEGER
);
CREATE INDEX IF NOT EXISTS bothends_delivery_pending
    ON bothends_delivery (endpoint, due, id) WHERE state = 0;
CREATE INDEX IF NOT EXISTS bothends_delivery_leased
    ON bothends_delivery (due) WHERE state = 1;
CREATE INDEX IF NOT EXISTS bothends_delivery_finished
    ON bothends_delivery (due, id) WHERE state >= 2;
CREATE INDEX IF NOT EXISTS bothends_delivery_message
    ON bothends_delivery (message);

CREATE TABLE IF NOT EXISTS bothends_attempt (
    delivery INTEGER NOT NULL,
    n INTEGER NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    status INTEGER,
    detail TEXT NOT NULL,
    PRIMARY KEY (delivery, n)
) WITHOUT ROWID;
";

/// Opens the database for writing, and makes the tables that are not there.
pub(super) fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path).map_err(failure)?;
    connection.busy_timeout(BUSY).map_err(failure)?;
    connection.set_prepared_statement_cache_capacity(64);
    // A commit is on the disk when it returns: in WAL mode, only FULL says so.
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536;
             PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY;",
        )
        .map_err(failure)?;
    connection
        .execute_batch(&format!("BEGIN IMMEDIATE; {TABLES} COMMIT;"))
        .map_err(failure)?;
    Ok(connection)
}

/// Opens the database for reading beside the writer.
pub(super) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failure)?;
    connection.busy_timeout(BUSY).map_err(failure)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}
