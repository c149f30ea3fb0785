//! `bothends lint SPEC [--examples | --write-overlay FILE]`

use std::path::Path;

use bothends::output::write_file;
use bothends::{Builder, Config, Plan, Severity};

use super::args::{Lint, MessageFormat};
use super::{End, plan, readable, report, wrong_examples};

pub(super) fn run(args: &Lint) -> End {
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, args.messages.message_format);
        End::Failed
    })
}

fn try_run(args: &Lint) -> Result<End, String> {
    let format = args.messages.message_format;
    let config = Config {
        spec: Some(args.spec.clone()),
        runtime_path: args.build.runtime_path.clone(),
        overlays: args.overlays.overlay.clone(),
        include: args.filter.include.clone(),
        exclude: args.filter.exclude.clone(),
        allow: args.allow.allow.clone(),
        allow_outside: Some(args.reach.allow_outside),
        allow_remote: Some(args.reach.allow_remote),
        ..Config::default()
    };
    readable(&args.spec)?;
    let builder = Builder::new(&args.spec).config(config.clone());
    if let Some(path) = &args.write_overlay {
        return propose(&builder, path, format);
    }
    if args.examples {
        let others = |plan: &Plan| vec![plan.diagnostics.clone(), plan.hints()];
        return wrong_examples::check(config, others, &args.build, format);
    }
    let Some(plan) = plan::make(&builder, format)? else {
        return Ok(End::Found);
    };
    report::diagnostics(&plan.hints(), &plan.sources, format);
    report::kept(plan.kept.as_ref(), format);
    Ok(End::Done)
}

/// Writes an overlay that repairs the document.
fn propose(builder: &Builder, path: &Path, format: MessageFormat) -> Result<End, String> {
    if path.symlink_metadata().is_ok() {
        let path = path.display();
        return Err(format!(
            "`{path}` already exists, and a proposed overlay does not overwrite files: move it away, or name another file"
        ));
    }
    let plan = builder.plan().map_err(|failure| failure.to_string())?;
    report::diagnostics(&plan.diagnostics, &plan.sources, format);
    let proposal = builder.propose_overlay(&plan, path);
    let proposal = proposal.map_err(|failure| failure.to_string())?;
    let errors = proposal.remaining.count(Severity::Error);
    let remaining = match errors {
        0 => "no error remains".to_owned(),
        1 => "1 error remains".to_owned(),
        errors => format!("{errors} errors remain"),
    };
    let summary = match &proposal.text {
        None => format!("nothing can be repaired; {remaining}"),
        Some(text) => {
            write_file(path, text).map_err(|error| error.to_string())?;
            let actions = report::counted(proposal.actions, "action");
            format!("{}: {actions}; {remaining}", path.display())
        }
    };
    report::print(&format!("{summary}\n"));
    Ok(match errors {
        0 => End::Done,
        _ => End::Found,
    })
}
