//! `bothends lint SPEC`

use bothends::{Builder, Config};

use super::args::Lint;
use super::{End, plan, readable, report};

pub(super) fn run(args: &Lint) -> End {
    let format = args.messages.message_format;
    let config = Config {
        overlays: args.overlays.overlay.clone(),
        include: args.filter.include.clone(),
        exclude: args.filter.exclude.clone(),
        allow: args.allow.allow.clone(),
        allow_outside: Some(args.reach.allow_outside),
        allow_remote: Some(args.reach.allow_remote),
        ..Config::default()
    };
    let planned = readable(&args.spec)
        .and_then(|()| plan::make(&Builder::new(&args.spec).config(config), format));
    match planned {
        Ok(Some(plan)) => {
            report::kept(plan.kept.as_ref(), format);
            End::Done
        }
        Ok(None) => End::Found,
        Err(message) => {
            report::failure(&message, format);
            End::Failed
        }
    }
}
