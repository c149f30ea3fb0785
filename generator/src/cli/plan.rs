//! From the library's answer to what is told.

use bothends::{Builder, Failure, Plan};

use super::args::MessageFormat;
use super::report;

/// Makes a plan and tells its diagnostics; `None` when the document has errors.
pub(super) fn make(builder: &Builder, format: MessageFormat) -> Result<Option<Plan>, String> {
    match builder.plan() {
        Ok(plan) => {
            report::diagnostics(&plan.diagnostics, &plan.sources, format);
            Ok(Some(plan))
        }
        Err(Failure::Document { diagnostics, sources }) => {
            report::diagnostics(&diagnostics, &sources, format);
            report::verdict(&diagnostics, format);
            Ok(None)
        }
        Err(failure) => Err(failure.to_string()),
    }
}
