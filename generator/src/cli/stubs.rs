//! `bothends stubs SPEC`

use bothends::{Builder, scaffold};

use super::args::Stubs;
use super::{End, plan, readable, report, settings};

pub(super) fn run(args: &Stubs) -> End {
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, args.messages.message_format);
        End::Failed
    })
}

fn try_run(args: &Stubs) -> Result<End, String> {
    let mut config = settings::read(&args.settings)?;
    // As for `deps`, crates of `[formats]` are not needed.
    config.module = Some(true);
    let spec = settings::spec(&config)?;
    readable(&spec)?;
    let read = |path: &std::path::PathBuf| {
        std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read `{}`: {error}", path.display()))
    };
    let sources: Vec<String> = args.source.iter().map(read).collect::<Result<_, _>>()?;
    let builder = Builder::new(&spec).config(config);
    let Some(plan) = plan::make(&builder, args.messages.message_format)? else {
        return Ok(End::Found);
    };
    if plan.api.operations.is_empty() {
        let spec = spec.display();
        return Err(format!(
            "`{spec}` has no operations: its server has no methods"
        ));
    }
    let text = scaffold::stubs(&plan.api, &args.api, &sources).map_err(|(index, error)| {
        let path = args.source[index].display();
        format!("`{path}` is not Rust: {error}")
    })?;
    report::print(&text);
    Ok(End::Done)
}
