//! Jobs that are committed together.

use super::cache::Cache;
use super::failure;
use super::job::Job;
use crate::{StoreError, StoreErrorKind};
use rusqlite::Connection;
use std::time::{Duration, Instant};

/// Runs all jobs in one transaction, and returns how long the commit took without them: no time if the only job has failed.
/// After an error, no changes of any job remain.
///
/// Before a job changes a page, a savepoint would copy it. So there are none at first; if a job fails, all jobs are undone, and
/// run again with a savepoint for each.
pub(super) fn commit(
    connection: &Connection,
    group: &mut [Box<dyn Job>],
    cache: &Cache,
) -> Result<Duration, StoreError> {
    let is_alone = group.len() == 1;
    let has_savepoints = !is_alone && !group.iter().all(|job| job.is_repeatable());
    let mut done = run(connection, group, has_savepoints, cache)?;
    if done.is_none() && !is_alone {
        done = run(connection, group, true, cache)?;
    }
    Ok(done.unwrap_or_default())
}

/// Runs all jobs in one transaction. Returns `None` if a job has failed, and was undone together with the others.
fn run(
    connection: &Connection,
    group: &mut [Box<dyn Job>],
    has_savepoints: bool,
    cache: &Cache,
) -> Result<Option<Duration>, StoreError> {
    let execute = |sql| {
        let mut statement = connection.prepare_cached(sql).map_err(failure)?;
        statement.raw_execute().map(drop).map_err(failure)
    };
    let all = || {
        execute("BEGIN IMMEDIATE")?;
        for job in group {
            let before = connection.total_changes();
            if has_savepoints {
                execute("SAVEPOINT job")?;
            }
            let keep = job.run(connection);
            if connection.is_autocommit() {
                // SQLite rolled back the whole transaction, as it may do when the disk is full.
                return Err(StoreError::because(
                    StoreErrorKind::Full,
                    "the transaction was rolled back",
                ));
            }
            // The closure of a caller may have changed more than rows.
            let is_unchanged = job.is_repeatable() && connection.total_changes() == before;
            match (has_savepoints, keep) {
                (false, false) if !is_unchanged => return Ok(None),
                (true, false) => {
                    execute("ROLLBACK TO job")?;
                    cache.invalidate();
                }
                _ => {}
            }
            if has_savepoints {
                execute("RELEASE job")?;
            }
        }
        let began = Instant::now();
        execute("COMMIT").map(|()| Some(began.elapsed()))
    };
    let done = all();
    if !matches!(done, Ok(Some(_))) {
        cache.invalidate();
        if !connection.is_autocommit() {
            // If this fails as well, the transaction has already ended.
            let _ = execute("ROLLBACK");
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::super::cache::Reading;
    use super::super::job::{Call, Once, Repeatable, Work};
    use super::super::{corrupt, schema, subscribe};
    use super::*;
    use crate::Subscription;
    use std::path::Path;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use tokio::sync::oneshot;

    type Replies = Vec<oneshot::Receiver<Result<u32, StoreError>>>;

    struct Group {
        connection: Connection,
        jobs: Vec<Box<dyn Job>>,
        replies: Replies,
        /// How often each job has run.
        runs: Vec<Arc<AtomicU32>>,
    }

    impl Group {
        fn new() -> Self {
            let connection = Connection::open_in_memory().unwrap();
            connection.execute_batch("CREATE TABLE done (job)").unwrap();
            let (jobs, replies, runs) = (Vec::new(), Vec::new(), Vec::new());
            Self {
                connection,
                jobs,
                replies,
                runs,
            }
        }

        fn add(&mut self, work: impl Work<u32> + 'static) {
            let (reply, result) = oneshot::channel();
            self.replies.push(result);
            self.jobs.push(Box::new(Call::new(work, false, reply)));
        }

        /// Adds a job that inserts its number, and then ends as `end` does.
        fn insert(&mut self, is_repeatable: bool, end: fn() -> Result<(), StoreError>) {
            let (number, runs) = (self.jobs.len() as i64, Arc::<AtomicU32>::default());
            self.runs.push(Arc::clone(&runs));
            let work = move |connection: &Connection| {
                let run = runs.fetch_add(1, Ordering::Relaxed) + 1;
                let sql = "INSERT INTO done VALUES (?1)";
                connection.execute(sql, [number]).map_err(failure)?;
                end().map(|()| run)
            };
            if is_repeatable {
                self.add(Repeatable(work));
            } else {
                self.add(Once(Some(work)));
            }
        }

        /// Commits the jobs, and returns the numbers that are in the table, and how often each job has run.
        fn commit(&mut self) -> (Vec<i64>, Vec<u32>) {
            commit(&self.connection, &mut self.jobs, &Cache::default()).unwrap();
            self.jobs.drain(..).for_each(|job| job.finish(None));
            let mut statement = self.connection.prepare("SELECT job FROM done").unwrap();
            let done = statement.query_map([], |row| row.get(0)).unwrap();
            let runs = self.runs.iter().map(|runs| runs.load(Ordering::Relaxed));
            (done.map(Result::unwrap).collect(), runs.collect())
        }

        /// Returns which callers got a value.
        fn succeeded(&mut self) -> Vec<bool> {
            let replies = self.replies.iter_mut();
            replies
                .map(|reply| reply.try_recv().unwrap().is_ok())
                .collect()
        }
    }

    fn fails() -> Result<(), StoreError> {
        Err(corrupt("for a test"))
    }

    fn panics() -> Result<(), StoreError> {
        panic!("for a test")
    }

    const SUCCEEDS: fn() -> Result<(), StoreError> = || Ok(());

    #[test]
    fn jobs_run_once_if_none_fails() {
        for is_repeatable in [true, false] {
            let mut group = Group::new();
            group.insert(true, SUCCEEDS);
            group.insert(is_repeatable, SUCCEEDS);
            assert_eq!(group.commit(), (vec![0, 1], vec![1, 1]));
            assert_eq!(group.succeeded(), [true, true]);
        }
    }

    #[test]
    fn a_job_that_fails_is_undone_alone() {
        for end in [fails, panics] {
            let mut group = Group::new();
            for end in [SUCCEEDS, end, SUCCEEDS] {
                group.insert(true, end);
            }
            let (done, runs) = group.commit();
            assert_eq!((done, runs), (vec![0, 2], vec![2, 2, 1]));
            assert_eq!(group.succeeded(), [true, false, true]);
        }
    }

    #[test]
    fn closures_of_callers_run_once() {
        for (at, is_repeatable) in [(0, true), (1, false)] {
            let mut group = Group::new();
            for number in 0..3 {
                let end = if number == at { fails } else { SUCCEEDS };
                group.insert(is_repeatable || number == 2, end);
            }
            group.insert(false, SUCCEEDS);
            let (done, runs) = group.commit();
            let others: Vec<i64> = (0..4).filter(|number| *number != at).collect();
            assert_eq!((done, runs), (others, vec![1; 4]));
        }
    }

    #[test]
    fn a_job_that_is_alone_is_undone_and_runs_once() {
        for is_repeatable in [true, false] {
            let mut group = Group::new();
            group.insert(is_repeatable, fails);
            assert_eq!(group.commit(), (vec![], vec![1]));
            assert_eq!(group.succeeded(), [false]);
        }
    }

    #[test]
    fn a_closure_that_is_alone_is_undone_if_it_changed_no_rows() {
        let mut group = Group::new();
        group.add(Once(Some(|connection: &Connection| {
            connection.execute_batch("CREATE TABLE own (id)").unwrap();
            Err(corrupt("for a test"))
        })));
        group.commit();
        let own = group.connection.table_exists(None::<&str>, "own");
        assert!(!own.unwrap());
    }

    #[test]
    fn a_job_that_fails_before_it_changes_anything_is_not_undone() {
        let mut group = Group::new();
        group.insert(true, SUCCEEDS);
        group.add(Repeatable(|_: &Connection| Err(corrupt("for a test"))));
        group.insert(true, SUCCEEDS);
        assert_eq!(group.commit(), (vec![0, 2], vec![1, 1]));
        assert_eq!(group.succeeded(), [true, false, true]);
    }

    #[test]
    fn what_was_undone_of_an_endpoint_is_not_known() {
        for others in [0, 1] {
            let connection = schema::open_writer(Path::new(":memory:")).unwrap();
            let subscription = Subscription::builder("s").url("https://example.com/");
            subscribe::put(&connection, &subscription.build().unwrap()).unwrap();
            let cache = Arc::<Cache>::default();
            let known = |connection: &Connection, cache: &Cache| {
                cache.read(connection, || Reading::new(connection, cache)?.known(1))
            };
            let before = known(&connection, &cache).unwrap();
            let changed = Arc::clone(&cache);
            let work = move |connection: &Connection| -> Result<(), StoreError> {
                let mut known = known(connection, &changed)?.unwrap();
                changed.keep(connection, || {
                    known.endpoint.busy = 3;
                    changed.put(known);
                    let sql = "UPDATE bothends_load SET busy = 3";
                    connection.execute(sql, []).map_err(failure)
                })?;
                fails()
            };
            let mut jobs: Vec<Box<dyn Job>> = Vec::new();
            for _ in 0..others {
                let other = Once(Some(|_: &Connection| Ok(())));
                jobs.push(Box::new(Call::new(other, false, oneshot::channel().0)));
            }
            let failing = Repeatable(work);
            jobs.push(Box::new(Call::new(failing, false, oneshot::channel().0)));
            commit(&connection, &mut jobs, &cache).unwrap();
            assert_eq!(known(&connection, &cache).unwrap(), before);
        }
    }
}
