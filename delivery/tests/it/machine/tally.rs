//! What holds after each command, and how often each thing came up.

use super::{Came, Command};
use bothends_delivery::store::{Backlog, Isolation, Recorded};
use bothends_delivery::{Attempt, AttemptEnd, Delivery, State, Timestamp};

/// What holds whatever was done.
pub(crate) fn check(states: &[(Delivery, Vec<Attempt>)]) {
    for (delivery, attempts) in states {
        let numbers: Vec<u32> = attempts.iter().map(|attempt| attempt.n).collect();
        let increasing = numbers.windows(2).all(|pair| pair[0] < pair[1]);
        assert!(increasing, "one row for each attempt: {numbers:?}");
        assert!(
            numbers
                .last()
                .is_none_or(|last| *last <= delivery.generation)
        );
        assert!(delivery.tries as usize <= attempts.len());
    }
}

/// The numbers of a backlog are those of the states. A lease that expired waits again, which its state
/// tells only after the next claim.
pub(crate) fn count(states: &[(Delivery, Vec<Attempt>)], backlog: Backlog, now: Timestamp) {
    let (mut waiting, mut held, mut leased, mut expired) = (0, 0, 0, 0);
    for (delivery, _) in states {
        match delivery.state {
            State::Pending { .. } => waiting += 1,
            State::Held { .. } => held += 1,
            State::Leased { until } if until > now => leased += 1,
            State::Leased { .. } => expired += 1,
            State::Delivered { .. } | State::Dead { .. } => {}
        }
    }
    assert_eq!(backlog.in_progress, leased, "{backlog:?}");
    let open = backlog.waiting + backlog.held;
    assert!(
        backlog.waiting >= waiting && backlog.held >= held && open <= waiting + held + expired,
        "{backlog:?}: {waiting} waiting, {held} held, {expired} expired"
    );
    assert_eq!(backlog.next_due.is_some(), backlog.waiting > 0);
}

/// How often each thing came up, over all runs: commands that do nothing find nothing.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) commands: usize,
    enqueued: usize,
    duplicates: usize,
    leased: usize,
    isolated: usize,
    applied: usize,
    fenced: usize,
    replayed: usize,
    pruned: u64,
    mended: u64,
    moved: u64,
    removed: usize,
    held: usize,
    lost: usize,
    given_up: usize,
}

impl Tally {
    pub(crate) fn command(&mut self, command: &Command, came: &Came) {
        self.commands += 1;
        match (command, came) {
            (Command::Remove(_), Came::Done(Ok(()))) => self.removed += 1,
            (_, Came::Enqueued(enqueued)) => {
                self.enqueued += enqueued.deliveries.len();
                self.duplicates += usize::from(enqueued.is_duplicate());
            }
            (_, Came::Claimed(leases, _, isolation)) => {
                self.leased += leases.len();
                self.isolated += usize::from(*isolation == Isolation::Exclusive);
            }
            (_, Came::Recorded(recorded)) => {
                let applied = recorded
                    .iter()
                    .filter(|outcome| **outcome == Recorded::Applied);
                let applied = applied.count();
                self.applied += applied;
                self.fenced += recorded.len() - applied;
            }
            (_, Came::Replayed(Ok(_))) => self.replayed += 1,
            (Command::Prune(..), Came::Count(count)) => self.pruned += count,
            (Command::Back(_), Came::Count(count)) => self.mended += count,
            (Command::Reschedule(..), Came::Count(count)) => self.moved += count,
            _ => {}
        }
    }

    /// What there is at the end of a run.
    pub(crate) fn states(&mut self, states: &[(Delivery, Vec<Attempt>)]) {
        for (delivery, attempts) in states {
            self.held += usize::from(matches!(delivery.state, State::Held { .. }));
            self.given_up += usize::from(matches!(delivery.state, State::Dead { .. }));
            let lost = attempts
                .iter()
                .filter(|attempt| attempt.end == AttemptEnd::Lost);
            self.lost += lost.count();
        }
    }

    pub(crate) fn rarest(&self) -> u64 {
        let counts = [
            self.enqueued,
            self.duplicates,
            self.leased,
            self.isolated,
            self.applied,
            self.fenced,
            self.replayed,
            self.removed,
            self.held,
            self.lost,
            self.given_up,
        ];
        let counts = counts.into_iter().map(|count| count as u64);
        counts
            .chain([self.pruned, self.mended, self.moved])
            .min()
            .unwrap()
    }
}
