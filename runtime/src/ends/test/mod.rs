//! Contract tests: requests that are drawn by the document are sent to a service, and its responses are checked.
//!
//! ```ignore
//! #[tokio::test]
//! async fn keeps_its_contract() {
//!     let router = api::server::router(Service::new());
//!     bothends_runtime::test::contract(router).cases(256).run().await.assert();
//! }
//! ```

mod fault;
mod invalid;
mod report;
mod run;
mod sequence;
mod shrink;
mod walk;
mod way;

pub use fault::{Fault, Lead};
pub use report::{Finding, Report};

use super::client::{ClientCore, InProcess, InvalidBaseUrl};
pub use super::exchange::{Desk, Exchange, RequestExample, ResponseExample};
use super::server::{Probe, Router, StatedLink};
use std::fmt;

/// The requests of each operation, if no number is set.
const CASES: u32 = 100;

/// Creates a contract test of a router, which is called in process.
///
/// For each operation, valid requests are drawn by its table, and requests that break exactly one rule. A response is a
/// [`Finding`] if its status is a 5xx, if it does not match the document, or if it accepts an invalid request.
///
/// Then sequences of requests follow: the links of responses are called with the values that the document names, and an
/// object that a `POST` creates is read and deleted at the path with one more variable.
///
/// ```ignore
/// let router = api::server::router(Service::new());
/// bothends_runtime::test::contract(router).cases(256).run().await.assert();
/// ```
pub fn contract<A: Send + Sync + 'static>(router: Router<A>) -> Contract<InProcess<Router<A>>> {
    let base = format!("http://localhost{}", router.base());
    Contract {
        probes: router.probes(),
        links: router.stated_links(),
        core: ClientCore::new(&base, InProcess::new(router)),
        cases: CASES,
        seed: 0,
    }
}

/// A contract test: see [`contract`].
#[must_use = "a contract test does nothing until it is run"]
pub struct Contract<T> {
    probes: Vec<Probe>,
    links: &'static [StatedLink],
    core: Result<ClientCore<T>, InvalidBaseUrl>,
    cases: u32,
    seed: u64,
}

impl<T> Contract<T> {
    /// Sets the number of requests of each operation; an eighth as many sequences begin with it. The default is 100.
    pub fn cases(self, cases: u32) -> Self {
        Self { cases, ..self }
    }

    /// Sets the seed by which requests are drawn. The same seed draws the same requests. The default is 0, so that two
    /// runs of a test are equal.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Leaves out operations, by their ids in the document.
    pub fn without(mut self, operations: &[&str]) -> Self {
        let is_kept = |probe: &Probe| !operations.contains(&probe.meta().id);
        self.probes.retain(is_kept);
        self
    }

    /// Changes the client that sends the requests: its credentials, its tokens, a header of all requests.
    ///
    /// ```ignore
    /// contract(router).client(|core| core.credentials(Credentials::new().key("secret")))
    /// ```
    pub fn client(self, change: impl FnOnce(ClientCore<T>) -> ClientCore<T>) -> Self {
        Self {
            core: self.core.map(change),
            ..self
        }
    }

    /// Sends the requests with another client, such as that of a running service. The router then states the operations
    /// only, and its handlers are not called.
    ///
    /// ```ignore
    /// let client = api::client::Client::new("http://localhost:8080/v1")?;
    /// contract(api::server::router(Unimplemented)).over(client.core().clone())
    /// ```
    pub fn over<U>(self, core: ClientCore<U>) -> Contract<U> {
        Contract {
            probes: self.probes,
            links: self.links,
            core: Ok(core),
            cases: self.cases,
            seed: self.seed,
        }
    }
}

impl<T> fmt::Debug for Contract<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contract")
            .field("operations", &self.probes.len())
            .field("cases", &self.cases)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}
