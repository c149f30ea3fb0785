//! `bothends deps SPEC`

use bothends::Builder;
use bothends::scaffold::{Dependency, path_between};

use super::args::Deps;
use super::{End, new, plan, readable, report, settings};

pub(super) fn run(args: &Deps) -> End {
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, args.messages.message_format);
        End::Failed
    })
}

fn try_run(args: &Deps) -> Result<End, String> {
    let mut config = settings::read(&args.settings)?;
    // The crates of `[formats]` are printed for the user: a crate that lacks one is not an error
    // here.
    config.module = Some(true);
    let spec = settings::spec(&config)?;
    readable(&spec)?;
    let generator = match &config.runtime_path {
        None => Dependency::Registry,
        Some(runtime) => match new::generator_beside(runtime) {
            None => Dependency::Registry,
            Some(path) => Dependency::Path(
                path_between(".".as_ref(), &path).map_err(|error| error.to_string())?,
            ),
        },
    };
    let builder = Builder::new(spec).config(config);
    let Some(plan) = plan::make(&builder, args.messages.message_format)? else {
        return Ok(End::Found);
    };
    let generator = args.build_script.then_some(generator);
    let lines = builder.dependencies(&plan, generator);
    report::print(&lines.map_err(|failure| failure.to_string())?);
    Ok(End::Done)
}
