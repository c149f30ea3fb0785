//! Which requests follow a response: those of its links, reads before writes, and a `DELETE` at the end.

use super::Probe;
use super::run::Run;
use super::sequence::{Taken, is_delete, is_fresh, is_read};
use super::way::{Step, Way, ways};
use crate::ends::client::Transport;
use crate::message::StatedLink;
use crate::message::operation::SampledPart;
use crate::values::sample::Seed;
use std::collections::BTreeSet;

/// The reads after a write.
const READS: usize = 4;

/// The writes of a sequence, without a `DELETE`.
const WRITES: usize = 2;

/// A sequence.
struct Walk<'w> {
    steps: Vec<Step<'w>>,
    taken: Vec<Taken>,
    /// The ways that were followed: the step, and the index of the way.
    followed: BTreeSet<(usize, usize)>,
}

/// Which requests may be the next of a sequence.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next<'p> {
    Read,
    Write,
    Delete,
    /// A read of what was at this path.
    Again(&'p str),
}

impl Next<'_> {
    fn is_of(self, probe: &Probe) -> bool {
        match self {
            Self::Read | Self::Again(_) => is_read(probe),
            Self::Write => !is_read(probe) && !is_delete(probe),
            Self::Delete => is_delete(probe),
        }
    }
}

impl<T: Transport> Run<T> {
    /// Sends sequences of requests that begin with each operation whose responses lead to others.
    pub(super) async fn sequences(&mut self, links: &'static [StatedLink], cases: u32) {
        let all = ways(&self.probes, links);
        let mut followed = vec![0; all.len()];
        // A sequence that begins with a write needs no objects of others.
        let mut first: Vec<usize> = (0..self.probes.len()).collect();
        first.sort_by_key(|operation| self.probes.get(*operation).is_some_and(is_read));
        for operation in first {
            if !all.iter().any(|way| way.from == operation) {
                continue;
            }
            for case in 0..cases.div_ceil(8) {
                self.walk(&all, &mut followed, operation, case).await;
            }
        }
        for (way, count) in all.iter().zip(followed) {
            if let Some(link) = way.link() {
                self.followed(way, link, count);
            }
        }
    }

    /// Counts a link, or notes that it was not followed.
    fn followed(&mut self, way: &Way, link: &str, count: u32) {
        let [from, to] = [way.from, way.to].map(|index| self.probes.get(index).copied());
        let (Some(from), Some(to)) = (from, to) else {
            return;
        };
        match count {
            0 => {
                let to = to.meta().id;
                let why = format!(
                    "no request follows its link `{link}`: no response had values for it that `{to}` accepts"
                );
                self.note(&from, why);
            }
            _ => self.report.links += 1,
        }
    }

    async fn walk(&mut self, all: &[Way], followed: &mut [u32], operation: usize, case: u32) {
        let Some(probe) = self.probes.get(operation).copied() else {
            return;
        };
        // The numbers of a sequence are not those of a single request.
        let mut random = self.random(&probe, u32::MAX - case);
        let Ok(request) = probe.draw(&mut random) else {
            return;
        };
        let mut walk = Walk {
            steps: Vec::new(),
            taken: Vec::new(),
            followed: BTreeSet::new(),
        };
        let first = Step {
            operation,
            request,
            by: None,
            broken: None,
        };
        if self.go(&mut walk, first).await.is_none() {
            return;
        }
        // A sequence changes only what it has created.
        let (mut reads, mut writes) = (READS, if is_read(&probe) { 0 } else { WRITES });
        // A write makes responses stale by which a refused `DELETE` is judged.
        if case % 2 == 1 {
            writes = 0;
        }
        loop {
            let next = match (reads, writes) {
                (1.., _)
                    if self
                        .follow(&mut walk, Next::Read, all, followed, &mut random)
                        .await =>
                {
                    reads -= 1;
                    continue;
                }
                (_, 1..) => Next::Write,
                _ => break,
            };
            if !self
                .follow(&mut walk, next, all, followed, &mut random)
                .await
            {
                break;
            }
            (reads, writes) = (READS, writes - 1);
        }
        if is_read(&probe)
            || !self
                .follow(&mut walk, Next::Delete, all, followed, &mut random)
                .await
        {
            return;
        }
        let deleted = walk.taken.last().filter(|taken| taken.is_deletion());
        if let Some(path) = deleted.and_then(Taken::path).map(str::to_owned) {
            self.follow(&mut walk, Next::Again(&path), all, followed, &mut random)
                .await;
        }
    }
}

impl<T: Transport> Run<T> {
    /// Takes the next step of a sequence; `None` if its request cannot be sent.
    async fn go<'w>(&mut self, walk: &mut Walk<'w>, step: Step<'w>) -> Option<()> {
        walk.steps.push(step);
        self.step(&walk.steps, &mut walk.taken).await
    }

    /// Follows a way from an earlier response of a sequence, of those that were followed the least. Returns `false`
    /// without such a way.
    async fn follow<'w>(
        &mut self,
        walk: &mut Walk<'w>,
        next: Next<'_>,
        all: &'w [Way],
        followed: &mut [u32],
        random: &mut Seed,
    ) -> bool {
        let mut ready = self.ready(walk, next, all);
        ready.sort_by_key(|(_, index)| followed.get(*index).copied());
        for (from, index) in ready {
            let Some(step) = self.drawn(walk, next, (from, all.get(index)), random) else {
                continue;
            };
            walk.followed.insert((from, index));
            if let Some(count) = followed.get_mut(index) {
                *count += 1;
            }
            return self.go(walk, step).await.is_some();
        }
        false
    }

    /// Returns the ways that responses of a sequence have: the step, and the index of the way.
    fn ready(&self, walk: &Walk<'_>, next: Next<'_>, all: &[Way]) -> Vec<(usize, usize)> {
        let mut ready = Vec::new();
        for (from, (step, taken)) in walk.steps.iter().zip(&walk.taken).enumerate() {
            let is_last_chance = matches!(next, Next::Delete | Next::Again(_));
            if !is_last_chance && !is_fresh(&walk.taken, from) {
                continue;
            }
            for (index, way) in all.iter().enumerate() {
                let is_new =
                    matches!(next, Next::Again(_)) || !walk.followed.contains(&(from, index));
                let probe = self.probes.get(way.to);
                if way.from == step.operation
                    && is_new
                    && taken.status().is_some_and(|status| way.is_of(status))
                    && probe.is_some_and(|probe| next.is_of(probe))
                {
                    ready.push((from, index));
                }
            }
        }
        ready
    }

    /// Draws the request of a way: the parts that are required, and that the way does not give.
    fn drawn<'w>(
        &self,
        walk: &Walk<'w>,
        next: Next<'_>,
        (from, way): (usize, Option<&'w Way>),
        random: &mut Seed,
    ) -> Option<Step<'w>> {
        let way = way?;
        let mut request = self.probes.get(way.to)?.draw(random).ok()?;
        let is_needed =
            |part: &SampledPart| part.part.required && !way.gives(part.part.place, part.part.key);
        request.parts.retain(is_needed);
        let step = Step {
            operation: way.to,
            request,
            by: Some((from, way)),
            broken: None,
        };
        let request = step.bound(&self.probes, &walk.taken)?;
        match next {
            Next::Again(path) => (request.encode().ok()?.path == path).then_some(step),
            _ => Some(step),
        }
    }
}
