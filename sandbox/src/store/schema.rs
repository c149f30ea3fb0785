//! The tables, and their versions.

use super::StorageError;

/// The version of the tables that this program writes.
pub(super) const VERSION: i64 = 3;

/// The statements that lead from each version to the next; the first from no tables. The same
/// statements serve SQLite and PostgreSQL.
const STEPS: [&str; 3] = [
    "
    CREATE TABLE sandbox_records (
        project TEXT NOT NULL,
        kind TEXT NOT NULL,
        id TEXT NOT NULL,
        version BIGINT NOT NULL,
        tag TEXT,
        parent TEXT,
        due BIGINT,
        body TEXT NOT NULL,
        PRIMARY KEY (project, kind, id)
    );
    CREATE UNIQUE INDEX sandbox_by_tag ON sandbox_records (kind, tag) WHERE tag IS NOT NULL;
    CREATE INDEX sandbox_by_due ON sandbox_records (project, due) WHERE due IS NOT NULL;
    CREATE INDEX sandbox_by_parent ON sandbox_records (project, kind, parent, id) WHERE parent IS NOT NULL;
",
    // Calls are stored in batches.
    "UPDATE sandbox_records SET parent = id, version = 1, body = '[' || body || ']' WHERE kind = 'call'",
    // Programs that write version 2 cannot read compressed bodies.
    "",
];

/// Selects the projects with due documents, and when the first of each is due. The index has an entry
/// for each of these, so that the statement looks at one document of each project only.
pub(super) const NEXT_DUE: &str = "SELECT id, due FROM (
        SELECT p.id AS id, (
            SELECT MIN(d.due) FROM sandbox_records AS d WHERE d.project = p.id AND d.due IS NOT NULL
        ) AS due FROM sandbox_records AS p WHERE p.project = '' AND p.kind = 'project'
    ) AS projects WHERE due IS NOT NULL";

/// The table with the version.
pub(super) const VERSION_TABLE: &str = "CREATE TABLE IF NOT EXISTS sandbox_schema (singleton BIGINT PRIMARY KEY, version BIGINT NOT NULL)";

/// Returns the statements that upgrade tables of a version.
pub(super) fn upgrade(found: i64) -> Result<&'static [&'static str], StorageError> {
    usize::try_from(found)
        .ok()
        .and_then(|found| STEPS.get(found..))
        .ok_or_else(|| {
            StorageError::new(format!(
                "the database has tables of version {found}, and this program knows versions up to \
                 {VERSION}: use the program that made them, or a newer one"
            ))
        })
}
