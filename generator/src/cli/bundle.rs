//! `bothends bundle SPEC [--out FILE]`

use std::path::Path;

use bothends::Builder;

use super::args::Bundle;
use super::{End, readable, report};

pub(super) fn run(args: &Bundle) -> End {
    let format = args.messages.message_format;
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, format);
        End::Failed
    })
}

fn try_run(args: &Bundle) -> Result<End, String> {
    let format = args.messages.message_format;
    readable(&args.spec)?;
    let json = args.out.as_deref().is_some_and(is_json);
    let bundle = Builder::new(&args.spec).bundle(json).map_err(|failure| failure.to_string())?;
    report::diagnostics(&bundle.diagnostics, &bundle.sources, format);
    let Some(text) = bundle.text else {
        report::verdict(&bundle.diagnostics, format);
        return Ok(End::Found);
    };
    match &args.out {
        None => report::print(&text),
        Some(path) => {
            let name = |error| format!("cannot write `{}`: {error}", path.display());
            std::fs::write(path, text).map_err(name)?;
        }
    }
    Ok(End::Done)
}

fn is_json(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}
