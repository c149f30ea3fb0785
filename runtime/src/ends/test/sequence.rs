//! Sequences of requests, each with the values of an earlier response: what a step gets wrong, and the smallest
//! sequence that shows it.

use super::fault::{faults, is_missing};
use super::report::Sent;
use super::run::Run;
use super::way::Step;
use super::{Fault, Finding, Probe, shrink};
use crate::ends::client::{Exchange, LinkSent, Transport};
use crate::message::operation::SampledRequest;
use crate::message::{EncodedResponse, RequestEncoder};
use crate::values::FieldError;
use http::{HeaderValue, StatusCode};

/// The requests that are sent to find a smaller one, for each step.
const SHRINKS: usize = 300;

/// A step that was taken.
pub(super) struct Taken {
    pub(super) sent: Sent,
    /// The request and its response.
    pub(super) exchange: Option<Exchange>,
    pub(super) faults: Vec<Fault>,
}

impl Taken {
    /// Returns the path of the request.
    pub(super) fn path(&self) -> Option<&str> {
        Some(&self.exchange.as_ref()?.sent.as_ref()?.request.path)
    }

    pub(super) fn status(&self) -> Option<StatusCode> {
        Some(self.exchange.as_ref()?.response.status)
    }
}

impl Step<'_> {
    /// Returns the request, after the steps that were taken; `None` if a value is missing, or if it is another request
    /// than one that is valid, or that breaks its rule alone.
    pub(super) fn bound(&self, probes: &[Probe], taken: &[Taken]) -> Option<SampledRequest> {
        let probe = probes.get(self.operation)?;
        let Some((from, way)) = self.by else {
            return is_alike(probe, &self.request, self.broken.as_ref())
                .then(|| self.request.clone());
        };
        way.bound(taken.get(from)?.exchange.as_ref()?, probe, &self.request)
    }

    /// Returns what the step is, for a reader of its request.
    fn label(&self, probes: &[Probe]) -> String {
        let id = probes
            .get(self.operation)
            .map_or("", |probe| probe.meta().id);
        match self.by {
            None => id.to_owned(),
            Some((from, way)) => match way.link() {
                Some(link) => format!("{id}, by the link `{link}` of {}", from + 1),
                None => format!("{id}, of what {} has created", from + 1),
            },
        }
    }

    /// Returns the faults of a response that are none without the earlier steps.
    fn faults_after(&self, probes: &[Probe], taken: &[Taken], exchange: &Exchange) -> Vec<Fault> {
        let (Some(probe), Some((from, way))) = (probes.get(self.operation), self.by) else {
            return Vec::new();
        };
        let status = exchange.response.status;
        let is_read = is_read(probe);
        let path = exchange.sent.as_ref().map(|sent| &*sent.request.path);
        if let Some(last) = taken.last()
            && is_read
            && status.is_success()
            && last.is_deletion()
            && last.path() == path
        {
            return vec![Fault::NotDeleted(status)];
        }
        let Some(origin) = taken.get(from).and_then(|taken| taken.exchange.as_ref()) else {
            return Vec::new();
        };
        if !is_fresh(taken, from) || probes.get(way.from).is_some_and(is_delete) {
            return Vec::new();
        }
        let lead = || way.lead(probes);
        let is_drawn = |place: &str| {
            self.request
                .parts()
                .iter()
                .any(|part| part.place() == place)
        };
        match status {
            _ if is_missing(status) && way.names_object(probe) && !is_drawn("body") => {
                vec![Fault::NotFound(status, lead())]
            }
            StatusCode::BAD_REQUEST | StatusCode::UNPROCESSABLE_ENTITY
                if self.request.parts().is_empty() =>
            {
                vec![Fault::Rejected(status, lead())]
            }
            _ if status.is_success() && returns_object(probe) && way.names_object(probe) => {
                let member = way.other_member(origin, probe, exchange);
                let other = |member| Fault::OtherObject(member, lead());
                member.map(other).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Taken {
    /// Returns whether the step has deleted what is at its path.
    pub(super) fn is_deletion(&self) -> bool {
        let is_done = |status: StatusCode| status.is_success() && status != StatusCode::ACCEPTED;
        self.sent.method() == "DELETE" && self.status().is_some_and(is_done)
    }
}

/// Returns whether nothing but reads has followed a step.
pub(super) fn is_fresh(taken: &[Taken], step: usize) -> bool {
    let mut later = taken.iter().skip(step.saturating_add(1));
    later.all(|taken| matches!(taken.sent.method(), "GET" | "HEAD"))
}

pub(super) fn is_read(probe: &Probe) -> bool {
    matches!(probe.meta().method, "GET" | "HEAD")
}

/// Returns whether a response describes the object at the path of the request.
fn returns_object(probe: &Probe) -> bool {
    matches!(probe.meta().method, "GET" | "PUT" | "PATCH")
}

pub(super) fn is_delete(probe: &Probe) -> bool {
    probe.meta().method == "DELETE"
}

/// Returns whether a request is valid, or breaks this rule and no other.
fn is_alike(probe: &Probe, request: &SampledRequest, broken: Option<&FieldError>) -> bool {
    match (probe.errors(request).as_deref(), broken) {
        (Some([]), None) => true,
        (Some([error]), Some(broken)) => {
            error.field == broken.field && error.message == broken.message
        }
        _ => false,
    }
}

impl<T: Transport> Run<T> {
    /// Takes the next step of a sequence, and reports its faults with the smallest sequence that shows them. Returns
    /// `None` if the request cannot be sent.
    pub(super) async fn step(&mut self, steps: &[Step<'_>], taken: &mut Vec<Taken>) -> Option<()> {
        let (step, earlier) = steps.split_last()?;
        let request = step.bound(&self.probes, taken.get(..earlier.len())?)?;
        let next = self.take(step, &request, taken).await?;
        let id = self.probes.get(step.operation)?.meta().id;
        taken.push(next);
        for fault in taken.last()?.faults.clone() {
            if !self.known.insert((id, fault.key())) {
                continue;
            }
            let sent = taken.iter().map(|taken| taken.sent.clone()).collect();
            let (requests, fault) = self.smallest(steps.to_vec(), (sent, fault)).await;
            self.report.findings.push(Finding {
                operation: id,
                fault,
                requests,
            });
        }
        Some(())
    }

    async fn take(
        &mut self,
        step: &Step<'_>,
        request: &SampledRequest,
        taken: &[Taken],
    ) -> Option<Taken> {
        let probe = *self.probes.get(step.operation)?;
        let (sent, received) = self.send(&probe, request).await?;
        let sent = sent.labelled(step.label(&self.probes));
        let received = match received {
            Ok(received) => received,
            Err(why) => {
                return Some(Taken {
                    sent,
                    exchange: None,
                    faults: vec![Fault::NoResponse(why)],
                });
            }
        };
        let mut found = faults(&probe, step.broken.as_ref(), &received);
        let mut encoder = RequestEncoder::new(probe.meta());
        request.fill(&mut encoder);
        let exchange = Exchange {
            sent: LinkSent::written(probe.meta(), encoder),
            response: EncodedResponse {
                status: received.status,
                headers: received.headers,
                body: (received.body).map(|body| (HeaderValue::from_static(""), body)),
            },
        };
        found.extend(step.faults_after(&self.probes, taken, &exchange));
        Some(Taken {
            sent,
            exchange: Some(exchange),
            faults: found,
        })
    }

    /// Returns the smallest sequence that was found for a fault of its last step: the fewest steps, and then the
    /// smallest requests.
    async fn smallest(
        &mut self,
        mut steps: Vec<Step<'_>>,
        mut found: (Vec<Sent>, Fault),
    ) -> (Vec<Sent>, Fault) {
        let key = found.1.key();
        let mut left = SHRINKS * steps.len();
        'fewer: loop {
            for index in 0..steps.len() {
                let Some(fewer) = without(&steps, index) else {
                    continue;
                };
                if let Some(same) = self.replay(&fewer, &key, &mut left).await {
                    (steps, found) = (fewer, same);
                    continue 'fewer;
                }
            }
            break;
        }
        'smaller: loop {
            for index in 0..steps.len() {
                let Some(step) = steps.get(index) else {
                    continue;
                };
                for request in shrink::smaller(&step.request) {
                    let mut smaller = steps.clone();
                    if let Some(step) = smaller.get_mut(index) {
                        step.request = request;
                    }
                    if let Some(same) = self.replay(&smaller, &key, &mut left).await {
                        (steps, found) = (smaller, same);
                        continue 'smaller;
                    }
                }
            }
            break;
        }
        found
    }

    /// Sends the requests of a sequence, and returns the fault of the last one, if it is the same.
    async fn replay(
        &mut self,
        steps: &[Step<'_>],
        key: &str,
        left: &mut usize,
    ) -> Option<(Vec<Sent>, Fault)> {
        let mut taken = Vec::new();
        for step in steps {
            let request = step.bound(&self.probes, &taken)?;
            *left = left.checked_sub(1)?;
            taken.push(self.take(step, &request, &taken).await?);
        }
        let same = taken.pop()?;
        let fault = same.faults.into_iter().find(|fault| fault.key() == key)?;
        let sent = taken.into_iter().map(|taken| taken.sent);
        Some((sent.chain([same.sent]).collect(), fault))
    }
}

/// Returns a sequence without a step, and without those that need its response; `None` if the last one does.
fn without<'w>(steps: &[Step<'w>], index: usize) -> Option<Vec<Step<'w>>> {
    // The new index of each step.
    let mut kept: Vec<Option<usize>> = Vec::new();
    let mut fewer = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let from = step.by.map(|(from, _)| kept.get(from).copied().flatten());
        if at == index || from == Some(None) {
            kept.push(None);
            continue;
        }
        kept.push(Some(fewer.len()));
        let by = step.by.and_then(|(_, way)| Some((from.flatten()?, way)));
        fewer.push(Step { by, ..step.clone() });
    }
    kept.last()?.is_some().then_some(fewer)
}
