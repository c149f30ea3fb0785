//! The tables: those of SQLite, and one more.

use super::failure;
use crate::StoreError;
use deadpool_postgres::Object;

/// Taken while the tables are made, so that two that start at once do not trip over each other.
const LOCK: i64 = 0x626f_7468_656e_6473;

/// `bothends_wake` is what keeps enqueuing from waiting: whoever enqueues does not touch the
/// endpoint's row, which others hold, but leaves a note with its own commit. Claims collect the
/// notes; `has_room` is what the endpoint's other columns come to, so that they need not read them all.
/// Queue tables are emptied as fast as they are filled, so they are swept often.
const TABLES: &str = r#"
CREATE TABLE IF NOT EXISTS bothends_subscription (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner TEXT COLLATE "C" NOT NULL,
    active BOOLEAN NOT NULL,
    config TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS bothends_subscription_owner ON bothends_subscription (owner, id);

CREATE TABLE IF NOT EXISTS bothends_endpoint (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subscription TEXT COLLATE "C" NOT NULL,
    route TEXT COLLATE "C" NOT NULL,
    url TEXT NOT NULL,
    active BOOLEAN NOT NULL,
    cap BIGINT NOT NULL,
    busy BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    suspect BOOLEAN NOT NULL DEFAULT FALSE,
    closed_until BIGINT NOT NULL DEFAULT 0,
    ready BIGINT,
    has_room BOOLEAN NOT NULL DEFAULT TRUE,
    removed BIGINT
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
CREATE UNIQUE INDEX IF NOT EXISTS bothends_endpoint_route
    ON bothends_endpoint (subscription, route) WHERE removed IS NULL;
CREATE INDEX IF NOT EXISTS bothends_endpoint_removed
    ON bothends_endpoint (removed, id) WHERE removed IS NOT NULL;
CREATE INDEX IF NOT EXISTS bothends_endpoint_ready
    ON bothends_endpoint (suspect, ready, id) WHERE ready IS NOT NULL;

CREATE TABLE IF NOT EXISTS bothends_selected (
    owner TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    every BOOLEAN NOT NULL,
    subscription TEXT COLLATE "C" NOT NULL,
    endpoint BIGINT NOT NULL,
    PRIMARY KEY (owner, kind, every, subscription)
);
CREATE INDEX IF NOT EXISTS bothends_selected_subscription ON bothends_selected (subscription);

CREATE TABLE IF NOT EXISTS bothends_message (
    key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    body BYTEA NOT NULL,
    created BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS bothends_delivery (
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
    replay_of BIGINT
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX IF NOT EXISTS bothends_delivery_pending
    ON bothends_delivery (endpoint, due, id) WHERE state = 0;
CREATE INDEX IF NOT EXISTS bothends_delivery_leased ON bothends_delivery (due) WHERE state = 1;
CREATE INDEX IF NOT EXISTS bothends_delivery_finished
    ON bothends_delivery (due, id) WHERE state >= 2;
CREATE INDEX IF NOT EXISTS bothends_delivery_message ON bothends_delivery (message);

CREATE TABLE IF NOT EXISTS bothends_attempt (
    delivery BIGINT NOT NULL,
    n BIGINT NOT NULL,
    started BIGINT NOT NULL,
    ended BIGINT NOT NULL,
    outcome TEXT NOT NULL,
    status BIGINT,
    detail TEXT NOT NULL,
    PRIMARY KEY (delivery, n)
);

CREATE TABLE IF NOT EXISTS bothends_wake (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    endpoint BIGINT NOT NULL,
    at BIGINT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_cost_delay = 0);
"#;

pub(super) async fn create(client: &mut Object) -> Result<(), StoreError> {
    let transaction = client.transaction().await.map_err(failure)?;
    transaction
        .execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])
        .await
        .map_err(failure)?;
    transaction.batch_execute(TABLES).await.map_err(failure)?;
    transaction.commit().await.map_err(failure)
}
