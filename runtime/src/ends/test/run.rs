//! The run of a contract test.

use super::fault::{self, faults};
use super::report::Sent;
use super::{Contract, Fault, Finding, Probe, Report, invalid, shrink};
use crate::ends::client::{Body, Core, Transport, UntypedResponse};
use crate::message::RequestEncoder;
use crate::message::operation::SampledRequest;
use crate::values::FieldError;
use crate::values::sample::{Random as _, Seed};
use http::Request;
use std::collections::{BTreeMap, BTreeSet};

/// The requests that are sent to find a smaller one.
const SHRINKS: usize = 300;

impl<T: Transport> Contract<T> {
    /// Sends the requests, and returns what was found.
    pub async fn run(self) -> Report {
        let report = Report {
            seed: self.seed,
            operations: self.probes.len(),
            requests: 0,
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
            known: BTreeSet::new(),
            broken: BTreeSet::new(),
            report,
        };
        for probe in &self.probes {
            run.operation(probe, self.cases).await;
        }
        run.sequences(&self.probes, self.cases).await;
        run.report
    }
}

/// A run of a contract test.
pub(super) struct Run<T> {
    core: Core<T>,
    /// The faults that are reported already.
    known: BTreeSet<(&'static str, String)>,
    /// The rules that requests have broken.
    broken: BTreeSet<(&'static str, String)>,
    pub(super) report: Report,
}

impl<T: Transport> Run<T> {
    /// Sends the requests of an operation: valid and invalid ones in turn.
    async fn operation(&mut self, probe: &Probe, cases: u32) {
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
            if probe.errors(&valid).is_none_or(|errors| !errors.is_empty()) {
                continue;
            }
            let (request, broken) = match case % 2 {
                0 => (valid, None),
                _ => match invalid::neighbour(probe, &valid, &mut random, &mut self.broken) {
                    Some((request, error)) => (request, Some(error)),
                    None => (valid, None),
                },
            };
            self.case(probe, request, broken.as_ref()).await;
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

    /// Sends a request, and reports the faults of its response with the smallest request that shows them.
    async fn case(&mut self, probe: &Probe, request: SampledRequest, broken: Option<&FieldError>) {
        let Some((_, found)) = self.faults(probe, &request, broken).await else {
            return;
        };
        for fault in found {
            if !self.known.insert((probe.meta().id, fault.key())) {
                continue;
            }
            let (sent, fault) = self.shrunk(probe, request.clone(), broken, fault).await;
            self.report.findings.push(Finding {
                operation: probe.meta().id,
                fault,
                requests: sent.into_iter().collect(),
            });
        }
    }

    /// Sends a request, and returns its form and the faults of its response; `None` if it cannot be written.
    async fn faults(
        &mut self,
        probe: &Probe,
        request: &SampledRequest,
        broken: Option<&FieldError>,
    ) -> Option<(Sent, Vec<Fault>)> {
        let (sent, received) = self.send(probe, request).await?;
        let found = match received {
            Ok(received) => faults(probe, broken, &received),
            Err(why) => vec![Fault::NoResponse(why)],
        };
        Some((sent, found))
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
        let sent = Sent::of(&request);
        self.report.requests += 1;
        let received = self.core.received(probe.call, request).await;
        if let Ok(received) = &received
            && fault::is_refused(probe, received.status)
        {
            let status = received.status;
            self.note(probe, format!("{status}: set the credentials, by `client`"));
        }
        Some((sent, received))
    }

    /// Returns the smallest request that was found for a fault, and the fault that it shows.
    async fn shrunk(
        &mut self,
        probe: &Probe,
        request: SampledRequest,
        broken: Option<&FieldError>,
        fault: Fault,
    ) -> (Option<Sent>, Fault) {
        let (mut smallest, mut found, mut sent) = (request, fault, None);
        let mut left = SHRINKS;
        let key = found.key();
        'smaller: loop {
            for request in shrink::smaller(&smallest) {
                if !is_alike(probe, &request, broken) {
                    continue;
                }
                if left == 0 {
                    break 'smaller;
                }
                left -= 1;
                let Some((form, faults)) = self.faults(probe, &request, broken).await else {
                    continue;
                };
                if let Some(same) = faults.into_iter().find(|fault| fault.key() == key) {
                    (smallest, found, sent) = (request, same, Some(form));
                    continue 'smaller;
                }
            }
            break;
        }
        if sent.is_none() {
            sent = self.send(probe, &smallest).await.map(|(sent, _)| sent);
        }
        (sent, found)
    }

    /// Reports a fault of the last of several requests.
    pub(super) fn found(&mut self, probe: &Probe, fault: Fault, requests: &[Sent]) {
        if self.known.insert((probe.meta().id, fault.key())) {
            self.report.findings.push(Finding {
                operation: probe.meta().id,
                fault,
                requests: requests.to_vec(),
            });
        }
    }

    fn note(&mut self, probe: &Probe, note: String) {
        self.report.notes.entry(probe.meta().id).or_insert(note);
    }
}

/// Returns whether a smaller request is valid as well, or breaks the same rule and no other.
fn is_alike(probe: &Probe, request: &SampledRequest, broken: Option<&FieldError>) -> bool {
    match (probe.errors(request).as_deref(), broken) {
        (Some([]), None) => true,
        (Some([error]), Some(broken)) => {
            error.field == broken.field && error.message == broken.message
        }
        _ => false,
    }
}
