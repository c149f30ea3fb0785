//! The operations of a router, for contract tests.

use super::super::Call;
use super::{Router, StatedLink};
use crate::ends::server::Probe;
use crate::message::payload::Body;
use http::Request;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Waker};

impl<A> Router<A> {
    /// Returns the path below which the operations are served.
    pub(in crate::ends) fn base(&self) -> &str {
        &self.settings.base_path
    }

    /// Returns the links of responses.
    pub(in crate::ends) const fn stated_links(&self) -> &'static [StatedLink] {
        self.links
    }

    /// Returns what is known of each operation, in the order of the routes.
    pub(in crate::ends) fn probes(&self) -> Vec<Probe> {
        let methods = self.routes.iter().flat_map(|route| route.methods);
        let probes = methods.filter_map(|method| {
            let probe = Arc::new(OnceLock::new());
            let mut future = (method.run)(Call {
                probe: Some(Arc::clone(&probe)),
                ..self.lookup()
            });
            // The call ends at once, before it does any work.
            let _ = future
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()));
            probe.get().copied()
        });
        probes.collect()
    }

    fn lookup(&self) -> Call<A> {
        Call {
            api: Arc::clone(&self.api),
            settings: Arc::clone(&self.settings),
            operation: Arc::default(),
            captures: Default::default(),
            parts: Box::new(Request::new(()).into_parts().0),
            body: Body::empty(),
            is_lookup: true,
            probe: None,
        }
    }
}
