//! Making a plan and reporting its diagnostics.

use bothends::source::{FileLoader, Loader};
use bothends::{Builder, Plan};

use super::args::MessageFormat;
use super::report;

/// Makes a plan and reports its diagnostics. Returns `None` if the document has errors.
pub(super) fn make(builder: &Builder, format: MessageFormat) -> Result<Option<Plan>, String> {
    make_of(builder, &FileLoader, format)
}

/// Makes a plan of the files of a loader and reports its diagnostics. Returns `None` if the document has errors.
pub(super) fn make_of(
    builder: &Builder,
    loader: &dyn Loader,
    format: MessageFormat,
) -> Result<Option<Plan>, String> {
    let plan = builder
        .plan_of(loader)
        .map_err(|failure| failure.to_string())?;
    report::diagnostics(&plan.diagnostics, &plan.sources, format);
    if plan.has_errors() {
        report::verdict(&plan.diagnostics, format);
        return Ok(None);
    }
    Ok(Some(plan))
}
