//! The run of a contract test.

use super::report::Sent;
use super::way::Step;
use super::{Contract, Probe, Report, fault, invalid};
use crate::ends::client::{Body, ClientCore, Transport, UntypedResponse};
use crate::message::RequestEncoder;
use crate::message::operation::SampledRequest;
use crate::values::sample::{Random as _, Seed};
use http::Request;
use std::collections::{BTreeMap, BTreeSet};

impl<T: Transport> Contract<T> {
    /// Sends the requests, and returns what was found.
    pub async fn run(self) -> Report {
        let report = Report {
            seed: self.seed,
            operations: self.probes.len(),
            requests: 0,
            judged: 0,
            links: 0,
            findings: Vec::new(),
            notes: BTreeMap::new(),
        };
        let core = match self.core {
            Ok(core) => core,
            Err(error) => {
                let notes = BTreeMap::from([("base URL", error.to_string())]);
                return Report { notes, ..report };
            }
        };
        let mut run = Run {
            core,
            probes: self.probes,
            known: BTreeSet::new(),
            broken: BTreeSet::new(),
            report,
        };
        for operation in 0..run.probes.len() {
            run.operation(operation, self.cases).await;
        }
        run.sequences(self.links, self.cases).await;
        run.report
    }
}

/// A run of a contract test.
pub(super) struct Run<T> {
    core: ClientCore<T>,
    pub(super) probes: Vec<Probe>,
    /// The faults that are reported already.
    pub(super) known: BTreeSet<(&'static str, String)>,
    /// The rules that requests have broken.
    broken: BTreeSet<(&'static str, String)>,
    pub(super) report: Report,
}

impl<T: Transport> Run<T> {
    /// Sends the requests of an operation: valid and invalid ones in turn.
    async fn operation(&mut self, operation: usize, cases: u32) {
        let Some(probe) = &self.probes.get(operation).copied() else {
            return;
        };
        for case in 0..cases {
            let mut random = self.random(probe, case);
            let valid = match probe.draw(&mut random) {
                Ok(valid) => valid,
                Err(error) => {
                    self.note(probe, format!("no request was drawn: {error}"));
                    return;
                }
            };
            // Another decoder decides: what a server of bothends rejects is not valid.
            if !probe.is_valid(&valid) {
                continue;
            }
            let (request, broken) = match case % 2 {
                0 => (valid, None),
                _ => match invalid::neighbour(probe, &valid, &mut random, &mut self.broken) {
                    Some((request, error)) => (request, Some(error)),
                    None => (valid, None),
                },
            };
            let step = Step {
                operation,
                request,
                by: None,
                broken,
            };
            let _ = self.step(&[step], &mut Vec::new()).await;
        }
    }

    /// Returns the random numbers of a case, which depend on no other case.
    pub(super) fn random(&self, probe: &Probe, case: u32) -> Seed {
        let mut seed = self.report.seed ^ u64::from(case);
        for byte in probe.meta().id.bytes() {
            seed = Seed::new(seed ^ u64::from(byte)).next_u64();
        }
        Seed::new(seed)
    }

    /// Sends a request; `None` if it cannot be written.
    pub(super) async fn send(
        &mut self,
        probe: &Probe,
        request: &SampledRequest,
    ) -> Option<(Sent, Result<UntypedResponse, String>)> {
        let mut encoder = RequestEncoder::new(probe.meta());
        request.fill(&mut encoder);
        let request: Request<Body> = match self.core.untyped(probe.call, encoder).await {
            Ok(request) => request,
            Err(why) => {
                self.note(probe, why);
                return None;
            }
        };
        let sent = Sent::new(&request);
        self.report.requests += 1;
        let received = self.core.received(probe.call, request).await;
        match &received {
            Ok(received) if fault::is_refused(probe, received.status) => {
                let status = received.status;
                self.note(probe, format!("{status}: set the credentials"));
            }
            _ => self.report.judged += 1,
        }
        Some((sent, received))
    }

    pub(super) fn note(&mut self, probe: &Probe, note: String) {
        self.report.notes.entry(probe.meta().id).or_insert(note);
    }
}
