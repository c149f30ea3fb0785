//! The limit of attempts to sign in. They are counted by their source, so that nobody can use up the
//! attempts of another.

use super::actions::change;
use super::documents::documents;
use super::failure::Failure;
use crate::app::App;
use crate::ids::{self, NoRandomness};
use crate::model::Millis;
use crate::store::{Changes, Page};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;

/// How many attempts of a source may fail within [`WINDOW`].
const ATTEMPTS: u32 = 10;
/// The time after which failed attempts are forgotten.
const WINDOW: Millis = 60 * 1000;
/// How many counts that are forgotten are removed with each new one.
const BATCH: u32 = 200;

/// Where an attempt comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// A browser in which somebody has signed in before, by the hash of its cookie. It is known wherever
    /// it is, also behind a proxy that it shares with strangers.
    Browser(String),
    /// Another caller, by the address of the connection; `None` for a socket without addresses.
    Address(Option<IpAddr>),
}

impl Source {
    /// Returns the source of a request with these cookie and address.
    pub(super) async fn new(
        app: &App,
        cookie: Option<&str>,
        address: Option<IpAddr>,
    ) -> Result<Self, Failure> {
        if let Some(cookie) = cookie {
            let id = ids::hash(cookie);
            if app.store.get::<Browser>("", &id).await?.is_some() {
                return Ok(Self::Browser(id));
            }
        }
        Ok(Self::Address(address.map(network)))
    }
}

/// Returns the part of an address that its owner cannot choose: a host has a whole /64 of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

/// The text of the audit log, and the id of the count.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Browser(id) => write!(f, "known browser {}", &id[..8.min(id.len())]),
            Self::Address(Some(address)) => write!(f, "address {address}"),
            Self::Address(None) => f.write_str("address unknown"),
        }
    }
}

/// The attempts of a source that have failed or are not decided.
#[derive(Debug, Serialize, Deserialize)]
struct Attempts {
    /// The source as text.
    id: String,
    /// When the first of them was made.
    since: Millis,
    count: u32,
}

impl Attempts {
    const fn is_forgotten(&self, now: Millis) -> bool {
        now >= self.since + WINDOW
    }
}

/// A browser in which somebody has signed in. Its id is the hash of its cookie.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Browser {
    id: String,
}

documents! { Attempts => "console-attempts", Browser => "console-browser" }

/// Waits until the hash of an attempt may be computed.
pub(super) async fn hashing(app: &App, source: &Source) -> Result<OwnedSemaphorePermit, Failure> {
    let semaphore = match source {
        Source::Browser(_) => &app.attempts.known,
        Source::Address(_) => &app.attempts.strangers,
    };
    let permit = Arc::clone(semaphore).acquire_owned().await;
    permit.map_err(Failure::internal)
}

/// Whether an attempt is looked at.
#[derive(Debug)]
pub(super) enum Reserved {
    Attempt,
    /// Too many have failed. The seconds until the next one is looked at.
    TooMany(i64),
}

/// Counts an attempt as failed before it is looked at. [`release`] takes it back.
pub(super) async fn reserve(app: &App, source: &Source) -> Result<Reserved, Failure> {
    let id = source.to_string();
    let now = App::system_now();
    let too_many = |attempts: &Attempts| {
        let is_over = attempts.count >= ATTEMPTS && !attempts.is_forgotten(now);
        is_over.then(|| Reserved::TooMany((attempts.since + WINDOW - now) / 1000 + 1))
    };
    // Attempts that are not looked at wait for nobody.
    let found = app.store.get::<Attempts>("", &id).await?;
    if let Some(refused) = found.and_then(|found| too_many(&found)) {
        return Ok(refused);
    }
    let _counting = app.attempts.counting.lock().await;
    change!(app, changes, {
        match app.store.get::<Attempts>("", &id).await? {
            Some(mut found) => {
                if let Some(refused) = too_many(&found) {
                    return Ok(refused);
                }
                if found.is_forgotten(now) {
                    (found.value.since, found.value.count) = (now, 0);
                }
                found.value.count += 1;
                changes.update(&found);
            }
            None => {
                remove_forgotten(app, now, &mut changes).await?;
                let (id, since, count) = (id.clone(), now, 1);
                changes.insert(&Attempts { id, since, count });
            }
        }
    });
    Ok(Reserved::Attempt)
}

/// Adds the removal of counts to the changes.
async fn remove_forgotten(app: &App, now: Millis, changes: &mut Changes) -> Result<(), Failure> {
    let counts = app.store.list::<Attempts>("", Page::first(BATCH)).await?;
    for count in counts.iter().filter(|count| count.is_forgotten(now)) {
        changes.remove(count);
    }
    Ok(())
}

/// Adds to the changes that an attempt has not failed.
pub(super) async fn release(
    app: &App,
    source: &Source,
    changes: &mut Changes,
) -> Result<(), Failure> {
    let found = app.store.get::<Attempts>("", &source.to_string()).await?;
    if let Some(mut found) = found {
        found.value.count = found.count.saturating_sub(1);
        changes.update(&found);
    }
    Ok(())
}

/// Returns a browser to remember and its cookie, unless the source is one already.
pub(super) fn new_browser(source: &Source) -> Result<Option<(Browser, String)>, NoRandomness> {
    if let Source::Browser(_) = source {
        return Ok(None);
    }
    let cookie = ids::secret()?;
    let id = ids::hash(&cookie);
    Ok(Some((Browser { id }, cookie)))
}
