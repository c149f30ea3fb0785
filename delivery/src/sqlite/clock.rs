//! The clock of a database, shared by all processes that open its file.
//!
//! The database stores one moment as read from two clocks: the system clock, and the time since
//! boot, which cannot be set and which all processes share. From then on, the elapsed time is
//! counted. A process whose system clock is wrong, or is set while the process runs, has no effect.
//!
//! If the system clock differs permanently (it was wrong at first and has been corrected), the
//! database follows it: a new moment is stored, and existing leases keep their remaining duration.

use super::{execute, failure, find, place};
use crate::StoreError;
use crate::time::{Clock, SystemClock, Timestamp};
use rusqlite::{Connection, params};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The difference between system clock and database clock, in milliseconds, from which the database
/// follows the system clock.
const SLACK: i64 = 60_000;
/// The interval between comparisons of the two clocks.
const LOOK: Duration = Duration::from_secs(60);

/// The time source of a store.
#[derive(Clone)]
pub(super) struct StoreClock(Arc<Source>);

struct Source {
    /// Replaces the clock of the database, for tests.
    given: Option<Arc<dyn Clock>>,
    wall: Arc<dyn Clock>,
    looked: Mutex<Option<Instant>>,
}

impl StoreClock {
    pub(super) fn new(given: Option<Arc<dyn Clock>>, wall: Option<Arc<dyn Clock>>) -> Self {
        Self(Arc::new(Source {
            given,
            wall: wall.unwrap_or_else(|| Arc::new(SystemClock)),
            looked: Mutex::new(None),
        }))
    }

    pub(super) fn now(&self, connection: &Connection) -> Result<Timestamp, StoreError> {
        match &self.0.given {
            Some(clock) => Ok(clock.now()),
            None => now(connection, self.0.wall.as_ref()),
        }
    }

    /// Returns the current time, after comparing the clocks if the interval has elapsed.
    pub(super) fn checked(&self, connection: &Connection) -> Result<Timestamp, StoreError> {
        let looked = {
            let mut looked = self.0.looked.lock().unwrap_or_else(PoisonError::into_inner);
            let recently = looked.is_some_and(|at| at.elapsed() < LOOK);
            if !recently {
                *looked = Some(Instant::now());
            }
            recently
        };
        if !looked {
            self.follow(connection)?;
        }
        self.now(connection)
    }

    /// Follows the system clock if the difference is too large. Returns how many deliveries were
    /// given new times.
    pub(super) fn follow(&self, connection: &Connection) -> Result<u64, StoreError> {
        if self.0.given.is_some() {
            return Ok(0);
        }
        let wall = self.0.wall.now();
        let now = now(connection, self.0.wall.as_ref())?;
        let ahead = wall.as_millis().saturating_sub(now.as_millis());
        if ahead.abs() <= SLACK {
            return Ok(0);
        }
        tracing::warn!(ahead_ms = ahead, "the database follows the system's clock");
        anchor(connection, wall)?;
        if ahead > 0 {
            execute(
                connection,
                "UPDATE bothends_delivery SET due = due + ?1, since = since + ?1 WHERE state = 1",
                params![ahead],
            )?;
            return Ok(0);
        }
        bring_back(connection, wall, Duration::ZERO)
    }
}

/// Returns the time of the database clock.
pub(super) fn now(connection: &Connection, wall: &dyn Clock) -> Result<Timestamp, StoreError> {
    let (boot, up) = machine::up();
    let sql = "SELECT at - up FROM bothends_clock WHERE boot = ?1";
    match find(connection, sql, params![boot], |row| row.get::<_, i64>(0))? {
        Some(since) => Ok(Timestamp::from_millis(since.saturating_add(up))),
        // After a reboot, the holders of earlier leases no longer run.
        None => {
            let wall = wall.now();
            anchor(connection, wall)?;
            Ok(wall)
        }
    }
}

fn anchor(connection: &Connection, wall: Timestamp) -> Result<(), StoreError> {
    let (boot, up) = machine::up();
    execute(
        connection,
        "INSERT INTO bothends_clock (id, boot, up, at) VALUES (1, ?1, ?2, ?3)
         ON CONFLICT (id) DO UPDATE SET boot = ?1, up = ?2, at = ?3",
        params![boot, up, wall.as_millis()],
    )
    .map(drop)
}

/// Sets deliveries and circuits that entered their state more than `slack` after `now` as if they
/// had entered it now. Times that are far ahead for another reason do not change.
pub(super) fn bring_back(
    connection: &Connection,
    now: Timestamp,
    slack: Duration,
) -> Result<u64, StoreError> {
    let moved = || -> rusqlite::Result<Vec<i64>> {
        // The lease of a worker whose clock ran ahead ends too late by the same amount.
        let mut statement = connection.prepare_cached(
            "UPDATE bothends_delivery SET due = due - (since - ?1), since = ?1
             WHERE state < 2 AND due > ?2 AND since > ?2 RETURNING endpoint",
        )?;
        let limit = now.after(slack).as_millis();
        statement
            .query_map(params![now.as_millis(), limit], |row| row.get(0))?
            .collect()
    };
    let mut moved = moved().map_err(failure)?;
    let count = moved.len() as u64;
    let closed = || -> rusqlite::Result<Vec<i64>> {
        let mut statement = connection.prepare_cached(
            "UPDATE bothends_endpoint
             SET closed_until = closed_until - (closed_since - ?1), closed_since = ?1
             WHERE closed_until > ?2 AND closed_since > ?2 AND removed IS NULL RETURNING id",
        )?;
        let limit = now.after(slack).as_millis();
        statement
            .query_map(params![now.as_millis(), limit], |row| row.get(0))?
            .collect()
    };
    moved.extend(closed().map_err(failure)?);
    // Endpoints served while the clock ran ahead are also too late in the queue.
    let late = || -> rusqlite::Result<Vec<i64>> {
        let mut statement = connection.prepare_cached(
            "SELECT id FROM bothends_endpoint WHERE ready > ?1 OR rate_free > ?1 * 1000",
        )?;
        let limit = now.after(slack).as_millis();
        statement.query_map([limit], |row| row.get(0))?.collect()
    };
    moved.extend(late().map_err(failure)?);
    for id in moved {
        place::refresh_id(connection, id, now)?;
    }
    Ok(count)
}

#[cfg(target_os = "linux")]
mod machine {
    use rustix::time::{ClockId, clock_gettime};
    use std::sync::LazyLock;

    /// The id of the current boot.
    static BOOT: LazyLock<String> = LazyLock::new(|| {
        match std::fs::read_to_string("/proc/sys/kernel/random/boot_id") {
            Ok(id) if !id.trim().is_empty() => id.trim().to_owned(),
            // Without a boot id, each process counts on its own.
            _ => uuid::Uuid::now_v7().to_string(),
        }
    });

    /// Returns the boot id and the milliseconds since boot, including suspended time.
    pub(super) fn up() -> (&'static str, i64) {
        let up = clock_gettime(ClockId::Boottime);
        let millis = up.tv_sec.saturating_mul(1000) + up.tv_nsec / 1_000_000;
        (&BOOT, millis)
    }
}

#[cfg(not(target_os = "linux"))]
mod machine {
    use std::sync::LazyLock;
    use std::time::Instant;

    /// Other systems have no shared clock that cannot be set. Each process counts from its own
    /// system clock.
    static BEGAN: LazyLock<(String, Instant)> =
        LazyLock::new(|| (uuid::Uuid::now_v7().to_string(), Instant::now()));

    pub(super) fn up() -> (&'static str, i64) {
        let millis = i64::try_from(BEGAN.1.elapsed().as_millis()).unwrap_or(i64::MAX);
        (&BEGAN.0, millis)
    }
}
