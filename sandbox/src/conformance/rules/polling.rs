//! Rules about polling.

use super::super::history::{CallExt, History, STATUS};
use super::Observations;
use crate::model::{Call, Millis};
use std::collections::BTreeMap;

/// How many polls of a task within [`TIGHT`] are a tight loop.
const POLLS: usize = 6;
/// The time, in milliseconds.
const TIGHT: Millis = 1_000;

/// `polling-interval`
pub(super) fn interval(history: &History) -> Observations {
    let mut observations = Observations::default();
    for calls in history.clients() {
        let mut tasks: BTreeMap<&str, Vec<&Call>> = BTreeMap::new();
        for call in calls {
            // A retry after an error is no poll.
            let polls = call.operation.as_deref() == Some(STATUS) && call.status == Some(200);
            if polls && !call.is_token_call() {
                tasks.entry(&call.path).or_default().push(call);
            }
        }
        for polls in tasks.into_values() {
            let tight = polls
                .windows(POLLS)
                .find(|polls| polls[POLLS - 1].at - polls[0].at < TIGHT);
            if let Some(tight) = tight {
                let text = format!("{POLLS} polls of a task within {TIGHT} ms.");
                observations.call(false, tight[0], text);
            } else if let [first, _, ..] = polls[..] {
                let text = format!("{} polls of a task.", polls.len());
                observations.call(true, first, text);
            }
        }
    }
    observations
}
