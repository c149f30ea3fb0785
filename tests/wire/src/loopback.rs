//! Drives every operation of a spec with invented values, over a socket.

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::net::SocketAddr;

use bothends::Builder;
use bothends::ir::{Api, Operation, Payload};
use bothends_runtime::Json;
use bothends_runtime::client::{ClientCore, Credential, CredentialSource, HyperTransport};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::desk::{Desk, Parts, Verdict};
use crate::invent::Inventor;
use crate::{Driver, Spec};

/// What came of driving.
#[derive(Debug, Default)]
pub struct Tally {
    /// Operations that were driven.
    pub operations: usize,
    /// Operations that cannot be driven this way.
    pub skipped: usize,
    /// Exchanges that came out equal at both ends.
    pub equal: usize,
    /// Cases in which an end refused to write its value.
    pub refused: usize,
    /// The simplest case of each operation that went wrong.
    pub wrong: Vec<String>,
}

/// Everybody is let in: what is asked for is shown by the transport.
struct MutualTls;

impl CredentialSource for MutualTls {
    fn find(&self, _: &str) -> Option<Credential> {
        Some(Credential::Transport)
    }
}

/// Operations whose document does not tell two of its values apart on the wire.
const NOT_TOLD_APART: [(&str, &str); 4] = [
    // What is sent for a range such as `application/*` is one of it, and another variant has that.
    (
        "corpus_positive_wildcard_content_types",
        "mixedWildcardAndSpecific",
    ),
    // Several parameters that take any name: whose a name is cannot be seen.
    ("of_empties", "free"),
    // A status of `default` that a range has too.
    ("of_statuses", "overlap"),
    // In a query, a list of one string is that string.
    ("of_unions", "post"),
];

/// Both ends of a spec, with a socket between them.
pub struct Ends {
    runtime: tokio::runtime::Runtime,
    core: ClientCore<HyperTransport>,
}

impl Ends {
    /// Starts the server, whose answers are on the desk.
    ///
    /// # Errors
    /// When there is no socket.
    pub fn new(spec: &Spec, desk: &Desk) -> Result<Self, Box<dyn Error>> {
        let (runtime, server) = serve(spec, desk, "/base")?;
        let core = core(&format!("http://{server}/base"))?;
        Ok(Self { runtime, core })
    }

    /// Starts the server, whose answers are on the desk; the client calls somebody else, who calls the
    /// server at its address.
    ///
    /// # Errors
    /// When there is no socket.
    pub fn through(
        spec: &Spec,
        desk: &Desk,
        other: SocketAddr,
    ) -> Result<(Self, SocketAddr), Box<dyn Error>> {
        let (runtime, server) = serve(spec, desk, "")?;
        let core = core(&format!("http://{other}"))?;
        Ok((Self { runtime, core }, server))
    }

    /// Runs a call to its end.
    pub fn run<'a, F: Future<Output = Verdict>>(
        &'a self,
        call: impl FnOnce(&'a ClientCore<HyperTransport>) -> F,
    ) -> Verdict {
        self.runtime.block_on(call(&self.core))
    }
}

/// Serves under a path, on a socket of its own.
fn serve(
    spec: &Spec,
    desk: &Desk,
    path: &str,
) -> Result<(tokio::runtime::Runtime, SocketAddr), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let service = (spec.server)(desk.clone()).0;
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))?;
    let address = listener.local_addr()?;
    let under = match path {
        "" => service,
        path => axum::Router::new().nest_service(path, service),
    };
    runtime.spawn(async move { axum::serve(listener, under).await });
    Ok((runtime, address))
}

fn core(base: &str) -> Result<ClientCore<HyperTransport>, Box<dyn Error>> {
    let core = ClientCore::new(base, HyperTransport::new()?)?;
    Ok(core.override_all_servers().credentials(MutualTls))
}

/// Drives every operation of a spec with as many cases each.
///
/// # Errors
/// When the spec cannot be read, or there is no socket.
pub fn drive(spec: &Spec, cases: u32, tally: &mut Tally) -> Result<(), Box<dyn Error>> {
    let builder = Builder::new(spec.path).module(true);
    let builder = spec
        .allow
        .iter()
        .fold(builder, |builder, code| builder.allow(*code));
    let api = builder.plan()?.api;
    let desk = Desk::default();
    let ends = Ends::new(spec, &desk)?;
    let mut routes = Vec::new();
    for (driver, operation) in (spec.operations)().iter().zip(&api.operations) {
        // Of operations that only differ behind `?` or `#`, the server answers the first.
        let path = operation.path.split(['?', '#']).next();
        let route = (&operation.method, path);
        let known = (spec.module, driver.id);
        let streams = operation
            .successes
            .iter()
            .chain(&operation.errors)
            .filter_map(|response| response.payload.as_ref());
        let streams = streams.chain(operation.body.iter().map(|body| &body.payload));
        let streams = streams
            .flat_map(Payload::media)
            .any(|media| media.codec.is_items());
        if streams || routes.contains(&route) || NOT_TOLD_APART.contains(&known) {
            tally.skipped += 1;
            continue;
        }
        routes.push(route);
        let name = format!("{} {}", spec.module, driver.id);
        let case = Case {
            driver,
            operation,
            api: &api,
            ends: &ends,
            desk: &desk,
        };
        case.drive(&name, cases, tally);
    }
    Ok(())
}

struct Case<'a> {
    driver: &'a Driver,
    operation: &'a Operation,
    api: &'a Api,
    ends: &'a Ends,
    desk: &'a Desk,
}

/// What is counted while the cases of an operation run.
#[derive(Default)]
struct Counts {
    equal: Cell<usize>,
    refused: Cell<usize>,
    bottomless: Cell<bool>,
    /// The last thing that went wrong: while shrinking, the simplest.
    why: RefCell<String>,
}

impl Case<'_> {
    fn drive(&self, name: &str, cases: u32, tally: &mut Tally) {
        let counts = Counts::default();
        let config = Config {
            cases,
            failure_persistence: None,
            max_shrink_iters: 2000,
            ..Config::default()
        };
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let choices = proptest::collection::vec(proptest::num::u32::ANY, 0..120);
        let ran = runner.run(&choices, |choices| self.run_case(&choices, &counts));
        tally.operations += 1;
        tally.equal += counts.equal.get();
        tally.refused += counts.refused.get();
        match ran {
            Ok(()) if counts.equal.get() == 0 && !counts.bottomless.get() => {
                tally.wrong.push(format!(
                    "{name}: every case was refused: {}",
                    counts.why.take()
                ));
            }
            Ok(()) => {}
            Err(TestError::Fail(..)) => tally.wrong.push(format!("{name}: {}", counts.why.take())),
            Err(TestError::Abort(reason)) => tally.wrong.push(format!("{name}: {reason}")),
        }
    }

    fn run_case(&self, choices: &[u32], counts: &Counts) -> Result<(), TestCaseError> {
        let mut inventor = Inventor::new(self.api, choices);
        let parts = inventor.case(self.operation);
        let shown = Json::from(parts.clone());
        counts
            .bottomless
            .set(counts.bottomless.get() | inventor.bottomless);
        let is_ambiguous = inventor.is_ambiguous(self.operation);
        let verdict = match (self.driver.begin)(&mut Parts::new(parts, is_ambiguous)) {
            Ok(begun) => self.ends.run(|core| begun.run(core, self.desk)),
            Err(error) if inventor.bottomless => Verdict::Refused(error),
            Err(error) => Verdict::Wrong(error),
        };
        let why = match verdict {
            Verdict::Equal => {
                counts.equal.set(counts.equal.get() + 1);
                return Ok(());
            }
            Verdict::Refused(why) => {
                counts.refused.set(counts.refused.get() + 1);
                counts.why.replace(why);
                return Ok(());
            }
            Verdict::Wrong(why) => why,
        };
        counts.why.replace(format!("parts {shown}\n{why}"));
        Err(TestCaseError::fail("wrong"))
    }
}
