//! The tables, their versions, and the configuration of connections.

use super::failure;
use crate::StoreError;
use crate::store::{SCHEMA, newer_schema};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time to wait for a lock of another process.
const BUSY: Duration = Duration::from_secs(10);

/// The current tables.
///
/// - `state`: -2 pending until earlier first attempts of the endpoint were made, -1 pending after a worker
///   was lost, 0 pending, 1 leased, 2 delivered, 3 dead.
/// - `due`: when a pending delivery is due, when a lease expires, or when a delivery was finished.
/// - `since`: when the row entered its state.
/// - `lost`: leases lost in a row.
/// - `isolated`: leases granted in a row without any concurrent request.
/// - `ready`: the endpoint's place in the queue of its `class`; null while no delivery can be
///   claimed.
/// - `revision`: another number whenever the subscription or the URL of the endpoint has changed.
/// - `rate_every`, `rate_burst`, `rate_free`: the state of the rate limit, with times in microseconds.
/// - `ordered`: 1 if first attempts are ordered, 2 if they no longer are; `head`: the delivery whose first
///   attempt is in turn.
/// - `closed_since`: when the circuit of the endpoint opened that closes at `closed_until`.
/// - `id` of a message is first in its index: ids of one time are neighbours, unless the program chooses others, so that a
///   commit writes a page for all owners, and not one for each.
/// - `bothends_load`: how many requests of an endpoint are in progress (`busy`), and how long they take (`pace`). Claims and
///   records change it each time, and the row of the endpoint, which has more columns, rarely.
/// - `owner` of a delivery: the owner of its message.
/// - `bothends_owned`: the deliveries of each owner in the order of their ids, up to that in `bothends_owned_until`.
/// - `trace`: the trace context in which the message was created, as headers.
/// - `removed`: when the subscription was removed. Its pending deliveries then count as dead
///   without being updated, regardless of their number.
/// - `bothends_closed`: the number of deliveries that are delivered or dead, or were deleted before. Ids of deliveries have
///   no gaps: the last one is the number of all.
/// - `until` of an idempotency key: when its reservation by `holder` ends, or its response expires
///   (then `status` is not null).
const TABLES: &str = "
CREATE TABLE bothends_subscription (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    active INTEGER NOT NULL,
    config TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX bothends_subscription_owner ON bothends_subscription (owner, id);

CREATE TABLE bothends_endpoint (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    subscription TEXT NOT NULL,
    route TEXT NOT NULL,
    url TEXT NOT NULL,
    active INTEGER NOT NULL,
    cap INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    closed_until INTEGER NOT NULL DEFAULT 0,
    ready INTEGER,
    removed INTEGER,
    class INTEGER NOT NULL DEFAULT 0,
    closed_since INTEGER NOT NULL DEFAULT 0,
    rate_every INTEGER NOT NULL DEFAULT 0,
    rate_burst INTEGER NOT NULL DEFAULT 1,
    rate_free INTEGER NOT NULL DEFAULT 0,
    ordered INTEGER NOT NULL DEFAULT 0,
    head INTEGER,
    revision INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX bothends_endpoint_route
    ON bothends_endpoint (subscription, route) WHERE removed IS NULL;
CREATE INDEX bothends_endpoint_removed
    ON bothends_endpoint (removed, id) WHERE removed IS NOT NULL;
CREATE INDEX bothends_endpoint_ready
    ON bothends_endpoint (class, ready, id) WHERE ready IS NOT NULL;

CREATE TABLE bothends_load (endpoint INTEGER PRIMARY KEY, busy INTEGER NOT NULL DEFAULT 0, pace INTEGER);

CREATE TABLE bothends_selected (
    owner TEXT NOT NULL,
    kind TEXT NOT NULL,
    every INTEGER NOT NULL,
    subscription TEXT NOT NULL,
    endpoint INTEGER NOT NULL,
    ordered INTEGER NOT NULL DEFAULT 0,
    filter TEXT,
    PRIMARY KEY (owner, kind, every, subscription)
) WITHOUT ROWID;
CREATE INDEX bothends_selected_subscription ON bothends_selected (subscription);

CREATE TABLE bothends_message (
    key INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    method TEXT NOT NULL,
    headers TEXT,
    body BLOB NOT NULL,
    created INTEGER NOT NULL,
    trace TEXT,
    UNIQUE (id, owner)
);

CREATE TABLE bothends_delivery (
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
    replay_of INTEGER,
    isolated INTEGER NOT NULL DEFAULT 0,
    owner TEXT NOT NULL DEFAULT ''
);
CREATE INDEX bothends_delivery_pending
    ON bothends_delivery (endpoint, due, id) WHERE state = 0;
CREATE INDEX bothends_delivery_leased
    ON bothends_delivery (due) WHERE state = 1;
CREATE INDEX bothends_delivery_finished
    ON bothends_delivery (due, id) WHERE state >= 2;
CREATE INDEX bothends_delivery_apart
    ON bothends_delivery (due, id) WHERE state = -1;
CREATE INDEX bothends_delivery_line
    ON bothends_delivery (endpoint, id) WHERE state = -2;
CREATE INDEX bothends_delivery_message
    ON bothends_delivery (message);

CREATE TABLE bothends_owned (
    owner TEXT NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID;
CREATE TABLE bothends_owned_until (id INTEGER PRIMARY KEY CHECK (id = 1), delivery INTEGER NOT NULL);
INSERT INTO bothends_owned_until VALUES (1, 0);

CREATE TABLE bothends_attempt (
    delivery INTEGER NOT NULL,
    n INTEGER NOT NULL,
    started INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    status INTEGER,
    detail TEXT NOT NULL,
    responded INTEGER,
    PRIMARY KEY (delivery, n)
) WITHOUT ROWID;

CREATE TABLE bothends_clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    boot TEXT NOT NULL,
    up INTEGER NOT NULL,
    at INTEGER NOT NULL
);

CREATE TABLE bothends_idempotency (
    key BLOB PRIMARY KEY,
    fingerprint BLOB NOT NULL,
    holder BLOB NOT NULL,
    until INTEGER NOT NULL,
    status INTEGER,
    headers TEXT,
    body BLOB
);
CREATE INDEX bothends_idempotency_until ON bothends_idempotency (until);

CREATE TABLE bothends_operator (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    owner TEXT,
    failures INTEGER NOT NULL
);

CREATE TABLE bothends_event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX bothends_event_at ON bothends_event (at, id);
CREATE TABLE bothends_closed (id INTEGER PRIMARY KEY CHECK (id = 1), deliveries INTEGER NOT NULL);
INSERT INTO bothends_closed VALUES (1, 0);

CREATE TABLE bothends_schema (version INTEGER NOT NULL);
";

/// The upgrades, each from the previous version. The first one creates version 2.
///
/// Existing entries never change. To change the tables, add an entry, make the same change in
/// [`TABLES`], and increment [`SCHEMA`].
const UPGRADES: [&str; 8] = [
    "
ALTER TABLE bothends_endpoint ADD COLUMN pace INTEGER;
ALTER TABLE bothends_endpoint ADD COLUMN class INTEGER NOT NULL DEFAULT 0;
UPDATE bothends_endpoint SET class = 2 WHERE failures > 0;
DROP INDEX bothends_endpoint_ready;
ALTER TABLE bothends_endpoint DROP COLUMN suspect;
CREATE INDEX bothends_endpoint_ready
    ON bothends_endpoint (class, ready, id) WHERE ready IS NOT NULL;

CREATE TABLE bothends_message_2 (
    key INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    method TEXT NOT NULL,
    headers TEXT,
    body BLOB NOT NULL,
    created INTEGER NOT NULL,
    UNIQUE (owner, id)
);
INSERT INTO bothends_message_2 (key, owner, id, kind, method, body, created)
    SELECT m.key, coalesce((
        SELECT s.owner FROM bothends_delivery AS d
        JOIN bothends_endpoint AS e ON e.id = d.endpoint AND e.removed IS NULL
        JOIN bothends_subscription AS s ON s.id = e.subscription
        WHERE d.message = m.key LIMIT 1), ''), m.id, m.kind, 'POST', m.body, m.created
    FROM bothends_message AS m ORDER BY m.key;
DROP TABLE bothends_message;
ALTER TABLE bothends_message_2 RENAME TO bothends_message;

ALTER TABLE bothends_delivery ADD COLUMN isolated INTEGER NOT NULL DEFAULT 0;
UPDATE bothends_delivery SET state = -1 WHERE state = 0 AND lost > 0;
CREATE INDEX bothends_delivery_apart ON bothends_delivery (due, id) WHERE state = -1;

CREATE TABLE bothends_clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    boot TEXT NOT NULL,
    up INTEGER NOT NULL,
    at INTEGER NOT NULL
);
CREATE TABLE bothends_schema (version INTEGER NOT NULL);
INSERT INTO bothends_schema VALUES (2);
",
    // Circuits stayed open for five minutes at most, unless the policy said otherwise.
    "
ALTER TABLE bothends_endpoint ADD COLUMN closed_since INTEGER NOT NULL DEFAULT 0;
UPDATE bothends_endpoint SET closed_since = max(closed_until - 300000, 0) WHERE closed_until > 0;
ALTER TABLE bothends_delivery ADD COLUMN owner TEXT NOT NULL DEFAULT '';
UPDATE bothends_delivery SET owner = m.owner FROM bothends_message AS m
    WHERE m.key = bothends_delivery.message AND m.owner <> '';
CREATE INDEX bothends_delivery_owner
    ON bothends_delivery (owner, id);
",
    "
ALTER TABLE bothends_message ADD COLUMN trace TEXT;

CREATE TABLE bothends_idempotency (
    key BLOB PRIMARY KEY,
    fingerprint BLOB NOT NULL,
    holder BLOB NOT NULL,
    until INTEGER NOT NULL,
    status INTEGER,
    headers TEXT,
    body BLOB
);
CREATE INDEX bothends_idempotency_until ON bothends_idempotency (until);
",
    "
ALTER TABLE bothends_endpoint ADD COLUMN rate_every INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bothends_endpoint ADD COLUMN rate_burst INTEGER NOT NULL DEFAULT 1;
ALTER TABLE bothends_endpoint ADD COLUMN rate_free INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bothends_endpoint ADD COLUMN ordered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bothends_endpoint ADD COLUMN head INTEGER;
ALTER TABLE bothends_selected ADD COLUMN ordered INTEGER NOT NULL DEFAULT 0;
ALTER TABLE bothends_selected ADD COLUMN filter TEXT;
CREATE INDEX bothends_delivery_line
    ON bothends_delivery (endpoint, id) WHERE state = -2;
ALTER TABLE bothends_attempt ADD COLUMN responded INTEGER;

CREATE TABLE bothends_operator (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    owner TEXT,
    failures INTEGER NOT NULL
);
CREATE TABLE bothends_event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX bothends_event_at ON bothends_event (at, id);
CREATE TABLE bothends_depth (id INTEGER PRIMARY KEY CHECK (id = 1), open INTEGER NOT NULL);
INSERT INTO bothends_depth SELECT 1, (
    SELECT count(*) FROM bothends_delivery WHERE state IN (-1, 0, 1)
);
CREATE TRIGGER bothends_depth_inserted AFTER INSERT ON bothends_delivery WHEN new.state < 2
    BEGIN UPDATE bothends_depth SET open = open + 1; END;
CREATE TRIGGER bothends_depth_updated AFTER UPDATE OF state ON bothends_delivery
    WHEN (old.state < 2) <> (new.state < 2)
    BEGIN UPDATE bothends_depth SET open = open + iif(new.state < 2, 1, -1); END;
CREATE TRIGGER bothends_depth_deleted AFTER DELETE ON bothends_delivery WHEN old.state < 2
    BEGIN UPDATE bothends_depth SET open = open - 1; END;
",
    "
CREATE TABLE bothends_message_6 (
    key INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    method TEXT NOT NULL,
    headers TEXT,
    body BLOB NOT NULL,
    created INTEGER NOT NULL,
    trace TEXT,
    UNIQUE (id, owner)
);
INSERT INTO bothends_message_6 (key, owner, id, kind, method, headers, body, created, trace)
    SELECT key, owner, id, kind, method, headers, body, created, trace FROM bothends_message ORDER BY key;
DROP TABLE bothends_message;
ALTER TABLE bothends_message_6 RENAME TO bothends_message;

CREATE TABLE bothends_owned (
    owner TEXT NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (owner, id)
) WITHOUT ROWID;
CREATE TABLE bothends_owned_until (id INTEGER PRIMARY KEY CHECK (id = 1), delivery INTEGER NOT NULL);
INSERT INTO bothends_owned SELECT owner, id FROM bothends_delivery ORDER BY owner, id;
INSERT INTO bothends_owned_until SELECT 1, coalesce(max(id), 0) FROM bothends_delivery;
CREATE TRIGGER bothends_owned_added AFTER INSERT ON bothends_delivery WHEN new.id % 1024 = 0
    BEGIN
        INSERT INTO bothends_owned SELECT owner, id FROM bothends_delivery
            WHERE id > (SELECT delivery FROM bothends_owned_until) AND id <= new.id ORDER BY owner, id;
        UPDATE bothends_owned_until SET delivery = new.id;
    END;
CREATE TRIGGER bothends_owned_deleted AFTER DELETE ON bothends_delivery
    BEGIN DELETE FROM bothends_owned WHERE owner = old.owner AND id = old.id; END;
DROP INDEX bothends_delivery_owner;
",
    "
DROP TRIGGER bothends_owned_added;
DROP TRIGGER bothends_owned_deleted;
DROP TRIGGER bothends_depth_inserted;
DROP TRIGGER bothends_depth_updated;
DROP TRIGGER bothends_depth_deleted;
CREATE TABLE bothends_closed (id INTEGER PRIMARY KEY CHECK (id = 1), deliveries INTEGER NOT NULL);
INSERT INTO bothends_closed SELECT 1, coalesce((
    SELECT seq FROM sqlite_sequence WHERE name = 'bothends_delivery'), 0) - (SELECT open FROM bothends_depth);
DROP TABLE bothends_depth;
ALTER TABLE bothends_endpoint ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
",
    // Only the tables of PostgreSQL have changed.
    "",
    "
CREATE TABLE bothends_load (endpoint INTEGER PRIMARY KEY, busy INTEGER NOT NULL DEFAULT 0, pace INTEGER);
INSERT INTO bothends_load SELECT id, busy, pace FROM bothends_endpoint;
ALTER TABLE bothends_endpoint DROP COLUMN busy;
ALTER TABLE bothends_endpoint DROP COLUMN pace;
",
];

/// Opens the database for writing, and creates or upgrades its tables.
pub(super) fn open_writer(path: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(path).map_err(failure)?;
    configure(&connection)?;
    // A commit must be on the disk when it returns; in WAL mode, only FULL guarantees this. Most pages are written again by
    // the next commits: the fewer checkpoints, the fewer of them are copied to the database in vain.
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000;
             PRAGMA cache_size = -32768; PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY;",
        )
        .map_err(failure)?;
    connection
        .execute_batch("BEGIN IMMEDIATE")
        .map_err(failure)?;
    match upgrade(&connection) {
        Ok(()) => connection.execute_batch("COMMIT").map_err(failure)?,
        Err(error) => {
            // The first error is the relevant one.
            let _ = connection.execute_batch("ROLLBACK");
            return Err(error);
        }
    }
    Ok(connection)
}

fn configure(connection: &Connection) -> Result<(), StoreError> {
    connection.busy_timeout(BUSY).map_err(failure)?;
    connection.set_prepared_statement_cache_capacity(64);
    // Plans do not depend on values. Otherwise each use of a statement with `LIMIT ?` compiles it again.
    let stable = DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG;
    connection.set_db_config(stable, true).map_err(failure)?;
    Ok(())
}

/// Leaves it to the system when commits are written to the disk.
pub(super) fn without_sync(connection: &Connection) -> Result<(), StoreError> {
    let off = connection.execute_batch("PRAGMA synchronous = OFF");
    off.map_err(failure)
}

/// Creates the tables, or upgrades those of an earlier version.
fn upgrade(connection: &Connection) -> Result<(), StoreError> {
    let there = |table: &str| -> Result<bool, StoreError> {
        let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1";
        let found = connection.query_row(sql, [table], |_| Ok(())).optional();
        found.map(|found| found.is_some()).map_err(failure)
    };
    let run = |sql: &str| connection.execute_batch(sql).map_err(failure);
    let version = if there("bothends_schema")? {
        connection
            .query_row("SELECT max(version) FROM bothends_schema", [], |row| {
                row.get(0)
            })
            .map_err(failure)?
    } else if there("bothends_message")? {
        // The first version did not store its number.
        1
    } else {
        run(TABLES)?;
        return run(&format!("INSERT INTO bothends_schema VALUES ({SCHEMA})"));
    };
    if version > SCHEMA {
        return Err(newer_schema(version));
    }
    for (upgrade, makes) in UPGRADES.iter().zip(2..) {
        if makes > version {
            run(upgrade)?;
            run(&format!("UPDATE bothends_schema SET version = {makes}"))?;
        }
    }
    Ok(())
}

/// Returns the file of the database, or `None` if the database is private to its connection: in
/// memory, or in a temporary file.
pub(super) fn file_of(connection: &Connection) -> Option<PathBuf> {
    let path = connection.path().filter(|path| !path.is_empty());
    path.map(PathBuf::from)
}

/// Opens the database for reading, in parallel to the writer.
pub(super) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(failure)?;
    configure(&connection)?;
    Ok(connection)
}
