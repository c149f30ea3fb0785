//! `bothends bundle SPEC [--out FILE]`

use std::path::Path;

use bothends::output::write_file;
use bothends::source::Sources;
use bothends::{Builder, Config};

use super::args::Bundle;
use super::{End, readable, report};

pub(super) fn run(args: &Bundle) -> End {
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, args.messages.message_format);
        End::Failed
    })
}

fn try_run(args: &Bundle) -> Result<End, String> {
    readable(&args.spec)?;
    let json = args.out.as_deref().is_some_and(is_json);
    let config = Config {
        overlays: args.overlays.overlay.clone(),
        include: args.filter.include.clone(),
        exclude: args.filter.exclude.clone(),
        allow_outside: Some(args.reach.allow_outside),
        allow_remote: Some(args.reach.allow_remote),
        ..Config::default()
    };
    let bundle = Builder::new(&args.spec)
        .config(config)
        .bundle(json)
        .map_err(|failure| failure.to_string())?;
    let format = args.messages.message_format;
    report::diagnostics(&bundle.diagnostics, &bundle.sources, format);
    let Some(text) = bundle.text else {
        report::verdict(&bundle.diagnostics, format);
        return Ok(End::Found);
    };
    match &args.out {
        None => report::print(&text),
        Some(path) => {
            refuse_input(path, &bundle.sources)?;
            let change = write_file(path, &text).map_err(|error| error.to_string())?;
            let what = if change { "written" } else { "unchanged" };
            report::print(&format!("{}: {what}\n", path.display()));
        }
    }
    Ok(End::Done)
}

/// Returns an error if the output file is one of the files of the document.
fn refuse_input(out: &Path, sources: &Sources) -> Result<(), String> {
    let same = |path: &Path| match (path.canonicalize(), out.canonicalize()) {
        (Ok(path), Ok(out)) => path == out,
        _ => false,
    };
    if sources.paths().any(same) {
        return Err(format!(
            "`{}` is part of the document itself",
            out.display()
        ));
    }
    Ok(())
}

fn is_json(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}
