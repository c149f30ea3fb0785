//! Decisions about the faults of a project.

use crate::app::App;
use crate::ids;
use crate::model::{Fault, FaultTarget, Project};
use crate::store::{Changes, CommitError, StorageError};

/// How often a decision is made anew because another instance has decided meanwhile.
const TRIES: usize = 20;
/// Held while counters are committed.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Considers one call or webhook. Of the faults that apply to it, in their order, the first that
/// hits is injected; later faults are not considered. Returns `true` if a fault was considered, so
/// that the counters have changed, and the fault.
pub fn decide(
    faults: &mut [Fault],
    applies: impl Fn(&FaultTarget) -> bool,
) -> (bool, Option<Fault>) {
    let mut considered = false;
    for fault in faults {
        // A used-up fault makes no further decisions.
        if fault.remaining == Some(0) || !applies(&fault.target) {
            continue;
        }
        considered = true;
        let drawn = ids::draw(fault.seed, fault.considered);
        fault.considered += 1;
        if drawn < fault.probability {
            fault.hits += 1;
            fault.remaining = fault.remaining.map(|remaining| remaining - 1);
            return (true, Some(fault.clone()));
        }
    }
    (considered, None)
}

/// Considers one call or webhook of a project, and commits the counters of its faults. Without a
/// fault that applies, nothing is read or written.
///
/// # Errors
/// Returns an error of the database, and [`CommitError::Conflict`] if other requests have changed
/// the project again and again.
pub async fn consider(
    app: &App,
    project: &Project,
    applies: impl Fn(&FaultTarget) -> bool,
) -> Result<Option<Fault>, CommitError> {
    // Whether any fault applies is known from the project that the caller has read.
    if !decide(&mut project.faults.clone(), &applies).0 {
        return Ok(None);
    }
    // The requests of this instance wait for each other, instead of conflicting with each other.
    let _turn = TURN.lock().await;
    for _ in 0..TRIES {
        let Some(mut current) = app.project(&project.id).await? else {
            return Ok(None);
        };
        let (considered, hit) = decide(&mut current.value.faults, &applies);
        if !considered {
            return Ok(None);
        }
        let mut changes = Changes::new();
        changes.update(&current);
        match app.store.commit(changes).await {
            Ok(()) => return Ok(hit),
            Err(CommitError::Conflict) => {}
            Err(error) => return Err(error),
        }
    }
    Err(CommitError::Conflict)
}

/// Returns the word for a fault in the log: its `type`.
///
/// # Errors
/// Returns an error if the fault cannot be written as JSON.
pub fn word(fault: &impl serde::Serialize) -> Result<String, StorageError> {
    let value = serde_json::to_value(fault).map_err(StorageError::new)?;
    Ok(value["type"].as_str().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ApiFault, WebhookFault};

    fn fault(probability: f64, remaining: Option<u32>) -> Fault {
        Fault {
            id: "fault".to_owned(),
            target: FaultTarget::Webhook {
                kind: None,
                fault: WebhookFault::Lost,
            },
            probability,
            seed: 7,
            remaining,
            considered: 0,
            hits: 0,
        }
    }

    #[test]
    fn a_seed_decides() {
        let run = || {
            let mut faults = [fault(0.3, None)];
            let hits: Vec<bool> = (0..100)
                .map(|_| decide(&mut faults, |_| true).1.is_some())
                .collect();
            (hits, faults)
        };
        let (hits, [after]) = run();
        assert_eq!(hits, run().0);
        let count = hits.iter().filter(|hit| **hit).count();
        assert!((15..45).contains(&count), "{count}");
        assert_eq!((after.considered, after.hits), (100, count as u64));
    }

    #[test]
    fn a_number_of_hits_is_used_up() {
        let mut faults = [fault(1.0, Some(2)), fault(1.0, None)];
        let hits: Vec<u64> = (0..3)
            .map(|_| decide(&mut faults, |_| true).1.map_or(0, |hit| hit.hits))
            .collect();
        assert_eq!(hits, [1, 2, 1], "then the next fault is considered");
        assert_eq!(faults[0].considered, 2);
    }

    #[test]
    fn only_what_applies_is_considered() {
        let mut faults = [fault(1.0, None)];
        let api = |target: &FaultTarget| matches!(target, FaultTarget::Api { .. });
        assert_eq!(decide(&mut faults, api), (false, None));
        assert_eq!(faults[0].considered, 0);
        let words = [
            word(&WebhookFault::AlgorithmNone),
            word(&ApiFault::Latency { milliseconds: 1 }),
        ];
        let words: Vec<String> = words.into_iter().filter_map(Result::ok).collect();
        assert_eq!(words, ["algorithm-none", "latency"]);
    }
}
