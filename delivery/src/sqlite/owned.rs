//! The table `bothends_owned`, which lists the deliveries of each owner.
//!
//! An index of deliveries by owner would have every commit write a page for each owner. Instead, deliveries are added to a
//! table [`EACH`] at a time, and lists read those that are not, too.

use super::{corrupt, execute, find};
use crate::StoreError;
use rusqlite::{Connection, params};

/// How many deliveries are added at a time.
const EACH: i64 = 1024;

/// Adds deliveries up to this one, the latest, if there are enough of them.
pub(super) fn add(connection: &Connection, latest: i64) -> Result<(), StoreError> {
    if latest % EACH != 0 {
        return Ok(());
    }
    let sql = "INSERT INTO bothends_owned SELECT owner, id FROM bothends_delivery
        WHERE id > (SELECT delivery FROM bothends_owned_until WHERE id = 1) AND id <= ?1 ORDER BY owner, id";
    execute(connection, sql, params![latest])?;
    let sql = "UPDATE bothends_owned_until SET delivery = ?1 WHERE id = 1";
    execute(connection, sql, params![latest]).map(drop)
}

/// Returns the last delivery that was added. Later ones may be added while a page is read.
pub(super) fn until(connection: &Connection) -> Result<i64, StoreError> {
    let sql = "SELECT delivery FROM bothends_owned_until WHERE id = 1";
    let found = find(connection, sql, params![], |row| row.get(0))?;
    found.ok_or_else(|| corrupt("no last delivery of owners"))
}

/// Removes a delivery that is going to be deleted.
pub(super) fn remove(connection: &Connection, delivery: i64) -> Result<(), StoreError> {
    let sql = "DELETE FROM bothends_owned
        WHERE owner = (SELECT owner FROM bothends_delivery WHERE id = ?1) AND id = ?1";
    execute(connection, sql, params![delivery]).map(drop)
}
