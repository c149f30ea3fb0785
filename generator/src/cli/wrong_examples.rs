//! `bothends examples SPEC`, and `bothends lint SPEC --examples`

use bothends::diagnostic::codes;
use bothends::scaffold::Purpose;
use bothends::{Builder, Config, Diagnostics, Plan};

use super::args::{Build, Examples, MessageFormat};
use super::drive::{self, Driver};
use super::{End, readable, report, settings};

pub(super) fn run(args: &Examples) -> End {
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, args.messages.message_format);
        End::Failed
    })
}

fn try_run(args: &Examples) -> Result<End, String> {
    let config = settings::read_checked(&args.settings)?;
    // Other problems of the document are those of `lint`.
    let others = |plan: &Plan| vec![plan.diagnostics.only(codes::EXAMPLE)];
    check(
        config,
        others,
        &args.settings.build,
        args.messages.message_format,
    )
}

/// Checks the examples of a document, and reports the wrong ones with other diagnostics of the document.
pub(super) fn check(
    config: Config,
    others: impl FnOnce(&Plan) -> Vec<Diagnostics>,
    build: &Build,
    format: MessageFormat,
) -> Result<End, String> {
    let config = drive::configured(config);
    let spec = settings::spec(&config)?;
    readable(&spec)?;
    let builder = Builder::new(&spec).config(config.clone());
    let plan = builder.examples_program().plan();
    let plan = plan.map_err(|failure| failure.to_string())?;
    if plan.has_errors() {
        report::diagnostics(&plan.diagnostics, &plan.sources, format);
        report::verdict(&plan.diagnostics, format);
        return Ok(End::Found);
    }
    report::kept(plan.kept.as_ref(), format);
    let printed =
        Driver::write(&spec, &plan, Purpose::Examples, (build, &config), format)?.output()?;
    let found = plan.examples_report(&others(&plan), &printed)?;
    report::diagnostics(&found.diagnostics, &plan.sources, format);
    let examples = report::counted(found.examples, "example");
    report::print(&format!("{examples}, {} wrong\n", found.wrong));
    Ok(match found.wrong {
        0 => End::Done,
        _ => End::Found,
    })
}
