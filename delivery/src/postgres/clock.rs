//! The clock of a database, which is the clock of its server.

use super::{failure, get};
use crate::time::Clock;
use crate::{StoreError, Timestamp};
use deadpool_postgres::Object;
use std::sync::Arc;
use std::time::Duration;

/// An SQL expression for the current time, or for the time in the given parameter if it is not
/// null.
macro_rules! now {
    ($parameter:literal) => {
        concat!(
            "coalesce(",
            $parameter,
            "::bigint, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)"
        )
    };
}
pub(super) use now;

/// The time source of a store: the server, or the clock of a test.
#[derive(Clone, Default)]
pub(super) struct StoreClock(pub(super) Option<Arc<dyn Clock>>);

impl StoreClock {
    /// Returns the time parameter of the statements. `None` selects the server's time.
    pub(super) fn given(&self) -> Option<i64> {
        self.0.as_ref().map(|clock| clock.now().as_millis())
    }

    pub(super) async fn now(&self, client: &Object) -> Result<Timestamp, StoreError> {
        let sql = concat!("SELECT ", now!("$1"));
        let statement = client.prepare_cached(sql).await.map_err(failure)?;
        let row = client.query_one(&statement, &[&self.given()]).await;
        Ok(Timestamp::from_millis(get(&row.map_err(failure)?, 0)?))
    }
}

/// Converts a duration to milliseconds, capped so that adding it to a time before the year 100
/// million cannot overflow.
pub(super) fn millis(duration: Duration) -> i64 {
    const LONGEST: i64 = 1 << 60;
    i64::try_from(duration.as_millis()).map_or(LONGEST, |millis| millis.min(LONGEST))
}
