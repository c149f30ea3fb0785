//! The one clock of a database: that of its server.

use super::{failure, get};
use crate::time::Clock;
use crate::{StoreError, Timestamp};
use deadpool_postgres::Object;
use std::sync::Arc;
use std::time::Duration;

/// The time now as SQL, where a parameter of that number may hold a given one.
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

/// Where a store's time comes from: the server, unless a test gives a clock.
#[derive(Clone, Default)]
pub(super) struct StoreClock(pub(super) Option<Arc<dyn Clock>>);

impl StoreClock {
    /// What goes into the statements: nothing, and the server says what time it is.
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

/// A length of time that can be added to any time of day without an overflow.
pub(super) fn millis(duration: Duration) -> i64 {
    const LONGEST: i64 = 1 << 50;
    i64::try_from(duration.as_millis()).map_or(LONGEST, |millis| millis.min(LONGEST))
}
