//! The tables and their versions: most are those of the SQLite store, with what only PostgreSQL needs.

use super::{failure, get};
use crate::StoreError;
use crate::store::{SCHEMA, newer_schema};
use deadpool_postgres::{Object, Transaction};

/// The advisory lock held during creation and upgrades, so that two starting processes do not
/// conflict.
const LOCK: i64 = 0x626f_7468_656e_6473;

/// The current tables.
///
/// `bothends_wake` keeps enqueues from waiting. An enqueue does not update the endpoint's row,
/// which other transactions may have locked, but commits a note together with the delivery. Claims
/// absorb the notes. A note in `line` is for a delivery that waits for its turn. `has_room` is derived from
/// the other columns of the endpoint, so that claims need not read them all. No pending delivery of an endpoint
/// is due before `low`, apart from those of notes: scans of the index begin there, so that they do not pass the
/// entries of deliveries that are finished, which remain while any transaction with an earlier snapshot is
/// open. The sum of `bothends_depth` is the number of deliveries that are neither delivered nor dead: each
/// statement adds a row with its change, because a single row would make transactions wait for each other.
/// `bothends_owned` has the owner and the message of each delivery, which never change: each update of a delivery would
/// add to indices of its own table.
/// Queue tables are vacuumed often, because they are emptied as fast as
/// they are filled.
const TABLES: &str = r#"
CREATE TABLE bothends_subscription (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner TEXT COLLATE "C" NOT NULL,
    active BOOLEAN NOT NULL,
    config TEXT NOT NULL
);
CREATE INDEX bothends_subscription_owner ON bothends_subscription (owner, id);

CREATE TABLE bothends_endpoint (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subscription TEXT COLLATE "C" NOT NULL,
    route TEXT COLLATE "C" NOT NULL,
    url TEXT NOT NULL,
    active BOOLEAN NOT NULL,
    cap BIGINT NOT NULL,
    busy BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    closed_until BIGINT NOT NULL DEFAULT 0,
    ready BIGINT,
    has_room BOOLEAN NOT NULL DEFAULT TRUE,
    removed BIGINT,
    pace BIGINT,
    class BIGINT NOT NULL DEFAULT 0,
    closed_since BIGINT NOT NULL DEFAULT 0,
    rate_every BIGINT NOT NULL DEFAULT 0,
    rate_burst BIGINT NOT NULL DEFAULT 1,
    rate_free BIGINT NOT NULL DEFAULT 0,
    ordered BIGINT NOT NULL DEFAULT 0,
    head BIGINT,
    low BIGINT NOT NULL DEFAULT '-9223372036854775808'
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
CREATE UNIQUE INDEX bothends_endpoint_route
    ON bothends_endpoint (subscription, route) WHERE removed IS NULL;
CREATE INDEX bothends_endpoint_removed
    ON bothends_endpoint (removed, id) WHERE removed IS NOT NULL;
CREATE INDEX bothends_endpoint_ready
    ON bothends_endpoint (class, ready, id) WHERE ready IS NOT NULL;

CREATE TABLE bothends_selected (
    owner TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    every BOOLEAN NOT NULL,
    subscription TEXT COLLATE "C" NOT NULL,
    endpoint BIGINT NOT NULL,
    ordered BOOLEAN NOT NULL DEFAULT FALSE,
    filter TEXT,
    PRIMARY KEY (owner, kind, every, subscription)
);
CREATE INDEX bothends_selected_subscription ON bothends_selected (subscription);

CREATE TABLE bothends_message (
    key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    owner TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    kind TEXT NOT NULL,
    method TEXT NOT NULL,
    headers TEXT,
    body BYTEA NOT NULL,
    created BIGINT NOT NULL,
    trace TEXT,
    UNIQUE (id, owner)
);

CREATE TABLE bothends_delivery (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    message BIGINT NOT NULL,
    endpoint BIGINT NOT NULL,
    state BIGINT NOT NULL DEFAULT 0,
    due BIGINT NOT NULL,
    since BIGINT NOT NULL,
    generation BIGINT NOT NULL DEFAULT 0,
    tries BIGINT NOT NULL DEFAULT 0,
    lost BIGINT NOT NULL DEFAULT 0,
    reason TEXT,
    replay_of BIGINT,
    isolated BIGINT NOT NULL DEFAULT 0,
    owner TEXT COLLATE "C" NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX bothends_delivery_pending
    ON bothends_delivery (endpoint, due, id) WHERE state = 0;
CREATE INDEX bothends_delivery_leased ON bothends_delivery (due) WHERE state = 1;
CREATE INDEX bothends_delivery_finished
    ON bothends_delivery (due, id) WHERE state >= 2;
CREATE INDEX bothends_delivery_apart ON bothends_delivery (due, id) WHERE state = -1;
CREATE INDEX bothends_delivery_line ON bothends_delivery (endpoint, id) WHERE state = -2;

CREATE TABLE bothends_owned (
    owner TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    message BIGINT NOT NULL,
    PRIMARY KEY (owner, id)
);
CREATE INDEX bothends_owned_message ON bothends_owned (message);

CREATE TABLE bothends_attempt (
    delivery BIGINT NOT NULL,
    n BIGINT NOT NULL,
    started BIGINT NOT NULL,
    ended BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    status BIGINT,
    detail TEXT NOT NULL,
    responded BIGINT,
    PRIMARY KEY (delivery, n)
);

CREATE TABLE bothends_wake (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoints BIGINT[] NOT NULL,
    times BIGINT[] NOT NULL,
    lines BOOLEAN[] NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_cost_delay = 0);

CREATE TABLE bothends_idempotency (
    key BYTEA PRIMARY KEY,
    fingerprint BYTEA NOT NULL,
    holder BYTEA NOT NULL,
    until BIGINT NOT NULL,
    status BIGINT,
    headers TEXT,
    body BYTEA
);
CREATE INDEX bothends_idempotency_until ON bothends_idempotency (until);

CREATE TABLE bothends_operator (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    owner TEXT,
    failures BIGINT NOT NULL
);

CREATE TABLE bothends_event (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX bothends_event_at ON bothends_event (at, id);
CREATE TABLE bothends_depth (open BIGINT NOT NULL);

CREATE TABLE bothends_schema (version BIGINT NOT NULL);
"#;

/// The upgrades, each from the previous version. The first one creates version 2.
///
/// Existing entries never change. To change the tables, add an entry, make the same change in
/// [`TABLES`], and increment [`SCHEMA`].
const UPGRADES: [&str; 8] = [
    r#"
ALTER TABLE bothends_endpoint ADD COLUMN pace BIGINT, ADD COLUMN class BIGINT NOT NULL DEFAULT 0;
UPDATE bothends_endpoint SET class = 2 WHERE failures > 0;
DROP INDEX bothends_endpoint_ready;
ALTER TABLE bothends_endpoint DROP COLUMN suspect;
CREATE INDEX bothends_endpoint_ready
    ON bothends_endpoint (class, ready, id) WHERE ready IS NOT NULL;

ALTER TABLE bothends_message
    ADD COLUMN owner TEXT COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN method TEXT NOT NULL DEFAULT 'POST',
    ADD COLUMN headers TEXT;
UPDATE bothends_message AS m SET owner = s.owner
    FROM bothends_delivery AS d
    JOIN bothends_endpoint AS e ON e.id = d.endpoint AND e.removed IS NULL
    JOIN bothends_subscription AS s ON s.id = e.subscription
    WHERE d.message = m.key AND s.owner <> '';
ALTER TABLE bothends_message
    ALTER COLUMN owner DROP DEFAULT,
    ALTER COLUMN method DROP DEFAULT,
    DROP CONSTRAINT bothends_message_id_key,
    ADD UNIQUE (owner, id);

ALTER TABLE bothends_delivery ADD COLUMN isolated BIGINT NOT NULL DEFAULT 0;
UPDATE bothends_delivery SET state = -1 WHERE state = 0 AND lost > 0;
CREATE INDEX bothends_delivery_apart ON bothends_delivery (due, id) WHERE state = -1;

CREATE TABLE bothends_schema (version BIGINT NOT NULL);
INSERT INTO bothends_schema VALUES (2);
"#,
    // Circuits stayed open for five minutes at most, unless the policy said otherwise.
    r#"
ALTER TABLE bothends_endpoint ADD COLUMN closed_since BIGINT NOT NULL DEFAULT 0;
UPDATE bothends_endpoint SET closed_since = greatest(closed_until - 300000, 0) WHERE closed_until > 0;
ALTER TABLE bothends_delivery ADD COLUMN owner TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE bothends_delivery AS d SET owner = m.owner FROM bothends_message AS m
    WHERE m.key = d.message AND m.owner <> '';
ALTER TABLE bothends_delivery ALTER COLUMN owner DROP DEFAULT;
CREATE INDEX bothends_delivery_owner ON bothends_delivery (owner, id);
"#,
    r#"
ALTER TABLE bothends_message ADD COLUMN trace TEXT;

CREATE TABLE bothends_idempotency (
    key BYTEA PRIMARY KEY,
    fingerprint BYTEA NOT NULL,
    holder BYTEA NOT NULL,
    until BIGINT NOT NULL,
    status BIGINT,
    headers TEXT,
    body BYTEA
);
CREATE INDEX bothends_idempotency_until ON bothends_idempotency (until);
"#,
    r#"
ALTER TABLE bothends_endpoint
    ADD COLUMN rate_every BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN rate_burst BIGINT NOT NULL DEFAULT 1,
    ADD COLUMN rate_free BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN ordered BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN head BIGINT;
ALTER TABLE bothends_selected
    ADD COLUMN ordered BOOLEAN NOT NULL DEFAULT FALSE,
    ADD COLUMN filter TEXT;
CREATE INDEX bothends_delivery_line ON bothends_delivery (endpoint, id) WHERE state = -2;
ALTER TABLE bothends_attempt ADD COLUMN responded BIGINT;
ALTER TABLE bothends_wake ADD COLUMN line BOOLEAN NOT NULL DEFAULT FALSE;

CREATE TABLE bothends_operator (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    owner TEXT,
    failures BIGINT NOT NULL
);
CREATE TABLE bothends_event (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE INDEX bothends_event_at ON bothends_event (at, id);
ALTER TABLE bothends_endpoint ADD COLUMN low BIGINT NOT NULL DEFAULT '-9223372036854775808';

CREATE TABLE bothends_depth (open BIGINT NOT NULL);
INSERT INTO bothends_depth SELECT count(*) FROM bothends_delivery WHERE state IN (-1, 0, 1);
CREATE FUNCTION bothends_depth_changed() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
    change BIGINT := 0;
BEGIN
    IF TG_OP <> 'DELETE' THEN
        SELECT count(*) INTO change FROM made WHERE state < 2;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        change := change - (SELECT count(*) FROM gone WHERE state < 2);
    END IF;
    IF change <> 0 THEN
        INSERT INTO bothends_depth VALUES (change);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER bothends_depth_inserted AFTER INSERT ON bothends_delivery
    REFERENCING NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION bothends_depth_changed();
CREATE TRIGGER bothends_depth_updated AFTER UPDATE ON bothends_delivery
    REFERENCING OLD TABLE AS gone NEW TABLE AS made
    FOR EACH STATEMENT EXECUTE FUNCTION bothends_depth_changed();
CREATE TRIGGER bothends_depth_deleted AFTER DELETE ON bothends_delivery
    REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION bothends_depth_changed();
"#,
    // Only the tables of SQLite have changed.
    "",
    r#"
DROP TRIGGER bothends_depth_inserted ON bothends_delivery;
DROP TRIGGER bothends_depth_updated ON bothends_delivery;
DROP TRIGGER bothends_depth_deleted ON bothends_delivery;
DROP FUNCTION bothends_depth_changed();
"#,
    r#"
ALTER TABLE bothends_wake ADD COLUMN endpoints BIGINT[], ADD COLUMN times BIGINT[], ADD COLUMN lines BOOLEAN[];
UPDATE bothends_wake SET endpoints = ARRAY[endpoint], times = ARRAY[at], lines = ARRAY[line];
ALTER TABLE bothends_wake ALTER COLUMN endpoints SET NOT NULL, ALTER COLUMN times SET NOT NULL,
    ALTER COLUMN lines SET NOT NULL, DROP COLUMN endpoint, DROP COLUMN at, DROP COLUMN line;
ALTER TABLE bothends_message DROP CONSTRAINT bothends_message_owner_id_key, ADD UNIQUE (id, owner);
CREATE TABLE bothends_owned (
    owner TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    message BIGINT NOT NULL
);
INSERT INTO bothends_owned SELECT owner, id, message FROM bothends_delivery ORDER BY id;
ALTER TABLE bothends_owned ADD PRIMARY KEY (owner, id);
CREATE INDEX bothends_owned_message ON bothends_owned (message);
DROP INDEX bothends_delivery_message;
DROP INDEX bothends_delivery_owner;
"#,
    // Only the tables of SQLite have changed.
    "",
];

/// Runs a statement that creates tables, alone among all processes.
pub(super) async fn create_if_missing(client: &mut Object, sql: &str) -> Result<(), StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    lock(&transaction).await?;
    transaction.batch_execute(sql).await.map_err(failure)?;
    transaction.commit().await.map_err(failure)
}

async fn lock(transaction: &Transaction<'_>) -> Result<(), StoreError> {
    let locked = transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]);
    locked.await.map(drop).map_err(failure)
}

/// Creates the tables, or upgrades those of an earlier version.
pub(super) async fn create(client: &mut Object) -> Result<(), StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    let run = async |sql: &str| transaction.batch_execute(sql).await.map_err(failure);
    // Rewriting a large table takes longer than any other statement.
    run("SET LOCAL statement_timeout = 0").await?;
    lock(&transaction).await?;
    match version(&transaction).await? {
        None => {
            run(TABLES).await?;
            run(&format!("INSERT INTO bothends_schema VALUES ({SCHEMA})")).await?;
        }
        Some(version) if version > SCHEMA => return Err(newer_schema(version)),
        Some(version) => {
            for (upgrade, makes) in UPGRADES.iter().zip(2..) {
                if makes > version {
                    run(upgrade).await?;
                    run(&format!("UPDATE bothends_schema SET version = {makes}")).await?;
                }
            }
        }
    }
    transaction.commit().await.map_err(failure)
}

/// Returns the version of the tables, if they exist.
async fn version(transaction: &Transaction<'_>) -> Result<Option<i64>, StoreError> {
    let there = "SELECT to_regclass('bothends_schema') IS NOT NULL,
        to_regclass('bothends_message') IS NOT NULL";
    let row = transaction.query_one(there, &[]).await.map_err(failure)?;
    if get(&row, 0)? {
        let sql = "SELECT max(version) FROM bothends_schema";
        let row = transaction.query_one(sql, &[]).await.map_err(failure)?;
        return get(&row, 0);
    }
    // The first version did not store its number.
    Ok(get::<bool>(&row, 1)?.then_some(1))
}
