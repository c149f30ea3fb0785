//! Both generated ends of small specs: driven by hand in `tests/`, and against each other with
//! invented values.
//!
//! The build script generates a module for each spec of `spec/features`, and, where the corpus is,
//! for those of `corpus.txt`, and with `BOTHENDS_ALL_DOCUMENTS=1` for those of `corpus-more.txt`.

#![allow(clippy::panic, reason = "these are tests, and a test fails by it")]

pub mod desk;
pub mod invent;
pub mod loopback;
pub mod message;
pub mod prism;
pub mod tape;
pub mod wire;

pub use bothends_test_peers as raw;

use desk::{Begun, Desk, Parts};

/// A router, mounted into axum.
pub struct Service(axum::Router);

impl Service {
    /// Mounts a generated router, which lets everybody in.
    pub fn new<A: Send + Sync + 'static>(router: bothends_runtime::server::Router<A>) -> Self {
        // Values with commas are to come back as they went.
        let router = router.allow_unauthenticated().keep_encoded_commas();
        Self(axum::Router::new().fallback_service(router))
    }
}

/// A spec whose operations can be driven.
pub struct Spec {
    /// Its module.
    pub module: &'static str,
    /// Where it is.
    pub path: &'static str,
    /// What is let pass in it.
    pub allow: &'static [&'static str],
    /// Its operations.
    pub operations: fn() -> Vec<Driver>,
    /// Its server.
    pub server: fn(Desk) -> Service,
}

/// How an operation is driven.
pub struct Driver {
    /// The operation.
    pub id: &'static str,
    /// Puts a request and an outcome together.
    pub begin: fn(&mut Parts) -> Result<Begun, String>,
}

include!(concat!(env!("OUT_DIR"), "/all.rs"));
