//! Opening a store.

use super::cache::Cache;
use super::clock::StoreClock;
use super::thread::Jobs;
use super::{SqliteStore, Watching, notice, schema};
use crate::time::Clock;
use crate::{StoreError, StoreErrorKind};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::watch;

/// Options for opening a [`SqliteStore`].
#[derive(Clone, Default)]
#[must_use]
pub struct SqliteOptions {
    clock: Option<Arc<dyn Clock>>,
    wall: Option<Arc<dyn Clock>>,
    is_unsynced: bool,
}

impl fmt::Debug for SqliteOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteOptions").finish_non_exhaustive()
    }
}

impl SqliteOptions {
    /// Creates the options of [`SqliteStore::open`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a clock that replaces the database clock, for tests. Due times and leases then follow
    /// this clock.
    pub fn clock(self, clock: impl Clock) -> Self {
        Self {
            clock: Some(Arc::new(clock)),
            ..self
        }
    }

    /// Sets the clock that is used as the system clock, from which the database clock is set.
    pub fn system_clock(self, clock: impl Clock) -> Self {
        Self {
            wall: Some(Arc::new(clock)),
            ..self
        }
    }

    /// Leaves it to the system when commits are written to the disk. Commits are faster, and survive the
    /// end of the process, but a crash of the system loses the latest of them or damages the file: for
    /// databases that only one process uses and that are removed with it.
    pub fn without_sync(self) -> Self {
        Self {
            is_unsynced: true,
            ..self
        }
    }

    /// Opens the database, as [`SqliteStore::open`] does.
    ///
    /// # Errors
    /// Returns an error as [`SqliteStore::open`] does.
    pub async fn open(self, path: impl AsRef<Path>) -> Result<SqliteStore, StoreError> {
        let path = path.as_ref().to_owned();
        let opening = tokio::task::spawn_blocking(move || {
            let writer = schema::open_writer(&path)?;
            if self.is_unsynced {
                schema::without_sync(&writer)?;
            }
            let file = schema::file_of(&writer);
            let changes = watch::Sender::new(0);
            let reader = file.as_deref().map(schema::open_reader).transpose()?;
            let cache = Arc::<Cache>::default();
            let writer = Jobs::writer(writer, changes.clone(), Arc::clone(&cache))?;
            // Only one connection can see a database in memory.
            let reader = reader.map_or_else(|| Ok(writer.clone()), Jobs::reader)?;
            Ok((writer, reader, changes, cache, file))
        });
        let lost = |error| StoreError::because(StoreErrorKind::Unavailable, error);
        let (writer, reader, changes, cache, file) = opening.await.map_err(lost)??;
        let watching = file.and_then(|file| notice::notice(&file, writer.clone(), changes.clone()));
        Ok(SqliteStore {
            writer,
            reader,
            changes,
            clock: StoreClock::new(self.clock, self.wall),
            cache,
            _watching: Arc::new(Watching(watching)),
        })
    }
}
