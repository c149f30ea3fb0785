//! Where deliveries of an endpoint are sent, and how: read and parsed once for each revision of the endpoint.

use super::{corrupt, find, subscribe};
use crate::store::Kept;
use crate::{StoreError, Subscription};
use rusqlite::{Connection, params};
use std::sync::Arc;
use url::Url;

/// The URL and the subscription of an endpoint.
pub(super) struct Target {
    pub(super) url: Url,
    pub(super) subscription: Arc<Subscription>,
}

/// The targets that claims of a store have read.
#[derive(Default)]
pub(super) struct Targets(Kept<i64, (i64, Arc<Target>)>);

impl Targets {
    /// Returns the target of this revision of an endpoint.
    pub(super) fn find(
        &self,
        connection: &Connection,
        endpoint: i64,
        revision: i64,
    ) -> Result<Arc<Target>, StoreError> {
        if let Some((known, target)) = self.0.get(&endpoint)
            && known == revision
        {
            return Ok(target);
        }
        let target = Arc::new(read(connection, endpoint)?);
        self.0.put(endpoint, (revision, Arc::clone(&target)));
        Ok(target)
    }
}

fn read(connection: &Connection, endpoint: i64) -> Result<Target, StoreError> {
    let sql = "SELECT subscription, url FROM bothends_endpoint WHERE id = ?1";
    let columns = find(connection, sql, params![endpoint], |row| {
        Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
    })?;
    let (subscription, url) = columns.ok_or_else(|| corrupt("a delivery of no endpoint"))?;
    let subscription = subscribe::get(connection, &subscription)?;
    Ok(Target {
        url: Url::parse(&url).map_err(corrupt)?,
        subscription: Arc::new(
            subscription.ok_or_else(|| corrupt("an endpoint of no subscription"))?,
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{place, schema};
    use super::*;
    use crate::Timestamp;
    use std::path::Path;

    /// Returns the URL to which the endpoint is sent deliveries, and whether its subscription is active.
    fn found(targets: &Targets, connection: &Connection) -> (Arc<Target>, String, bool) {
        let stored = place::endpoint(connection, 1).unwrap().unwrap();
        let target = targets.find(connection, 1, stored.revision).unwrap();
        let (url, is_active) = (target.url.to_string(), target.subscription.is_active());
        assert_eq!(target.subscription.url.as_ref(), Some(&target.url));
        (target, url, is_active)
    }

    #[test]
    fn a_target_is_read_again_when_it_has_changed() {
        let connection = schema::open_writer(Path::new(":memory:")).unwrap();
        let targets = Targets::default();
        let put = |url: &str| {
            let subscription = Subscription::builder("s").url(url).build().unwrap();
            subscribe::put(&connection, &subscription).unwrap();
        };
        let url = || found(&targets, &connection).1;
        put("https://example.com/a");
        let (first, ..) = found(&targets, &connection);
        assert!(Arc::ptr_eq(&first, &found(&targets, &connection).0));
        put("https://example.com/b");
        assert_eq!(url(), "https://example.com/b");
        // What was read in a transaction that is rolled back does not count afterwards.
        connection.execute_batch("SAVEPOINT job").unwrap();
        put("https://example.com/c");
        assert_eq!(url(), "https://example.com/c");
        connection
            .execute_batch("ROLLBACK TO job; RELEASE job")
            .unwrap();
        assert_eq!(url(), "https://example.com/b");
        put("https://example.com/d");
        assert_eq!(url(), "https://example.com/d");
        let now = Timestamp::from_millis(0);
        subscribe::set_active(&connection, "s", false, now).unwrap();
        assert!(!found(&targets, &connection).2);
    }
}
