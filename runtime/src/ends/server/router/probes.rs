//! The operations of a router, for contract tests.

use super::{Captures, Router, StatedLink};
use crate::ends::server::Probe;

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
        let probes = methods.filter_map(|method| self.reached(method, Captures::default()).probe);
        probes.collect()
    }
}
