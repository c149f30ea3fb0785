//! `bothends list operations|schemas|tags`

use bothends::{Builder, filter};

use super::args::{List, ListWord};
use super::{End, plan, readable, report, settings};

pub(super) fn run(args: &List) -> End {
    try_run(args).unwrap_or_else(|message| {
        report::failure(&message, args.messages.message_format);
        End::Failed
    })
}

fn try_run(args: &List) -> Result<End, String> {
    let loaded = settings::load(args.config.as_deref())?;
    let document = args.document.document.as_deref();
    let mut config = settings::only_config(settings::documents(loaded, document)?)?;
    settings::path(&mut config.spec, args.spec.as_ref());
    config
        .overlays
        .extend(args.overlays.overlay.iter().cloned());
    settings::on(&mut config.allow_outside, args.reach.allow_outside);
    settings::on(&mut config.allow_remote, args.reach.allow_remote);
    // As for `deps`, crates of `[formats]` are not needed.
    config.module = Some(true);
    if !args.filter {
        config.include.clear();
        config.exclude.clear();
        // Nothing else reports these.
        config
            .allow
            .retain(|code| !matches!(code.as_str(), "E0411" | "N0411"));
    }
    let spec = settings::spec(&config)?;
    readable(&spec)?;
    let builder = Builder::new(spec).config(config);
    let format = args.messages.message_format;
    let Some(plan) = plan::make(&builder, format)? else {
        return Ok(End::Found);
    };
    let rows = match args.what {
        ListWord::Operations => filter::list_operations(&plan.api),
        ListWord::Schemas => filter::list_schemas(&plan.api),
        ListWord::Tags => filter::list_tags(&plan.api),
    };
    report::kept(plan.kept.as_ref(), format);
    let width = rows.iter().map(|(selector, _)| selector.chars().count());
    let width = width
        .filter(|width| *width <= WIDEST)
        .max()
        .unwrap_or_default();
    let lines = rows.iter().map(|(selector, fact)| {
        let line = format!("{selector:width$}  {fact}");
        format!("{}\n", line.trim_end())
    });
    report::print(&lines.collect::<String>());
    Ok(End::Done)
}

/// The largest width of the first column. Wider selectors move their second column.
const WIDEST: usize = 50;
