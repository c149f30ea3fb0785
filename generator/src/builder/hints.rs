//! What a document probably means and does not say.

use super::Plan;
use crate::diagnostic::Diagnostics;
use crate::lower;

impl Plan {
    /// Returns notes about what the document could describe: lists that probably have pages. `bothends
    /// lint` reports them; generated code does not depend on them.
    #[must_use]
    pub fn hints(&self) -> Diagnostics {
        let mut notes = self.diagnostics.fresh();
        lower::report_unstated_pages(&self.api, &mut notes);
        notes
    }
}
